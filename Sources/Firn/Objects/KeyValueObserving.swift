// Names of key-value observing, which needs Objective-C, so that the compiler tells what to write instead.

extension ThreadConfined where Self: ObjectBase {
  /// Needs Objective-C.
  @available(
    *, unavailable, message: "Key-value observing needs Objective-C. Write observe(keyPaths: [\\.name]) { change in }."
  )
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: _KeyValueObservingOptions = [],
    changeHandler: @escaping (Self, _KeyValueObservedChange<Value>) -> Void
  ) -> NotificationToken { fatalError("Observe the object.") }
}

extension ObjectBase {
  /// Needs Objective-C.
  @available(
    *, unavailable, message: "Key-value observing needs Objective-C. Write observe(keyPaths: [\"name\"]) { change in }."
  )
  public final func addObserver(
    _ observer: Any, forKeyPath keyPath: String, options: _KeyValueObservingOptions = [],
    context: UnsafeMutableRawPointer?
  ) { fatalError("Observe the object.") }

  /// Needs Objective-C.
  @available(
    *, unavailable,
    message: "Key-value observing needs Objective-C. Invalidate the token that observe(keyPaths:_:) returned."
  )
  public final func removeObserver(_ observer: Any, forKeyPath keyPath: String) { fatalError("Observe the object.") }
}

/// The options of key-value observing.
@available(*, unavailable, message: "Key-value observing needs Objective-C. Write observe(keyPaths:_:).")
public struct _KeyValueObservingOptions: OptionSet, Sendable {
  /// Needs Objective-C.
  public let rawValue: Int

  /// Needs Objective-C.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Needs Objective-C.
  public static let new = _KeyValueObservingOptions(rawValue: 1)
  /// Needs Objective-C.
  public static let old = _KeyValueObservingOptions(rawValue: 2)
  /// Needs Objective-C.
  public static let initial = _KeyValueObservingOptions(rawValue: 4)
  /// Needs Objective-C.
  public static let prior = _KeyValueObservingOptions(rawValue: 8)
}

/// A change that key-value observing tells.
@available(*, unavailable, message: "Key-value observing needs Objective-C. Write observe(keyPaths:_:).")
public struct _KeyValueObservedChange<Value> {
  /// Needs Objective-C.
  public let oldValue: Value?
  /// Needs Objective-C.
  public let newValue: Value?
}
