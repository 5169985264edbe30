import FirnEngine
import FirnReactive

/// What views must show and report, computed the slow way.
enum Oracle {
  /// The query's rows by evaluating every row and sorting by insertion.
  static func run(_ query: ViewQuery, _ contents: GraphContents, _ schema: [TableDescription]) -> [RowKey] {
    var rows: [RowKey] = []
    switch query.source {
    case .table: contents.forEachKey(in: query.table) { rows.append($0) }
    case .list(let place):
      for index in 0..<contents.listCount(place.column, of: place.row, in: place.table) {
        guard case .link(let key) = contents.listValue(at: index, of: place.column, of: place.row, in: place.table)
        else {
          rows.append(null)
          continue
        }
        rows.append(key)
      }
    case .backlinks(let place):
      contents.forEachKey(in: place.origin) { key in
        contents.forEachLink(place.column, of: key, in: place.origin) { if $0 == place.row { rows.append(key) } }
      }
    }
    filter(&rows, query.predicate, query, contents)
    sort(&rows, query.sort, query, contents, schema)
    for step in query.steps {
      switch step {
      case .filter(let predicate): filter(&rows, predicate, query, contents)
      case .sort(let keys): sort(&rows, keys, query, contents, schema)
      case .window(let window): rows = Array(rows[window.clamped(to: 0..<rows.count)])
      case .distinct(let paths):
        var kept: [[Value]] = []
        rows.removeAll { row in
          if row == null { return true }
          let values = paths.map { value($0, row, query.table, contents, schema) }
          if values.contains(nil) { return true }
          let known = values.compactMap(\.self)
          if kept.contains(where: { zip($0, known).allSatisfy { $0.order(to: $1) == 0 } }) { return true }
          kept.append(known)
          return false
        }
      }
    }
    return rows
  }

  /// An element of a map that is null.
  static let null = RowKey(.max)

  private static func filter(
    _ rows: inout [RowKey], _ predicate: Predicate, _ query: ViewQuery, _ contents: GraphContents
  ) {
    if predicate == .constant(true) { return }
    let compiled = CompiledPredicate(predicate, table: query.table, layout: contents.layout)
    rows.removeAll { $0 == null || !compiled.matches($0, in: contents) }
  }

  /// Equal rows keep their order.
  private static func sort(
    _ rows: inout [RowKey], _ keys: [SortKey], _ query: ViewQuery, _ contents: GraphContents,
    _ schema: [TableDescription]
  ) {
    if keys.isEmpty { return }
    let nulls = rows.filter { $0 == null }
    rows.removeAll { $0 == null }
    let values = Dictionary(
      rows.map { key in (key, keys.map { value($0.path, key, query.table, contents, schema, mapKey: $0.mapKey) }) },
      uniquingKeysWith: { first, _ in first })
    rows = rows.enumerated().sorted { a, b in
      for (index, key) in keys.enumerated() {
        let (first, second) = (values[a.element]![index], values[b.element]![index])
        if key.nullsLast, (first ?? .null) == .null || (second ?? .null) == .null {
          if (first ?? .null) == (second ?? .null) { continue }
          return (second ?? .null) == .null
        }
        let order = compare(first, second)
        if order != 0 { return key.ascending == (order < 0) }
      }
      return a.offset < b.offset
    }.map(\.element)
    rows.insert(contentsOf: nulls, at: !keys[0].ascending || keys[0].nullsLast ? rows.count : 0)
  }

  private static func value(
    _ path: ColumnPath, _ key: RowKey, _ table: TableID, _ contents: GraphContents, _ schema: [TableDescription],
    mapKey: [UInt8]? = nil
  ) -> Value? {
    var key = key
    var table = table
    for link in path.links {
      guard case .link(let target) = contents.value(link, of: key, in: table) else { return nil }
      key = target
      table = schema[table.index].columns[link.index].target!
    }
    guard let mapKey else { return contents.value(path.column, of: key, in: table) }
    return contents.mapValue(forKey: mapKey, path.column, of: key, in: table) ?? .null
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
    let positions = change?.positions { _ in true } ?? PositionChanges()
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
