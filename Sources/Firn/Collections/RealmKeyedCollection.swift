public import Dispatch
public import Foundation

/// A collection of values by key: ``Map``.
///
/// Managed ones are live: they show the version that their realm shows. They may be read from any thread; away from the
/// realm's own they show the last committed version.
public protocol RealmKeyedCollection: Sequence, ThreadConfined, CustomStringConvertible, _FrozenAfterWriting {
  /// What entries are found by.
  associatedtype Key: _MapKey
  /// What is found.
  associatedtype Value: RealmCollectionValue

  /// The number of entries.
  var count: Int { get }
  /// The keys; `keys[i]` belongs to `values[i]`.
  var keys: [Key] { get }
  /// The values in the order of the keys.
  var values: [Value] { get }
  /// The value of a key; setting nil removes the entry.
  subscript(key: Key) -> Value? { get set }

  /// Stores a value for a key.
  func updateValue(_ value: Value, forKey key: Key)
  /// Removes the entry of a key, if there is one.
  func removeObject(for key: Key)
  /// Removes every entry.
  func removeAll()
  /// The value of a key by its name.
  func value(forKey key: String) -> Any?
  /// What a path leads to whose first name is a key.
  func value(forKeyPath keyPath: String) -> Any?
  /// Stores a value of any type for a key.
  func setValue(_ value: Any?, forKey key: String)
  /// Whether some entry satisfies a condition.
  func contains(where predicate: @escaping (_ key: Key, _ value: Value) -> Bool) -> Bool
  /// The values that satisfy a condition, live.
  func filter(_ predicate: NSPredicate) -> Results<Value>
  /// The values in the order of descriptors, live.
  func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Value> where S.Element == SortDescriptor
  /// The values in the order of a property of theirs, live.
  func sorted(byKeyPath keyPath: String, ascending: Bool) -> Results<Value>
  /// The least value of a property of the values; nil when there is none.
  func min<T: MinMaxType & _AggregateResult>(ofProperty property: String) -> T?
  /// The greatest value of a property of the values; nil when there is none.
  func max<T: MinMaxType & _AggregateResult>(ofProperty property: String) -> T?
  /// The sum of a property of the values.
  func sum<T: AddableType & _AggregateResult>(ofProperty property: String) -> T
  /// The average of a property of the values; nil when there is none.
  func average<T: AddableType & _AggregateResult>(ofProperty property: String) -> T?
  /// What observers need of the map. Traps for an unmanaged one.
  var _observed: _Observed<RealmMapChange<Self>> { get }
  /// Calls a block with the keys that came, went or changed; see ``Map``.
  func observe(keyPaths: [String]?, _ block: @escaping (RealmMapChange<Self>) -> Void) -> NotificationToken
  /// The same on a queue.
  @preconcurrency
  func observe(
    keyPaths: [String]?, on queue: DispatchQueue?, _ block: @escaping @Sendable (RealmMapChange<Self>) -> Void
  ) -> NotificationToken
}

extension RealmKeyedCollection {
  public func _frozenAfterWriting() -> Self {
    (self as? CollectionBase)?._checkIsManagedAfterWriting()
    return freeze()
  }
}
