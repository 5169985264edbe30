/// How the tables of an application differ from those of a store.
package enum SchemaDifference: Sendable, Hashable {
  case classAdded(String)
  case propertyAdded(String, String)
  case propertyRemoved(String, String)
  case propertyRenamed(String, from: String, to: String)
  /// The store lacks a property, and the application lacks others of its type that the last program had.
  case propertyPerhapsRenamed(String, from: [String], to: String)
  case typeChanged(String, String, from: String, to: String)
  case madeOptional(String, String)
  case madeRequired(String, String)
  /// Links lead to objects of their own now, or no longer; with the type of the property.
  case becameEmbedded(String, String, type: String)
  case becameTopLevel(String, String, type: String)
  case primaryKeyChanged(String, from: String?, to: String?)
  case indexAdded(String, String)
  case indexRemoved(String, String)

  /// Whether a program that does not know of it can go on with the store.
  package var isAddition: Bool {
    switch self {
    case .classAdded, .propertyAdded, .indexAdded, .indexRemoved: true
    case .propertyRemoved, .propertyRenamed, .propertyPerhapsRenamed, .typeChanged, .madeOptional, .madeRequired,
      .becameEmbedded, .becameTopLevel, .primaryKeyChanged:
      false
    }
  }

  /// Whether the reference lets it pass without a new version too.
  package var isNeutral: Bool {
    switch self {
    case .classAdded, .indexAdded, .indexRemoved: true
    default: false
    }
  }
}

extension SchemaDifference: CustomStringConvertible {
  /// A sentence, as messages about migrations list them.
  package var description: String {
    switch self {
    case .classAdded(let name): "Class '\(name)' has been added."
    case .propertyAdded(let name, let property): "Property '\(name).\(property)' has been added."
    case .propertyRemoved(let name, let property): "Property '\(name).\(property)' has been removed."
    case .propertyRenamed(let name, let old, let new): "Property '\(name).\(old)' has been renamed to '\(new)'."
    case .propertyPerhapsRenamed(let name, let old, let new):
      "Property '\(name).\(new)' has been added, while \(old.map { "'\($0)'" }.joined(separator: ", ")) of the same "
        + "type " + (old.count == 1 ? "has" : "have") + " been removed: it may be the same under a new name."
    case .typeChanged(let name, let property, let old, let new):
      "Property '\(name).\(property)' has been changed from '\(old)' to '\(new)'."
    case .madeOptional(let name, let property): "Property '\(name).\(property)' has been made optional."
    case .madeRequired(let name, let property): "Property '\(name).\(property)' has been made required."
    case .becameEmbedded(let name, let property, let type):
      "Class of property '\(name).\(property)', \(type), has been changed from top-level to embedded."
    case .becameTopLevel(let name, let property, let type):
      "Class of property '\(name).\(property)', \(type), has been changed from embedded to top-level."
    case .primaryKeyChanged(let name, nil, _): "Primary Key for class '\(name)' has been added."
    case .primaryKeyChanged(let name, _, nil): "Primary Key for class '\(name)' has been removed."
    case .primaryKeyChanged(let name, let old?, let new?):
      "Primary Key for class '\(name)' has been changed from '\(old)' to '\(new)'."
    case .indexAdded(let name, let property): "Property '\(name).\(property)' has been indexed."
    case .indexRemoved(let name, let property): "Property '\(name).\(property)' is no longer indexed."
    }
  }
}
