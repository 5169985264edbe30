/// What happened to a list, set or map between two versions, as runs over the old positions.
///
/// Reading the runs from left to right walks both lists: `keep` and `touch` pass elements of both, `drop` passes
/// elements of the old list only, `insert` elements of the new one only. Deltas of consecutive spans compose exactly.
///
/// Invariants, checked by `checkInvariants()`:
/// - keep, touch and drop runs add up to `oldCount`; keep, touch and insert runs to `newCount`
/// - no run is empty, neighbours differ in kind, and between two passed elements a drop comes before an insert
package struct ListDelta: Hashable, Sendable {
  package private(set) var oldCount: Int
  package private(set) var newCount: Int
  @usableFromInline private(set) var runs: [Run]

  /// The delta of a list of `count` elements to which nothing happened.
  package init(count: Int) {
    oldCount = count
    newCount = count
    runs = count == 0 ? [] : [Run(.keep, count)]
  }

  /// Every old element went, every new one came.
  package init(replacing oldCount: Int, with newCount: Int) {
    self.init()
    append(.drop, oldCount)
    append(.insert, newCount)
  }

  init() {
    oldCount = 0
    newCount = 0
    runs = []
  }

  package var isEmpty: Bool { runs.isEmpty || (runs.count == 1 && runs[0].kind == .keep) }

  /// The number of runs, which is what the delta costs.
  package var runCount: Int { runs.count }

  /// Adds a run at the end. An insertion moves behind nothing and a drop in front of the insertion before it.
  package mutating func append(_ kind: Kind, _ count: Int) {
    if count == 0 { return }
    if kind != .insert { oldCount &+= count }
    if kind != .drop { newCount &+= count }
    guard let last = runs.last else { return runs.append(Run(kind, count)) }
    if last.kind == kind {
      runs[runs.count &- 1] = Run(kind, last.count &+ count)
    } else if kind == .drop, last.kind == .insert {
      let before = runs.count &- 2
      if before >= 0, runs[before].kind == .drop {
        runs[before] = Run(.drop, runs[before].count &+ count)
      } else {
        runs.insert(Run(.drop, count), at: runs.count &- 1)
      }
    } else {
      runs.append(Run(kind, count))
    }
  }

  /// Adds what happened afterwards. O(runs of both).
  ///
  /// An inserted element that is dropped later leaves no trace; one that is touched later stays inserted. When the
  /// result has nearly as many runs as the lists have elements, it becomes the delta that replaces everything.
  package mutating func compose(with later: ListDelta) {
    if later.isEmpty, later.oldCount == newCount { return }
    self = composed(with: later).simplified()
  }

  /// The delta of both spans, in as many runs as that takes.
  package func composed(with later: ListDelta) -> ListDelta {
    if newCount != later.oldCount {
      fatalError("A list of \(newCount) elements cannot take a delta for \(later.oldCount) elements.")
    }
    var result = ListDelta()
    result.runs.reserveCapacity(runs.count &+ later.runs.count)
    var index = 0
    var rest = runs.first?.count ?? 0
    for run in later.runs {
      if run.kind == .insert {
        result.append(.insert, run.count)
        continue
      }
      var open = run.count
      while open > 0 {
        let kind = runs[index].kind
        let step = kind == .drop ? rest : min(rest, open)
        switch kind {
        case .drop: result.append(.drop, step)
        case .insert: if run.kind != .drop { result.append(.insert, step) }
        case .touch: result.append(run.kind == .drop ? .drop : .touch, step)
        case .keep: result.append(run.kind, step)
        }
        if kind != .drop { open &-= step }
        rest &-= step
        if rest == 0 {
          index &+= 1
          rest = index < runs.count ? runs[index].count : 0
        }
      }
    }
    while index < runs.count {
      // Only dropped elements are left, since `later` has passed all others.
      result.append(.drop, rest)
      index &+= 1
      rest = index < runs.count ? runs[index].count : 0
    }
    return result
  }

  /// Beyond this many runs a delta costs observers more than reading the list again.
  package func simplified() -> ListDelta {
    runs.count > 64 && runs.count &* 2 > oldCount &+ newCount ? ListDelta(replacing: oldCount, with: newCount) : self
  }

  /// Calls `body` for each run with its kind, length, and where it starts in the old and in the new list.
  package func forEachRun(_ body: (_ kind: Kind, _ count: Int, _ old: Int, _ new: Int) -> Void) {
    var old = 0
    var new = 0
    for run in runs {
      body(run.kind, run.count, old, new)
      if run.kind != .insert { old &+= run.count }
      if run.kind != .drop { new &+= run.count }
    }
  }

  /// The positions as observers get them. O(runs + positions).
  package func positions() -> ListPositions {
    var result = ListPositions()
    forEachRun { kind, count, old, new in
      switch kind {
      case .keep: break
      case .touch: result.modifications.append(contentsOf: old..<old &+ count)
      case .drop: result.deletions.append(contentsOf: old..<old &+ count)
      case .insert: result.insertions.append(contentsOf: new..<new &+ count)
      }
    }
    return result
  }

  package func checkInvariants() {
    var old = 0
    var new = 0
    for (index, run) in runs.enumerated() {
      if run.count <= 0 { fatalError("An empty run at \(index).") }
      if run.kind != .insert { old += run.count }
      if run.kind != .drop { new += run.count }
      if index > 0, runs[index - 1].kind == run.kind { fatalError("Runs \(index - 1) and \(index) belong together.") }
      if index > 0, runs[index - 1].kind == .insert, run.kind == .drop { fatalError("An insert before a drop.") }
    }
    if old != oldCount || new != newCount { fatalError("The runs do not add up to the counts.") }
  }
}

extension ListDelta {
  package enum Kind: UInt8, Hashable, Sendable {
    case keep, touch, drop, insert
  }

  /// Length and kind in one word.
  @usableFromInline
  struct Run: Hashable, Sendable {
    private let bits: UInt64

    init(_ kind: Kind, _ count: Int) { bits = UInt64(truncatingIfNeeded: count) &<< 2 | UInt64(kind.rawValue) }

    var kind: Kind { unsafeBitCast(UInt8(truncatingIfNeeded: bits & 3), to: Kind.self) }
    var count: Int { Int(truncatingIfNeeded: bits &>> 2) }
  }
}

/// Positions that changed in a list: deletions and modifications in the old one, insertions in the new one, ascending.
package struct ListPositions: Hashable, Sendable {
  package var deletions: [Int] = []
  package var insertions: [Int] = []
  package var modifications: [Int] = []

  package init() {}
}
