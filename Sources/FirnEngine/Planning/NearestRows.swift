/// The rows of a table by how far their places are from a point, the nearest first, found as they are asked for.
///
/// Cells wait in a heap by the least distance that anything in them can have, rows by their own. The first of all is split,
/// or is the next row. The contents have to stay valid.
package struct NearestRows {
  package struct Found: Sendable {
    package var key: RowKey
    /// In radians.
    package var distance: Double
  }

  private let index: OrderedIndex
  private let place: ResolvedPlace
  private let point: SpherePoint
  private let contents: GraphContents
  private var heap = NearestHeap()
  /// What finding them cost so far, counted for tests.
  package private(set) var work = QueryWork()

  /// Nil when no index has the places, or when it is not settled.
  package init?(_ path: PlacePath, of table: TableID, from point: SpherePoint, in contents: GraphContents) {
    let wanted = ColumnPath(links: path.links, path.coordinates)
    guard
      let index = contents.layout.orderedIndexes(of: table).first(where: { $0.place != nil && $0.paths == [wanted] }),
      let place = index.place, contents.isSettled(index)
    else { return nil }
    self.index = index
    self.place = place
    self.point = point
    self.contents = contents
    add(PlaceCell.faces, from: firstPosition(of: PlaceCell.faces[0]))
  }

  /// The next row; nil when no other has a place.
  ///
  /// - Complexity: About O(log n) where places lie evenly.
  package mutating func next() -> Found? {
    while let first = heap.removeFirst() {
      switch first.content {
      case .row(let key): return Found(key: RowKey(key), distance: first.distance)
      case .cell(let cell, let positions):
        // So few are not worth a split.
        if positions.count <= 12 || cell.level == PlaceCell.levelMax {
          addRows(at: positions)
        } else {
          add(cell.children, from: positions.lowerBound)
        }
      }
    }
    return nil
  }

  /// - Parameter cells: One behind the other in the index, the first one from a position on.
  private mutating func add(_ cells: [PlaceCell], from first: Int) {
    var start = first
    for cell in cells {
      let end = firstPosition(behind: cell)
      if start < end {
        let distance = max(0, point.angle(to: cell.center) - cell.radius)
        heap.insert(NearestHeap.Item(distance: distance, content: .cell(cell, start..<end)))
      }
      start = end
    }
  }

  private mutating func addRows(at positions: Range<Int>) {
    for key in contents.keys(in: positions, of: index) {
      work.foundRows += 1
      guard let row = contents.locate(RowKey(key), in: index.table),
        let found = place.point(row.cluster, row.slot, contents)
      else { continue }
      heap.insert(NearestHeap.Item(distance: point.angle(to: found), content: .row(key)))
    }
  }

  private mutating func firstPosition(of cell: PlaceCell) -> Int { rank(OrderedValue(cell: cell.numbers.lowerBound)) }

  private mutating func firstPosition(behind cell: PlaceCell) -> Int {
    rank(OrderedValue(cell: cell.numbers.upperBound &+ 1))
  }

  private mutating func rank(_ value: OrderedValue) -> Int {
    work.lookups += 1
    return withUnsafeTemporaryAllocation(of: OrderedValue.self, capacity: 1) { values in
      values.initializeElement(at: 0, to: value)
      return OrderedProbe(values, index, contents).rank(contents.root(of: index), .before)
    }
  }

  /// The same of some rows, without an index: all at once. Rows that have no place are left out.
  ///
  /// - Complexity: O(n log n).
  package static func sorted(
    _ keys: [UInt64], by path: PlacePath, of table: TableID, from point: SpherePoint, in contents: GraphContents
  ) -> [Found] {
    let memory = QueryMemory()
    return withExtendedLifetime(memory) {
      let place = ResolvedPlace(path, from: table, among: contents.layout.tables, memory)
      let found = keys.compactMap { key -> Found? in
        guard let row = contents.locate(RowKey(key), in: table), let at = place.point(row.cluster, row.slot, contents)
        else { return nil }
        return Found(key: RowKey(key), distance: point.angle(to: at))
      }
      return found.sorted { ($0.distance, $0.key.rawValue) < ($1.distance, $1.key.rawValue) }
    }
  }
}
