extension Dataset {
  /// As many even numbers as there are persons, each once, in random order.
  var scatteredNumbers: [Int] {
    var random = SeededGenerator(seed: 4_711)
    return (0..<count).map { $0 * 2 }.shuffled(using: &random)
  }

  /// As many keys as there are persons, each once, in random order.
  var scatteredKeys: [String] { scatteredNumbers.map { "key \($0)" } }
}
