internal import FirnEngine

extension Map: _PersistableCollection {
  public typealias PersistedType = Map<Key, Value>

  public static func _declarationProblem(hasInitialValue: Bool, isOptional: Bool) -> String? {
    Value._elementProblem
  }

  public static var _shape: _PropertyShape {
    var shape = Value._elementShape
    shape.collection = .map
    if shape.nullIsDefault { shape.isOptional = true }
    return shape
  }

  public func _becomeManaged(_ object: ObjectBase, _ slot: UInt64) {
    let entries = _entries
    _entries = [:]
    _bind(object, slot)
    for (key, value) in entries { updateValue(value, forKey: key.key) }
  }

  public func _replaceAll(with other: Map) {
    if other === self || (_context != nil && _isSameCollection(other)) { return }
    let entries = other.entries
    if _context != nil, _beginMutation().writer.client.skipsEqualWrites {
      // What stays is compared when it is written.
      let kept = Set(entries.map { Array($0.key._mapKey.utf8) })
      for entry in self.entries where !kept.contains(Array(entry.key._mapKey.utf8)) { removeObject(for: entry.key) }
    } else {
      removeAll()
    }
    for (key, value) in entries { updateValue(value, forKey: key) }
  }
}

extension Map: RealmKeyedCollection {
  /// The map as it is now, for use on any thread; never changes.
  ///
  /// Traps for an unmanaged map. - Complexity: O(1).
  public func freeze() -> Map { _frozen() }

  /// The live map that a frozen one was made from, for the current thread; nil when its object is gone.
  ///
  /// A live map returns itself. Traps for an unmanaged map.
  public func thaw() -> Map? { _thawed() }
}

extension Realm {
  /// Deletes the objects that are values of a map. The keys stay, with nil values.
  ///
  /// Traps outside of a write transaction and for a map of another realm.
  public func delete<Key: _MapKey, Value: ObjectBase & _RealmCollectionValueInsideOptional>(
    _ map: Map<Key, Value?>, file: StaticString = #fileID, line: UInt = #line
  ) {
    let site = CallSite(function: "Realm.delete", file: file, line: line)
    guard let owner = map._instance, owner === instance, let target = map._target else {
      trapForDeletion(ofAll: type(of: map), site)
    }
    let writer = requireWriter(site)
    var seen: Set<UInt64> = []
    let keys = map._elementQuery().allKeys().filter { $0 != ResultsCore.nullKey && seen.insert($0).inserted }
    instance.delete(keys.map { RowKey($0) }, target, writer)
  }
}
