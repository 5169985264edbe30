package import FirnEngine

extension Catalogue {
  /// Why no graph can be made of the catalogue; nil when one can.
  var fault: String? {
    var byID: [UInt32: Int] = [:]
    var names: Set<String> = []
    for (index, table) in tables.enumerated() {
      if table.id == 0 { return "Table '\(table.name)' has number 0" }
      if table.id >= nextTableID { return "Table number \(table.id) is not below the next, \(nextTableID)" }
      if byID.updateValue(index, forKey: table.id) != nil { return "Two tables have number \(table.id)" }
      if !names.insert(table.name).inserted { return "Two tables are named '\(table.name)'" }
      if let fault = table.fault { return fault }
    }
    for table in tables {
      for column in table.columns {
        guard let id = column.targetTableID, byID[id] == nil else { continue }
        return "Links '\(table.name).\(column.name)' lead to no table"
      }
    }
    return ownershipFault ?? widthFault
  }

  /// Why a graph cannot hold all columns; nil when it can.
  var widthFault: String? {
    for table in tables where table.columns.count > ColumnSet.capacity {
      return "Class '\(table.name)' has \(table.columns.count) columns, more than \(ColumnSet.capacity)"
    }
    for (index, byteCount) in clusterByteCounts.enumerated() where byteCount > Self.clusterByteCountMax {
      return
        "Class '\(tables[index].name)' has too many columns, or too many columns of links and mixed values lead to it"
    }
    return nil
  }

  /// Throws when a graph cannot have these tables, or some name is too long for a file.
  package static func checkWidth(_ schema: [TableDescription]) throws {
    var catalogue = Catalogue()
    for table in schema { _ = try catalogue.addTable(table.name) }
    let ids = catalogue.tables.map(\.id)
    for (table, description) in schema.enumerated() {
      for column in description.columns { try catalogue.addColumn(column, to: table, ids: ids, defaultValue: nil) }
    }
    try catalogue.checkWidth()
  }

  func checkWidth() throws(StoreError) {
    if let widthFault { throw StoreError(.fail, "\(widthFault). Split it into several classes.") }
  }

  /// At least what the engine takes for the head of a cluster of each table, in the order of the tables.
  var clusterByteCounts: [Int] {
    var byteCounts = tables.map(\.clusterByteCount)
    for column in tables.lazy.flatMap(\.columns) {
      if let target = column.targetTableID.flatMap(index(of:)) { byteCounts[target] += 8 }
    }
    // What a mixed value may lead to knows of the column, and that is every table.
    let mixedCount = tables.reduce(0) { $0 + $1.columns.count { $0.type == .mixed } }
    for index in byteCounts.indices { byteCounts[index] += 8 * mixedCount }
    return byteCounts
  }

  /// The memory that rows of each table take, in the order of the tables.
  var rowEstimates: [RowEstimate] {
    zip(tables, clusterByteCounts).map { table, byteCount in
      RowEstimate(table.columns.lazy.map { ($0.type, $0.collection) }, clusterByteCount: byteCount)
    }
  }

  /// Why rows could have owners and be linked to otherwise; nil when all links to a table are of one kind.
  private var ownershipFault: String? {
    var isOwned: [UInt32: Bool] = [:]
    for table in tables {
      for column in table.columns {
        guard let id = column.targetTableID else {
          if column.ownsTargets { return "'\(table.name).\(column.name)' owns targets and has none" }
          continue
        }
        if column.ownsTargets, column.collection == .set {
          return "'\(table.name).\(column.name)' is a set of embedded rows"
        }
        if isOwned.updateValue(column.ownsTargets, forKey: id) == !column.ownsTargets {
          return "'\(table.name).\(column.name)' leads to rows that are embedded elsewhere, or not"
        }
      }
    }
    return nil
  }

  /// The engine addresses what it keeps of a column by 16 bits.
  private static var clusterByteCountMax: Int { 65_000 }
}

extension Catalogue.Table {
  fileprivate var fault: String? {
    var ids: Set<UInt32> = []
    var names: Set<String> = []
    var primaryKeyCount = 0
    for column in dropped {
      if column.id == 0 || column.id >= nextColumnID { return "Dropped column number \(column.id) of '\(name)'" }
      if !ids.insert(column.id).inserted { return "Number \(column.id) of '\(name)' is that of another column" }
    }
    for column in columns {
      let name = "\(self.name).\(column.name)"
      if column.id == 0 { return "Column '\(name)' has number 0" }
      if column.id >= nextColumnID { return "Column number \(column.id) of '\(name)' is not below the next" }
      if !ids.insert(column.id).inserted { return "Number \(column.id) of '\(name)' is that of another column" }
      if !names.insert(column.name).inserted { return "There are two columns '\(name)'" }
      if (column.type == .link) != (column.targetTableID != nil) {
        return "'\(name)' has a target or is a link, not both"
      }
      if column.type == .link, column.isNullable == (column.collection == .list || column.collection == .set) {
        return "Link '\(name)' may be null unless in a list or set"
      }
      if column.type == .mixed, !column.isNullable { return "Mixed '\(name)' may be null" }
      if column.isPrimaryKey || column.isIndexed {
        if column.collection != nil || column.type == .link || column.type == .float || column.type == .mixed {
          return "'\(name)' is of a type that cannot be a primary key or indexed"
        }
        if column.isPrimaryKey, column.isIndexed { return "Primary key '\(name)' is indexed once more" }
      }
      if column.isPrimaryKey { primaryKeyCount += 1 }
    }
    if let nested {
      guard columns.count == 1, columns[0].type == .mixed, columns[0].collection == nested.columns[0].collection else {
        return "Table '\(name)' is not one of nested collections"
      }
    }
    return primaryKeyCount > 1 ? "Table '\(name)' has \(primaryKeyCount) primary keys" : nil
  }

  /// What the engine has of a table with such a name; nil for those of the application.
  private var nested: TableDescription? {
    [TableDescription.nestedLists, .nestedMaps].first { $0.name == name }
  }

  /// Files tell tables of nested collections by their names.
  var content: TableContent { nested?.content ?? .objects }

  /// At least what the engine takes of its 16-bit range for the columns, without links that lead to the table.
  fileprivate var clusterByteCount: Int {
    var byteCount = Cluster.columnsOffset
    for column in columns {
      byteCount += column.type == .bool && column.collection == nil ? 32 : 8
      if column.isNullable { byteCount += 32 }
    }
    return byteCount
  }
}
