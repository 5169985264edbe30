/// The values of one column for consecutive rows, without pages or pointers: what snapshot files are written from and
/// what a graph is loaded from.
package struct ColumnChunk: Sendable, Equatable {
  package var rowCount: Int
  /// One bit per row, lowest first, set for null; nil when no value is null. Links, interned values and collections
  /// have none.
  package var nulls: [UInt64]?
  package var values: ColumnValues

  package init(rowCount: Int, nulls: [UInt64]? = nil, values: ColumnValues) {
    self.rowCount = rowCount
    self.nulls = nulls
    self.values = values
  }
}

/// The values of a chunk, nulls as zero.
package indirect enum ColumnValues: Sendable, Equatable {
  /// Bools, one bit per row, lowest first.
  case bits([UInt64])
  /// Integers, and links as key + 1 with 0 for null.
  case ints([Int64])
  /// Floats (4 bytes), doubles and dates (8), object ids (12), UUIDs and decimals (16), one after the other.
  case fixed(width: Int, [UInt8])
  /// Strings and data.
  case bytes(ByteStrings)
  /// Strings and data by their position in the column's dictionary, counted from 1; 0 is null.
  case dictionary([UInt32])
  /// Lists and sets: the number of elements of each row, and all elements, those of a set ascending.
  case lists(counts: [UInt32], elements: ColumnChunk)
  /// Maps: the number of entries of each row, all keys, ascending in each row, and the value of each key.
  case maps(counts: [UInt32], keys: ByteStrings, values: ColumnChunk)
}

/// Byte strings, one after the other.
package struct ByteStrings: Sendable, Equatable {
  package var lengths: [UInt32]
  package var bytes: [UInt8]

  package init(lengths: [UInt32] = [], bytes: [UInt8] = []) {
    self.lengths = lengths
    self.bytes = bytes
  }
}
