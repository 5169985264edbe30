/// A column path bound to the layouts of a graph: plain data, read without reference counting.
struct ResolvedPath {
  var links: UnsafeMutablePointer<ColumnLayout>
  var linkCount: Int
  /// The last column, and the table it lies in.
  var column: ColumnLayout
  var columnIndex: Int
  var table: Int

  var isDirect: Bool { linkCount == 0 }

  /// The row at the end of the links; nil when one of them is null.
  @inline(__always)
  func follow(_ cluster: UnsafeRawPointer, _ slot: Int, _ contents: GraphContents) -> RowLocation? {
    var location = RowLocation(cluster: cluster, slot: slot)
    var index = 0
    while index < linkCount {
      let target = IntLeaf.value(Cluster.leaf(location.cluster, at: Int(links[index].offset)), location.slot)
      if target == 0 { return nil }
      let table = VersionRoot.table(contents.root, Int(links[index].target))
      guard let next = Directory.locate(table, UInt64(bitPattern: target &- 1)) else { return nil }
      location = next
      index &+= 1
    }
    return location
  }
}

/// The memory that bound paths and constants lie in, freed as a whole.
final class QueryMemory: @unchecked Sendable {
  private var blocks: [UnsafeMutableRawPointer] = []

  deinit { for block in blocks { block.deallocate() } }

  /// A copy of bytes, with room before and after it for word-wise access.
  func copy(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
    let block = UnsafeMutableRawPointer.allocate(byteCount: bytes.count + 80, alignment: 16)
    (block + 16).initializeMemory(as: UInt8.self, from: bytes, count: bytes.count)
    blocks.append(block)
    return UnsafeRawBufferPointer(start: block + 16, count: bytes.count)
  }

  /// Copies of many byte strings, in one block.
  func copyAll(_ strings: [[UInt8]]) -> [UnsafeRawBufferPointer] {
    var joined: [UInt8] = []
    joined.reserveCapacity(strings.reduce(0) { $0 + $1.count })
    for string in strings { joined += string }
    let bytes = copy(joined)
    var start = 0
    return strings.map { string in
      defer { start += string.count }
      return UnsafeRawBufferPointer(rebasing: bytes[start..<start + string.count])
    }
  }

  func copy<T: BitwiseCopyable>(_ values: [T]) -> UnsafeMutablePointer<T> {
    let block = UnsafeMutableRawPointer.allocate(
      byteCount: max(1, values.count) * MemoryLayout<T>.stride, alignment: 16)
    blocks.append(block)
    return block.initializeMemory(as: T.self, from: values, count: values.count)
  }

  func route(_ path: ColumnPath, from table: TableID, in layout: GraphLayout) -> ResolvedPath {
    route(path, from: table, among: layout.tables)
  }

  func route(_ path: ColumnPath, from table: TableID, among tables: [TableLayout]) -> ResolvedPath {
    var table = table.index
    var links: [ColumnLayout] = []
    for link in path.links {
      let column = tables[table].columns[link.index]
      if column.storage != .link {
        fatalError("A path leads through '\(tables[table].name)' by a column that is no link.")
      }
      links.append(column)
      table = Int(column.target)
    }
    return ResolvedPath(
      links: copy(links), linkCount: links.count, column: tables[table].columns[path.column.index],
      columnIndex: path.column.index, table: table)
  }
}
