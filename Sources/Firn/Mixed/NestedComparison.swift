internal import FirnEngine

extension Writer {
  /// Whether a stored value has the content of a mixed value: kind and payload are the same, at every level.
  ///
  /// Goes no deeper than what is stored, which ends.
  ///
  /// - Parameter reference: The stored form of an object, which may be added for that.
  func holds(_ stored: Value, contentOf value: AnyRealmValue, reference: (Object) -> Value) -> Bool {
    let column = TableDescription.nestedColumn
    switch value {
    case .list(let list):
      guard case .list(let row) = stored, let table = layout.nestedLists,
        list.count == contents.listCount(column, of: row, in: table)
      else { return false }
      for (index, element) in list.enumerated() {
        // Adding an object may have changed anything.
        guard index < contents.listCount(column, of: row, in: table) else { return false }
        let stored = contents.listValue(at: index, of: column, of: row, in: table)
        if !holds(stored, contentOf: element, reference: reference) { return false }
      }
      return true
    case .dictionary(let map):
      guard case .map(let row) = stored, let table = layout.nestedMaps,
        map.count == contents.listCount(column, of: row, in: table)
      else { return false }
      return map.entries.allSatisfy { key, element in
        guard let stored = contents.mapValue(forKey: Array(key.utf8), column, of: row, in: table) else { return false }
        return holds(stored, contentOf: element, reference: reference)
      }
    case .object(let object): return reference(object) == stored
    default: return value.scalar.isIdentical(to: stored)
    }
  }
}

extension RealmInstance {
  /// Whether a collection need not be written: it is assigned to its own place, or equal writes are skipped and its
  /// content is stored already.
  ///
  /// - Parameter stored: What the collection would be written over; nil for nothing.
  func skips(_ value: AnyRealmValue, _ writer: Writer, over stored: (GraphContents) -> Value?) -> Bool {
    guard value.isCollection, let stored = stored(writer.contents) else { return false }
    if isStored(value, as: stored) { return true }
    if !writer.client.skipsEqualWrites { return false }
    // An object that is still to be added equals nothing.
    return writer.holds(stored, contentOf: value) { $0._instance === self ? reference(to: $0) : .neverStored }
  }

  /// Whether a collection is the very one that a stored value names.
  private func isStored(_ value: AnyRealmValue, as stored: Value) -> Bool {
    switch (value, stored) {
    case (.list(let list), .list(let row)): list._instance === self && RowKey(list._key) == row
    case (.dictionary(let map), .map(let row)): map._instance === self && RowKey(map._key) == row
    default: false
    }
  }
}
