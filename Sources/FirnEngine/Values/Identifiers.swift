/// A table of the graph: its position in the schema.
@usableFromInline
package struct TableID: Hashable, Sendable, Comparable {
  @usableFromInline package let index: Int

  @inlinable
  package init(_ index: Int) { self.index = index }

  @inlinable
  package static func < (lhs: TableID, rhs: TableID) -> Bool { lhs.index < rhs.index }
}

/// A column of a table: its position in the table's schema.
@usableFromInline
package struct ColumnID: Hashable, Sendable, Comparable {
  @usableFromInline package let index: Int

  @inlinable
  package init(_ index: Int) { self.index = index }

  @inlinable
  package static func < (lhs: ColumnID, rhs: ColumnID) -> Bool { lhs.index < rhs.index }
}

/// The identity of a row inside its table.
///
/// Keys grow with insertion, stay the same for the row's life and are never given to another row, not even after a
/// transaction was cancelled.
@usableFromInline
package struct RowKey: Hashable, Sendable, Comparable {
  @usableFromInline package let rawValue: UInt64

  @inlinable
  package init(_ rawValue: UInt64) { self.rawValue = rawValue }

  @inlinable
  package static func < (lhs: RowKey, rhs: RowKey) -> Bool { lhs.rawValue < rhs.rawValue }

  /// Mixes the bits with two multiplications, after the finalizer of MurmurHash3, instead of SipHash: no attacker chooses
  /// the keys of rows, and routing looks them up for every row that was written.
  @inlinable
  package func _rawHashValue(seed: Int) -> Int {
    var bits = rawValue ^ UInt64(truncatingIfNeeded: seed)
    bits = (bits ^ bits >> 33) &* 0xFF51_AFD7_ED55_8CCD
    bits = (bits ^ bits >> 33) &* 0xC4CE_B9FE_1A85_EC53
    return Int(truncatingIfNeeded: bits ^ bits >> 33)
  }
}

/// A set of columns of one table.
///
/// Holds up to ``capacity`` columns, which is also the number of columns that a table may have.
@usableFromInline
package struct ColumnSet: Hashable, Sendable {
  /// The largest number of columns in a table.
  @inlinable package static var capacity: Int { 256 }

  // Not a vector: its alignment would pad every row of a change set to 64 bytes and make its memory costlier to get.
  @usableFromInline var words: InlineArray<4, UInt64>

  @inlinable
  package init() { words = InlineArray(repeating: 0) }

  @inlinable
  package init(_ columns: some Sequence<ColumnID>) {
    words = InlineArray(repeating: 0)
    for column in columns { insert(column) }
  }

  @inlinable
  package var isEmpty: Bool { words[0] | words[1] | words[2] | words[3] == 0 }

  @inlinable
  package func contains(_ column: ColumnID) -> Bool {
    words[column.index &>> 6] & (1 &<< UInt64(column.index & 63)) != 0
  }

  @inlinable
  package mutating func insert(_ column: ColumnID) {
    words[column.index &>> 6] |= 1 &<< UInt64(column.index & 63)
  }

  @inlinable
  package mutating func remove(_ column: ColumnID) {
    words[column.index &>> 6] &= ~(1 &<< UInt64(column.index & 63))
  }

  @inlinable
  package var count: Int {
    words[0].nonzeroBitCount &+ words[1].nonzeroBitCount &+ words[2].nonzeroBitCount &+ words[3].nonzeroBitCount
  }

  @inlinable
  package mutating func formUnion(_ other: ColumnSet) {
    for word in 0..<4 { words[word] |= other.words[word] }
  }

  @inlinable
  package mutating func formIntersection(_ other: ColumnSet) {
    for word in 0..<4 { words[word] &= other.words[word] }
  }

  @inlinable
  package func isDisjoint(with other: ColumnSet) -> Bool {
    words[0] & other.words[0] | words[1] & other.words[1] | words[2] & other.words[2] | words[3] & other.words[3] == 0
  }

  @inlinable
  package static func == (lhs: ColumnSet, rhs: ColumnSet) -> Bool {
    lhs.words[0] == rhs.words[0] && lhs.words[1] == rhs.words[1] && lhs.words[2] == rhs.words[2]
      && lhs.words[3] == rhs.words[3]
  }

  @usableFromInline
  package func hash(into hasher: inout Hasher) {
    for word in 0..<4 { hasher.combine(words[word]) }
  }

  /// Calls `body` with every column of the set, ascending.
  @inlinable
  package func forEachColumn(_ body: (ColumnID) -> Void) {
    for word in 0..<4 {
      var bits = words[word]
      while bits != 0 {
        body(ColumnID(word * 64 + bits.trailingZeroBitCount))
        bits &= bits &- 1
      }
    }
  }
}
