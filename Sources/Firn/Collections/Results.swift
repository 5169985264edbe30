internal import FirnEngine

/// What ``Realm/objects(_:)`` can fetch.
public protocol RealmFetchable: RealmCollectionValue {
  /// The name of the class in the schema.
  static func className() -> String
}

/// A value that a collection may hold.
public protocol RealmCollectionValue {}

extension Object: RealmFetchable {}

/// A lazily evaluated, live query.
public struct Results<Element: RealmCollectionValue> {
  let core: ResultsCore

  init(core: ResultsCore) { self.core = core }

  public var count: Int { core.count }
}
