import Testing

/// What an observer has after a change: deletes, then inserts what is at these positions now, and reads modified rows
/// anew. Fails when the positions do not ascend or lead outside.
///
/// - Parameters:
///   - old: What the observer had.
///   - modifications: Positions in `old`.
///   - new: Reads a row as it is now, by its new position.
func applied<Row>(
  _ old: [Row], deletions: [Int], insertions: [Int], modifications: [Int], _ comment: Comment? = nil,
  new: (Int) -> Row
) throws -> [Row] {
  for positions in [deletions, insertions, modifications] {
    try #require(zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 }, comment)
  }
  try #require((deletions + modifications).allSatisfy(old.indices.contains), comment)
  try #require(Set(deletions).isDisjoint(with: modifications), comment)
  let (gone, written) = (Set(deletions), Set(modifications))
  var kept = old.indices.filter { !gone.contains($0) }[...]
  var rows: [Row] = []
  rows.reserveCapacity(old.count - deletions.count + insertions.count)
  var next = insertions[...]
  while !kept.isEmpty || !next.isEmpty {
    if next.first == rows.count {
      next.removeFirst()
      rows.append(new(rows.count))
    } else {
      guard let position = kept.popFirst() else { break }
      rows.append(written.contains(position) ? new(rows.count) : old[position])
    }
  }
  try #require(next.isEmpty, comment)
  return rows
}
