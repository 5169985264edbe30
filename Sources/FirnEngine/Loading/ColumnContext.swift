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
    for length in values.lengths {
      if length > UInt32(Int32.max) { throw error("has a value of \(length) bytes, at most 2^31 - 1 are possible") }
      // No overflow: fewer than 2^32 values of less than 2^31 bytes.
      total &+= Int(length)
    }
    if total != values.bytes.count { throw error("has \(values.bytes.count) bytes where lengths add up to \(total)") }
    if isText ?? (description.type == .string), !UTF8Check.isValid(values) {
      throw error("has a string that is not UTF-8")
    }
  }
}
