internal import FirnEngine

/// What a collection is to hold, in stored form.
enum StoredContent {
  /// The elements of a list or set.
  case elements([Value])
  /// The entries of a map.
  case entries([(key: String, value: Value)])
}

extension Writer {
  /// Puts content into a collection besides what is there.
  func add(
    _ content: StoredContent, to column: ColumnID, _ kind: CollectionKind, of key: RowKey, in table: TableID
  ) {
    switch content {
    case .elements(let elements) where kind == .set:
      for element in elements { _ = insert(element, intoSet: column, of: key, in: table) }
    case .elements(let elements):
      append(contentsOf: elements, to: column, of: key, in: table)
    case .entries(let entries):
      for (name, value) in entries { _ = set(value, forKey: Array(name.utf8), ofMap: column, of: key, in: table) }
    }
  }

  /// Puts other content into a collection and leaves alone what is there already: elements at their positions in a list,
  /// elements of a set, entries of a map.
  func replaceDifferences(
    of column: ColumnID, _ kind: CollectionKind, of key: RowKey, in table: TableID, with content: StoredContent
  ) {
    switch content {
    case .elements(let elements) where kind == .set:
      removeElements(notIn: Set(elements), of: column, of: key, in: table)
      for element in elements { _ = insert(element, intoSet: column, of: key, in: table) }
    case .elements(let elements):
      replaceList(column, of: key, in: table, with: elements)
    case .entries(let entries):
      removeKeys(notIn: Set(entries.map { Array($0.key.utf8) }), column, key, table)
      for (name, value) in entries {
        let name = Array(name.utf8)
        if contents.mapValue(forKey: name, column, of: key, in: table) == value { continue }
        _ = set(value, forKey: name, ofMap: column, of: key, in: table)
      }
    }
  }

  private func replaceList(_ column: ColumnID, of key: RowKey, in table: TableID, with new: [Value]) {
    let count = listCount(column, of: key, in: table)
    for index in 0..<min(count, new.count)
    where contents.listValue(at: index, of: column, of: key, in: table) != new[index] {
      replace(at: index, with: new[index], of: column, of: key, in: table)
    }
    for index in stride(from: count - 1, through: new.count, by: -1) {
      remove(at: index, of: column, of: key, in: table)
    }
    if new.count > count { append(contentsOf: new[count...], to: column, of: key, in: table) }
  }

  private func removeElements(notIn wanted: Set<Value>, of column: ColumnID, of key: RowKey, in table: TableID) {
    for index in stride(from: listCount(column, of: key, in: table) - 1, through: 0, by: -1) {
      let element = contents.listValue(at: index, of: column, of: key, in: table)
      if !wanted.contains(element) { remove(at: index, of: column, of: key, in: table) }
    }
  }

  func removeKeys(notIn wanted: Set<[UInt8]>, _ column: ColumnID, _ key: RowKey, _ table: TableID) {
    for index in stride(from: listCount(column, of: key, in: table) - 1, through: 0, by: -1)
    where !wanted.contains(contents.mapKey(at: index, of: column, of: key, in: table)) {
      remove(at: index, of: column, of: key, in: table)
    }
  }
}
