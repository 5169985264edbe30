internal import FirnEngine

extension TableEncoder {
  /// Appends the cells of one column.
  ///
  /// - Parameter changes: Tells what happened to collections of rows that stayed; nil to write collections whole.
  func encodeCells(
    _ index: Int, _ rows: UnsafeBufferPointer<RowLocation>, changes: UnsafePointer<TableChanges>?,
    into writer: inout ByteWriter
  ) {
    let column = columns[index]
    let offset = Int(column.offset)
    let nullOffset = Int(column.nullOffset)
    if nullOffset != 0 {
      writer.appendBits(rows.count) { Cluster.bit(rows[$0].cluster, nullOffset, rows[$0].slot) }
    }
    switch column.storage {
    case .bits: encodeBools(offset, nullOffset, rows, into: &writer)
    case .int:
      forEach(rows, nullOffset) { cluster, slot in
        writer.appendSignedVarint(IntLeaf.value(Cluster.leaf(cluster, at: offset), slot))
      }
    case .link:
      forEach(rows, 0) { cluster, slot in
        writer.appendVarint(UInt64(bitPattern: IntLeaf.value(Cluster.leaf(cluster, at: offset), slot)))
      }
    case .interned: encodeInterned(column, rows, into: &writer)
    case .fixed:
      let width = Int(column.elementSize)
      forEach(rows, nullOffset) { cluster, slot in
        let value = FixedLeaf.address(Cluster.leaf(cluster, at: offset), slot)
        writer.append(UnsafeRawBufferPointer(start: value, count: width))
      }
    case .bytes:
      forEach(rows, nullOffset) { cluster, slot in
        writer.appendCounted(BytesLeaf.bytes(Cluster.leaf(cluster, at: offset), slot))
      }
    case .list, .set, .map:
      let shape = listShape(index)
      forEach(rows, 0) { cluster, slot in
        let root = FixedLeaf.load(Cluster.leaf(cluster, at: offset), slot, as: UnsafeRawPointer?.self)
        var delta: ListDelta?
        if let changes, !changes.pointee.lists.isEmpty {
          delta = changes.pointee.lists[ListID(row: Cluster.key(cluster, slot), column: ColumnID(index))]
        }
        CollectionEncoder(root, column, shape).encode(delta, into: &writer)
      }
    }
  }

  @inline(__always)
  private func forEach(
    _ rows: UnsafeBufferPointer<RowLocation>, _ nullOffset: Int, _ body: (UnsafeRawPointer, Int) -> Void
  ) {
    var index = 0
    while index < rows.count {
      let row = rows[index]
      index &+= 1
      if nullOffset != 0, Cluster.bit(row.cluster, nullOffset, row.slot) { continue }
      body(row.cluster, row.slot)
    }
  }

  private func encodeBools(
    _ offset: Int, _ nullOffset: Int, _ rows: UnsafeBufferPointer<RowLocation>, into writer: inout ByteWriter
  ) {
    var bits = BitWriter()
    forEach(rows, nullOffset) { bits.append(Cluster.bit($0, offset, $1), to: &writer) }
    bits.finish(&writer)
  }

  private func encodeInterned(
    _ column: ColumnLayout, _ rows: UnsafeBufferPointer<RowLocation>, into writer: inout ByteWriter
  ) {
    let offset = Int(column.offset)
    let target = Int(column.target)
    if column.isNullable {
      writer.appendBits(rows.count) { IntLeaf.value(Cluster.leaf(rows[$0].cluster, at: offset), rows[$0].slot) == 0 }
    }
    forEach(rows, 0) { cluster, slot in
      let entry = IntLeaf.value(Cluster.leaf(cluster, at: offset), slot)
      if entry != 0 { writer.appendCounted(contents.internedBytes(entry, in: target)) }
    }
  }
}

/// Packs bits into bytes, lowest first.
struct BitWriter {
  private var byte: UInt8 = 0
  private var count: UInt8 = 0

  @inline(__always)
  mutating func append(_ bit: Bool, to writer: inout ByteWriter) {
    byte |= (bit ? 1 : 0) &<< count
    count &+= 1
    if count == 8 {
      writer.append(byte)
      byte = 0
      count = 0
    }
  }

  /// Writes the last bits, with zeros above them.
  @inline(__always)
  mutating func finish(_ writer: inout ByteWriter) {
    if count > 0 { writer.append(byte) }
    self = BitWriter()
  }
}

extension ByteWriter {
  @inline(__always)
  mutating func appendBits(_ count: Int, _ bit: (Int) -> Bool) {
    var bits = BitWriter()
    var index = 0
    while index < count {
      bits.append(bit(index), to: &self)
      index &+= 1
    }
    bits.finish(&self)
  }
}
