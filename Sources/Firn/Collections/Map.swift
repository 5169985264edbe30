internal import FirnEngine
internal import Foundation

/// A collection of values by key that an object holds.
///
///     class Airport: Object {
///         @Persisted var names: Map<String, String>
///         @Persisted var gates: Map<String, Gate?>
///     }
///
/// A map that belongs to an unmanaged object, or to none, is a dictionary with reference semantics, in no order. When its
/// object is added to a realm the map becomes managed, and stays the same instance: it is then a live view of what the
/// realm stores, in ascending order of the keys' bytes. Assigning to a map property copies the entries into the map that
/// is there.
///
/// Values that are objects are optional: deleting an object leaves its key with a nil value.
///
/// Keys are equal when their bytes are. Those of a managed map must not begin with `$` and must not contain `.`; storing
/// such a key traps.
///
/// A managed map may be read from any thread, at its fastest on its realm's own; on other threads it shows the last
/// committed version. Changing it needs a write transaction. Finding, storing and removing an entry of a managed map take
/// O(log n).
public final class Map<Key: _MapKey, Value: RealmCollectionValue>: MapBase {
  @exclusivity(unchecked) @usableFromInline final var _entries: [ExactKey<Key>: Value] = [:]

  /// Makes an empty unmanaged map.
  public override init() { super.init() }

  deinit {
    if !_entries.isEmpty, Value.self == AnyRealmValue.self { HeldReferences.release(&_entries, leaving: [:]) }
  }

  override var _hasDynamicElements: Bool { Value.self == DynamicObject?.self }

  @inlinable @inline(__always)
  final var _source: _ElementSource { _ElementSource(table: _target, mover: nil) }
}

// MARK: - Reading

extension Map {
  /// The number of entries. O(1).
  public var count: Int {
    @inlinable get { _context == nil ? _entries.count : _managedCount }
  }

  /// Whether there is no entry. O(1).
  public var isEmpty: Bool { count == 0 }

  /// The keys: of a managed map in ascending order of their bytes. `keys[i]` belongs to `values[i]`.
  public var keys: [Key] {
    _context == nil ? _entries.keys.map(\.key) : _storedKeys.map { Key(_mapKey: $0) }
  }

  /// The values in the order of ``keys``.
  public var values: [Value] {
    _context == nil ? Array(_entries.values) : Array(IteratorSequence(_makeElementIterator()))
  }

  /// The value of a key; nil when there is none.
  ///
  /// Setting stores the value, adding an unmanaged object to the realm, or removes the entry: `map[key] = nil`. Where
  /// values are optional, `map[key] = .some(nil)` stores a nil. Needs a write transaction when the map is managed.
  public subscript(key: Key) -> Value? {
    @inlinable get {
      if _context == nil { return _entries[ExactKey(key)] }
      var value: Value?
      _withValue(of: key._mapKey) { bytes, isNull in
        value = Value._loadElement(bytes, Value._mayReadNull && isNull, _source)
      }
      if let value { return value }
      return _tracedElement(forKey: key._mapKey)
    }
    @inlinable set {
      if let newValue { updateValue(newValue, forKey: key) } else { removeObject(for: key) }
    }
  }

  /// The value of a key by its name, in stored form: `NSNull` when it is nil, and nil when there is no such key.
  public func value(forKey key: String) -> Any? {
    guard let value = self[Key(_mapKey: key)] else { return nil }
    if let object = customObject(forKey: key) { return object }
    return Unwrapping.stored(value) ?? NSNull()
  }

  /// The object that is stored for a value of a custom type; nil of other values.
  private func customObject(forKey key: String) -> ObjectBase? {
    guard Value._elementShape.custom != nil, let instance = _instance, let table = _table, let target = _target else {
      return nil
    }
    return target.accessor {
      instance.read { contents in
        guard
          case .link(let row) = contents.mapValue(forKey: Array(key.utf8), _column, of: RowKey(_key), in: table.table),
          contents.contains(row, in: target.table)
        else { return nil }
        return row
      }
    }
  }

  /// The value of a key; see ``value(forKey:)-(_)``.
  @_disfavoredOverload
  public func value(forKey key: String) -> AnyObject? {
    let value: Any? = value(forKey: key)
    return value.map { $0 as AnyObject }
  }

  /// What a path leads to; see ``value(forKeyPath:)-(_)``.
  @_disfavoredOverload
  public func value(forKeyPath keyPath: String) -> AnyObject? {
    let value: Any? = value(forKeyPath: keyPath)
    return value.map { $0 as AnyObject }
  }

  /// What a path leads to whose first name is a key, the others properties of the value; nil when there is nothing, and
  /// `NSNull` when the path is a key whose value is nil. Or what an operator makes of the values; see
  /// ``RealmCollection/value(forKeyPath:)``.
  public func value(forKeyPath keyPath: String) -> Any? {
    if let operation = KeyPathOperation(keyPath) {
      let values = values
      return operation.result(count: values.count, in: StoredAggregate.Elements(Value.self, first: values.first)) {
        ElementValues.named($0, in: values)
      }
    }
    guard let (key, rest) = KeyPathWalk.parts(of: keyPath) else { return value(forKey: keyPath) }
    let value: Any? = value(forKey: key)
    return value.flatMap { KeyPathWalk.found(from: $0, rest) }
  }

  /// The value of a key, as a reference; `NSNull` when it is nil, and nil when there is no such key.
  public func object(forKey key: AnyObject) -> AnyObject? { (key as? String).flatMap { value(forKey: $0) } }

  /// Whether some entry satisfies a condition, which is evaluated in Swift.
  public func contains(where predicate: @escaping (_ key: Key, _ value: Value) -> Bool) -> Bool {
    for entry in self where predicate(entry.key, entry.value) { return true }
    return false
  }

  /// All entries.
  var entries: [(key: Key, value: Value)] {
    _context == nil ? _entries.map { ($0.key.key, $0.value) } : Array(asKeyValueSequence())
  }
}

extension Map: Hashable, CustomStringConvertible {
  /// Managed maps are equal when they are the same property of the same object in the same realm, unmanaged ones when
  /// they have equal values for the same keys.
  public static func == (lhs: Map, rhs: Map) -> Bool {
    if lhs === rhs { return true }
    if lhs._context != nil || rhs._context != nil { return lhs._isSameCollection(rhs) }
    return lhs.count == rhs.count
      && lhs._entries.allSatisfy { key, value in
        rhs._entries[key].map { Value._isEqualElement(value, $0) } ?? false
      }
  }

  /// The same as `==`; false for anything but a map of the same type.
  public func isEqual(_ object: Any?) -> Bool { (object as? Map) == self }

  /// By instance.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// The entries, one a line, in ascending order of the keys' bytes.
  public var description: String { ObjectDescription.text(of: self) }
}
