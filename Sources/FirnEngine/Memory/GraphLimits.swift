/// The most that a graph takes of anything. A transaction that goes beyond is refused at its commit.
///
/// They follow from the widths of numbers in blocks and files. Tests lower them to reach them with little data.
package struct GraphLimits: Sendable {
  /// The rows of a table.
  package var rowCountMax = Int(UInt32.max)

  /// The keys of a table that are given out. Behind them is room for more than a transaction can insert.
  package var keyMax: UInt64 = 1 << 40 - 1 << 33

  /// The elements of a collection.
  package var elementCountMax = Int(Int32.max)

  /// The links to a row, from one column.
  package var linkCountMax = Int(UInt32.max)

  /// The bytes of a string, a data value, or the key of a map.
  package var valueByteCountMax = Int(Int32.max)

  package init() {}
}

/// Why a transaction was cancelled that went beyond ``GraphLimits``.
package struct LimitExceeded: Error, CustomStringConvertible {
  package let description: String
}
