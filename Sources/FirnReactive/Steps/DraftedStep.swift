package import FirnEngine

/// What happened between two versions, before anybody looks behind links or is told of it. Mostly nobody is.
package struct DraftedStep {
  package let changes: ChangeSet
  let old: GraphContents
  let new: GraphContents
  let number: UInt64
  /// The step, once somebody needed it.
  private(set) var made: Step?

  package init(_ changes: ChangeSet, old: GraphContents, new: GraphContents, number: UInt64) {
    self.changes = changes
    self.old = old
    self.new = new
    self.number = number
  }

  package init(_ step: Step) {
    self.init(step.changes, old: step.old, new: step.new, number: step.number)
    made = step
  }

  /// Whether something may have been written behind links that counts for a filter. False where few rows were written, and
  /// nothing links to them.
  func mayLeadTo(_ filter: KeyPathFilter) -> Bool {
    if !filter.paths.isEmpty { return true }
    guard let reach = filter.reach else { return false }
    return changes.tables.containsTouched { table, changes in
      if changes.modified.isEmpty || reach.distances[table] > LinkReach.depth { return false }
      return changes.modified.count > 4
        || changes.modified.contains { new.hasBacklinks(reach.backlinks[table], of: $0.key, in: TableID(table)) }
    }
  }

  package mutating func step() -> Step {
    if let made { return made }
    let step = Step(changes, old: old, new: new, number: number)
    made = step
    return step
  }
}
