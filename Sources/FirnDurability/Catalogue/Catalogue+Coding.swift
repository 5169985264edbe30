internal import FirnEngine

extension Catalogue {
  package func encode(into writer: inout ByteWriter) {
    writer.appendVarint(schemaVersion)
    writer.appendVarint(UInt64(nextTableID))
    writer.appendVarint(tables.count)
    for table in tables {
      writer.appendVarint(UInt64(table.id))
      writer.appendCounted(table.name)
      writer.appendVarint(UInt64(table.nextColumnID))
      writer.appendVarint(table.columns.count)
      for column in table.columns {
        writer.appendVarint(UInt64(column.id))
        writer.appendCounted(column.name)
        writer.append(column.type.rawValue)
        writer.append(column.flags)
        writer.appendVarint(column.targetTableID.map { UInt64($0) + 1 } ?? 0)
      }
    }
  }

  /// Reads a catalogue and checks that a graph can be made of it: numbers and names are there once, links lead to tables,
  /// types go with flags, and rows are not too wide.
  package init(decoding reader: inout ByteReader) throws(DecodingError) {
    self.init()
    let start = reader.offset
    schemaVersion = try reader.readVarint()
    let nextTableID = try reader.readID()
    var tables: [Table] = []
    // A table takes at least five bytes, a column six.
    let tableCount = try reader.readCount(byteCountMin: 5)
    tables.reserveCapacity(tableCount)
    for _ in 0..<tableCount {
      let id = try reader.readID()
      let name = try reader.readString(byteCountMax: Self.nameByteCountMax)
      let nextColumnID = try reader.readID()
      let columnCount = try reader.readCount(byteCountMin: 6, max: ColumnSet.capacity)
      var columns: [Column] = []
      columns.reserveCapacity(columnCount)
      for _ in 0..<columnCount { columns.append(try Column(decoding: &reader)) }
      tables.append(Table(id: id, name: name, nextColumnID: nextColumnID, columns: columns))
    }
    self.init(schemaVersion: schemaVersion, nextTableID: nextTableID, tables: tables)
    if let fault = fault { throw DecodingError(fault, offset: start) }
  }

  /// The longest name of a table or column.
  package static var nameByteCountMax: Int { 65_535 }
}

extension Catalogue.Column {
  var flags: UInt8 {
    let kind: UInt8 =
      switch collection {
      case nil: 0
      case .list: 2
      case .set: 16
      case .map: 32
      }
    return (isNullable ? 1 : 0) | kind | (isIndexed ? 4 : 0) | (isPrimaryKey ? 8 : 0) | (ownsTargets ? 64 : 0)
  }

  init(decoding reader: inout ByteReader) throws(DecodingError) {
    let id = try reader.readID()
    let name = try reader.readString(byteCountMax: Catalogue.nameByteCountMax)
    guard let type = ColumnType(rawValue: try reader.readByte()) else { throw reader.error("An unknown type") }
    let flags = try reader.readByte()
    let collection: CollectionKind?
    switch flags & ~77 {
    case 0: collection = nil
    case 2: collection = .list
    case 16: collection = .set
    case 32: collection = .map
    default: throw reader.error("Unknown flags \(flags)")
    }
    let target = try reader.readVarint()
    if target > UInt64(UInt32.max) { throw reader.error("A table number of \(target)") }
    self.init(
      id: id, name: name, type: type, isNullable: flags & 1 != 0, collection: collection, isIndexed: flags & 4 != 0,
      isPrimaryKey: flags & 8 != 0, ownsTargets: flags & 64 != 0,
      targetTableID: target == 0 ? nil : UInt32(target - 1))
  }
}

extension ByteReader {
  fileprivate mutating func readID() throws(DecodingError) -> UInt32 {
    let value = try readVarint()
    guard let id = UInt32(exactly: value) else { throw error("A number of a table or column of \(value)") }
    return id
  }
}
