/// From the rows of a value table to their positions in the exported dictionary, counted from 1.
struct DictionaryIDs: Sendable {
  private enum Form: Sendable {
    /// No value has ever gone: the position is the key plus one.
    case same
    /// The position of each key.
    case places([UInt32])
    /// Few values among many keys: positions are looked up.
    case ranks(GraphContents, TableID)
  }

  private let form: Form

  init(_ contents: GraphContents, table: TableID) {
    let count = contents.rowCount(table)
    guard count > 0, let last = contents.key(at: count - 1, in: table)?.rawValue, last >= UInt64(count) else {
      form = .same
      return
    }
    guard last < 1 << 20 || last < UInt64(count) * 16 else {
      form = .ranks(contents, table)
      return
    }
    var places = [UInt32](repeating: 0, count: Int(last) + 1)
    var next: UInt32 = 1
    contents.forEachKey(in: table) { key in
      places[Int(key.rawValue)] = next
      next += 1
    }
    form = .places(places)
  }

  /// Turns stored entries (key + 1, 0 for null) into positions.
  func translate(_ entries: UnsafeBufferPointer<Int64>, into ids: UnsafeMutablePointer<UInt32>) {
    switch form {
    case .same:
      var index = 0
      while index < entries.count {
        ids[index] = UInt32(truncatingIfNeeded: entries[index])
        index &+= 1
      }
    case .places(let places):
      places.withUnsafeBufferPointer { places in
        var index = 0
        while index < entries.count {
          let entry = Int(entries[index])
          ids[index] = entry == 0 ? 0 : places[entry &- 1]
          index &+= 1
        }
      }
    case .ranks(let contents, let table):
      for (index, entry) in entries.enumerated() {
        let key = RowKey(UInt64(bitPattern: entry &- 1))
        ids[index] = entry == 0 ? 0 : UInt32(truncatingIfNeeded: contents.rank(of: key, in: table) + 1)
      }
    }
  }
}
