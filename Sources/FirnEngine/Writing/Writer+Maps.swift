// Changes of maps. Values have the form in which lists store elements.
extension Writer {
  /// Sets the value of a key; nil is null. The map takes over the blob of a string or data value.
  ///
  /// - Returns: Whether the key is new.
  /// - Complexity: O(log n).
  @discardableResult
  package func set(
    element: UnsafeRawPointer?, forKey name: UnsafeRawBufferPointer, ofMap map: ColumnID, of key: RowKey,
    in table: TableID
  ) -> Bool {
    if client.skipsEqualWrites {
      let root = contents.listRoot(layout.tables[table.index].columns[map.index], of: key, in: table)
      let (index, isPresent) = MapTree.position(of: name, in: root)
      if isPresent, holdsElement(element, at: index, of: map, of: key, in: table) { return false }
    }
    if let element { addElementLinks(element, nil, 1, map, key, table) }
    return set(stored: element, name, map, key, table)
  }

  @discardableResult
  package func set(
    _ value: Value, forKey name: [UInt8], ofMap map: ColumnID, of key: RowKey, in table: TableID
  ) -> Bool {
    name.withUnsafeBytes { name in
      if client.skipsEqualWrites {
        let root = contents.listRoot(layout.tables[table.index].columns[map.index], of: key, in: table)
        let (index, isPresent) = MapTree.position(of: name, in: root)
        if isPresent, holdsElement(value, at: index, of: map, of: key, in: table) { return false }
      }
      return withElement(value, map, key, table) { set(stored: $0, name, map, key, table) }
    }
  }

  /// Inserts an entry at the position where its key belongs; nil is null. The map takes over the blob of the value.
  ///
  /// - Returns: False, and nothing has changed, when the key does not belong there or the map has it.
  /// - Complexity: O(log n).
  package func insert(
    element: UnsafeRawPointer?, forKey name: UnsafeRawBufferPointer, at index: Int, ofMap map: ColumnID,
    of key: RowKey, in table: TableID
  ) -> Bool {
    let root = contents.listRoot(layout.tables[table.index].columns[map.index], of: key, in: table)
    let position = MapTree.position(of: name, in: root)
    if position.isPresent || position.index != index { return false }
    return set(element: element, forKey: name, ofMap: map, of: key, in: table)
  }

  /// Takes the entry of a key out.
  ///
  /// - Returns: Whether the map had one.
  /// - Complexity: O(log n).
  @discardableResult
  package func removeValue(
    forKey name: UnsafeRawBufferPointer, ofMap map: ColumnID, of key: RowKey, in table: TableID
  ) -> Bool {
    let root = contents.listRoot(layout.tables[table.index].columns[map.index], of: key, in: table)
    let (index, isPresent) = MapTree.position(of: name, in: root)
    if isPresent { remove(at: index, of: map, of: key, in: table) }
    return isPresent
  }

  /// Sets the value of a key whose backlink, if it is a link, is noted already.
  private func set(
    stored element: UnsafeRawPointer?, _ name: UnsafeRawBufferPointer, _ map: ColumnID, _ key: RowKey,
    _ table: TableID
  ) -> Bool {
    let root = contents.listRoot(layout.tables[table.index].columns[map.index], of: key, in: table)
    let (index, isPresent) = MapTree.position(of: name, in: root)
    changeList(map, key, table) { root, shape in
      guard isPresent, let root else {
        return MapTree.insert(root, at: index, key: name, element, shape, store)
      }
      dropElementLinks(MapTree.values(root), index, 1, shape, map, key, table)
      return MapTree.replace(root, at: index, element, shape, store)
    }
    record(map, key, table) { if isPresent { $0.touch(at: index) } else { $0.insert(at: index) } }
    if !orphans.isEmpty { deleteOrphans() }
    deleteReleasedCollections()
    return !isPresent
  }

  /// Values of a map that link to rows which are going become null.
  ///
  /// - Parameter targets: The rows, ascending. Their backlinks went with them.
  func removeFromMap(_ targets: [UInt64], _ map: ColumnID, of key: RowKey, in table: TableID) {
    for index in positions(of: targets, map, key, table) {
      changeList(map, key, table) { root, shape in
        MapTree.replace(root.unsafelyUnwrapped, at: index, nil, shape, store)
      }
      record(map, key, table) { $0.touch(at: index) }
    }
  }
}

extension [UInt64] {
  /// Whether the key is among these, which ascend.
  func containsAscending(_ key: UInt64) -> Bool {
    var low = 0
    var high = count
    while low < high {
      let middle = (low &+ high) &>> 1
      if self[middle] < key { low = middle &+ 1 } else { high = middle }
    }
    return low < count && self[low] == key
  }
}

extension GraphContents {
  /// The value of a key; `.null` when it is null, nil when the map has no such key.
  ///
  /// - Complexity: O(log n).
  package func mapValue(forKey name: [UInt8], _ map: ColumnID, of key: RowKey, in table: TableID) -> Value? {
    let root = listRoot(layout.tables[table.index].columns[map.index], of: key, in: table)
    let (index, isPresent) = name.withUnsafeBytes { MapTree.position(of: $0, in: root) }
    return isPresent ? listValue(at: index, of: map, of: key, in: table) : nil
  }

  /// The key at a position below the count.
  package func mapKey(at index: Int, of map: ColumnID, of key: RowKey, in table: TableID) -> [UInt8] {
    guard let root = listRoot(layout.tables[table.index].columns[map.index], of: key, in: table) else {
      fatalError("An empty map has no key at \(index).")
    }
    return MapTree.key(root, at: index).withBytes { Array($0) }
  }
}
