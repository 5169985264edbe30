// Changes of lists by callers that have elements in the form in which lists store them: `ListShape.width` bytes each, one
// after the other; row keys for links, blob words, which the list takes over, for strings and data.
extension Writer {
  /// Keeps the bytes of a string or data element. The caller puts the word into a list.
  package func makeBlob(_ bytes: UnsafeRawBufferPointer) -> UInt64 { Blob.make(bytes, store).word }

  /// Inserts elements; at the end in one go.
  ///
  /// - Parameter nulls: A flag for each element; the bytes of null ones are ignored.
  /// - Complexity: O(count) at the end, else O(count * log n).
  package func insert(
    elements: UnsafeRawPointer, nulls: UnsafePointer<Bool>? = nil, count: Int, at index: Int, of list: ColumnID,
    of key: RowKey, in table: TableID
  ) {
    if count == 0 { return }
    changeList(list, key, table) { root, shape in
      addElementLinks(elements, nulls, count, list, key, table)
      if index == ListTree.count(root) {
        return ListTree.append(root, contentsOf: elements, count: count, nulls: nulls, shape, store)
      }
      var root = root
      for offset in 0..<count {
        let element = nulls?[offset] ?? false ? nil : elements + offset * shape.width
        root = ListTree.insert(root, at: index + offset, element, shape, store)
      }
      return root
    }
    record(list, key, table) { $0.insert(at: index, count: count) }
  }

  /// Replaces one element of a list, or one value of a map; nil is null.
  package func replace(
    at index: Int, withElement element: UnsafeRawPointer?, of list: ColumnID, of key: RowKey, in table: TableID
  ) {
    if client.skipsEqualWrites, holdsElement(element, at: index, of: list, of: key, in: table) { return }
    let column = layout.tables[table.index].columns[list.index]
    changeList(list, key, table) { root, shape in
      guard let root else { fatalError("A collection was written beyond its end.") }
      dropElementLinks(column.elements(root), index, 1, shape, list, key, table)
      if let element { addElementLinks(element, nil, 1, list, key, table) }
      return column.storage == .map
        ? MapTree.replace(root, at: index, element, shape, store) : ListTree.set(root, index, element, shape, store)
    }
    record(list, key, table) { $0.touch(at: index) }
    if !orphans.isEmpty { deleteOrphans() }
    deleteReleasedCollections()
  }

  /// Whether an element, or the value of a map, has these very bytes already, or those of the blob; a blob that is not
  /// needed is given up.
  @inline(never)
  func holdsElement(
    _ element: UnsafeRawPointer?, at index: Int, of list: ColumnID, of key: RowKey, in table: TableID
  ) -> Bool {
    let layout = layout.tables[table.index]
    let shape = layout.listShape(list.index)
    guard let root = contents.elementsRoot(layout.columns[list.index], of: key, in: table) else { return false }
    let isNull = shape.isNullable && ListTree.isNull(root, index, shape)
    guard let element, !isNull else { return element == nil && isNull }
    let old = ListTree.get(root, index, shape)
    if !shape.ownsBlobs {
      return UnsafeRawBufferPointer(start: old, count: shape.width).elementsEqual(
        UnsafeRawBufferPointer(start: element, count: shape.width))
    }
    let blob = Blob(word: element.loadUnaligned(as: UInt64.self))
    guard Blob(word: old.loadUnaligned(as: UInt64.self)).hasBytes(of: blob) else { return false }
    blob.retire(store)
    return true
  }

  /// Takes neighbouring elements of a list or set, or entries of a map, out.
  ///
  /// - Complexity: O(count * log n); O(n) for all of them.
  package func remove(at index: Int, count: Int, of list: ColumnID, of key: RowKey, in table: TableID) {
    if count == 0 { return }
    if count == listCount(list, of: key, in: table) { return removeAll(of: list, of: key, in: table) }
    let column = layout.tables[table.index].columns[list.index]
    changeList(list, key, table) { root, shape in
      guard var root else { fatalError("A collection was shortened beyond its end.") }
      dropElementLinks(column.elements(root), index, count, shape, list, key, table)
      for offset in (0..<count).reversed() {
        root = column.removeElement(root, at: index + offset, shape, store).unsafelyUnwrapped
      }
      return root
    }
    record(list, key, table) { $0.remove(at: index, count: count) }
    if !orphans.isEmpty { deleteOrphans() }
    deleteReleasedCollections()
  }

  func addElementLinks(
    _ elements: UnsafeRawPointer, _ nulls: UnsafePointer<Bool>?, _ count: Int, _ list: ColumnID, _ key: RowKey,
    _ table: TableID
  ) {
    let column = layout.tables[table.index].columns[list.index]
    if column.type == .mixed {
      for index in 0..<count where nulls?[index] != true {
        let blob = Blob(word: elements.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
        blob.withBytes { addReference($0, column, key) }
      }
      return
    }
    guard column.type == .link else { return }
    for index in 0..<count where nulls?[index] != true {
      let target = elements.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
      addPendingLink(table.index, list.index, target: target, source: key.rawValue, delta: 1)
    }
  }

  func dropElementLinks(
    _ elements: UnsafeRawPointer?, _ index: Int, _ count: Int, _ shape: ListShape, _ list: ColumnID, _ key: RowKey,
    _ table: TableID
  ) {
    let column = layout.tables[table.index].columns[list.index]
    guard column.type == .link || column.type == .mixed else { return }
    var cursor = ListCursor(elements, shape, from: index)
    var rest = count
    while rest > 0, let chunk = cursor.nextChunk() {
      for offset in 0..<min(rest, chunk.count) where !chunk.isNull(offset) {
        if column.type == .mixed {
          dropElementReference(chunk.elements + offset * 8, column, key)
          continue
        }
        let target = chunk.elements.loadUnaligned(fromByteOffset: offset * 8, as: UInt64.self)
        addPendingLink(table.index, list.index, target: target, source: key.rawValue, delta: -1)
        if column.linkKind == .embedded { noteOrphan(target, column) }
      }
      rest -= chunk.count
    }
  }
}
