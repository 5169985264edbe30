internal import DeparturePlan
internal import Firn

/// The elements of an observed collection as values, kept up to date by the changes alone.
struct ObservedRows<Value> {
  private(set) var values: [Value] = []

  /// Follows a change.
  ///
  /// - Parameter value: Makes the value of an element; called for the elements that are new or changed.
  mutating func apply<Elements: RandomAccessCollection>(
    _ change: RealmCollectionChange<Elements>, _ value: (Elements.Element) -> Value
  ) where Elements.Index == Int {
    switch change {
    case .initial(let elements):
      values = elements.map(value)
    case .update(let elements, let deletions, let insertions, let modifications):
      for position in deletions.reversed() { values.remove(at: position) }
      for position in insertions { values.insert(value(elements[position]), at: position) }
      for position in positionsAfterChange(modifications, deletions: deletions, insertions: insertions) {
        values[position] = value(elements[position])
      }
    case .error(let error):
      fatalError("an observer got an error: \(error)")
    }
  }
}
