/// A workload that gave a wrong answer. Its time means nothing, so the run ends.
struct WrongAnswer: Error, CustomStringConvertible {
  let description: String
}

func expect<Value: Equatable>(_ found: Value, _ expected: Value, _ what: String) throws {
  guard found == expected else {
    throw WrongAnswer(description: "\(what): expected \(expected), found \(found)")
  }
}

/// Sums of doubles depend on the order of addition.
func expect(_ found: Double, closeTo expected: Double, _ what: String) throws {
  guard (found - expected).magnitude <= expected.magnitude * 1e-9 else {
    throw WrongAnswer(description: "\(what): expected about \(expected), found \(found)")
  }
}
