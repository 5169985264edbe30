/// What a condition says about the rows of one ordered index: its candidates are some ranges of them.
///
/// Plain data; the constants lie in the memory of the predicate.
struct OrderedAccess {
  /// All rows between two tuples of values of the first paths.
  struct Bounds {
    var lower: UnsafeMutableBufferPointer<OrderedValue>
    var lowerTie: OrderedProbe.Tie
    var upper: UnsafeMutableBufferPointer<OrderedValue>
    var upperTie: OrderedProbe.Tie
    /// Whether each of the rows matches, also where that is not so of those between other bounds.
    var isComplete = false
  }

  let index: OrderedIndex
  /// Ascending and disjoint.
  private(set) var bounds: [Bounds] = []
  /// How many of the index's first paths have one value in all candidates.
  private(set) var fixedCount = 0
  /// How many of the first paths the condition bounds.
  private(set) var boundCount = 0
  /// Whether every candidate matches.
  private(set) var isComplete: Bool

  /// What the places have to lie in, if it is an index of places.
  private let region: SphereRegion?
  /// Whether that is all that there is to fulfil.
  private let isRegionEnough: Bool

  /// Many values of the first path are looked up one by one; of further paths only so many.
  private static let combinationMax = 256

  /// The whole index.
  init(everyRowOf index: OrderedIndex) {
    self.index = index
    isComplete = true
    region = nil
    isRegionEnough = false
    let none = UnsafeMutableBufferPointer<OrderedValue>(start: nil, count: 0)
    bounds = [Bounds(lower: none, lowerTie: .before, upper: none, upperTie: .after)]
  }

  init(_ draft: ConditionDraft, _ index: OrderedIndex, _ constants: PlanConstants) {
    self.index = index
    isComplete = true
    var parts = [draft]
    if case .all(let inner) = draft { parts = inner }
    if case .constant(true) = draft { parts = [] }
    var isUsed = [Bool](repeating: false, count: parts.count)
    region = index.place == nil ? nil : parts.lazy.compactMap { $0.region(at: index.resolved[0]) }.first
    isRegionEnough = region != nil && parts.count == 1
    var tuples: [[OrderedValue]] = [[]]
    var last: OrderedIntervals?
    while last == nil, boundCount < index.pathCount {
      let path = index.resolved[boundCount]
      var said: [OrderedIntervals] = []
      for place in parts.indices {
        guard let next = OrderedIntervals.of(parts[place], path, constants) else { continue }
        if next.isExact { isUsed[place] = true }
        said.append(next)
      }
      guard let found = OrderedIntervals.intersection(of: said) else { break }
      boundCount += 1
      guard let points = found.points, tuples.count * points.count <= (tuples.count == 1 ? .max : Self.combinationMax)
      else {
        last = found
        break
      }
      if points.count == 1, fixedCount == boundCount - 1 { fixedCount = boundCount }
      tuples = tuples.flatMap { tuple in points.map { tuple + [$0] } }
    }
    isComplete = isUsed.allSatisfy(\.self)
    bounds = Self.bounds(tuples, last?.intervals, constants.memory)
    if parts.count == 1, boundCount == 1, let last {
      for place in bounds.indices { bounds[place].isComplete = last.intervals[place].isExact }
    }
  }

  private static func bounds(
    _ tuples: [[OrderedValue]], _ intervals: [OrderedIntervals.Interval]?, _ memory: QueryMemory
  ) -> [Bounds] {
    let cuts = intervals.map { $0.map { (Optional($0.lower), Optional($0.upper)) } } ?? [(nil, nil)]
    let width = (tuples.first?.count ?? 0) + (intervals == nil ? 0 : 1)
    let values = tuples.flatMap { tuple in
      cuts.flatMap { lower, upper in
        tuple + (lower.map { [$0.value] } ?? []) + tuple + (upper.map { [$0.value] } ?? [])
      }
    }
    var next = memory.copy(values)
    func take() -> UnsafeMutableBufferPointer<OrderedValue> {
      defer { next += width }
      return UnsafeMutableBufferPointer(start: next, count: width)
    }
    return tuples.flatMap { _ in
      cuts.map { lower, upper in
        Bounds(
          lower: take(), lowerTie: lower?.isAfter == true ? .after : .before,
          upper: take(), upperTie: upper?.isAfter == false ? .before : .after)
      }
    }
  }

  /// Whether the index is settled, and looking the bounds up costs little beside a scan of so many rows.
  func isUsable(in contents: GraphContents, beside rowCount: Int) -> Bool {
    // A scan tests places one by one, and values many at a time.
    let rowsPerBound = index.place == nil ? 256 : 4
    return (bounds.count <= 8 || bounds.count * rowsPerBound <= rowCount) && contents.isSettled(index)
  }

  /// Where the candidates are in the index: ascending, with gaps between them.
  ///
  /// - Complexity: O(bounds · log n).
  func positions(in contents: GraphContents) -> [Range<Int>] {
    var positions: [Range<Int>] = []
    for found in candidates(in: contents) {
      if let last = positions.last, last.upperBound == found.positions.lowerBound {
        positions[positions.count - 1] = last.lowerBound..<found.positions.upperBound
      } else {
        positions.append(found.positions)
      }
    }
    return positions
  }

  /// The same, and whether all rows at the positions match.
  func candidates(in contents: GraphContents) -> [(positions: Range<Int>, isComplete: Bool)] {
    let root = contents.root(of: index)
    var candidates: [(positions: Range<Int>, isComplete: Bool)] = []
    for bound in bounds {
      let lower = bound.lower.isEmpty ? 0 : OrderedProbe(bound.lower, index, contents).rank(root, bound.lowerTie)
      let upper =
        bound.upper.isEmpty
        ? OrderedTree.count(root) : OrderedProbe(bound.upper, index, contents).rank(root, bound.upperTie)
      if lower < upper { candidates.append((lower..<upper, isComplete || bound.isComplete)) }
    }
    return candidates
  }
}

extension OrderedAccess {
  /// Calls `body` with the rows at some positions that are not all known to match, and whether one is known to. The cells of
  /// an index of places decide about nearly all of them.
  @inline(__always)
  func forEachCandidate(
    in positions: Range<Int>, _ contents: GraphContents, _ body: (_ key: UInt64, _ isCertain: Bool) -> Void
  ) {
    switch region {
    case nil: forEachCandidate(in: positions, contents, relation: { _ in .boundary }, body)
    case .cap(let cap): forEachCandidate(in: positions, contents, relation: cap.relation(toCellAbout:), body)
    case .polygon(let polygon):
      forEachCandidate(in: positions, contents, relation: polygon.relation(toCellAbout:), body)
    }
  }

  @inline(__always)
  private func forEachCandidate(
    in positions: Range<Int>, _ contents: GraphContents, relation: (SpherePoint) -> CellRelation,
    _ body: (_ key: UInt64, _ isCertain: Bool) -> Void
  ) {
    OrderedTree.forEach(contents.root(of: index), in: positions) { entry in
      switch relation(PlaceCell.center(ofNumber: OrderedValue.cell(ofCode: entry.code))) {
      case .inside: body(entry.row, isRegionEnough)
      case .boundary: body(entry.row, false)
      case .outside: break
      }
      return true
    }
  }
}

extension ConditionDraft {
  /// What the place at a path has to lie in.
  fileprivate func region(at path: ResolvedPath) -> SphereRegion? {
    if case .within(let place, let region) = self, place.cellPath.isSame(as: path) { region } else { nil }
  }
}

extension GraphLayout {
  /// Every row of a table by each of its ordered indexes.
  func orderedAccesses(toAllOf table: TableID) -> [OrderedAccess] {
    orderedIndexes(of: table).map { OrderedAccess(everyRowOf: $0) }
  }
}

extension GraphContents {
  /// Whether an ordered index has all rows, which inside of a transaction it lacks until it is settled: what was written
  /// is taken out at once and comes back then.
  func isSettled(_ index: OrderedIndex) -> Bool { OrderedTree.count(root(of: index)) == rowCount(index.table) }
}
