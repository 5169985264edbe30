/// What the workloads ask for, and the answers they have to get. Each pick has a seed of its own, so that one workload
/// asks the same whether or not another ran before it.
extension Dataset {
  /// Ids of persons, random with repetition.
  func randomIDs(count pickCount: Int, seed: UInt64 = 1) -> [Int] {
    var random = SeededGenerator(seed: seed)
    return (0..<pickCount).map { _ in Int.random(in: 0..<count, using: &random) }
  }

  /// Ids of different persons in random order, at most half of all.
  func distinctIDs(atMost pickCount: Int, seed: UInt64 = 2) -> [Int] {
    var random = SeededGenerator(seed: seed)
    let limit = min(pickCount, count / 2)
    var picked: Set<Int> = []
    var ids: [Int] = []
    while ids.count < limit {
      let id = Int.random(in: 0..<count, using: &random)
      if picked.insert(id).inserted { ids.append(id) }
    }
    return ids
  }

  /// The id of a person whose name has as many bytes.
  func idOfName(byteCount: Int) -> Int {
    guard let position = (0..<count).first(where: { nameByteCount(at: $0) == byteCount }) else {
      fatalError("no name of \(byteCount) bytes among \(count) persons")
    }
    return position
  }

  func ageTotal(ofIDs ids: [Int]) -> Int {
    ids.reduce(0) { $0 &+ ages[$1] }
  }

  var ageTotal: Int { ages.reduce(0, &+) }
  var scoreTotal: Double { scores.reduce(0, +) }
  var ageTotalOfBests: Int { bests.reduce(0) { $0 &+ ages[$1] } }

  func count(olderThan age: Int) -> Int {
    ages.count { $0 > age }
  }

  func count(named name: String) -> Int {
    (0..<count).count { self.name(at: $0) == name }
  }

  func count(nameContaining fragment: String) -> Int {
    let fragmentBytes = Array(fragment.utf8)
    return (0..<count).count { position in
      let name = Array(self.name(at: position).utf8)
      guard name.count >= fragmentBytes.count else { return false }
      return (0...(name.count - fragmentBytes.count)).contains { start in
        name[start..<(start + fragmentBytes.count)].elementsEqual(fragmentBytes)
      }
    }
  }

  /// How often a scan of everything is repeated to visit about so many objects.
  func scanCount(visiting objectCount: Int) -> Int {
    max(1, objectCount / count)
  }
}
