/// The positions in a result that a commit changed.
struct PlainPositions {
  /// In the result before.
  var deletions: [Int] = []
  /// In the result after.
  var insertions: [Int] = []
  /// In the result before.
  var modifications: [Int] = []
}

/// The hand-written observer of a result that tells positions, and that counts a person as modified when one behind its
/// links was written, up to three links away: what observers of Firn are told.
///
/// Keeps the result as a sorted array, so that a person who comes or leaves moves those behind it.
final class PlainPlaceObserver {
  static let linkMax = 3

  private let includes: (PlainPerson) -> Bool
  private let block: (PlainPositions) -> Void
  private let persons: [PlainPerson]
  /// Positions in the list of all persons, ascending.
  private var members: [Int]
  /// The positions of those who link to each person.
  private var linking: [[Int]]
  private var changed: [Int] = []
  private var written: [Int] = []

  init(
    of persons: [PlainPerson], where includes: @escaping (PlainPerson) -> Bool,
    onChange block: @escaping (PlainPositions) -> Void
  ) {
    self.includes = includes
    self.block = block
    self.persons = persons
    members = persons.indices.filter { includes(persons[$0]) }
    linking = Array(repeating: [], count: persons.count)
    for person in persons {
      if let best = person.best { linking[best.position].append(person.position) }
    }
  }

  func personChanged(_ person: PlainPerson) { changed.append(person.position) }

  func deliver() {
    if changed.isEmpty { return }
    addLinking()
    var positions = PlainPositions()
    for position in written {
      let index = firstIndex(from: position)
      let isMember = index < members.count && members[index] == position
      if includes(persons[position]) {
        if isMember {
          positions.modifications.append(index)
        } else {
          positions.insertions.append(index + positions.insertions.count - positions.deletions.count)
        }
      } else if isMember {
        positions.deletions.append(index)
      }
    }
    for index in positions.deletions.reversed() { members.remove(at: index) }
    for position in written where includes(persons[position]) {
      let index = firstIndex(from: position)
      if index == members.count || members[index] != position { members.insert(position, at: index) }
    }
    changed.removeAll(keepingCapacity: true)
    if positions.deletions.isEmpty && positions.insertions.isEmpty && positions.modifications.isEmpty { return }
    block(positions)
  }

  /// Collects who changed with those that lead to them, ascending, each once.
  private func addLinking() {
    written.removeAll(keepingCapacity: true)
    written += changed
    var start = 0
    for _ in 0..<Self.linkMax {
      let end = written.count
      for index in start..<end {
        for source in linking[written[index]] where !written.contains(source) { written.append(source) }
      }
      if written.count == end { break }
      start = end
    }
    written.sort()
  }

  private func firstIndex(from position: Int) -> Int {
    var (low, high) = (0, members.count)
    while low < high {
      let middle = (low + high) / 2
      if members[middle] < position { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
