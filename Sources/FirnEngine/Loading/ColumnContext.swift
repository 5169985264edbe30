/// A column as errors name it, with the checks that need no more than that.
struct ColumnContext {
  let layout: TableLayout
  let column: Int

  var description: ColumnDescription { layout.descriptions[column] }
  var stored: ColumnLayout { layout.columns[column] }

  func error(_ problem: String) -> LoadError {
    LoadError(message: "Column '\(layout.name).\(description.name)' \(problem).")
  }

  /// Throws unless there is one word per 64 rows.
  func check(_ bits: [UInt64], count: Int) throws {
    if bits.count != (count + 63) / 64 { throw error("has bits for another number of rows") }
  }

  /// Throws unless the values are as many as told, as long as told, short enough and, for strings, UTF-8.
  ///
  /// - Parameter isText: Whether they are strings; nil when the column's type tells.
  func check(_ values: ByteStrings, count: Int, isText: Bool? = nil) throws {
    if values.lengths.count != count { throw error("has \(values.lengths.count) values for \(count) rows") }
    var total = 0
    let most = GraphLimits().valueByteCountMax
    for length in values.lengths {
      if length > most { throw error("has a value of \(length) bytes, at most 2^31 - 1 are possible") }
      // No overflow: fewer than 2^32 values of less than 2^31 bytes.
      total &+= Int(length)
    }
    if total != values.bytes.count { throw error("has \(values.bytes.count) bytes where lengths add up to \(total)") }
    if isText ?? (description.type == .string), !UTF8Check.isValid(values) {
      throw error("has a string that is not UTF-8")
    }
    if isText == nil, description.type == .mixed { try checkMixed(values) }
  }

  /// Throws unless all values that are not empty have the right form. Those of nulls are empty.
  private func checkMixed(_ values: ByteStrings) throws {
    let isValid = values.bytes.withUnsafeBytes { bytes in
      var place = 0
      return values.lengths.allSatisfy { length in
        let end = place + Int(length)
        defer { place = end }
        return length == 0 || MixedBytes.isValid(UnsafeRawBufferPointer(rebasing: bytes[place..<end]))
      }
    }
    if !isValid { throw error("has a mixed value of no known form") }
  }

  /// Throws when a mixed value that is not null is empty.
  func checkMixedNulls(_ values: ByteStrings, nulls: [UInt64]?) throws {
    if description.type != .mixed { return }
    for (index, length) in values.lengths.enumerated() where length == 0 {
      guard let nulls, nulls[index >> 6] >> UInt64(index & 63) & 1 != 0 else {
        throw error("has a mixed value without bytes")
      }
    }
  }
}
