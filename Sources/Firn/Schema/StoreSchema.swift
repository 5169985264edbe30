internal import FirnEngine

/// The model classes of a store and the tables made of them. Tables and models have the same order, by class name; behind
/// them come the tables of the collections inside mixed values, if there are such values.
final class StoreSchema: Sendable {
  let models: [ClassModel]
  let tables: [TableDescription]
  private let indexes: ClassIndexes
  private let indexesByName: [String: Int]

  /// The schema of a configuration: its `objectTypes`, or every model class of the process.
  ///
  /// Throws when models are not sound; the error lists all that is wrong, with class, property and cure.
  convenience init(_ configuration: Realm.Configuration) throws {
    let types = configuration.objectTypes ?? Self.discoveredTypes()
    try self.init(types, isExplicit: configuration.objectTypes != nil, hasPrimaryKeys: configuration.hasPrimaryKeys)
  }

  /// - Parameter hasIndexes: Whether the classes' ordered indexes are part of it, which takes tracing their key paths.
  init(
    _ types: [ObjectBase.Type], isExplicit: Bool, hasPrimaryKeys: Bool = true, hasIndexes: Bool = true
  ) throws {
    var models: [ClassModel] = []
    var seen: Set<ObjectIdentifier> = []
    for type in types where seen.insert(ObjectIdentifier(type)).inserted { models.append(ClassModel.of(type)) }
    models.sort { $0.name < $1.name }
    if !isExplicit { models = Self.withoutAmbiguous(models) }
    var validation = SchemaValidation()
    validation.check(models, isExplicit: isExplicit)
    try validation.throwIfNeeded()
    var indexes: [ObjectIdentifier: Int] = [:]
    var indexesByName: [String: Int] = [:]
    for (index, model) in models.enumerated() {
      indexes[ObjectIdentifier(model.type)] = index
      indexesByName[model.name] = index
    }
    self.models = models
    self.indexes = ClassIndexes(models.map(\.type))
    self.indexesByName = indexesByName
    var tables = models.map { Self.table($0, indexes, hasPrimaryKeys) }
    if tables.contains(where: { $0.columns.contains { $0.type == .mixed } }) {
      tables += [.nestedLists, .nestedMaps]
    }
    if hasIndexes {
      var validation = SchemaValidation()
      for index in models.indices {
        tables[index].indexes = validation.indexes(ofClassAt: index, in: models, tables)
      }
      try validation.throwIfNeeded()
    }
    self.tables = tables
  }

  /// Classes that are known by name only, of which some tables have none.
  init(_ models: [ClassModel], tables: [TableDescription]) {
    self.models = models
    self.tables = tables
    indexes = ClassIndexes([])
    indexesByName = Dictionary(models.enumerated().map { ($1.name, $0) }) { first, _ in first }
  }

  func index(of type: ObjectBase.Type) -> Int? { indexes[type] }

  func index(named name: String) -> Int? { indexesByName[name] }

  private static func discoveredTypes() -> [ObjectBase.Type] {
    (RuntimeClasses.subclasses(of: Object.self) + RuntimeClasses.subclasses(of: EmbeddedObject.self))
      .compactMap { $0 as? ObjectBase.Type }
      .filter { $0.shouldIncludeInDefaultSchema() && !$0._realmIgnoreClass() }
  }

  /// The classes of one name that a discovered schema would have, were there only one of them.
  static func discoveredTypes(named name: String) -> [ObjectBase.Type] {
    discoveredTypes().filter { $0.className() == name }
  }

  /// Classes of one name are an error only when one of them is used, so a discovered schema leaves them out.
  private static func withoutAmbiguous(_ models: [ClassModel]) -> [ClassModel] {
    let counts = Dictionary(grouping: models, by: \.name).mapValues(\.count)
    return models.filter { counts[$0.name] == 1 && !$0.hasNoProperties }
  }

  private static func table(
    _ model: ClassModel, _ indexes: [ObjectIdentifier: Int], _ hasPrimaryKeys: Bool
  ) -> TableDescription {
    TableDescription(name: model.name, columns: model.properties.map { column($0, indexes, hasPrimaryKeys) })
  }

  private static func column(
    _ property: ClassModel.Property, _ indexes: [ObjectIdentifier: Int], _ hasPrimaryKeys: Bool
  ) -> ColumnDescription {
    let shape = property.shape
    return ColumnDescription(
      name: property.name, type: shape.type.columnType, isNullable: shape.isOptional, collection: shape.collection,
      isIndexed: property.index == .hash, isPrimaryKey: property.isPrimaryKey && hasPrimaryKeys,
      target: shape.target.flatMap { indexes[ObjectIdentifier($0)] }.map { TableID($0) },
      linkKind: shape.target?.isEmbedded() == true ? .embedded : property.deleteRule.linkKind,
      storedName: property.columnName)
  }
}

extension PropertyType {
  var columnType: ColumnType {
    switch self {
    case .int: .int
    case .bool: .bool
    case .string: .string
    case .data: .data
    case .date: .date
    case .float: .float
    case .double: .double
    case .object: .link
    case .objectId: .objectID
    case .decimal128: .decimal128
    case .UUID: .uuid
    case .any: .mixed
    case .linkingObjects: fatalError("Properties of type \(self) have no column.")
    }
  }

  init(_ column: ColumnType) {
    self =
      switch column {
      case .int: .int
      case .bool: .bool
      case .string: .string
      case .data: .data
      case .date: .date
      case .float: .float
      case .double: .double
      case .link: .object
      case .objectID: .objectId
      case .decimal128: .decimal128
      case .uuid: .UUID
      case .mixed: .any
      }
  }
}
