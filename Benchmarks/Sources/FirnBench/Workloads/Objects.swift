/// What all engines agree on in the rows of creation, lists and backlinks.
enum Objects {
  static let changeCount = 10_000
  /// Plain arrays move half of their elements for each change in the middle.
  static let plainChangeCount = 200
  static let spokeCount = 100_000

  /// Numbers below `count` in an order of their own.
  static func shuffled(_ count: Int) -> [Int] {
    var generator = SeededGenerator(seed: 24)
    return (0..<count).shuffled(using: &generator)
  }

  /// What an object is created from.
  static func values(_ index: Int) -> [String: Any] {
    ["id": index, "name": "someone \(index)", "score": Double(index), "isActive": index % 2 == 0]
  }
}
