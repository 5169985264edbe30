#if !Publishers
// The names that say, where they are used, why there are no publishers.
public import Firn

/// Publishers are there with the trait `Publishers` of the package.
@available(
  *, unavailable,
  message:
    "Publishers need the trait 'Publishers' of Firn: name it in the traits of the dependency on Firn in Package.swift"
)
public enum RealmPublishers {}

extension ThreadConfined {
  /// Needs the trait `Publishers`.
  @available(
    *, unavailable,
    message:
      "Publishers need the trait 'Publishers' of Firn: name it in the traits of the dependency on Firn in Package.swift"
  )
  public var objectWillChange: Never { fatalError() }

  /// Needs the trait `Publishers`.
  @available(
    *, unavailable,
    message:
      "Publishers need the trait 'Publishers' of Firn: name it in the traits of the dependency on Firn in Package.swift"
  )
  public var collectionPublisher: Never { fatalError() }

  /// Needs the trait `Publishers`.
  @available(
    *, unavailable,
    message:
      "Publishers need the trait 'Publishers' of Firn: name it in the traits of the dependency on Firn in Package.swift"
  )
  public var changesetPublisher: Never { fatalError() }
}

/// Needs the trait `Publishers`.
@available(
  *, unavailable,
  message:
    "Publishers need the trait 'Publishers' of Firn: name it in the traits of the dependency on Firn in Package.swift"
)
public func valuePublisher<T>(_ source: T, keyPaths: [String]? = nil) -> Never { fatalError() }

/// Needs the trait `Publishers`.
@available(
  *, unavailable,
  message:
    "Publishers need the trait 'Publishers' of Firn: name it in the traits of the dependency on Firn in Package.swift"
)
public func changesetPublisher<T>(_ source: T, keyPaths: [String]? = nil) -> Never { fatalError() }
#endif
