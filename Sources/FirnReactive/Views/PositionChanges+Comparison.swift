package import FirnEngine

extension PositionChanges {
  /// The change from one sequence of rows to another, in which a row may occur several times. O(n log n).
  ///
  /// A longest run of rows whose order is unchanged stays. `isWritten` tells which of them are modifications.
  package init(from old: [RowKey], to new: [RowKey], isWritten: (RowKey) -> Bool) {
    var places: [RowKey: [Int]] = [:]
    for (position, key) in new.enumerated().reversed() { places[key, default: []].append(position) }
    var staying: [(old: Int, new: Int)] = []
    for (position, key) in old.enumerated() {
      if let place = places[key]?.popLast() { staying.append((position, place)) }
    }
    let isKept = longestIncreasingRun(staying.map(\.new))
    var keptOld = [Bool](repeating: false, count: old.count)
    var keptNew = [Bool](repeating: false, count: new.count)
    for (index, pair) in staying.enumerated() where isKept[index] {
      keptOld[pair.old] = true
      keptNew[pair.new] = true
    }
    self.init(
      deletions: old.indices.filter { !keptOld[$0] }, insertions: new.indices.filter { !keptNew[$0] },
      modifications: old.indices.filter { keptOld[$0] && isWritten(old[$0]) })
  }
}
