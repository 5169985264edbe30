/// The rows of a table by how far their places are from a point, the nearest first, found as they are asked for.
///
/// Cells wait in a heap by the least distance that anything in them can have, rows by that of their smallest cells, and by
/// their own when they come first. The first of all is split, looked at, or is the next row. The contents have to stay valid.
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
  private var waiting: [Waiting] = []
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
    if let root = contents.root(of: index) {
      for face in PlaceCell.faces { add(face, OrderedTree.Part(node: root, start: 0)) }
    }
  }

  /// The next row; nil when no other has a place.
  ///
  /// - Complexity: About O(log n) where places lie evenly.
  package mutating func next() -> Found? {
    while let first = heap.removeFirst() {
      switch first.content {
      case .row(let key): return Found(key: RowKey(key), distance: first.distance)
      case .candidate(let key): addRows(key)
      case .cell(let cell, let part): open(cell, part)
      }
    }
    return nil
  }

  private mutating func add(_ cell: PlaceCell, _ part: OrderedTree.Part) {
    let distance = max(0, point.angle(to: cell.center) - cell.radius)
    heap.insert(NearestHeap.Item(distance: distance, content: .cell(cell, part)))
  }

  private mutating func open(_ cell: PlaceCell, _ part: OrderedTree.Part) {
    work.lookups += 1
    var part = part
    let numbers = cell.numbers
    // The codes of an index of places are the whole values.
    let positions = OrderedTree.positions(
      of: OrderedValue(cell: numbers.lowerBound).number...OrderedValue(cell: numbers.upperBound).number, in: &part)
    // So few are not worth a split.
    if positions.count <= 32 || cell.level == PlaceCell.levelMax { return addCandidates(at: positions, part) }
    for index in 0..<4 { add(cell.child(index), part) }
  }

  private mutating func addCandidates(at positions: Range<Int>, _ part: OrderedTree.Part) {
    work.foundRows += positions.count
    let places = positions.lowerBound &- part.start..<positions.upperBound &- part.start
    OrderedTree.forEach(part.node, in: places) { entry in
      let center = PlaceCell.center(ofNumber: OrderedValue.cell(ofCode: entry.code))
      let distance = max(0, point.angle(to: center) - PlaceCell.radiusOfSmallest)
      heap.insert(NearestHeap.Item(distance: distance, content: .candidate(entry.row)))
      return true
    }
  }

  /// Reads the place of a row, and of those that are likely to be next. They lie far from each other in memory, so each
  /// step is taken for all of them: the processor waits for them together then.
  private mutating func addRows(_ first: UInt64) {
    waiting.append(Waiting(key: first))
    while waiting.count < 8, case .candidate(let key)? = heap.first?.content {
      waiting.append(Waiting(key: key))
      _ = heap.removeFirst()
    }
    work.testedRows += waiting.count
    let table = index.table
    for index in waiting.indices { waiting[index].row = contents.locate(RowKey(waiting[index].key), in: table) }
    for index in waiting.indices { waiting[index].row = waiting[index].row.flatMap { place.end(of: $0, contents) } }
    for index in waiting.indices {
      waiting[index].degrees = waiting[index].row.flatMap { place.degrees(at: $0, contents) }
    }
    for row in waiting {
      guard let degrees = row.degrees,
        let found = SpherePoint(checkedLatitude: degrees.latitude, longitude: degrees.longitude)
      else { continue }
      heap.insert(NearestHeap.Item(distance: point.angle(to: found), content: .row(row.key)))
    }
    waiting.removeAll(keepingCapacity: true)
  }

  /// A candidate whose place is being read.
  private struct Waiting {
    let key: UInt64
    var row: RowLocation?
    var degrees: (latitude: Double, longitude: Double)?
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
