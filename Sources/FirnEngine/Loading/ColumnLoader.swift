/// Checks a chunk and makes the leaves of its column.
struct ColumnLoader {
  let context: ColumnContext
  let dictionary: ColumnDictionary
  let filler: ColumnFiller
  let willExpand: @Sendable (Int) throws -> Void

  private var offset: Int { Int(context.stored.offset) }

  func load(_ chunk: ColumnChunk, rowCount: Int) throws {
    if chunk.rowCount != rowCount { throw context.error("has \(chunk.rowCount) rows of \(rowCount)") }
    let nulls = try nulls(of: chunk)
    switch (context.stored.storage, chunk.values) {
    case (.bits, .bits(let bits)):
      try context.check(bits, count: rowCount)
      bits.withUnsafeBufferPointer { filler.fillBits($0.baseAddress.unsafelyUnwrapped, at: offset) }
      fillNulls(nulls)
    case (.int, .ints(let values)):
      try check(values.count, rowCount)
      fill(values)
      fillNulls(nulls)
    case (.link, .ints(let values)):
      try check(values.count, rowCount)
      try checkLinks(values, least: 0)
      fill(values)
    case (.fixed, .fixed(let width, let values)):
      try check(values, width: width, count: rowCount)
      values.withUnsafeBytes { filler.fillFixed($0.baseAddress.unsafelyUnwrapped, width: width, at: offset) }
      fillNulls(nulls)
    case (.interned, .dictionary(let ids)):
      try check(ids, rowCount, isNullable: context.stored.isNullable)
      fill(ids.map { Int64($0) })
    case (.interned, .bytes(let values)):
      try context.check(values, count: rowCount)
      fill(dictionary.intern(values, nulls: nulls).map { Int64($0) })
    case (.bytes, .bytes(let values)):
      try context.check(values, count: rowCount)
      try context.checkMixedNulls(values, nulls: nulls)
      fill(values)
      fillNulls(nulls)
    case (.bytes, .dictionary(let ids)) where context.stored.type != .mixed:
      try check(ids, rowCount, isNullable: context.stored.isNullable)
      fill(try expand(ids))
      if context.stored.isNullable { fillNulls(ids.zeros) }
    case (.list, .lists(let counts, let elements)), (.set, .lists(let counts, let elements)):
      try check(counts.count, rowCount)
      if nulls != nil { throw context.error("has null in place of a collection") }
      let roots = try CollectionBuilder(context: context, loader: self).build(counts: counts, elements: elements)
      roots.withUnsafeBytes { filler.fillFixed($0.baseAddress.unsafelyUnwrapped, width: 8, at: offset) }
    case (.map, .maps(let counts, let keys, let values)):
      try check(counts.count, rowCount)
      if nulls != nil { throw context.error("has null in place of a collection") }
      let roots = try CollectionBuilder(context: context, loader: self).build(
        counts: counts, keys: keys, values: values)
      roots.withUnsafeBytes { filler.fillFixed($0.baseAddress.unsafelyUnwrapped, width: 8, at: offset) }
    default:
      throw context.error("has values of another type")
    }
  }

  /// The null bits of a chunk, nil when no row is null. Throws for nulls where none may be.
  func nulls(of chunk: ColumnChunk) throws -> [UInt64]? {
    guard var nulls = chunk.nulls else { return nil }
    try context.check(nulls, count: chunk.rowCount)
    if chunk.rowCount & 63 != 0 { nulls[nulls.count - 1] &= UInt64.max >> UInt64(64 - chunk.rowCount & 63) }
    guard let nulls = nulls.nilIfZero else { return nil }
    if !context.stored.isNullable || context.stored.type == .link {
      throw context.error("is not nullable, but has null")
    }
    if case .dictionary = chunk.values { throw context.error("marks null twice") }
    return nulls
  }

  func check(_ count: Int, _ rowCount: Int) throws {
    if count != rowCount { throw context.error("has \(count) values for \(rowCount) rows") }
  }

  func check(_ values: [UInt8], width: Int, count: Int) throws {
    if width != context.description.type.width { throw context.error("has values of \(width) bytes") }
    if values.count != count * width { throw context.error("has \(values.count) bytes for \(count) values") }
  }

  func check(_ ids: [UInt32], _ rowCount: Int, isNullable: Bool) throws {
    try check(ids.count, rowCount)
    let count = dictionary.count
    var greatest: UInt32 = 0
    var least = UInt32.max
    for id in ids {
      greatest = max(greatest, id)
      least = min(least, id)
    }
    if Int(greatest) > count { throw context.error("names value \(greatest) of a dictionary of \(count)") }
    if least == 0, !isNullable { throw context.error("is not nullable, but has null") }
  }

  func checkLinks(_ values: [Int64], least: Int64) throws {
    for value in values where value < least || value > Int64(HashIndex.rowKeyLimit) {
      if value == 0 { throw context.error("has null among links of a collection") }
      throw context.error("links to row \(value &- 1)")
    }
  }

  /// The values that positions in the dictionary stand for.
  func expand(_ ids: [UInt32]) throws -> ByteStrings {
    let (values, starts) = dictionary.located
    try willExpand(ids.reduce(0) { $1 == 0 ? $0 : $0 + Int(values.lengths[Int($1) - 1]) })
    var result = ByteStrings()
    result.lengths.reserveCapacity(ids.count)
    for id in ids {
      if id == 0 {
        result.lengths.append(0)
        continue
      }
      let index = Int(id) - 1
      let length = Int(values.lengths[index])
      result.lengths.append(values.lengths[index])
      result.bytes.append(contentsOf: values.bytes[starts[index]..<(starts[index] + length)])
    }
    return result
  }

  private func fill(_ values: [Int64]) {
    values.withUnsafeBufferPointer { filler.fillInts($0.baseAddress.unsafelyUnwrapped, at: offset) }
  }

  private func fill(_ values: ByteStrings) {
    values.lengths.withUnsafeBufferPointer { lengths in
      values.bytes.withUnsafeBytes { bytes in
        // Without any bytes there is no address, and none is read.
        let start = bytes.baseAddress ?? UnsafeRawPointer(lengths.baseAddress.unsafelyUnwrapped)
        filler.fillBytes(lengths.baseAddress.unsafelyUnwrapped, start, at: offset)
      }
    }
  }

  private func fillNulls(_ nulls: [UInt64]?) {
    guard let nulls, context.stored.nullOffset != 0 else { return }
    nulls.withUnsafeBufferPointer {
      filler.fillBits($0.baseAddress.unsafelyUnwrapped, at: Int(context.stored.nullOffset))
    }
  }
}

extension [UInt32] {
  /// A bit for each element that is zero.
  fileprivate var zeros: [UInt64] {
    var words = [UInt64](repeating: 0, count: (count + 63) / 64)
    for (row, id) in enumerated() where id == 0 { words[row >> 6] |= 1 << UInt64(row & 63) }
    return words
  }
}
