package import FirnEngine

/// What happened to sections in one step. Shared by all observers of them, who choose which modifications count.
package struct SectionChange {
  /// A section of which elements came, left or were written.
  package struct Rows {
    package var key: SectionKey
    /// Its place among the sections; nil when it did not exist, or does not any more.
    package var old: Int?
    package var new: Int?
    /// Whether it stayed where it was among the sections.
    package var isKept = false
    package var oldCount = 0
    package var newCount = 0
    package var deletions: [Int] = []
    package var insertions: [Int] = []
    /// With their old positions in the view.
    package var modifications: [(item: Int, position: Int)] = []

    init(key: SectionKey, oldCount: Int) {
      self.key = key
      self.oldCount = oldCount
    }

    /// What happened to the elements of the section, which exists before and after.
    func delta(_ counts: (Int) -> Bool) -> ListDelta {
      ListDelta(
        PositionChanges(
          deletions: deletions, insertions: insertions,
          modifications: modifications.filter { counts($0.position) }.map(\.item)), from: oldCount, to: newCount)
    }
  }

  /// Which sections came, left or moved.
  package var sections = ListDelta(count: 0)
  package var rows: [SectionKey: Rows] = [:]
  /// Old positions in the view of elements that kept their place in it and went to another section.
  package var rekeyed: [Int] = []
  /// Whether elements came, left or moved in the view.
  package var isOrderChanged = false
  let oldCount: Int

  init(oldCount: Int) { self.oldCount = oldCount }
}

/// What happened to all sections in a span of versions.
package struct SectionsSpan: CollectionSpan {
  private var sections: ListDelta
  /// What happened to elements, by the section's place at the end of the span. All of a section that came are insertions.
  private var rows: [Int: ListDelta] = [:]

  package init() { sections = ListDelta(count: 0) }

  /// - Parameter counts: Whether the modification of an element at a position in the view counts.
  package init(_ change: SectionChange, counting counts: (Int) -> Bool) {
    sections = change.sections
    for section in change.rows.values {
      guard let new = section.new else { continue }
      if section.isKept {
        let delta = section.delta(counts)
        if !delta.isEmpty { rows[new] = delta }
      } else {
        rows[new] = ListDelta(replacing: 0, with: section.newCount)
      }
    }
  }

  package var isEmpty: Bool { sections.isEmpty && rows.isEmpty }

  package mutating func merge(_ later: SectionsSpan) {
    let kept = KeptPositions(later.sections)
    var merged: [Int: ListDelta] = [:]
    for (index, delta) in rows {
      if let new = kept.new(index) { merged[new] = delta }
    }
    for (index, delta) in later.rows {
      if kept.old(index) == nil {
        merged[index] = delta
      } else if var known = merged[index] {
        known.compose(with: delta)
        merged[index] = known
      } else {
        merged[index] = delta
      }
    }
    rows = merged.filter { !$0.value.isEmpty }
    sections = sections.composed(with: later.sections)
  }

  /// The runs that it consists of.
  package var runCount: Int { rows.values.reduce(sections.runCount) { $0 + $1.runCount } }

  /// The change as observers get it.
  package var paths: SectionPaths {
    let positions = sections.positions()
    let kept = KeptPositions(sections)
    var paths = SectionPaths(deletedSections: positions.deletions, insertedSections: positions.insertions)
    for (index, delta) in rows.sorted(by: { $0.key < $1.key }) { paths.add(delta, from: kept.old(index), to: index) }
    return paths
  }
}

/// Positions of elements by section and item, as observers get them.
package struct SectionPaths {
  package var deletedSections: [Int] = []
  package var insertedSections: [Int] = []
  package var deletions: [(section: Int, item: Int)] = []
  package var insertions: [(section: Int, item: Int)] = []
  package var modifications: [(section: Int, item: Int)] = []

  /// Adds what happened to a section; one that came has only insertions. Sections come in the order of their new places.
  mutating func add(_ delta: ListDelta, from old: Int?, to new: Int) {
    let positions = delta.positions()
    insertions += positions.insertions.map { (new, $0) }
    guard let old else { return }
    deletions += positions.deletions.map { (old, $0) }
    modifications += positions.modifications.map { (old, $0) }
  }
}

/// Which positions stay in a delta.
struct KeptPositions {
  private var runs: [(old: Int, new: Int, count: Int)] = []

  init(_ delta: ListDelta) {
    delta.forEachRun { kind, count, old, new in
      if kind == .keep || kind == .touch { runs.append((old, new, count)) }
    }
  }

  func new(_ old: Int) -> Int? {
    let index = runs.partitionIndex { $0.old <= old } - 1
    guard index >= 0, old < runs[index].old + runs[index].count else { return nil }
    return runs[index].new + old - runs[index].old
  }

  func old(_ new: Int) -> Int? {
    let index = runs.partitionIndex { $0.new <= new } - 1
    guard index >= 0, new < runs[index].new + runs[index].count else { return nil }
    return runs[index].old + new - runs[index].new
  }
}
