package import FirnEngine

/// What comes of a catalogue and the classes of an application.
package struct CatalogueMerge: Sendable {
  /// The catalogue as the application wants it. When it differs from the one before it has to be written.
  package var catalogue: Catalogue
  /// The schema of the graph: the tables of the application in its order, then those that only the file has.
  package let graphSchema: [TableDescription]
  package let map: CatalogueMap
  /// What is different, in the order of the application's tables.
  package var differences: [SchemaDifference] = []
  /// What has to be done with the rows where the catalogue alone cannot say what is different.
  package var rewriting = Rewriting()
  /// The columns whose values are lost, unless a block takes them over.
  package var losses: [Loss] = []

  package struct Loss: Sendable {
    let table: UInt32
    package let className: String
    package let property: String
    /// Whether no column of the application has the place of the lost one.
    package let isRemoval: Bool
  }
}

/// How an application's tables may differ from those of a store.
package struct MergeRules: Sendable {
  /// Whether nothing is going to be written.
  package var isReadOnly = false
  /// Whether the application's model has a greater version than the store's.
  package var isRaised = false
  /// Whether differences are only told, and never refused.
  package var isPlan = false
  /// Whether additions need a greater version, as they do in RealmSwift.
  package var additionsNeedVersion = false
  /// By class: the stored names that properties have now, by those that they had.
  package var renames: [String: [String: String]] = [:]
  /// By class: the stored names of properties that were removed, and are not properties of today under other names.
  package var removed: [String: Set<String>] = [:]
  /// By class: whether it is embedded. Of others the links tell it.
  package var embedded: [String: Bool] = [:]
  /// What rows get in a column of one of the application's tables that is new.
  package var defaultValue: @Sendable (_ table: Int, _ column: Int) -> ColumnDefault = { _, _ in .empty }

  package init() {}

  init(_ options: MigrationOptions, isRaised: Bool) {
    self.isRaised = isRaised
    additionsNeedVersion = options.additionsNeedVersion
    renames = options.renames
    removed = options.removed
    embedded = options.embedded
    defaultValue = options.defaultValue
  }
}

extension Catalogue {
  /// Brings the tables of an application together with those of the store; they are the same when their names are.
  ///
  /// Tables that the store lacks get new numbers, tables that the application lacks stay. Whether a column is indexed is up
  /// to the application. Columns that the store lacks are added. Those that the application lacks stay, behind its own,
  /// unless its version was raised: then they are dropped. What else is different needs a raised version.
  ///
  /// Throws `.schemaMismatch` when a difference needs a raised version; the message lists every such difference on a line of
  /// its own. Throws `.fail` instead when nothing is going to be written: no migration can help then. Throws
  /// `.invalidDatabase` when the tables together are more than a graph can hold.
  package func merging(schema: [TableDescription], _ rules: MergeRules = MergeRules()) throws -> CatalogueMerge {
    var merger = CatalogueMerger(self, schema, rules)
    return try merger.merge()
  }
}

/// Brings a catalogue and an application's tables together once.
struct CatalogueMerger {
  let old: Catalogue
  let schema: [TableDescription]
  let rules: MergeRules
  var new: Catalogue
  /// Where the tables of the application are in the catalogue, and their numbers.
  private(set) var places: [Int] = []
  private(set) var ids: [UInt32] = []
  var differences: [SchemaDifference] = []
  /// The tables of which a difference says that they become embedded, or stop to be.
  private var changedOwnership: Set<UInt32> = []
  private var losses: [CatalogueMerge.Loss] = []
  var rewriting = Rewriting()

  init(_ catalogue: Catalogue, _ schema: [TableDescription], _ rules: MergeRules) {
    old = catalogue
    new = catalogue
    self.schema = schema
    self.rules = rules
  }

  mutating func merge() throws -> CatalogueMerge {
    let known = Dictionary(uniqueKeysWithValues: old.tables.enumerated().map { ($1.name, $0) })
    for description in schema { places.append(try known[description.name] ?? new.addTable(description.name)) }
    ids = places.map { new.tables[$0].id }
    for table in schema.indices {
      if known[schema[table].name] == nil {
        differences.append(.classAdded(schema[table].name))
        for column in schema[table].columns.indices { _ = try add(column, of: table) }
      } else {
        try mergeColumns(of: table)
      }
    }
    let owned = ownership()
    noteOwnership(owned)
    try checkDifferences()
    setOwnership(owned)
    try new.checkWidth()
    if let fault = new.fault { throw StoreError(.invalidDatabase, "\(fault).") }
    let isMentioned = Set(places)
    let all = places + new.tables.indices.filter { !isMentioned.contains($0) }
    var merge = CatalogueMerge(catalogue: new, places: all, schema: schema)
    merge.differences = differences
    merge.rewriting = rewriting
    merge.losses = losses
    return merge
  }

  // MARK: Columns

  private mutating func mergeColumns(of index: Int) throws {
    let place = places[index]
    let stored = old.tables[place]
    let renames = rules.renames[stored.name] ?? [:]
    let byName = Dictionary(uniqueKeysWithValues: stored.columns.map { ($0.name, $0) })
    let names = Set(schema[index].columns.map(\.storedName))
    let renamed = Dictionary(
      renames.filter { byName[$0.key] != nil && !names.contains($0.key) }.map { ($0.value, $0.key) }
        .sorted { $0 < $1 },
      uniquingKeysWith: { first, _ in first })
    var used: Set<UInt32> = []
    var added: [Int] = []
    var keySource: UInt32?
    for column in schema[index].columns.indices {
      let description = schema[index].columns[column]
      let name = description.storedName
      guard let old = byName[name] ?? renamed[name].flatMap({ byName[$0] }) else {
        differences.append(.propertyAdded(stored.name, name))
        _ = try add(column, of: index)
        added.append(column)
        continue
      }
      used.insert(old.id)
      if description.isPrimaryKey { keySource = old.id }
      if old.name != name { differences.append(.propertyRenamed(stored.name, from: old.name, to: name)) }
      try merge(old, column, of: index)
    }
    var left = stored.columns.filter { !used.contains($0.id) }
    left.removeAll { renameLate($0, renamed, in: index) }
    for column in left {
      differences.append(.propertyRemoved(stored.name, column.name))
      if rules.isRaised { remove(column, from: index) }
      new.update(column.id, of: place) { $0.isLeftBehind = true }
    }
    if !rules.isRaised { notePossibleRenames(from: left, to: added, in: index) }
    let oldKey = stored.columns.first { $0.isPrimaryKey }
    let newKey = schema[index].columns.first { $0.isPrimaryKey }?.storedName
    // Not by name: a rename is not done when the column has its new name already.
    if oldKey?.id != keySource || (oldKey == nil) != (newKey == nil) {
      differences.append(.primaryKeyChanged(stored.name, from: oldKey?.name, to: newKey))
      rewriting.isNeeded = true
    }
  }

  /// Adds a column of the application; its number.
  private mutating func add(_ column: Int, of table: Int) throws -> UInt32 {
    let value = rules.defaultValue(table, column)
    try new.addColumn(schema[table].columns[column], to: places[table], ids: ids, defaultValue: value.constant)
    let place = places[table]
    let id = new.tables[place].columns[new.tables[place].columns.count - 1].id
    if value == .perRow, place < old.tables.count { rewriting.fillEachRow(ids[table], id, column: (table, column)) }
    return id
  }

  /// Brings a column of the application together with the stored one of its name.
  private mutating func merge(_ old: Catalogue.Column, _ column: Int, of table: Int) throws {
    let description = schema[table].columns[column]
    let name = schema[table].name
    let property = description.storedName
    let oldType = typeName(old)
    let newType = description.typeName(in: schema)
    let isOtherType = oldType != newType
    let isOtherNullability = old.isNullable != description.isNullable
    if isOtherType {
      differences.append(.typeChanged(name, property, from: oldType, to: newType))
    } else if isOtherNullability {
      differences.append(description.isNullable ? .madeOptional(name, property) : .madeRequired(name, property))
    }
    let isEmbedded = description.linkKind == .embedded
    if !isOtherType, old.ownsTargets != isEmbedded, let target = old.targetTableID {
      noteOwnership(of: target, isOwned: isEmbedded, name, property, type: newType)
    }
    if isOtherType || isOtherNullability {
      if isOtherType || !description.isNullable { noteLoss(of: property, in: table, isRemoval: false) }
      new.drop(old.id, from: places[table])
      let id = try add(column, of: table)
      rewriting.replace(old, by: id, in: ids[table], keepsValues: !isOtherType && description.isNullable)
      return
    }
    if old.isIndexed != description.isIndexed, !old.isPrimaryKey, !description.isPrimaryKey {
      differences.append(description.isIndexed ? .indexAdded(name, property) : .indexRemoved(name, property))
    }
    try new.update(old.id, of: places[table]) { column in
      column.name = try Catalogue.checked(property)
      column.isIndexed = description.isIndexed
      column.isPrimaryKey = description.isPrimaryKey
      column.ownsTargets = isEmbedded
      column.isLeftBehind = false
    }
  }

  private mutating func remove(_ column: Catalogue.Column, from table: Int) {
    noteLoss(of: column.name, in: table, isRemoval: true)
    new.drop(column.id, from: places[table])
    rewriting.remove(column, from: ids[table])
  }

  private mutating func noteLoss(of property: String, in table: Int, isRemoval: Bool) {
    losses.append(
      CatalogueMerge.Loss(table: ids[table], className: schema[table].name, property: property, isRemoval: isRemoval))
  }

  /// Whether the application has tables as embedded ones, by number.
  private func ownership() -> [UInt32: Bool] {
    var owned: [UInt32: Bool] = [:]
    for (table, description) in schema.enumerated() {
      if let isEmbedded = rules.embedded[description.name] { owned[ids[table]] = isEmbedded }
    }
    for column in schema.lazy.flatMap(\.columns) {
      if let target = column.target { owned[ids[target.index]] = column.linkKind == .embedded }
    }
    return owned
  }

  private mutating func noteOwnership(
    of table: UInt32, isOwned: Bool, _ name: String, _ property: String, type: String
  ) {
    differences.append(
      isOwned ? .becameEmbedded(name, property, type: type) : .becameTopLevel(name, property, type: type))
    changedOwnership.insert(table)
    rewriting.isNeeded = true
    if !isOwned { rewriting.becameTopLevel.insert(table) }
  }

  /// Finds the tables that become embedded, or stop to be, while no column of the application is the same link as before:
  /// what leads to them is new, or only the store has it.
  private mutating func noteOwnership(_ owned: [UInt32: Bool]) {
    let before = old.ownedTables
    for table in old.tables where !changedOwnership.contains(table.id) {
      guard let isOwned = owned[table.id], isOwned != before.contains(table.id) else { continue }
      for origin in isOwned ? new.tables : old.tables {
        guard let link = origin.columns.first(where: { $0.targetTableID == table.id }) else { continue }
        let type = ColumnDescription.typeName(link.type, link.collection, target: table.name)
        noteOwnership(of: table.id, isOwned: isOwned, origin.name, link.name, type: type)
        break
      }
    }
  }

  /// Links to a class of the application own their targets, or do not, also where only the store has them.
  private mutating func setOwnership(_ owned: [UInt32: Bool]) {
    let names = Dictionary(
      uniqueKeysWithValues: zip(places, schema.map { Set($0.columns.map(\.storedName)) }))
    for table in new.tables.indices {
      for column in new.tables[table].columns where names[table]?.contains(column.name) != true {
        guard let target = column.targetTableID, let isOwned = owned[target] else { continue }
        new.update(column.id, of: table) { $0.ownsTargets = isOwned }
      }
    }
  }

  // MARK: Refusals

  private func checkDifferences() throws {
    if rules.isRaised || rules.isPlan { return }
    let refused = differences.filter { difference in
      if rules.isReadOnly {
        // What the application lacks stays where it is.
        if case .propertyRemoved = difference { return false }
        return !(rules.additionsNeedVersion ? difference.isNeutral : difference.isAddition)
      }
      if rules.additionsNeedVersion { return !difference.isNeutral }
      if case .propertyRemoved = difference { return false }
      return !difference.isAddition
    }
    if refused.isEmpty { return }
    let lines = Self.lines(refused)
    if rules.isReadOnly {
      throw StoreError(
        .fail,
        "The following changes cannot be made in read-only schema mode:\n\(lines)\nUse the models that the store was "
          + "written with, or open it for writing once with these.")
    }
    // No reasons, but what a new version would bring besides: removed properties lose their values.
    let others = differences.filter { !$0.isNeutral && !refused.contains($0) }
    let more = others.isEmpty ? "" : "A new version would also bring:\n\(Self.lines(others))\n"
    throw StoreError(
      .schemaMismatch,
      "Migration is required due to the following errors:\n\(lines)\n\(more)\(adviceOnRenames)"
        + "Raise Configuration.schemaVersion above \(old.schemaVersion), with a migrationBlock where values have to be "
        + "computed. Or open it with the models that it was written with, or set "
        + "Configuration.deleteRealmIfMigrationNeeded, which deletes what it holds.")
  }

  private static func lines(_ differences: [SchemaDifference]) -> String {
    differences.map { "- \($0)" }.joined(separator: "\n")
  }

  func typeName(_ column: Catalogue.Column) -> String {
    let target = column.targetTableID.flatMap { old.index(of: $0) }.map { old.tables[$0].name }
    return ColumnDescription.typeName(column.type, column.collection, target: target)
  }
}

extension ColumnDescription {
  func typeName(in schema: [TableDescription]) -> String {
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
