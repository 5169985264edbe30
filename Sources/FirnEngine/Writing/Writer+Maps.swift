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
    if let element { addElementLinks(element, nil, 1, map, key, table) }
    return set(stored: element, name, map, key, table)
  }

  @discardableResult
  package func set(
    _ value: Value, forKey name: [UInt8], ofMap map: ColumnID, of key: RowKey, in table: TableID
  ) -> Bool {
    name.withUnsafeBytes { name in
      withElement(value, map, key, table) { set(stored: $0, name, map, key, table) }
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
    let root = snapshot.listRoot(layout.tables[table.index].columns[map.index], of: key, in: table)
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
    let root = snapshot.listRoot(layout.tables[table.index].columns[map.index], of: key, in: table)
    let (index, isPresent) = MapTree.position(of: name, in: root)
    if isPresent { remove(at: index, of: map, of: key, in: table) }
    return isPresent
  }

  /// Sets the value of a key whose backlink, if it is a link, is noted already.
  private func set(
    stored element: UnsafeRawPointer?, _ name: UnsafeRawBufferPointer, _ map: ColumnID, _ key: RowKey,
    _ table: TableID
  ) -> Bool {
    let root = snapshot.listRoot(layout.tables[table.index].columns[map.index], of: key, in: table)
    let (index, isPresent) = MapTree.position(of: name, in: root)
    changeList(map, key, table) { root, shape in
      guard isPresent, let root else {
        return MapTree.insert(root, at: index, key: name, element, shape, store)
      }
      dropElementLinks(MapTree.values(root), index, 1, shape, map, key, table)
      return MapTree.replace(root, at: index, element, shape, store)
    }
    record(map, key, table) { if isPresent { $0.touch(at: index) } else { $0.insert(at: index) } }
    deleteReleasedCollections()
    return !isPresent
  }

  /// Links of a map to a row that is going become null.
  func removeFromMap(_ target: RowKey, _ map: ColumnID, of key: RowKey, in table: TableID) {
    let layout = self.layout.tables[table.index]
    let shape = layout.listShape(map.index)
    var bits = target.rawValue
    // The backlinks went with the target.
    while let values = snapshot.elementsRoot(layout.columns[map.index], of: key, in: table),
      let index = ListTree.firstIndex(values, of: &bits, shape)
    {
      changeList(map, key, table) { root, shape in
        MapTree.replace(root.unsafelyUnwrapped, at: index, nil, shape, store)
      }
      record(map, key, table) { $0.touch(at: index) }
    }
  }
}

extension Snapshot {
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
