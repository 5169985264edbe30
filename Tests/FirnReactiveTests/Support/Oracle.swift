import FirnEngine
import FirnReactive

/// What views must show and report, computed the slow way.
enum Oracle {
  /// The query's rows by evaluating every row and sorting by insertion.
  static func run(_ query: ViewQuery, _ snapshot: Snapshot, _ schema: [TableDescription]) -> [RowKey] {
    let predicate = CompiledPredicate(query.predicate, table: query.table, layout: snapshot.layout)
    var rows: [RowKey] = []
    snapshot.forEachKey(in: query.table) { if predicate.matches($0, in: snapshot) { rows.append($0) } }
    if query.sort.isEmpty { return rows }
    let values = Dictionary(
      uniqueKeysWithValues: rows.map { key in
        (key, query.sort.map { value($0.path, key, query.table, snapshot, schema) })
      })
    return rows.sorted { a, b in
      for (index, key) in query.sort.enumerated() {
        let (first, second) = (values[a]![index], values[b]![index])
        if key.nullsLast, (first ?? .null) == .null || (second ?? .null) == .null {
          if (first ?? .null) == (second ?? .null) { continue }
          return (second ?? .null) == .null
        }
        let order = compare(first, second)
        if order != 0 { return key.ascending == (order < 0) }
      }
      return a < b
    }
  }

  private static func value(
    _ path: ColumnPath, _ key: RowKey, _ table: TableID, _ snapshot: Snapshot, _ schema: [TableDescription]
  ) -> Value? {
    var key = key
    var table = table
    for link in path.links {
      guard case .link(let target) = snapshot.value(link, of: key, in: table) else { return nil }
      key = target
      table = schema[table.index].columns[link.index].target!
    }
    return snapshot.value(path.column, of: key, in: table)
  }

  private static func compare(_ a: Value?, _ b: Value?) -> Int {
    switch (a, b) {
    case (nil, nil): 0
    case (nil, _): 1
    case (_, nil): -1
    case (let a?, let b?): a.order(to: b)
    }
  }

  /// The first mistake in a change, or nil.
  ///
  /// `allowsUntouchedMoves`: other tables may decide about the order.
  static func mistake(
    in change: ViewChange?, from old: [RowKey], to new: [RowKey], _ changes: TableChanges,
    allowsUntouchedMoves: Bool = false
  ) -> String? {
    let positions = change?.positions() ?? PositionChanges()
    let stayed = Set(old).intersection(new)
    let written = Dictionary(uniqueKeysWithValues: changes.modified.map { ($0.key, $0.columns) })
    for list in [positions.deletions, positions.insertions, positions.modifications] {
      if zip(list, list.dropFirst()).contains(where: { $0 >= $1 }) { return "positions do not ascend" }
    }
    if positions.deletions.contains(where: { !old.indices.contains($0) }) { return "a deletion is outside" }
    if positions.insertions.contains(where: { !new.indices.contains($0) }) { return "an insertion is outside" }
    var rows = old
    for position in positions.deletions.reversed() { rows.remove(at: position) }
    for position in positions.insertions {
      if position > rows.count { return "an insertion is beyond the end" }
      rows.insert(new[position], at: position)
    }
    if rows != new { return "applying the change does not give the new rows" }
    let deleted = Set(positions.deletions)
    let expected = old.indices.filter { stayed.contains(old[$0]) && !deleted.contains($0) && written[old[$0]] != nil }
    if expected != positions.modifications { return "modifications are wrong" }
    for modification in change?.modifications ?? [] where written[old[modification.position]] != modification.columns {
      return "written columns are wrong"
    }
    let movesUntouched = positions.deletions.contains { stayed.contains(old[$0]) && written[old[$0]] == nil }
    if movesUntouched, !allowsUntouchedMoves { return "an untouched row moved" }
    if let change, change.isEmpty { return "an empty change was delivered" }
    if let change, change.oldCount != old.count || change.newCount != new.count { return "counts are wrong" }
    return nil
  }
}
