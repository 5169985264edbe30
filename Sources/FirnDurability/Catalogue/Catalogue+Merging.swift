package import FirnEngine

/// What comes of a catalogue and the classes of an application.
package struct CatalogueMerge: Sendable {
  /// The catalogue with the tables that were new. When it differs from the one before it has to be written.
  package var catalogue: Catalogue
  /// The schema of the graph: the tables of the application in its order, then those that only the file has.
  package let graphSchema: [TableDescription]
  package let map: CatalogueMap
}

extension Catalogue {
  /// Brings the tables of an application together with those of the store; they are the same when their names are.
  ///
  /// Tables that the store lacks get new numbers, tables that the application lacks stay. Whether a column is indexed is up
  /// to the application.
  ///
  /// Throws `.schemaMismatch` when a table differs otherwise; the message lists every difference on a line of its own. Throws
  /// `.invalidDatabase` when the tables together are more than a graph can hold.
  ///
  /// - Parameter isReadOnly: Whether nothing is going to be written. Columns that the application lacks stay then, behind
  ///   its own, and another difference throws `.fail`: no migration can help.
  package func merging(schema: [TableDescription], isReadOnly: Bool = false) throws -> CatalogueMerge {
    var merged = self
    // The positions in the catalogue of the tables of the graph.
    var places: [Int] = []
    var added: [Int] = []
    let byName = Dictionary(uniqueKeysWithValues: tables.enumerated().map { ($1.name, $0) })
    for (index, description) in schema.enumerated() {
      if let place = byName[description.name] {
        places.append(place)
      } else {
        places.append(try merged.addTable(description.name))
        added.append(index)
      }
    }
    let isMentioned = Set(places)
    places += tables.indices.filter { !isMentioned.contains($0) }

    let ids = places.map { merged.tables[$0].id }
    for index in added { try merged.setColumns(schema[index].columns, of: places[index], ids: ids) }
    var differences: [String] = []
    for (index, description) in schema.enumerated() where byName[description.name] != nil {
      merged.compare(
        places[index], with: description, schema: schema, acceptsSurplus: isReadOnly, into: &differences)
    }
    if !differences.isEmpty {
      let lines = differences.map { "- \($0)" }.joined(separator: "\n")
      if isReadOnly {
        throw StoreError(
          .fail,
          "The following changes cannot be made in read-only schema mode:\n\(lines)\nUse the models that the store was "
            + "written with, or open it for writing once with these.")
      }
      throw StoreError(
        .schemaMismatch,
        "Migration is required due to the following errors:\n\(lines)\nOpen it with the models that it was written with, "
          + "or set Configuration.deleteRealmIfMigrationNeeded, which deletes what it holds.")
    }
    if let fault = merged.fault { throw StoreError(.invalidDatabase, "\(fault).") }
    return CatalogueMerge(catalogue: merged, places: places, schema: schema)
  }

  /// Notes how a table of the application differs from that of the store, and takes over which columns are indexed.
  private mutating func compare(
    _ place: Int, with description: TableDescription, schema: [TableDescription], acceptsSurplus: Bool,
    into differences: inout [String]
  ) {
    let table = tables[place]
    let byName = Dictionary(uniqueKeysWithValues: table.columns.enumerated().map { ($1.name, $0) })
    for column in description.columns {
      let name = "\(table.name).\(column.storedName)"
      guard let index = byName[column.storedName] else {
        differences.append("Property '\(name)' has been added.")
        continue
      }
      let old = table.columns[index]
      let oldType = typeName(old)
      let newType = column.typeName(in: schema)
      if oldType != newType {
        differences.append("Property '\(name)' has been changed from '\(oldType)' to '\(newType)'.")
      } else if old.isNullable != column.isNullable {
        differences.append("Property '\(name)' has been made \(column.isNullable ? "optional" : "required").")
      }
      if oldType == newType, old.ownsTargets != (column.linkKind == .embedded) {
        let change = old.ownsTargets ? "from embedded to top-level" : "from top-level to embedded"
        differences.append("Class of property '\(name)', \(newType), has been changed \(change).")
      }
      setIndexed(column.isIndexed, table: place, column: index)
    }
    let names = Set(description.columns.map(\.storedName))
    for column in table.columns where !acceptsSurplus && !names.contains(column.name) {
      differences.append("Property '\(table.name).\(column.name)' has been removed.")
    }
    let oldKey = table.columns.first { $0.isPrimaryKey }?.name
    let newKey = description.columns.first { $0.isPrimaryKey }?.storedName
    if oldKey != newKey {
      let change =
        switch (oldKey, newKey) {
        case (nil, _): "added"
        case (_, nil): "removed"
        case (let old?, let new?): "changed from '\(old)' to '\(new)'"
        }
      differences.append("Primary Key for class '\(table.name)' has been \(change).")
    }
  }

  private func typeName(_ column: Column) -> String {
    let target = column.targetTableID.flatMap { index(of: $0) }.map { tables[$0].name }
    return ColumnDescription.typeName(column.type, column.collection, target: target)
  }
}

extension ColumnDescription {
  fileprivate func typeName(in schema: [TableDescription]) -> String {
    ColumnDescription.typeName(type, collection, target: target.map { schema[$0.index].name })
  }

  /// A type as messages about migrations name it.
  fileprivate static func typeName(
    _ type: ColumnType, _ collection: CollectionKind?, target: String?
  ) -> String {
    let name =
      switch type {
      case .objectID: "object id"
      case .link: target ?? "object"
      default: "\(type)"
      }
    switch collection {
    case .list: return "array<\(name)>"
    case .set: return "set<\(name)>"
    case .map: return "dictionary<string, \(name)>"
    case nil: return type == .link ? "<\(name)>" : name
    }
  }
}
