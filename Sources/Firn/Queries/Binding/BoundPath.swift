internal import FirnEngine

/// What a path of names leads to.
struct BoundPath {
  enum Content {
    /// Values of a property, or elements of a collection.
    case values(QueryShape)
    /// What an operator makes of a collection; of `count` the shape is that of the elements.
    case aggregate(QueryAggregate, QueryShape)
    /// Keys of a map.
    case keys
    /// What lies inside of a map or a mixed value.
    case inside
  }

  /// The path as messages show it.
  var name: String
  /// The collections on the way, the outermost first; each is seen from an element of the one before.
  var collections: [CollectionPath]
  /// Seen from an element of the last collection.
  var operand: Operand
  var content: Content
  /// Where the path stands in the text.
  var position: Int?

  var isMixed: Bool {
    switch content {
    case .values(let shape): shape.type == .any
    case .inside: true
    case .aggregate, .keys: false
    }
  }
}

/// What a value is that a path leads to, as far as comparing goes.
struct QueryShape {
  /// What the schema says of the property.
  var declared: _PropertyShape
  /// The property as messages name it: `Class.property`.
  var name: String
  /// The class that links lead to, by its table.
  var target: Int?
  /// Whether the path leads through a link to one object: where that is null, so is the value.
  var isBehindLink = false

  var type: PropertyType { declared.type }

  /// Whether it may be compared with null.
  var isNullable: Bool {
    if isBehindLink { return true }
    return switch type {
    case .any: true
    // A link may be null, in a map too; elements of other collections are not.
    case .object: declared.collection == nil || declared.collection == .map
    default: declared.isOptional
    }
  }

  /// How messages call the type.
  var typeName: String { Coercion.typeName(declared) }

  /// Whether an aggregate can be made of it.
  var isNumeric: Bool {
    switch type {
    case .int, .float, .double, .decimal128, .date, .any: true
    case .bool, .string, .data, .objectId, .UUID, .object, .linkingObjects: false
    }
  }

  var isText: Bool { type == .string || type == .data }
}
