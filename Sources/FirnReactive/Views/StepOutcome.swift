import FirnEngine

/// What a step did to a query, kept until the next step, so that its subscribers can be told.
final class StepOutcome {
  let change: ViewChange
  /// The same as subscribers get it, by their filters; most have the same.
  private var first: (filter: KeyPathFilter, change: CollectionChange?)?
  private var others: [KeyPathFilter: CollectionChange?] = [:]

  init(_ change: ViewChange) { self.change = change }

  func change(_ filter: KeyPathFilter, _ step: Step, _ table: Int) -> CollectionChange? {
    if let first, first.filter == filter { return first.change }
    if !others.isEmpty, let known = others[filter] { return known }
    let positions = change.positions(counting: filter, step, table)
    let new = positions.map { CollectionChange.step($0, from: change.oldCount, to: change.newCount) }
    if first == nil { first = (filter, new) } else { others.updateValue(new, forKey: filter) }
    return new
  }
}
