internal import FirnEngine

/// One version of a database: never changes, and is used from any thread and task.
///
/// Keeps the version's memory as long as it, or anything reached from it, exists.
public struct FrozenRealm: Sendable {
  private let instance: RealmInstance

  init(_ instance: RealmInstance) { self.instance = instance }

  /// The version of a realm. A live realm's is the one it shows to the calling thread; inside a write transaction, the one
  /// that the transaction started from.
  ///
  /// - Complexity: O(1).
  public init(_ realm: Realm) { instance = realm.freeze().instance }

  /// The version's number, that of the commit which made it: greater than that of every older version of the store.
  ///
  /// When commits are lost because the disk fails, the version that follows has the number of the last commit before
  /// them.
  public var version: UInt64 { instance.store.graph.commitNumber(of: instance.version.unsafelyUnwrapped.number) }

  /// The same as a ``Realm``, for functions that take one.
  public var realm: Realm { Realm(instance) }

  /// All objects of a class, in the order in which they were added.
  ///
  /// Results are not Sendable; wrap them in ``Frozen`` to pass them on, or ask again there.
  public func objects<Element: RealmFetchable>(_ type: Element.Type) -> Results<Element> { realm.objects(type) }

  /// The object of a class with a primary key, or nil.
  ///
  /// - Parameter key: See ``Realm/object(ofType:forPrimaryKey:)``.
  /// - Complexity: O(1).
  public func object<Element: Object, KeyType>(ofType type: Element.Type, forPrimaryKey key: KeyType) -> Element? {
    realm.object(ofType: type, forPrimaryKey: key)
  }
}
