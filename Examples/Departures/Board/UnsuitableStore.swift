/// The store is sound, but not one in which the day can go on. What it holds was not touched.
package enum UnsuitableStore: Error, Equatable, CustomStringConvertible {
  /// It keeps another day than the one that is to be replayed.
  case otherDay(stored: String, given: String)
  /// Its board counts the steps of another plan for the day.
  case otherPlan(stored: Int, given: Int)
  /// It keeps objects, but no board. Beginning anew does not help: objects of classes that the board lacks would stay.
  case noBoard

  package var description: String {
    let cure = "name another file with --store"
    switch self {
    case .otherDay(let stored, let given):
      return
        "the store keeps a board of another day (\(stored)) than the data tell of (\(given)): \(cure), or begin anew "
        + "with --restart"
    case .otherPlan(let stored, let given):
      return
        "the store counts the steps of another plan (\(stored)) than this version of the program has (\(given)): \(cure), "
        + "or begin anew with --restart"
    case .noBoard:
      return "the store keeps objects but no board, as if another program had written it: \(cure)"
    }
  }
}
