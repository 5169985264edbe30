/// The positions in a result that a commit changed.
struct PlainPositions {
  /// In the result before.
  var deletions: [Int] = []
  /// In the result after.
  var insertions: [Int] = []
  /// In the result before.
  var modifications: [Int] = []

  var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }
}

/// The hand-written observer of a result that tells positions.
///
/// Keeps the result as a sorted array, so that a person who comes or leaves moves those behind it.
final class PlainPlaceObserver {
  private let includes: (PlainPerson) -> Bool
  private let block: (PlainPositions) -> Void
  /// Positions in the list of all persons, ascending.
  private var members: [Int]
  private var touched: [Int] = []

  init(
    of persons: some Collection<PlainPerson>, where includes: @escaping (PlainPerson) -> Bool,
    onChange block: @escaping (PlainPositions) -> Void
  ) {
    self.includes = includes
    self.block = block
    members = persons.lazy.filter(includes).map(\.position).sorted()
  }

  /// A person was written that may be or have been in the result. Whether this is the first since the last delivery.
  func touch(_ position: Int) -> Bool {
    if !touched.contains(position) { touched.append(position) }
    return touched.count == 1
  }

  func deliver(_ persons: [PlainPerson]) {
    if touched.count > 1 { touched.sort() }
    var positions = PlainPositions()
    var inserted: [Int] = []
    for position in touched {
      let index = firstIndex(from: position)
      let isMember = index < members.count && members[index] == position
      switch (isMember, includes(persons[position])) {
      case (true, true): positions.modifications.append(index)
      case (true, false): positions.deletions.append(index)
      case (false, true):
        positions.insertions.append(index + positions.insertions.count - positions.deletions.count)
        inserted.append(position)
      case (false, false): break
      }
    }
    touched.removeAll(keepingCapacity: true)
    if positions.isEmpty { return }
    for index in positions.deletions.reversed() { members.remove(at: index) }
    for (index, position) in zip(positions.insertions, inserted) { members.insert(position, at: index) }
    block(positions)
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
