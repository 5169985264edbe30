import Firn
import FirnCombine

extension Follower {
  static func rows(_ card: Card) -> [String] {
    card.isInvalidated ? [] : [card.title, card.place ?? "none"]
  }

  /// What was written to the members of a projection, applied to what it had.
  ///
  /// - Parameter isExact: The projection is in the version of the change.
  func take(_ change: ObjectChange<Card>, isExact: Bool) {
    guard case .change(let card, let properties) = change else { return fail("no change") }
    if properties.isEmpty { fail("an empty change") }
    var new = rows
    for property in properties {
      let index = property.name == "title" ? 0 : 1
      let old = "\(property.oldValue ?? "none")"
      if old != new[index] { fail("\(property) where it has \(new)") }
      new[index] = "\(property.newValue ?? "none")"
    }
    move(to: new, isInitial: nil)
    if isExact { expect(Self.rows(card), "after \(properties)") }
    kept = keeps ? card : nil
  }
}
