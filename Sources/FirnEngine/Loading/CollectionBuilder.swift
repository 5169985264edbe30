/// Makes the trees of a column of lists, sets or maps.
struct CollectionBuilder {
  let context: ColumnContext
  let loader: ColumnLoader

  private var shape: ListShape { context.layout.listShape(context.column) }

  /// The root of each row's list or set as bits, 0 for an empty one. Throws when elements of a set do not ascend.
  func build(counts: [UInt32], elements: ColumnChunk) throws -> [UInt64] {
    let roots = try trees(counts, elements)
    if context.stored.storage == .set {
      for root in roots where !SetTree.isAscending(root, type: context.stored.type, shape: shape) {
        throw context.error("has a set whose elements do not ascend")
      }
    }
    return roots.map { UInt64(UInt(bitPattern: $0)) }
  }

  /// The root of each row's map as bits, 0 for an empty one. Throws when keys of a map do not ascend.
  func build(counts: [UInt32], keys: ByteStrings, values: ColumnChunk) throws -> [UInt64] {
    if keys.lengths.count != values.rowCount {
      throw context.error("has \(values.rowCount) values, its maps \(keys.lengths.count)")
    }
    let valueRoots = try trees(counts, values)
    try context.check(keys, count: keys.lengths.count, isText: true)
    let keyRoots = blobs(keys, nulls: nil).withUnsafeBytes { trees(counts, $0, nil, MapTree.keyShape) }
    return try zip(keyRoots, valueRoots).map { keys, values in
      if !SetTree.isAscending(keys, type: .string, shape: MapTree.keyShape) {
        throw context.error("has a map whose keys do not ascend")
      }
      return UInt64(UInt(bitPattern: MapTree.make(keys: keys, values: values, loader.filler.store)))
    }
  }

  /// The root of each row's elements.
  private func trees(_ counts: [UInt32], _ elements: ColumnChunk) throws -> [Block?] {
    var total = 0
    // No overflow: fewer than 2^32 counts below 2^32 would need 16 GB.
    for count in counts { total &+= Int(count) }
    if total != elements.rowCount {
      throw context.error("has \(elements.rowCount) elements, its collections \(total)")
    }
    let nulls = try loader.nulls(of: elements) ?? nullLinks(elements)
    return try withElements(elements) { bytes in
      guard let nulls else { return trees(counts, bytes, nil, shape) }
      let flags = (0..<total).map { nulls[$0 >> 6] >> UInt64($0 & 63) & 1 != 0 }
      return flags.withUnsafeBufferPointer { trees(counts, bytes, $0.baseAddress, shape) }
    }
  }

  private func trees(
    _ counts: [UInt32], _ elements: UnsafeRawBufferPointer, _ nulls: UnsafePointer<Bool>?, _ shape: ListShape
  ) -> [Block?] {
    let store = loader.filler.store
    var place = 0
    return counts.map { count in
      let count = Int(count)
      if count == 0 { return nil }
      let root = ListTree.append(
        nil, contentsOf: elements.baseAddress.unsafelyUnwrapped + place * shape.width, count: count,
        nulls: nulls.map { $0 + place }, shape, store)
      place += count
      return root
    }
  }

  /// The null bits of links that are keys plus one, nil when none is null.
  private func nullLinks(_ elements: ColumnChunk) -> [UInt64]? {
    guard shape.isNullable, context.stored.type == .link, case .ints(let values) = elements.values else { return nil }
    var words = [UInt64](repeating: 0, count: (values.count + 63) / 64)
    for (place, value) in values.enumerated() where value == 0 { words[place >> 6] |= 1 << UInt64(place & 63) }
    return words.nilIfZero
  }

  /// Calls `body` with the elements as collections store them.
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
      try loader.checkLinks(values, least: shape.isNullable ? 0 : 1)
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
