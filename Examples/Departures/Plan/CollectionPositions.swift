/// Where the elements are after a change that were at `positions` before it and stayed.
///
/// Observers report modifications as positions before the change; to show the elements, one needs the positions after.
/// All arrays ascend, and `positions` and `deletions` have no element in common.
package func positionsAfterChange(_ positions: [Int], deletions: [Int], insertions: [Int]) -> [Int] {
  var deleted = 0
  var inserted = 0
  return positions.map { position in
    while deleted < deletions.count, deletions[deleted] < position { deleted += 1 }
    while inserted < insertions.count, insertions[inserted] <= position - deleted + inserted { inserted += 1 }
    return position - deleted + inserted
  }
}
