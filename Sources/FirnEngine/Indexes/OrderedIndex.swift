/// An ordered index bound to the layouts of a graph: which rows it has, in which order, and where its root lies.
///
/// The index of a version has every row of its table once. Rows ascend by the values at the paths, one after the other, then
/// by key: null first, then NaN, then values in their order, rows behind a null link last. That is the order of
/// `SortedKeys` for the same paths ascending.
///
/// An index of places has one value per row, which is never written but made when it is read: the number of the cell that the
/// place lies in, null for what is no place.
package final class OrderedIndex: Sendable {
  /// Its place among the indexes of the graph.
  package let number: Int
  package let name: String
  package let table: TableID
  package let paths: [ColumnPath]
  package let isUnique: Bool
  let pathCount: Int
  /// The paths bound to columns; lives as long as the index.
  nonisolated(unsafe) let resolved: UnsafeMutablePointer<ResolvedPath>
  /// The place that is ordered by, instead of values; lives as long as the index.
  nonisolated(unsafe) let place: ResolvedPlace?
  private let memory: QueryMemory
  /// Where the root lies in a `VersionRoot`.
  let slot: Int

  init(_ description: IndexDescription, number: Int, table: TableID, slot: Int, tables: [TableLayout]) {
    self.number = number
    self.slot = slot
    self.table = table
    name = description.name
    paths = description.paths
    isUnique = description.isUnique
    let memory = QueryMemory()
    place = description.place.map { ResolvedPlace($0, from: table, among: tables, memory) }
    resolved = memory.copy(
      place.map { [$0.cellPath] } ?? description.paths.map { memory.route($0, from: table, among: tables) })
    pathCount = description.paths.count
    self.memory = memory
    for place in 0..<pathCount where resolved[place].column.storage.isCollection {
      fatalError("Index '\(name)' orders by a collection.")
    }
  }

  /// The values of a row, as many as there is room for.
  @inline(__always)
  func read(_ row: RowLocation, _ contents: GraphContents, into values: UnsafeMutableBufferPointer<OrderedValue>) {
    if let place {
      let end = place.end(of: row, contents)
      return values.initializeElement(at: 0, to: end.map { place.value(at: $0, contents) } ?? OrderedValue(.null))
    }
    for place in values.indices {
      (values.baseAddress.unsafelyUnwrapped + place).initialize(to: OrderedValue(resolved + place, row, contents))
    }
  }

  /// Calls `body` with a row's values.
  ///
  /// - Parameter known: The only value if it need not be read.
  @inline(__always)
  func withValues<Result>(
    of row: RowLocation, _ contents: GraphContents, known: OrderedValue? = nil,
    _ body: (UnsafeMutableBufferPointer<OrderedValue>) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(of: OrderedValue.self, capacity: pathCount) { values in
      if let known { values.initializeElement(at: 0, to: known) } else { read(row, contents, into: values) }
      return body(values)
    }
  }

  /// The code of values of the first paths.
  @inline(__always)
  func code(_ values: UnsafeMutableBufferPointer<OrderedValue>) -> OrderedCode {
    var code = OrderedCode()
    for place in values.indices { code.append(values[place], resolved[place].column.type) }
    return code
  }

  /// The code of the only value of an index of places.
  @inline(__always)
  func code(_ value: OrderedValue) -> OrderedCode {
    var code = OrderedCode()
    code.append(value, resolved[0].column.type)
    return code
  }
}

extension GraphContents {
  /// The tree of an ordered index.
  @inline(__always)
  func root(of index: OrderedIndex) -> UnsafeRawPointer? { VersionRoot.index(root, index.slot) }
}
