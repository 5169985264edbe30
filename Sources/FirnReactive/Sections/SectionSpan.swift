import FirnEngine

/// What happened to one section in a span of versions. Its place among the others counts only when it came or left.
package struct SectionSpan: CollectionSpan {
  private var old: Int?
  private var new: Int?
  private var rows: ListDelta

  package init() { self.init(at: nil, count: 0) }

  /// A section to which nothing happened, but perhaps to its place; nil for one that does not exist.
  package init(at index: Int?, count: Int) {
    (old, new) = (index, index)
    rows = ListDelta(count: count)
  }

  /// What happened to the section with a key; nil when none of it was touched.
  ///
  /// - Parameter counts: Whether the modification of an element at a position in the view counts.
  package init?(_ change: SectionChange, _ key: SectionKey, counting counts: (Int) -> Bool) {
    guard let section = change.rows[key] else { return nil }
    (old, new) = (section.old, section.new)
    rows = section.delta(counts)
  }

  /// Whether there is nothing to tell: it did not come or leave, and its elements are as they were.
  package var isEmpty: Bool { (old == nil) == (new == nil) && rows.isEmpty }

  package mutating func merge(_ later: SectionSpan) {
    rows.compose(with: later.rows)
    new = later.new
  }

  /// The runs that it consists of.
  package var runCount: Int { rows.runCount + 1 }

  package var paths: SectionPaths {
    var paths = SectionPaths()
    switch (old, new) {
    case (nil, nil): break
    case (let old?, nil): paths.deletedSections = [old]
    case (nil, let new?):
      paths.insertedSections = [new]
      paths.add(rows, from: nil, to: new)
    case (let old?, let new?): paths.add(rows, from: old, to: new)
    }
    return paths
  }
}
