internal import FirnEngine

/// The classes of a realm.
public struct Schema: CustomStringConvertible, Equatable, Sendable {
  /// One entry for each class, by name.
  public let objectSchema: [ObjectSchema]

  init(_ models: [ClassModel]) { objectSchema = models.map { ObjectSchema($0) } }

  /// The class of a name, or nil.
  public subscript(className: String) -> ObjectSchema? { objectSchema.first { $0.className == className } }

  /// All classes with all their properties, one a line.
  public var description: String {
    "Schema {\n" + objectSchema.map { $0.description.indented + "\n" }.joined() + "}"
  }
}

/// One class of a schema.
public struct ObjectSchema: CustomStringConvertible, Equatable, Sendable {
  /// The persisted properties in the order of their declaration, those of superclasses first.
  public let properties: [Property]
  /// The name of the class in the schema.
  public let className: String
  /// The Swift class.
  public let objectClass: AnyClass
  /// The primary key, if the class has one.
  public let primaryKeyProperty: Property?
  /// Properties that show the other direction of links.
  private let linkingProperties: [Property]
  /// Whether objects of the class belong to others; see ``EmbeddedObject``.
  public let isEmbedded: Bool
  /// False: kept for source compatibility.
  public var isAsymmetric: Bool { false }

  init(_ model: ClassModel) {
    properties = model.properties.filter { !$0.isHidden }.map { Property($0) }
    className = model.name
    objectClass = model.type
    isEmbedded = model.type.isEmbedded()
    primaryKeyProperty = model.primaryKey.map { Property(model.properties[$0]) }
    linkingProperties = model.linkingProperties.map { Property($0) }
  }

  /// The property of a name, or nil.
  public subscript(propertyName: String) -> Property? { properties.first { $0.name == propertyName } }

  /// The same class with the same properties.
  public static func == (lhs: ObjectSchema, rhs: ObjectSchema) -> Bool {
    lhs.objectClass == rhs.objectClass && lhs.className == rhs.className && lhs.properties == rhs.properties
  }

  /// The class with all its properties.
  public var description: String {
    let texts = (properties + linkingProperties).map {
      $0.description(isPrimary: $0 == primaryKeyProperty).indented + "\n"
    }
    return "\(className)\(isEmbedded ? " (embedded)" : "") {\n" + texts.joined() + "}"
  }
}

/// One persisted property of a class.
public struct Property: CustomStringConvertible, Equatable, Sendable {
  /// The name in Swift, which everything but files uses.
  public let name: String
  /// The name under which files store the property; see ``ObjectBase/propertiesMapping()``.
  public let columnName: String
  /// What the property holds; of a collection, what its elements are.
  public let type: PropertyType
  /// Whether the property is a list.
  public let isArray: Bool
  /// Whether the property is a set.
  public let isSet: Bool
  /// Whether the property is a map.
  public let isMap: Bool
  /// Whether equality is found without a scan: declared with an index, or the primary key.
  public let isIndexed: Bool
  /// Whether the value, or an element of the collection, may be nil. Links always may.
  public let isOptional: Bool
  /// The class that a link or the objects of a collection belong to.
  public let objectClassName: String?
  /// The property whose links `LinkingObjects` show.
  private let originName: String?

  init(_ property: ClassModel.Property) {
    name = property.name
    columnName = property.columnName
    type = property.shape.type
    isArray = property.shape.collection == .list
    isSet = property.shape.collection == .set
    isMap = property.shape.collection == .map
    isIndexed = property.index != nil || property.isPrimaryKey
    isOptional = property.shape.isOptional
    objectClassName = property.targetName
    originName = nil
  }

  init(_ linking: ClassModel.LinkingProperty) {
    name = linking.name
    columnName = linking.name
    type = .linkingObjects
    isArray = false
    isSet = false
    isMap = false
    isIndexed = false
    isOptional = false
    objectClassName = linking.origin.className()
    originName = linking.originProperty
  }

  /// The property with everything the schema says of it, one a line.
  public var description: String { description(isPrimary: false) }

  func description(isPrimary: Bool) -> String {
    func answer(_ value: Bool) -> String { value ? "YES" : "NO" }
    var lines = ["type = \(type.name);"]
    if let objectClassName {
      lines += ["objectClassName = \(objectClassName);", "linkOriginPropertyName = \(originName ?? "(null)");"]
    }
    lines += [
      "columnName = \(columnName);", "indexed = \(answer(isIndexed));", "isPrimary = \(answer(isPrimary));",
      "array = \(answer(isArray));", "set = \(answer(isSet));", "dictionary = \(answer(isMap));",
      "optional = \(answer(isOptional));",
    ]
    return "\(name) {\n" + lines.map { "\t\($0)\n" }.joined() + "}"
  }
}

extension Realm {
  /// The classes that the database was opened with.
  public var schema: Schema { Schema(instance.store.schema.models) }
}

extension PropertyType {
  /// How descriptions and messages call the type.
  var name: String {
    switch self {
    case .int: "int"
    case .bool: "bool"
    case .string: "string"
    case .data: "data"
    case .date: "date"
    case .float: "float"
    case .double: "double"
    case .object: "object"
    case .linkingObjects: "linking objects"
    case .any: "mixed"
    case .objectId: "object id"
    case .decimal128: "decimal128"
    case .UUID: "uuid"
    }
  }
}

extension String {
  fileprivate var indented: String { "\t" + replacing("\n", with: "\n\t") }
}
