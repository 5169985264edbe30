/// Gives the distinct values of an indexed column numbers in the order of their first rows.
struct ValueNumbering {
  let column: ColumnLayout
  let seed: HashSeed
  /// A row that has each value, and the value's hash.
  private var examples: [(value: StoredValue, hash: UInt64)] = []
  /// Values by hash, counted from 1, in a power of two places; 0 is free.
  private var places: [UInt32] = []

  init(column: ColumnLayout, seed: HashSeed) {
    self.column = column
    self.seed = seed
  }

  var count: Int { examples.count }

  /// The number of each row's value, counted from 1; 0 for null.
  mutating func number(_ table: TableAssembly) -> [UInt32] {
    var ids: [UInt32] = []
    ids.reserveCapacity(table.rowCount)
    places = [UInt32](repeating: 0, count: 1024)
    for cluster in table.clusters {
      ClusterList.forEachSlot(cluster) { slot in
        let value = StoredValue(cluster: UnsafeRawPointer(cluster), slot: slot)
        ids.append(value.isNull(column) ? 0 : number(value))
      }
    }
    places = []
    return ids
  }

  private mutating func number(_ value: StoredValue) -> UInt32 {
    let hash = value.hash(column, seed: seed)
    let mask = places.count - 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while places[place] != 0 {
      let example = examples[Int(places[place]) - 1]
      if example.hash == hash, example.value.equals(value, column) { return places[place] }
      place = (place + 1) & mask
    }
    examples.append((value, hash))
    places[place] = UInt32(examples.count)
    if examples.count * 2 > places.count { grow() }
    return UInt32(examples.count)
  }

  private mutating func grow() {
    places = [UInt32](repeating: 0, count: places.count * 4)
    let mask = places.count - 1
    for (index, example) in examples.enumerated() {
      var place = Int(truncatingIfNeeded: example.hash) & mask
      while places[place] != 0 { place = (place + 1) & mask }
      places[place] = UInt32(index + 1)
    }
  }

  // MARK: The values, in the order of their numbers

  var bits: [UInt64] {
    var words = [UInt64](repeating: 0, count: (count + 63) / 64)
    for (index, example) in examples.enumerated()
    where Cluster.bit(example.value.cluster, Int(column.offset), example.value.slot) {
      words[index >> 6] |= 1 << UInt64(index & 63)
    }
    return words
  }

  var ints: [Int64] {
    examples.map { IntLeaf.value(Cluster.leaf($0.value.cluster, at: Int(column.offset)), $0.value.slot) }
  }

  /// Zeros and NaNs as an index sees them.
  var fixed: [UInt8] {
    var bytes: [UInt8] = []
    for example in examples {
      let leaf = Cluster.leaf(example.value.cluster, at: Int(column.offset))
      if column.type == .double || column.type == .date {
        let value = DoubleKey(FixedLeaf.load(leaf, example.value.slot, as: Double.self)).value
        withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
      } else {
        let start = FixedLeaf.address(leaf, example.value.slot)
        bytes.append(contentsOf: UnsafeRawBufferPointer(start: start, count: Int(column.elementSize)))
      }
    }
    return bytes
  }
}
