extension TableLayout {
  /// How the elements of a list or set column, or the values of a map column, lie in its trees.
  package func listShape(_ column: Int) -> ListShape {
    let column = columns[column]
    return ListShape(
      width: column.type.width, isNullable: column.isNullable,
      ownsBlobs: column.type == .string || column.type == .data || column.type == .mixed)
  }
}

extension Writer {
  package func listCount(_ column: ColumnID, of key: RowKey, in table: TableID) -> Int {
    contents.listCount(column, of: key, in: table)
  }

  package func insert(_ value: Value, at index: Int, of list: ColumnID, of key: RowKey, in table: TableID) {
    changeList(list, key, table) { root, shape in
      withElement(value, list, key, table) { bytes in
        ListTree.insert(root, at: index, bytes, shape, store)
      }
    }
    record(list, key, table) { $0.insert(at: index) }
  }

  package func append(contentsOf values: some Sequence<Value>, to list: ColumnID, of key: RowKey, in table: TableID) {
    var index = listCount(list, of: key, in: table)
    for value in values {
      insert(value, at: index, of: list, of: key, in: table)
      index += 1
    }
  }

  package func replace(at index: Int, with value: Value, of list: ColumnID, of key: RowKey, in table: TableID) {
    if client.skipsEqualWrites, holdsElement(value, at: index, of: list, of: key, in: table) { return }
    changeList(list, key, table) { root, shape in
      guard let root else { fatalError("A list was written beyond its end.") }
      dropElementLinks(root, index, 1, shape, list, key, table)
      return withElement(value, list, key, table) { bytes in
        ListTree.set(root, index, bytes, shape, store)
      }
    }
    record(list, key, table) { $0.touch(at: index) }
    if !orphans.isEmpty { deleteOrphans() }
    deleteReleasedCollections()
  }

  /// Takes an element of a list or set, or an entry of a map, out.
  package func remove(at index: Int, of list: ColumnID, of key: RowKey, in table: TableID) {
    let column = layout.tables[table.index].columns[list.index]
    changeList(list, key, table) { root, shape in
      guard let root else { fatalError("A collection was shortened beyond its end.") }
      dropElementLinks(column.elements(root), index, 1, shape, list, key, table)
      return column.removeElement(root, at: index, shape, store)
    }
    record(list, key, table) { $0.remove(at: index) }
    if !orphans.isEmpty { deleteOrphans() }
    deleteReleasedCollections()
  }

  /// Empties a collection of any kind.
  package func removeAll(of list: ColumnID, of key: RowKey, in table: TableID) {
    let count = listCount(list, of: key, in: table)
    if count == 0 {
      if client.skipsEqualWrites { return }
      let cell = ownCell(key, table)
      markDirty(table.index, cell.cluster, cell.slot, list.index)
      return
    }
    let column = layout.tables[table.index].columns[list.index]
    changeList(list, key, table) { root, shape in
      dropElementLinks(column.elements(root), 0, count, shape, list, key, table)
      column.retireCollection(root, shape, store)
      return nil
    }
    record(list, key, table) { $0.removeAll() }
    if !orphans.isEmpty { deleteOrphans() }
    deleteReleasedCollections()
  }

  /// Moves an element so that it ends at `target`.
  package func move(from source: Int, to target: Int, of list: ColumnID, of key: RowKey, in table: TableID) {
    if source == target { return }
    changeList(list, key, table) { root, shape in
      guard let root else { fatalError("A list was written beyond its end.") }
      return ListTree.move(root, from: source, to: target, shape, store)
    }
    record(list, key, table) {
      $0.remove(at: source)
      $0.insert(at: target)
    }
  }

  /// Whether an element is this very value already. Values that are equal but not the same, like 0 and -0, are different.
  func holdsElement(
    _ new: Value, at index: Int, of list: ColumnID, of key: RowKey, in table: TableID
  ) -> Bool {
    listValue(at: index, of: list, of: key, in: table).isIdentical(to: new)
  }

  func listValue(at index: Int, of list: ColumnID, of key: RowKey, in table: TableID) -> Value {
    contents.listValue(at: index, of: list, of: key, in: table)
  }

  /// Takes every occurrence of rows that are going out of a list of links.
  ///
  /// - Parameter targets: The rows, ascending. Their backlinks went with them.
  /// - Complexity: O(n log m) for n elements and m rows.
  func removeFromList(_ targets: [UInt64], _ list: ColumnID, of key: RowKey, in table: TableID) {
    // From the end, so that the others keep their positions.
    for index in positions(of: targets, list, key, table).reversed() {
      changeList(list, key, table) { root, shape in
        ListTree.remove(root.unsafelyUnwrapped, at: index, shape, store)
      }
      record(list, key, table) { $0.remove(at: index) }
    }
  }

  /// The positions of the links to some rows among the elements of a list or map, ascending.
  ///
  /// - Parameter targets: The rows, ascending.
  func positions(of targets: [UInt64], _ column: ColumnID, _ key: RowKey, _ table: TableID) -> [Int] {
    let layout = self.layout.tables[table.index]
    var positions: [Int] = []
    var cursor = ListCursor(
      contents.elementsRoot(layout.columns[column.index], of: key, in: table), layout.listShape(column.index))
    while let chunk = cursor.nextChunk() {
      for index in 0..<chunk.count where !chunk.isNull(index) {
        let target = chunk.elements.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
        if targets.containsAscending(target) { positions.append(chunk.start + index) }
      }
    }
    return positions
  }

  func changeList(
    _ list: ColumnID, _ key: RowKey, _ table: TableID, _ change: (Block?, ListShape) -> Block?
  ) {
    let layout = self.layout.tables[table.index]
    let column = layout.columns[list.index]
    if column.isOrdered { willWriteOrdered(table.index, key.rawValue, list) }
    let cell = ownCell(key, table)
    startRecording(list, key, table)
    let root = FixedLeaf.load(Cluster.leaf(cell.cluster, at: Int(column.offset)), cell.slot, as: Block?.self)
    let changed = change(root, layout.listShape(list.index))
    if changed != root { storeFixed(changed.bits, cell.cluster, cell.slot, column) }
    let count = ListTree.count(column.elements(UnsafeRawPointer(changed)))
    if count > store.limits.elementCountMax { refuse(count, in: table, list) }
    markDirty(table.index, cell.cluster, cell.slot, list.index)
    if column.type == .mixed, layout.isVisible, touchLogCount > 0 { touchOwners(of: key, in: table) }
  }

  @inline(never)
  private func refuse(_ count: Int, in table: TableID, _ list: ColumnID) {
    if !store.exceeds(count, store.limits.elementCountMax) { return }
    refuseCommit(
      "'\(name(table, list))' would have \(count) elements in one object, and \(store.limits.elementCountMax) is the most. Spread them "
        + "over several objects.")
  }

  /// Calls `body` with the bytes of an element; adds the backlink of a link, makes the blob of a string.
  func withElement<Result>(
    _ value: Value, _ list: ColumnID, _ key: RowKey, _ table: TableID, _ body: (UnsafeRawPointer?) -> Result
  ) -> Result {
    let column = layout.tables[table.index].columns[list.index]
    if column.type == .mixed, value != .null {
      var word = MixedBytes.withBytes(of: value) { bytes in
        addReference(bytes, column, key)
        return Blob.make(bytes, store).word
      }
      return withUnsafeBytes(of: &word) { body($0.baseAddress) }
    }
    switch value {
    case .string(let bytes), .data(let bytes):
      var word = bytes.withUnsafeBytes { Blob.make($0, store).word }
      return withUnsafeBytes(of: &word) { body($0.baseAddress) }
    case .link(let target):
      addPendingLink(table.index, list.index, target: target.rawValue, source: key.rawValue, delta: 1)
    case .object, .list, .map: fatalError("'\(name(table, list))' has no mixed elements.")
    default: break
    }
    return value.withStoredElement(body)
  }

  func record(
    _ list: ColumnID, _ key: RowKey, _ table: TableID, _ operation: (inout ListDeltaRecorder) -> Void
  ) {
    guard key.rawValue < tables[table.index].firstNewKey else { return }
    tables[table.index].lists.start(ListID(row: key, column: list)) { 0 }
    operation(&tables[table.index].lists.current)
  }

  /// Starts to record what happens to a list, before its first change.
  private func startRecording(_ list: ColumnID, _ key: RowKey, _ table: TableID) {
    guard key.rawValue < tables[table.index].firstNewKey else { return }
    tables[table.index].lists.start(ListID(row: key, column: list)) { listCount(list, of: key, in: table) }
  }
}

extension GraphContents {
  /// The elements of a list or set, or the values of a map, as a `ListTree`; nil when there are none.
  @inlinable
  package func elementsRoot(_ column: ColumnLayout, of key: RowKey, in table: TableID) -> UnsafeRawPointer? {
    column.elements(listRoot(column, of: key, in: table))
  }

  /// An element of a list or set, or a value of a map.
  package func listValue(at index: Int, of list: ColumnID, of key: RowKey, in table: TableID) -> Value {
    let layout = layout.tables[table.index]
    let column = layout.columns[list.index]
    guard let root = elementsRoot(column, of: key, in: table) else { return .null }
    let shape = layout.listShape(list.index)
    if shape.isNullable, ListTree.isNull(root, index, shape) { return .null }
    return Value(element: ListTree.get(root, index, shape), type: column.type)
  }

  /// The number of elements of a collection of any kind.
  package func listCount(_ list: ColumnID, of key: RowKey, in table: TableID) -> Int {
    ListTree.count(elementsRoot(layout.tables[table.index].columns[list.index], of: key, in: table))
  }

  /// Calls `body` with the target of each link that a row has in a column, be it single or a collection.
  package func forEachLink(_ link: ColumnID, of key: RowKey, in table: TableID, _ body: (RowKey) -> Void) {
    let layout = layout.tables[table.index]
    guard let location = locate(key, in: table) else { return }
    layout.forEachLink(link.index, location.cluster, location.slot) { body(RowKey($0)) }
  }
}

extension TableLayout {
  /// Calls `body` with the target of each link that a slot has in a column.
  @inline(__always)
  func forEachLink(_ index: Int, _ cluster: UnsafeRawPointer, _ slot: Int, _ body: (UInt64) -> Void) {
    let column = columns[index]
    let leaf = Cluster.leaf(cluster, at: Int(column.offset))
    if column.storage == .link {
      let target = IntLeaf.value(leaf, slot)
      if target != 0 { body(UInt64(target &- 1)) }
      return
    }
    let elements = column.elements(FixedLeaf.load(leaf, slot, as: UnsafeRawPointer?.self))
    var cursor = ListCursor(elements, listShape(index))
    while let chunk = cursor.nextChunk() {
      for element in 0..<chunk.count where !chunk.isNull(element) {
        body(chunk.elements.loadUnaligned(fromByteOffset: element &* 8, as: UInt64.self))
      }
    }
  }
}

extension Value {
  /// Calls `body` with the bytes of the value as a collection of a type stores it; nil is null. Blobs live as long as the
  /// call.
  func withStoredElement<Result>(of type: ColumnType, _ body: (UnsafeRawPointer?) -> Result) -> Result {
    if type != .mixed { return withStoredElement(body) }
    if self == .null { return body(nil) }
    return MixedBytes.withBytes(of: self) { bytes in
      Blob.withTemporary(bytes) { word in withUnsafeBytes(of: word) { body($0.baseAddress) } }
    }
  }

  /// Calls `body` with the bytes of the value as collections of its own type store it; nil is null. Blobs live as long as the call.
  package func withStoredElement<Result>(_ body: (UnsafeRawPointer?) -> Result) -> Result {
    var element = Bytes16(low: 0, high: 0)
    switch self {
    case .null: return body(nil)
    case .bool(let value): element.low = value ? 1 : 0
    case .int(let value): element.low = UInt64(bitPattern: value)
    case .float(let value): element.low = UInt64(value.bitPattern)
    case .double(let value), .date(let value): element.low = value.bitPattern
    case .string(let bytes), .data(let bytes):
      return bytes.withUnsafeBytes { bytes in
        Blob.withTemporary(bytes) { word in withUnsafeBytes(of: word) { body($0.baseAddress) } }
      }
    case .objectID(let value):
      element.low = UInt64(value.word0) | UInt64(value.word1) << 32
      element.high = UInt64(value.word2)
    case .uuid(let value), .decimal128(let value): element = value
    case .link(let target): element.low = target.rawValue
    case .object, .list, .map: return withStoredElement(of: .mixed, body)
    }
    return withUnsafeBytes(of: &element) { body($0.baseAddress) }
  }

  /// Reads an element of a collection.
  package init(element: UnsafeRawPointer, type: ColumnType) {
    switch type {
    case .bool: self = .bool(element.load(as: UInt8.self) != 0)
    case .int: self = .int(element.loadUnaligned(as: Int64.self))
    case .float: self = .float(element.loadUnaligned(as: Float.self))
    case .double: self = .double(element.loadUnaligned(as: Double.self))
    case .date: self = .date(element.loadUnaligned(as: Double.self))
    case .string: self = .string(Blob(word: element.loadUnaligned(as: UInt64.self)).withBytes { Array($0) })
    case .data: self = .data(Blob(word: element.loadUnaligned(as: UInt64.self)).withBytes { Array($0) })
    case .objectID: self = .objectID(element.loadUnaligned(as: Bytes12.self))
    case .uuid: self = .uuid(element.loadUnaligned(as: Bytes16.self))
    case .decimal128: self = .decimal128(element.loadUnaligned(as: Bytes16.self))
    case .link: self = .link(RowKey(element.loadUnaligned(as: UInt64.self)))
    case .mixed: self = Blob(word: element.loadUnaligned(as: UInt64.self)).withBytes { MixedBytes.value($0) }
    }
  }
}
