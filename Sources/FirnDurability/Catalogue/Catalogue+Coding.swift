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
      writer.appendVarint(table.columns.count + table.dropped.count)
      for column in table.columns { column.encode(isDropped: false, into: &writer) }
      for column in table.dropped { column.encode(isDropped: true, into: &writer) }
    }
  }

  /// Reads a catalogue and checks that a graph can be made of it: numbers and names are there once, links lead to tables,
  /// types go with flags, and rows are not too wide.
  ///
  /// - Parameter budget: Pays for the catalogue, not for what is made of it.
  package init(decoding reader: inout ByteReader, budget: ExpansionBudget = .unlimited) throws(DecodingError) {
    self.init()
    let start = reader.offset
    schemaVersion = try reader.readVarint()
    let nextTableID = try reader.readID()
    var tables: [Table] = []
    // A table takes at least five bytes, a column six.
    let tableCount = try reader.readCount(byteCountMin: 5)
    try budget.claim(tableCount, each: MemoryEstimate.catalogueTable)
    tables.reserveCapacity(tableCount)
    for _ in 0..<tableCount {
      let id = try reader.readID()
      let name = try reader.readName(budget)
      let nextColumnID = try reader.readID()
      let columnCount = try reader.readCount(byteCountMin: 6)
      try budget.claim(columnCount, each: MemoryEstimate.catalogueColumn)
      var columns: [Column] = []
      var dropped: [Column] = []
      columns.reserveCapacity(columnCount)
      for _ in 0..<columnCount {
        let (column, isDropped) = try Column.decode(&reader, budget)
        if isDropped { dropped.append(column) } else { columns.append(column) }
      }
      tables.append(Table(id: id, name: name, nextColumnID: nextColumnID, columns: columns, dropped: dropped))
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

  /// The bit of the type that says that the column was dropped.
  private static var droppedBit: UInt8 { 128 }
  /// The bit of the type that says that the last program did not have the column.
  private static var leftBehindBit: UInt8 { 64 }
  /// The flag that a default follows.
  private static var defaultFlag: UInt8 { 128 }

  fileprivate func encode(isDropped: Bool, into writer: inout ByteWriter) {
    writer.appendVarint(UInt64(id))
    writer.appendCounted(name)
    writer.append(type.rawValue | (isDropped ? Self.droppedBit : isLeftBehind ? Self.leftBehindBit : 0))
    let bytes = isDropped ? nil : defaultValue?.columnDefault(type)
    writer.append(flags | (bytes == nil ? 0 : Self.defaultFlag))
    writer.appendVarint(targetTableID.map { UInt64($0) + 1 } ?? 0)
    if let bytes { bytes.withUnsafeBytes { writer.appendCounted($0) } }
  }

  fileprivate static func decode(
    _ reader: inout ByteReader, _ budget: ExpansionBudget
  ) throws(DecodingError) -> (column: Catalogue.Column, isDropped: Bool) {
    let id = try reader.readID()
    let name = try reader.readName(budget)
    let typeByte = try reader.readByte()
    let isDropped = typeByte & droppedBit != 0
    let isLeftBehind = typeByte & leftBehindBit != 0
    guard let type = ColumnType(rawValue: typeByte & ~(droppedBit | leftBehindBit)) else {
      throw reader.error("An unknown type")
    }
    if isDropped, isLeftBehind { throw reader.error("A column that is dropped and left behind") }
    let flags = try reader.readByte()
    let collection: CollectionKind?
    switch flags & ~(77 | defaultFlag) {
    case 0: collection = nil
    case 2: collection = .list
    case 16: collection = .set
    case 32: collection = .map
    default: throw reader.error("Unknown flags \(flags)")
    }
    let target = try reader.readVarint()
    if target > UInt64(UInt32.max) { throw reader.error("A table number of \(target)") }
    var column = Catalogue.Column(
      id: id, name: name, type: type, isNullable: flags & 1 != 0, collection: collection, isIndexed: flags & 4 != 0,
      isPrimaryKey: flags & 8 != 0, ownsTargets: flags & 64 != 0, isLeftBehind: isLeftBehind,
      targetTableID: target == 0 ? nil : UInt32(target - 1))
    if flags & defaultFlag != 0 {
      let bytes = try reader.readBytes(reader.readCount())
      try budget.claim(bytes.count)
      guard collection == nil, let value = Value(columnDefault: bytes, type) else {
        throw reader.error("A default that '\(name)' cannot have")
      }
      column.defaultValue = value
    }
    return (column, isDropped)
  }
}

extension ByteReader {
  fileprivate mutating func readID() throws(DecodingError) -> UInt32 {
    let value = try readVarint()
    guard let id = UInt32(exactly: value) else { throw error("A number of a table or column of \(value)") }
    return id
  }

  fileprivate mutating func readName(_ budget: ExpansionBudget) throws(DecodingError) -> String {
    let name = try readString(byteCountMax: Catalogue.nameByteCountMax)
    try budget.claim(name.utf8.count)
    return name
  }
}
