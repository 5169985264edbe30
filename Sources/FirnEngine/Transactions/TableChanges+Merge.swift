extension TableChanges {
  /// Adds what a later commit did to the table. O(rows named by both).
  ///
  /// Keys are never given out twice, so a row that was deleted earlier does not occur in `later`, and a row that was
  /// inserted later does not occur in `self`.
  package mutating func merge(_ later: TableChanges) {
    mergeLists(later)
    let deletedLater = later.deleted.subtractingSorted(inserted)
    modified = Self.merged(
      modified.removingSorted(later.deleted), later.modified.removingSorted(inserted))
    inserted = inserted.subtractingSorted(later.deleted).mergingSorted(later.inserted)
    deleted = deleted.mergingSorted(deletedLater)
  }

  /// Appends the modified rows to a list, and with no column others that stayed, or were inserted and are left out then.
  ///
  /// - Parameter keys: The others, ascending.
  package func appendModified(and keys: [RowKey], to result: inout [ModifiedRow]) {
    var next = 0
    for key in keys {
      while next < modified.count, modified[next].key < key {
        result.append(modified[next])
        next &+= 1
      }
      if next < modified.count, modified[next].key == key { continue }
      if inserted.containsSorted(key) { continue }
      result.append(ModifiedRow(key: key, columns: ColumnSet()))
    }
    while next < modified.count {
      result.append(modified[next])
      next &+= 1
    }
  }

  private mutating func mergeLists(_ later: TableChanges) {
    if !lists.isEmpty, !later.deleted.isEmpty {
      lists = lists.filter { !later.deleted.containsSorted($0.key.row) }
    }
    for (list, delta) in later.lists where !inserted.containsSorted(list.row) {
      if lists[list] == nil {
        lists[list] = delta
      } else {
        lists[list]!.compose(with: delta)
      }
    }
  }

  /// Both ascend by key; columns of a row in both are united.
  private static func merged(_ earlier: [ModifiedRow], _ later: [ModifiedRow]) -> [ModifiedRow] {
    if earlier.isEmpty { return later }
    if later.isEmpty { return earlier }
    var result: [ModifiedRow] = []
    result.reserveCapacity(earlier.count + later.count)
    var left = 0
    var right = 0
    while left < earlier.count, right < later.count {
      let a = earlier[left]
      let b = later[right]
      if a.key < b.key {
        result.append(a)
        left &+= 1
      } else if b.key < a.key {
        result.append(b)
        right &+= 1
      } else {
        var both = a
        both.columns.formUnion(b.columns)
        result.append(both)
        left &+= 1
        right &+= 1
      }
    }
    result.append(contentsOf: earlier[left...])
    result.append(contentsOf: later[right...])
    return result
  }
}

extension [ModifiedRow] {
  /// The rows whose key is not in `keys`; both ascend.
  fileprivate func removingSorted(_ keys: [RowKey]) -> [ModifiedRow] {
    if isEmpty || keys.isEmpty { return self }
    var next = 0
    return filter { row in
      while next < keys.count, keys[next] < row.key { next &+= 1 }
      return next == keys.count || keys[next] != row.key
    }
  }
}

extension [RowKey] {
  fileprivate func subtractingSorted(_ keys: [RowKey]) -> [RowKey] {
    if isEmpty || keys.isEmpty { return self }
    var next = 0
    return filter { key in
      while next < keys.count, keys[next] < key { next &+= 1 }
      return next == keys.count || keys[next] != key
    }
  }

  fileprivate func mergingSorted(_ other: [RowKey]) -> [RowKey] {
    if isEmpty { return other }
    if other.isEmpty { return self }
    if last! < other[0] { return self + other }
    var result: [RowKey] = []
    result.reserveCapacity(count + other.count)
    var left = 0
    var right = 0
    while left < count, right < other.count {
      if self[left] < other[right] {
        result.append(self[left])
        left &+= 1
      } else {
        result.append(other[right])
        right &+= 1
      }
    }
    result.append(contentsOf: self[left...])
    result.append(contentsOf: other[right...])
    return result
  }
}
