import FirnEngine

extension GraphModelRun {
  /// Throws unless the change set is what the transaction did.
  func checkChanges(_ changes: ChangeSet, from old: GraphModel) throws {
    for table in model.tables.indices {
      let found = changes.tables[table]
      let before = old.tables[table]
      let after = model.tables[table]
      try agree(
        found.inserted.map(\.rawValue) == after.keys.filter { before[$0] == nil }.sorted(),
        "inserted of table \(table)")
      try agree(
        found.deleted.map(\.rawValue) == before.keys.filter { after[$0] == nil }.sorted(), "deleted of table \(table)")
      let expected = written[table].filter { before[$0.key] != nil && after[$0.key] != nil }
        .map { ModifiedRow(key: RowKey($0.key), columns: $0.value) }.sorted { $0.key < $1.key }
      try agree(found.modified == expected, "modified of table \(table): \(found.modified), not \(expected)")
      for (list, delta) in found.lists {
        delta.checkInvariants()
        let old = before[list.row.rawValue]!.lists[list.column.index]!
        let new = after[list.row.rawValue]!.lists[list.column.index]!
        try agree(delta.leads(from: old, to: new), "delta of list \(list) in table \(table)")
        if let oldNames = before[list.row.rawValue]!.names[list.column.index] {
          let newNames = after[list.row.rawValue]!.names[list.column.index]!
          try agree(delta.leads(fromKeys: oldNames, to: newNames), "keys of the delta of map \(list) in \(table)")
        }
      }
      for row in found.modified {
        for (column, new) in after[row.key.rawValue]!.lists {
          let old = before[row.key.rawValue]!.lists[column]!
          let isSame = old.count == new.count && zip(old, new).allSatisfy { $0.isSame(as: $1) }
          try agree(
            isSame || found.lists[ListID(row: row.key, column: ColumnID(column))] != nil,
            "no delta of list \(column) of \(row.key)")
        }
      }
    }
  }
}

extension GraphModel {
  /// Throws unless the change set, found by comparing versions, tells the difference between two models.
  func checkComparison(_ changes: ChangeSet, from old: GraphModel) throws {
    for table in tables.indices {
      let found = changes.tables[table]
      let before = old.tables[table]
      let after = tables[table]
      try agree(
        found.inserted.map(\.rawValue) == after.keys.filter { before[$0] == nil }.sorted(),
        "compared: inserted of table \(table)")
      try agree(
        found.deleted.map(\.rawValue) == before.keys.filter { after[$0] == nil }.sorted(),
        "compared: deleted of table \(table)")
      var written: [UInt64: ColumnSet] = [:]
      for row in found.modified { written[row.key.rawValue] = row.columns }
      try agree(found.modified.map(\.key) == found.modified.map(\.key).sorted(), "compared: order of table \(table)")
      for (key, row) in after {
        guard let previous = before[key] else {
          try agree(written[key] == nil, "compared: inserted and modified")
          continue
        }
        for column in row.values.indices {
          let isListed = written[key]?.contains(ColumnID(column)) ?? false
          if let list = row.lists[column], let oldList = previous.lists[column] {
            let isSame = list.count == oldList.count && zip(list, oldList).allSatisfy { $0.isSame(as: $1) }
            try agree(isSame || isListed, "compared: list \(column) of \(key) in table \(table)")
            guard isListed else { continue }
            let delta = found.lists[ListID(row: RowKey(key), column: ColumnID(column))]
            try agree(delta?.leads(from: oldList, to: list) ?? false, "compared: delta of list \(column) of \(key)")
            if let names = row.names[column], let oldNames = previous.names[column] {
              try agree(delta!.leads(fromKeys: oldNames, to: names), "compared: keys of map \(column) of \(key)")
            }
            if columns(TableID(table))[column].collection != .list {
              try agree(!delta!.isEmpty, "compared: nothing happened to \(column) of \(key)")
            }
          } else {
            let isSame = row.values[column].isSame(as: previous.values[column])
            try agree(isListed != isSame, "compared: column \(column) of \(key) in table \(table)")
          }
        }
      }
    }
  }
}

extension ListDelta {
  /// Whether the delta keeps and touches entries of equal keys only.
  func leads(fromKeys old: [[UInt8]], to new: [[UInt8]]) -> Bool {
    var fits = oldCount == old.count && newCount == new.count
    forEachRun { kind, count, oldStart, newStart in
      guard fits, kind == .keep || kind == .touch else { return }
      for step in 0..<count where old[oldStart + step] != new[newStart + step] { fits = false }
    }
    return fits
  }

  /// Whether the delta, applied to one list, gives another: kept elements are the same, counts fit.
  func leads(from old: [Value], to new: [Value]) -> Bool {
    if oldCount != old.count || newCount != new.count { return false }
    var fits = true
    forEachRun { kind, count, oldStart, newStart in
      guard kind == .keep else { return }
      for step in 0..<count where !old[oldStart + step].isSame(as: new[newStart + step]) { fits = false }
    }
    return fits
  }
}
