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
  /// Throws when a model is not sound; the message names class, property and cure.
  convenience init(_ configuration: Realm.Configuration) throws {
    let types = configuration.objectTypes ?? Self.discoveredTypes()
    try self.init(types, isExplicit: configuration.objectTypes != nil)
  }

  init(_ types: [ObjectBase.Type], isExplicit: Bool) throws {
    var models: [ClassModel] = []
    var seen: Set<ObjectIdentifier> = []
    for type in types where seen.insert(ObjectIdentifier(type)).inserted { models.append(ClassModel.of(type)) }
    models.sort { $0.name < $1.name }
    if !isExplicit { models = Self.withoutAmbiguous(models) }
    var indexes: [ObjectIdentifier: Int] = [:]
    var indexesByName: [String: Int] = [:]
    for (index, model) in models.enumerated() {
      if let other = indexesByName[model.name] {
        throw Realm.Error(
          .fail,
          "Two model classes are named '\(model.name)' (\(models[other].type) and \(model.type)). Rename one of them, "
            + "or list only one in Configuration.objectTypes.")
      }
      indexes[ObjectIdentifier(model.type)] = index
      indexesByName[model.name] = index
    }
    self.models = models
    self.indexes = ClassIndexes(models.map(\.type))
    self.indexesByName = indexesByName
    var tables = try models.map { try Self.table($0, indexes, isExplicit: isExplicit) }
    if tables.contains(where: { $0.columns.contains { $0.type == .mixed } }) {
      tables += [.nestedLists, .nestedMaps]
    }
    self.tables = tables
    for model in models { try checkLinkingProperties(of: model) }
    try checkEmbedding()
  }

  func index(of type: ObjectBase.Type) -> Int? { indexes[type] }

  func index(named name: String) -> Int? { indexesByName[name] }

  private static func discoveredTypes() -> [ObjectBase.Type] {
    (RuntimeClasses.subclasses(of: Object.self) + RuntimeClasses.subclasses(of: EmbeddedObject.self))
      .compactMap { $0 as? ObjectBase.Type }
      .filter { $0.shouldIncludeInDefaultSchema() }
  }

  /// Classes of one name are an error only when one of them is used, so a discovered schema leaves them out.
  private static func withoutAmbiguous(_ models: [ClassModel]) -> [ClassModel] {
    let counts = Dictionary(grouping: models, by: \.name).mapValues(\.count)
    return models.filter { counts[$0.name] == 1 && !$0.properties.isEmpty }
  }

  private static func table(
    _ model: ClassModel, _ indexes: [ObjectIdentifier: Int], isExplicit: Bool
  ) throws -> TableDescription {
    if model.properties.isEmpty {
      throw Realm.Error(
        .fail, "No properties are defined for '\(model.name)'. Declare at least one with @Persisted.")
    }
    if model.properties.count > ColumnSet.capacity {
      throw Realm.Error(
        .fail,
        "Class '\(model.name)' has \(model.properties.count) persisted properties; \(ColumnSet.capacity) is the most. "
          + "Move some to a linked class.")
    }
    let keys = model.properties.filter(\.isPrimaryKey).map(\.name)
    if keys.count > 1 {
      throw Realm.Error(
        .fail,
        "Properties '\(keys[0])' and '\(keys[1])' of '\(model.name)' are both marked as the primary key. "
          + "Keep one of them.")
    }
    try checkOverrides(model)
    var names: Set<String> = []
    let columns = try model.properties.map { property -> ColumnDescription in
      if !names.insert(property.name).inserted {
        throw Realm.Error(
          .fail,
          "Property '\(model.name).\(property.name)' is declared multiple times in the class hierarchy. Remove one.")
      }
      return try column(property, model, indexes, isExplicit: isExplicit)
    }
    return TableDescription(name: model.name, columns: columns)
  }

  /// Checks keys and indexes, which overridden class methods may give to properties of any type.
  private static func checkOverrides(_ model: ClassModel) throws {
    let named =
      [(model.type.primaryKey(), "primaryKey()")].compactMap { name, origin in name.map { ($0, origin) } }
      + model.type.indexedProperties().map { ($0, "indexedProperties()") }
    for (name, origin) in named where !model.properties.contains(where: { $0.name == name }) {
      throw Realm.Error(
        .fail,
        "Property '\(name)', named by \(origin), does not exist in '\(model.name)'. Name one that is declared with "
          + "@Persisted.")
    }
    for property in model.properties {
      if let problem = property.problem {
        throw Realm.Error(.fail, "Property '\(model.name).\(property.name)' \(problem)")
      }
      let shape = property.shape
      let isKeyType = [.int, .string, .UUID, .objectId].contains(shape.type)
      if property.isPrimaryKey, shape.isCollection || !isKeyType {
        throw Realm.Error(
          .fail,
          "Property '\(model.name).\(property.name)' of type \(shape.type.name) cannot be the primary key. Use an "
            + "integer, a string, a UUID or an object id.")
      }
      if property.isIndexed, shape.isCollection || !(isKeyType || shape.type == .bool || shape.type == .date) {
        throw Realm.Error(
          .fail,
          "Property '\(model.name).\(property.name)' of type \(shape.type.name) cannot be indexed. Use an integer, a "
            + "Boolean, a string, a date, a UUID or an object id.")
      }
    }
  }

  /// Links and the objects of maps may be nil, those of lists and sets may not.
  private static func checkOptionality(_ property: ClassModel.Property, of model: ClassModel) throws {
    let shape = property.shape
    guard shape.type == .object else { return }
    switch shape.collection {
    case .list where shape.isOptional, .set where shape.isOptional:
      throw Realm.Error(
        .fail,
        "Property '\(model.name).\(property.name)' must not be marked as optional: a list or set of objects "
          + "holds no nil. Remove the '?'.")
    case .map where !shape.isOptional:
      throw Realm.Error(
        .fail,
        "Property '\(model.name).\(property.name)' must be marked as optional: the objects of a map may be deleted. Declare "
          + "it as Map<String, \(shape.target?.className() ?? "")?>.")
    default: return
    }
  }

  private static func column(
    _ property: ClassModel.Property, _ model: ClassModel, _ indexes: [ObjectIdentifier: Int], isExplicit: Bool
  ) throws -> ColumnDescription {
    let shape = property.shape
    try checkOptionality(property, of: model)
    var target: TableID?
    if let type = shape.target {
      guard let index = indexes[ObjectIdentifier(type)] else {
        let reason =
          isExplicit
          ? "Invalid class subset list: '\(model.name).\(property.name)' links to class '\(type.className())', which is "
            + "missing from Configuration.objectTypes. Add it."
          : "'\(model.name).\(property.name)' links to class '\(type.className())', which has no persisted properties, "
            + "is excluded from the default schema, or shares its name with another class."
        throw Realm.Error(.fail, reason)
      }
      target = TableID(index)
    }
    return ColumnDescription(
      name: property.name, type: shape.type.columnType, isNullable: shape.isOptional, collection: shape.collection,
      isIndexed: property.isIndexed, isPrimaryKey: property.isPrimaryKey, target: target,
      linkKind: shape.target?.isEmbedded() == true ? .embedded : property.deleteRule.linkKind)
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
}
