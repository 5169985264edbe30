import FirnEngine

/// Gives the different values of a column of many rows numbers, in the order in which they are met.
struct KeyNumbering {
  /// The values, by their numbers.
  private(set) var values: [Value] = []
  /// The number of each row's value.
  private(set) var numbers: [UInt32] = []
  private var nullNumber: UInt32?
  private var words: WordNumbers
  private var bytes = BytesNumbers()
  private var others: [SectionKey: UInt32] = [:]

  /// O(n), whatever the number of different values.
  init(_ rows: RowBatch, _ path: ColumnPath) {
    words = WordNumbers(smallCount: rows.count < 1 << 12 ? 0 : 1 << 16)
    numbers.reserveCapacity(rows.count)
    rows.forEach(path) { location, layout in
      let column = layout.columns[path.column.index]
      guard let location,
        column.nullOffset == 0 || !Cluster.bit(location.cluster, Int(column.nullOffset), location.slot)
      else { return numbers.append(number(ofNull: ())) }
      let next = UInt32(truncatingIfNeeded: values.count)
      let number: UInt32
      switch column.storage {
      case .bits:
        number = words.number(Cluster.bit(location.cluster, Int(column.offset), location.slot) ? 1 : 0, next)
      case .int:
        let value = IntLeaf.value(Cluster.leaf(location.cluster, at: Int(column.offset)), location.slot)
        number = words.number(UInt64(bitPattern: value), next)
      case .interned:
        let entry = IntLeaf.value(Cluster.leaf(location.cluster, at: Int(column.offset)), location.slot)
        if entry == 0 { return numbers.append(self.number(ofNull: ())) }
        number = words.number(UInt64(bitPattern: entry), next)
      case .fixed where column.type == .double || column.type == .date:
        let leaf = Cluster.leaf(location.cluster, at: Int(column.offset))
        number = words.number(SortCode(.double(FixedLeaf.load(leaf, location.slot, as: Double.self))).rawValue, next)
      case .bytes where column.type != .mixed:
        let leaf = Cluster.leaf(location.cluster, at: Int(column.offset))
        number = bytes.number(BytesLeaf.bytes(leaf, location.slot), next)
      default:
        let value = rows.contents.value(path.column.index, at: location, in: layout)
        if value == .null { return numbers.append(self.number(ofNull: ())) }
        let key = SectionKey(value)
        number = others[key] ?? next
        if number == next { others[key] = next }
      }
      if number == next { values.append(rows.contents.value(path.column.index, at: location, in: layout).asKey) }
      numbers.append(number)
    }
  }

  private mutating func number(ofNull: Void) -> UInt32 {
    if let nullNumber { return nullNumber }
    let number = UInt32(values.count)
    nullNumber = number
    values.append(.null)
    return number
  }
}

/// Numbers of words. Small ones are looked up in an array, where there are many rows.
private struct WordNumbers {
  private var small: [UInt32]
  private var large: [UInt64: UInt32] = [:]

  init(smallCount: Int) { small = Array(repeating: .max, count: smallCount) }

  /// The number of a word, `next` for a new one.
  @inline(__always)
  mutating func number(_ word: UInt64, _ next: UInt32) -> UInt32 {
    if word < UInt64(small.count) {
      let number = small[Int(truncatingIfNeeded: word)]
      if number != .max { return number }
      small[Int(truncatingIfNeeded: word)] = next
      return next
    }
    if let number = large[word] { return number }
    large[word] = next
    return next
  }
}

/// Numbers of byte strings, which lie in leaves.
private struct BytesNumbers {
  private var known: [(bytes: UnsafeRawBufferPointer, hash: Int, number: UInt32)] = []
  /// Places in `known`, counted from 1, in a power of two; 0 is free.
  private var places = [UInt32](repeating: 0, count: 256)

  mutating func number(_ bytes: UnsafeRawBufferPointer, _ next: UInt32) -> UInt32 {
    var hasher = Hasher()
    hasher.combine(bytes: bytes)
    let hash = hasher.finalize()
    var place = hash & (places.count - 1)
    while places[place] != 0 {
      let entry = known[Int(places[place]) - 1]
      if entry.hash == hash, entry.bytes.elementsEqual(bytes) { return entry.number }
      place = (place + 1) & (places.count - 1)
    }
    known.append((bytes, hash, next))
    places[place] = UInt32(known.count)
    if known.count * 2 > places.count { grow() }
    return next
  }

  private mutating func grow() {
    places = [UInt32](repeating: 0, count: places.count * 4)
    for (index, entry) in known.enumerated() {
      var place = entry.hash & (places.count - 1)
      while places[place] != 0 { place = (place + 1) & (places.count - 1) }
      places[place] = UInt32(index + 1)
    }
  }
}

extension Value {
  /// The value as keys of groups have it: there is one zero.
  var asKey: Value {
    switch self {
    case .float(let number) where number == 0: .float(0)
    case .double(let number) where number == 0: .double(0)
    default: self
    }
  }
}
