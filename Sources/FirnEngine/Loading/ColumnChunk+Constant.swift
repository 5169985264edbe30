extension ColumnChunk {
  /// The chunk of a column in which all rows have one value: nil for null, or else zero, false or empty.
  package static func constant(_ value: Value?, _ column: ColumnDescription, count: Int) -> ColumnChunk {
    let value = value == .null ? nil : value
    let hasNulls = column.isNullable && column.type != .link && column.collection == nil
    let isNull = hasNulls && value == nil
    let nulls = isNull ? [UInt64](repeating: .max, count: (count + 63) / 64) : nil
    let nothing = ColumnChunk(rowCount: 0, values: .repeating(nil, column.type, count: 0))
    let counts = [UInt32](repeating: 0, count: column.collection == nil ? 0 : count)
    let values: ColumnValues =
      switch column.collection {
      case .list, .set: .lists(counts: counts, elements: nothing)
      case .map: .maps(counts: counts, keys: ByteStrings(), values: nothing)
      case nil: .repeating(value, column.type, count: count)
      }
    return ColumnChunk(rowCount: count, nulls: nulls, values: values)
  }
}

extension ColumnValues {
  /// One value of a type many times; null, or a value of another type, as zero.
  fileprivate static func repeating(_ value: Value?, _ type: ColumnType, count: Int) -> ColumnValues {
    switch type {
    case .bool: .bits(Array(repeating: value == .bool(true) ? .max : 0, count: (count + 63) / 64))
    case .int: .ints(Array(repeating: value?.integer ?? 0, count: count))
    case .link: .ints(Array(repeating: 0, count: count))
    case .string, .data: .bytes(ByteStrings(repeating: value?.storedBytes ?? [], count: count))
    case .mixed:
      .bytes(ByteStrings(repeating: value.map { MixedBytes.withBytes(of: $0) { Array($0) } } ?? [], count: count))
    case .float, .double, .date, .objectID, .uuid, .decimal128:
      .fixed(width: type.width, (value?.storedBytes ?? []).repeated(count, width: type.width))
    }
  }
}

extension ByteStrings {
  fileprivate init(repeating bytes: [UInt8], count: Int) {
    self.init(
      lengths: Array(repeating: UInt32(bytes.count), count: count), bytes: bytes.repeated(count, width: bytes.count))
  }
}

extension [UInt8] {
  /// The bytes so many times; zeros where they are not as many as a value takes.
  fileprivate func repeated(_ times: Int, width: Int) -> [UInt8] {
    if count != width || allSatisfy({ $0 == 0 }) { return Array(repeating: 0, count: times * width) }
    var result: [UInt8] = []
    result.reserveCapacity(times * width)
    for _ in 0..<times { result += self }
    return result
  }
}
