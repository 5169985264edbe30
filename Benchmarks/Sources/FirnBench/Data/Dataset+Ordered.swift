extension Dataset {
  /// The first of all by city and age: of equal ones, the first that was added.
  var firstByCityAndAge: Int {
    let names = cities
    return (0..<count).min { (names[cityIndexes[$0]], ages[$0], $0) < (names[cityIndexes[$1]], ages[$1], $1) } ?? 0
  }

  /// The first of the active ones by name.
  var firstActiveByName: Int {
    (0..<count).filter { actives[$0] }.min { (name(at: $0), $0) < (name(at: $1), $1) } ?? 0
  }

  func countOfAges(_ range: ClosedRange<Int>) -> Int { ages.count { range.contains($0) } }

  /// 40,000 names, half of which somebody has.
  var manyNames: [String] {
    (0..<20_000).flatMap { number in [name(at: number * (count / 20_000)), "nobody \(number)"] }
  }

  func count(amongNames names: [String]) -> Int {
    let names = Set(names)
    return (0..<count).count { names.contains(name(at: $0)) }
  }
}
