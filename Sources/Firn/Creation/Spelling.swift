/// Names that were probably meant.
enum Spelling {
  /// The name that takes the fewest changes to get to from a wrong one; nil when none is near.
  static func nearest(to wrong: String, among names: [String]) -> String? {
    let wrong = Array(wrong.lowercased().utf8.prefix(64))
    let changesMax = wrong.count < 4 ? 1 : 2
    var nearest: (name: String, changes: Int)?
    for name in names {
      let changes = changeCount(wrong, Array(name.lowercased().utf8))
      if changes <= changesMax, changes < nearest?.changes ?? .max { nearest = (name, changes) }
    }
    return nearest?.name
  }

  /// A sentence that follows the one about a wrong name; empty when no name is near.
  static func suggestion(for wrong: String, among names: [String]) -> String {
    nearest(to: wrong, among: names).map { " Is '\($0)' meant?" } ?? ""
  }

  /// How many letters are put in, left out, exchanged with their neighbour or with another letter.
  private static func changeCount(_ first: [UInt8], _ second: [UInt8]) -> Int {
    if abs(first.count - second.count) > 2 { return .max }
    var before: [Int] = []
    var row = Array(0...second.count)
    for (index, letter) in first.enumerated() {
      var next = [index + 1]
      for (column, other) in second.enumerated() {
        var changes = min(row[column] + (letter == other ? 0 : 1), row[column + 1] + 1, next[column] + 1)
        if index > 0, column > 0, letter == second[column - 1], first[index - 1] == other {
          changes = min(changes, before[column - 1] + 1)
        }
        next.append(changes)
      }
      (before, row) = (row, next)
    }
    return row[second.count]
  }
}

extension ClassModel {
  /// Traps for a name that no property has.
  @inline(never)
  func trapForProperty(named name: String) -> Never {
    if linkingProperties.contains(where: { $0.name == name }) {
      fatalError("Invalid property name '\(name)' for class '\(self.name)'. \(linkingProblem(name))")
    }
    let names = properties.map(\.name) + linkingProperties.map(\.name)
    fatalError(
      "Invalid property name '\(name)' for class '\(self.name)'." + Spelling.suggestion(for: name, among: names))
  }

  /// A sentence that says why a property of type `LinkingObjects` takes no value.
  func linkingProblem(_ name: String) -> String {
    let linking = linkingProperties.first { $0.name == name }
    return
      "'\(self.name).\(name)' shows the objects whose property '\(linking?.originProperty ?? "")' links here, and "
      + "cannot be set: set that property of theirs."
  }
}
