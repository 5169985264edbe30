/// The values of one sort column as numbers in the order of the values.
///
/// While reading, a code is: 0 null, 1 NaN, above that the value in order-preserving form, `UInt64.max` a null link.
/// Ints use the whole range of 64 bits, so null and null links are kept apart from them.
struct SortColumn {
  let route: ResolvedPath
  let table: TableID
  let contents: GraphContents
  private var codes: [UInt64] = []
  /// Places of nulls and of null links.
  private var nulls: [Int] = []
  private(set) var missing: [Int] = []

  init(route: ResolvedPath, table: TableID, contents: GraphContents) {
    self.route = route
    self.table = table
    self.contents = contents
  }

  // MARK: Reading

  /// - Parameter mapKey: Whose value counts, when the column holds maps.
  mutating func read(_ keys: [UInt64], mapKey: [UInt8]? = nil) {
    if let mapKey { return readMapValues(keys, mapKey) }
    switch route.column.storage {
    case .int, .link: read(keys) { leaf, slot in UInt64(bitPattern: IntLeaf.value(leaf, slot)) ^ 1 &<< 63 }
    case .bits: readBits(keys)
    case .interned: readInterned(keys)
    case .bytes where route.column.type == .mixed:
      readValues(keys) { leaf, slot in MixedBytes.value(BytesLeaf.bytes(leaf, slot)) }
    case .bytes: readBytes(keys) { leaf, slot in BytesLeaf.bytes(leaf, slot) }
    case .fixed:
      switch route.column.type {
      case .float: read(keys) { leaf, slot in Self.code(Double(FixedLeaf.load(leaf, slot, as: Float.self))) }
      case .double, .date: read(keys) { leaf, slot in Self.code(FixedLeaf.load(leaf, slot, as: Double.self)) }
      case .decimal128: readValues(keys) { leaf, slot in Value(fixed: leaf, slot: slot, type: .decimal128) }
      default:
        let size = Int(route.column.elementSize)
        readBytes(keys) { leaf, slot in
          UnsafeRawBufferPointer(start: FixedLeaf.address(leaf, slot), count: size)
        }
      }
    case .list, .set, .map: fatalError("Rows cannot be sorted by a collection.")
    }
  }

  /// NaN is 1; no number has a code below the one of negative infinity, 2^52 - 1.
  private static func code(_ double: Double) -> UInt64 {
    if double.isNaN { return 1 }
    let bits = double == 0 ? 0 : double.bitPattern
    return bits >> 63 != 0 ? ~bits : bits | 1 << 63
  }

  /// Calls `body` with the position of every key and where its value is; notes nulls and missing rows.
  @inline(__always)
  private mutating func forEach(_ keys: [UInt64], _ body: (Int, UnsafeRawPointer, Int) -> Void) {
    var rows = RowFinder(contents.tableRoot(table))
    let nullOffset = Int(route.column.nullOffset)
    let usesZeroForNull = route.column.storage == .link || route.column.storage == .interned
    let offset = Int(route.column.offset)
    for place in keys.indices {
      guard var location = rows.locate(keys[place]) else {
        missing.append(place)
        continue
      }
      if route.linkCount > 0 {
        guard let end = route.follow(location.cluster, location.slot, contents) else {
          missing.append(place)
          continue
        }
        location = end
      }
      if nullOffset != 0, Cluster.bit(location.cluster, nullOffset, location.slot) {
        nulls.append(place)
        continue
      }
      if usesZeroForNull,
        IntLeaf.value(Cluster.leaf(location.cluster, at: offset), location.slot) == 0
      {
        nulls.append(place)
        continue
      }
      body(place, location.cluster, location.slot)
    }
  }

  @inline(__always)
  private mutating func read(_ keys: [UInt64], _ code: (UnsafeRawPointer, Int) -> UInt64) {
    let offset = Int(route.column.offset)
    codes = Array(unsafeUninitializedCapacity: keys.count) { buffer, count in
      let codes = buffer.baseAddress.unsafelyUnwrapped
      forEach(keys) { place, cluster, slot in codes[place] = code(Cluster.leaf(cluster, at: offset), slot) }
      for place in nulls { codes[place] = 0 }
      for place in missing { codes[place] = 0 }
      count = keys.count
    }
  }

  private mutating func readBits(_ keys: [UInt64]) {
    let offset = Int(route.column.offset)
    var read = [UInt64](repeating: 0, count: keys.count)
    read.withUnsafeMutableBufferPointer { read in
      forEach(keys) { place, cluster, slot in read[place] = Cluster.bit(cluster, offset, slot) ? 3 : 2 }
    }
    codes = read
  }

  /// Sorts the distinct values once when there are fewer of them than rows.
  private mutating func readInterned(_ keys: [UInt64]) {
    let target = Int(route.column.target)
    let values = contents.tableRoot(TableID(target))
    if TableRoot.rowCount(values) > keys.count {
      return readBytes(keys) { [contents] leaf, slot in
        contents.internedBytes(IntLeaf.value(leaf, slot), in: target)
      }
    }
    var ids: [UInt64] = []
    var strings: [UnsafeRawBufferPointer] = []
    var clusters = ClusterCursor(values)
    while let cluster = clusters.next() {
      let leaf = Cluster.leaf(cluster, at: Cluster.columnsOffset)
      for slot in 0..<Cluster.slotCount(cluster) where Cluster.isLive(cluster, slot) {
        ids.append(Cluster.key(cluster, slot).rawValue)
        strings.append(BytesLeaf.bytes(leaf, slot))
      }
    }
    let ranks = ByteRanks.ranks(strings)
    guard let first = ids.first, let last = ids.last else {
      return read(keys) { _, _ in 0 }
    }
    if last - first < UInt64(4 * keys.count + 65536) {
      var table = [UInt64](repeating: 0, count: Int(last - first) + 1)
      for index in ids.indices { table[Int(ids[index] - first)] = ranks[index] + 2 }
      table.withUnsafeBufferPointer { table in
        read(keys) { leaf, slot in table[Int(IntLeaf.value(leaf, slot) &- 1 &- Int64(first))] }
      }
    } else {
      let table = Dictionary(uniqueKeysWithValues: zip(ids, ranks))
      read(keys) { leaf, slot in (table[UInt64(IntLeaf.value(leaf, slot) - 1)] ?? 0) + 2 }
    }
  }

  private mutating func readBytes(
    _ keys: [UInt64], _ bytes: (UnsafeRawPointer, Int) -> UnsafeRawBufferPointer
  ) {
    let offset = Int(route.column.offset)
    var places: [Int] = []
    var strings: [UnsafeRawBufferPointer] = []
    places.reserveCapacity(keys.count)
    strings.reserveCapacity(keys.count)
    forEach(keys) { place, cluster, slot in
      places.append(place)
      strings.append(bytes(Cluster.leaf(cluster, at: offset), slot))
    }
    let ranks = ByteRanks.ranks(strings)
    codes = [UInt64](repeating: 0, count: keys.count)
    for index in places.indices { codes[places[index]] = ranks[index] + 2 }
  }

  private mutating func readValues(_ keys: [UInt64], _ value: (UnsafeRawPointer, Int) -> Value) {
    let offset = Int(route.column.offset)
    var values: [(place: Int, value: Value)] = []
    forEach(keys) { place, cluster, slot in
      values.append((place, value(Cluster.leaf(cluster, at: offset), slot)))
    }
    rank(&values, of: keys.count)
  }

  private mutating func readMapValues(_ keys: [UInt64], _ mapKey: [UInt8]) {
    var values: [(place: Int, value: Value)] = []
    let (column, table) = (ColumnID(route.columnIndex), TableID(route.table))
    forEach(keys) { [contents] place, cluster, slot in
      let value = contents.mapValue(forKey: mapKey, column, of: Cluster.key(cluster, slot), in: table)
      values.append((place, value ?? .null))
    }
    nulls += values.filter { $0.value == .null }.map(\.place)
    values.removeAll { $0.value == .null }
    rank(&values, of: keys.count)
  }

  private mutating func rank(_ values: inout [(place: Int, value: Value)], of count: Int) {
    values.sort { $0.value.order(to: $1.value) < 0 }
    codes = [UInt64](repeating: 0, count: count)
    var rank: UInt64 = 2
    for index in values.indices {
      if index > 0, values[index - 1].value.order(to: values[index].value) != 0 { rank += 1 }
      codes[values[index].place] = rank
    }
  }

  /// Takes nulls and null links together and puts them where they come last, once the numbers of a descending column are
  /// reversed.
  mutating func moveNullsLast(ascending: Bool) {
    let both = nulls + missing
    (nulls, missing) = ascending ? ([], both) : (both, [])
  }

  // MARK: Numbers

  /// The codes, moved down to zero; two words when a full 64-bit range meets nulls.
  consuming func makeWords() -> [SortWord] {
    var lowest = UInt64.max
    var highest: UInt64 = 0
    var places = (nulls + missing).sorted()[...]
    for place in codes.indices {
      if let first = places.first, first == place {
        places.removeFirst()
        continue
      }
      lowest = min(lowest, codes[place])
      highest = max(highest, codes[place])
    }
    if lowest > highest { (lowest, highest) = (0, 0) }
    let below: UInt64 = nulls.isEmpty ? 0 : 1
    let above: UInt64 = missing.isEmpty ? 0 : 1
    let span = highest - lowest
    if span <= UInt64.max - 2 {
      let top = span + below + above
      codes.withUnsafeMutableBufferPointer { codes in
        for place in codes.indices { codes[place] = codes[place] &- lowest &+ below }
      }
      for place in nulls { codes[place] = 0 }
      for place in missing { codes[place] = top }
      return [SortWord(codes: codes, bitCount: 64 - top.leadingZeroBitCount)]
    }
    var classes = SortWord(codes: Array(repeating: 1, count: codes.count), bitCount: 2)
    for place in nulls { (classes.codes[place], codes[place]) = (0, 0) }
    for place in missing { (classes.codes[place], codes[place]) = (2, 0) }
    return [classes, SortWord(codes: codes, bitCount: 64)]
  }
}
