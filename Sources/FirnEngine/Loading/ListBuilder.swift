/// Makes the list trees of a column.
struct ListBuilder {
  let context: ColumnContext
  let loader: ColumnLoader

  private var shape: ListShape { context.layout.listShape(context.column) }

  /// The root of each row's list as bits, 0 for an empty one.
  func build(counts: [UInt32], elements: ColumnChunk) throws -> [UInt64] {
    var total = 0
    // No overflow: fewer than 2^32 counts below 2^32 would need 16 GB.
    for count in counts { total &+= Int(count) }
    if total != elements.rowCount { throw context.error("has \(elements.rowCount) elements, its lists \(total)") }
    let nulls = try loader.nulls(of: elements)
    return try withElements(elements) { bytes in
      guard let nulls else { return trees(counts, bytes, nil) }
      let flags = (0..<total).map { nulls[$0 >> 6] >> UInt64($0 & 63) & 1 != 0 }
      return flags.withUnsafeBufferPointer { trees(counts, bytes, $0.baseAddress) }
    }
  }

  private func trees(
    _ counts: [UInt32], _ elements: UnsafeRawBufferPointer, _ nulls: UnsafePointer<Bool>?
  ) -> [UInt64] {
    let shape = shape
    let store = loader.filler.store
    var place = 0
    return counts.map { count in
      let count = Int(count)
      if count == 0 { return 0 }
      let root = ListTree.append(
        nil, contentsOf: elements.baseAddress.unsafelyUnwrapped + place * shape.width, count: count,
        nulls: nulls.map { $0 + place }, shape, store)
      place += count
      return UInt64(UInt(bitPattern: root))
    }
  }

  /// Calls `body` with the elements as lists store them.
  private func withElements<Result>(
    _ chunk: ColumnChunk, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    let count = chunk.rowCount
    switch (context.stored.type, chunk.values) {
    case (.bool, .bits(let bits)):
      try context.check(bits, count: count)
      let values = (0..<count).map { UInt8(truncatingIfNeeded: bits[$0 >> 6] >> UInt64($0 & 63) & 1) }
      return try values.withUnsafeBytes(body)
    case (.int, .ints(let values)):
      try loader.check(values.count, count)
      return try values.withUnsafeBytes(body)
    case (.link, .ints(let values)):
      try loader.check(values.count, count)
      try loader.checkLinks(values, least: 1)
      return try values.map { $0 &- 1 }.withUnsafeBytes(body)
    case (.string, .bytes(let values)), (.data, .bytes(let values)), (.mixed, .bytes(let values)):
      try context.check(values, count: count)
      try context.checkMixedNulls(values, nulls: chunk.nulls)
      return try blobs(values, nulls: chunk.nulls).withUnsafeBytes(body)
    case (.string, .dictionary(let ids)), (.data, .dictionary(let ids)):
      try loader.check(ids, count, isNullable: false)
      return try blobs(loader.expand(ids), nulls: nil).withUnsafeBytes(body)
    case (.float, .fixed(let width, let values)), (.double, .fixed(let width, let values)),
      (.date, .fixed(let width, let values)), (.objectID, .fixed(let width, let values)),
      (.uuid, .fixed(let width, let values)), (.decimal128, .fixed(let width, let values)):
      try loader.check(values, width: width, count: count)
      return try values.withUnsafeBytes(body)
    default:
      throw context.error("has elements of another type")
    }
  }

  private func blobs(_ values: ByteStrings, nulls: [UInt64]?) -> [UInt64] {
    var place = 0
    return values.bytes.withUnsafeBytes { bytes in
      values.lengths.indices.map { index in
        let value = UnsafeRawBufferPointer(rebasing: bytes[place..<(place + Int(values.lengths[index]))])
        place += value.count
        // Null elements own no block.
        if let nulls, nulls[index >> 6] >> UInt64(index & 63) & 1 != 0 { return 0 }
        return Blob.make(value, loader.filler.store).word
      }
    }
  }
}
