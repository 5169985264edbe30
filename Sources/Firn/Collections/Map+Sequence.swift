internal import FirnEngine

/// An entry of a ``Map``.
///
/// Entries are equal when their values are, and are hashed by their keys.
public struct SingleMapEntry<Key: _MapKey, Value: RealmCollectionValue>: _RealmMapValue {
  /// The key of the entry.
  public var key: Key
  /// The value of the entry.
  public var value: Value

  /// Makes an entry.
  public init(key: Key, value: Value) {
    self.key = key
    self.value = value
  }

  /// Whether the values are equal.
  public static func == (lhs: SingleMapEntry, rhs: SingleMapEntry) -> Bool { lhs.value == rhs.value }

  /// By the key.
  public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// An entry that iterating over a ``Map`` gives. Not to be conformed to directly.
public protocol _RealmMapValue: Hashable {
  associatedtype Key: _MapKey
  associatedtype Value: RealmCollectionValue

  init(key: Key, value: Value)
}

/// Iterates over the entries that a ``Map`` had when the iterator was made.
public struct RLMMapIterator<Element: _RealmMapValue>: IteratorProtocol {
  @usableFromInline var entries: RLMKeyValueIterator<Element.Key, Element.Value>

  /// The next entry, or nil at the end.
  @inlinable
  public mutating func next() -> Element? { entries.next().map { Element(key: $0.key, value: $0.value) } }
}

/// Iterates over the keys and values that a ``Map`` had when the iterator was made.
public struct RLMKeyValueIterator<Key: _MapKey, Value: RealmCollectionValue>: IteratorProtocol {
  @usableFromInline var keys: ListIterator<String>
  @usableFromInline var values: ListIterator<Value>

  /// The next key and value, or nil at the end.
  @inlinable
  public mutating func next() -> (key: Key, value: Value)? {
    guard let key = keys.next(), let value = values.next() else { return nil }
    return (Key(_mapKey: key), value)
  }
}

extension Map: Sequence {
  /// Iterates over the entries that the map has now, in the order of ``keys``.
  ///
  /// An object that the loop does not keep may be used again for the next entry.
  public func makeIterator() -> RLMMapIterator<SingleMapEntry<Key, Value>> {
    RLMMapIterator(entries: makeKeyValueIterator())
  }

  /// The map as a sequence of keys and values: `for (key, value) in map.asKeyValueSequence()`.
  public func asKeyValueSequence() -> KeyValueSequence { KeyValueSequence(map: self) }

  /// The number of entries.
  public var underestimatedCount: Int { count }

  /// The keys and values of a map.
  public struct KeyValueSequence: Sequence {
    let map: Map

    /// Iterates over the keys and values that the map has now.
    public func makeIterator() -> RLMKeyValueIterator<Key, Value> { map.makeKeyValueIterator() }
  }

  private func makeKeyValueIterator() -> RLMKeyValueIterator<Key, Value> {
    if _context == nil {
      let entries = Array(_entries)
      return RLMKeyValueIterator(
        keys: ListIterator(entries.map { $0.key.key._mapKey }), values: ListIterator(entries.map(\.value)))
    }
    let (instance, table) = (_instance.unsafelyUnwrapped, _table.unsafelyUnwrapped)
    if instance.isWritingHere {
      return RLMKeyValueIterator(keys: ListIterator(_storedKeys), values: _makeElementIterator())
    }
    // Both from one version.
    let mayRead = _mayRead
    let version = instance.heldVersion()
    let root =
      mayRead
      ? version.withContents { $0.listRoot(table.layout.columns[_column.index], of: RowKey(_key), in: table.table) }
      : nil
    let mover = _elementMover(Value.self)
    return RLMKeyValueIterator(
      keys: ListIterator(
        root.flatMap { MapTree.keys($0) }, source: _ElementSource(table: nil, mover: nil), owner: version,
        realm: instance),
      values: ListIterator(
        root.flatMap { MapTree.values($0) }, _storedShape(Value.self),
        source: _ElementSource(table: _target, mover: mover), owner: version, realm: instance))
  }
}
