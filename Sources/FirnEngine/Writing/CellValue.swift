/// A value that lies in a cell by itself: how it is stored, found in an index and compared.
///
/// Concrete types, so that setting a cell specialises.
protocol CellValue {
  associatedtype Key: ColumnKey
  /// The value as indexes look it up.
  var key: Key { get }
  /// The value in general form.
  var value: Value { get }
  /// Puts the value into a cell of an owned cluster.
  func store(_ writer: Writer, _ cluster: Block, _ slot: Int, _ column: ColumnLayout)
  /// Puts the value into the cell of a row that is being inserted.
  func append(_ row: RowInserter, _ column: ColumnLayout)
}

extension Int64: CellValue {
  var key: IntKey { IntKey(self) }
  var value: Value { .int(self) }

  @inline(__always)
  func store(_ writer: Writer, _ cluster: Block, _ slot: Int, _ column: ColumnLayout) {
    writer.storeInt(self, cluster, slot, column)
  }

  @inline(__always)
  func append(_ row: RowInserter, _ column: ColumnLayout) { row.appendInt(column, self) }
}

extension Bool: CellValue {
  var key: BoolKey { BoolKey(self) }
  var value: Value { .bool(self) }

  @inline(__always)
  func store(_ writer: Writer, _ cluster: Block, _ slot: Int, _ column: ColumnLayout) {
    Cluster.setBit(cluster, Int(column.offset), slot, self)
  }

  @inline(__always)
  func append(_ row: RowInserter, _ column: ColumnLayout) {
    Cluster.setBit(row.cluster, Int(column.offset), row.slot, self)
  }
}

/// A value whose bytes are what is stored.
protocol FixedCellValue: CellValue, BitwiseCopyable {}

extension FixedCellValue {
  @inline(__always)
  func store(_ writer: Writer, _ cluster: Block, _ slot: Int, _ column: ColumnLayout) {
    writer.storeFixed(self, cluster, slot, column)
  }

  @inline(__always)
  func append(_ row: RowInserter, _ column: ColumnLayout) { row.appendFixed(column, self) }
}

extension Double: FixedCellValue {
  var key: DoubleKey { DoubleKey(self) }
  var value: Value { .double(self) }
}

extension Float: FixedCellValue {
  // No column of this type has an index.
  var key: DoubleKey { DoubleKey(Double(self)) }
  var value: Value { .float(self) }
}

extension Bytes12: FixedCellValue {
  var key: Bytes12Key { Bytes12Key(self) }
  var value: Value { .objectID(self) }
}

extension Bytes16: FixedCellValue {
  var key: Bytes16Key { Bytes16Key(self) }
  var value: Value { .uuid(self) }
}
