internal import FirnEngine
internal import Foundation

/// What is wrong with a model class.
public struct SchemaProblem: Sendable, Hashable, CustomStringConvertible {
  /// The name of the class.
  public let className: String
  /// The property concerned, if it is one.
  public let propertyName: String?
  /// A sentence that names both, and one that says what to do.
  public let description: String
}

extension Realm.Error {
  private static let schemaProblemsKey = "FirnSchemaProblems"

  /// Of an error that opening threw because of the model classes, everything that is wrong with them; else empty.
  public var schemaProblems: [SchemaProblem] { userInfo[Self.schemaProblemsKey] as? [SchemaProblem] ?? [] }

  fileprivate init(_ problems: [SchemaProblem]) {
    let message =
      problems.count == 1
      ? problems[0].description
      : "The schema has \(problems.count) problems:\n" + problems.map { "- \($0)" }.joined(separator: "\n")
    self.init(.fail, userInfo: [NSLocalizedDescriptionKey: message, Self.schemaProblemsKey: problems])
  }
}

/// Looks for everything that is wrong with the model classes of a schema, so that one error can list it.
struct SchemaValidation {
  private(set) var problems: [SchemaProblem] = []

  /// Notes what is wrong with a property: a sentence that names class and property, and one that says what to do.
  mutating func note(_ model: ClassModel, _ property: String, _ text: String) {
    problems.append(SchemaProblem(className: model.name, propertyName: property, description: text))
  }

  /// Notes what is wrong with a class as a whole.
  mutating func note(_ model: ClassModel, _ text: String) {
    problems.append(SchemaProblem(className: model.name, propertyName: nil, description: text))
  }

  func throwIfNeeded() throws {
    if !problems.isEmpty { throw Realm.Error(problems) }
  }

  /// Checks classes in themselves and for links to others.
  ///
  /// - Parameter isExplicit: Whether the configuration lists the classes.
  mutating func check(_ models: [ClassModel], isExplicit: Bool) {
    checkNames(models)
    let known = Set(models.map { ObjectIdentifier($0.type) })
    for model in models {
      checkSize(model)
      checkProperties(model)
      checkOverrides(model)
      for property in model.properties { checkLink(property, model, known, isExplicit: isExplicit) }
      checkLinkingProperties(of: model, models)
    }
    checkEmbedding(models)
  }

  // MARK: Classes

  private mutating func checkNames(_ models: [ClassModel]) {
    var first: [String: ClassModel] = [:]
    for model in models {
      guard let other = first[model.name] else {
        first[model.name] = model
        continue
      }
      note(
        model,
        "Two model classes are named '\(model.name)' (\(String(reflecting: other.type)) and "
          + "\(String(reflecting: model.type))). Rename one of them, or list only one in Configuration.objectTypes.")
    }
  }

  private mutating func checkSize(_ model: ClassModel) {
    if model.hasNoProperties {
      let plain = RuntimeFields.fields(of: model.type).map(\.name).filter { !$0.hasPrefix("_") && !$0.hasPrefix("$") }
      let example = plain.first.map { ", as in '@Persisted var \($0)'" } ?? ""
      note(
        model,
        "No properties are defined for '\(model.name)'. Declare at least one with @Persisted\(example); 'dynamic' and "
          + "'@objc' are not needed.")
    }
    if model.properties.count > ColumnSet.capacity {
      note(
        model,
        "Class '\(model.name)' has \(model.properties.count) persisted properties; \(ColumnSet.capacity) is the most. "
          + "Move some to a linked class.")
    }
    let keys = model.properties.filter(\.isPrimaryKey).map(\.name)
    if keys.count > 1 {
      note(
        model, keys[1],
        "Properties '\(keys[0])' and '\(keys[1])' of '\(model.name)' are both marked as the primary key. Keep one of them."
      )
    }
  }

  // MARK: Properties

  private mutating func checkProperties(_ model: ClassModel) {
    var names: Set<String> = []
    var columnNames: [String: String] = [:]
    for property in model.properties {
      if !names.insert(property.name).inserted {
        note(
          model, property.name,
          "Property '\(model.name).\(property.name)' is declared multiple times in the class hierarchy. Remove one.")
        continue
      }
      if let other = columnNames.updateValue(property.name, forKey: property.columnName) {
        note(
          model, property.name,
          "Properties '\(other)' and '\(property.name)' of '\(model.name)' are both stored as '\(property.columnName)'. "
            + "Give one of them another name in propertiesMapping().")
      }
      checkOptionality(property, model)
    }
  }

  /// Links and the objects of maps may be nil, those of lists and sets may not.
  private mutating func checkOptionality(_ property: ClassModel.Property, _ model: ClassModel) {
    let shape = property.shape
    guard shape.type == .object else { return }
    let name = "\(model.name).\(property.name)"
    switch shape.collection {
    case .list where shape.isOptional, .set where shape.isOptional:
      note(
        model, property.name,
        "Property '\(name)' must not be marked as optional: a list or set of objects holds no nil. Remove the '?'.")
    case .map where !shape.isOptional:
      note(
        model, property.name,
        "Property '\(name)' must be marked as optional: the objects of a map may be deleted. Declare it as "
          + "Map<String, \(shape.target?.className() ?? "")?>.")
    default: return
    }
  }

  /// Checks keys and indexes, which overridden class methods may give to properties of any type.
  private mutating func checkOverrides(_ model: ClassModel) {
    var named = model.type.indexedProperties().map { ($0, "indexedProperties()") }
    if let key = model.type.primaryKey() { named.insert((key, "primaryKey()"), at: 0) }
    named += model.type.propertiesMapping().keys.sorted().map { ($0, "propertiesMapping()") }
    named += model.type.renamedProperties.values.sorted().map { ($0, "renamedProperties") }
    for name in model.type.removedProperties.sorted() {
      if let property = model.properties.first(where: { $0.columnName == name }) {
        note(
          model, property.name,
          "Property '\(model.name).\(property.name)' is named by removedProperties as '\(name)', but exists. Take it "
            + "out of there.")
      } else if let new = model.type.renamedProperties[name] {
        note(
          model, new,
          "Property '\(model.name).\(name)' is named by removedProperties, and by renamedProperties as the former "
            + "'\(new)'. Take it out of one of them.")
      }
    }
    let ignored = model.type.ignoredProperties()
    for (name, origin) in named where !ignored.contains(name) && !model.properties.contains(where: { $0.name == name })
    {
      note(
        model, name,
        "Property '\(name)', named by \(origin), does not exist in '\(model.name)'. Name one that is declared with "
          + "@Persisted.")
    }
    for property in model.properties {
      if let problem = property.problem {
        note(model, property.name, "Property '\(model.name).\(property.name)' \(problem)")
      }
      let shape = property.shape
      let isKeyType = [.int, .string, .UUID, .objectId].contains(shape.type)
      if property.isPrimaryKey, shape.isCollection || !isKeyType {
        note(
          model, property.name,
          "Property '\(model.name).\(property.name)' of type \(shape.type.name) cannot be the primary key. Use an "
            + "integer, a string, a UUID or an object id.")
      }
      if property.index == .hash, shape.isCollection || !(isKeyType || shape.type == .bool || shape.type == .date) {
        note(
          model, property.name,
          "Property '\(model.name).\(property.name)' of type \(shape.type.name) cannot be indexed. Use an integer, a "
            + "Boolean, a string, a date, a UUID or an object id, or an ordered index: @Persisted(index: .ordered).")
      }
    }
  }

  private mutating func checkLink(
    _ property: ClassModel.Property, _ model: ClassModel, _ known: Set<ObjectIdentifier>, isExplicit: Bool
  ) {
    guard let target = property.shape.target, !known.contains(ObjectIdentifier(target)) else { return }
    note(
      model, property.name,
      isExplicit
        ? "Invalid class subset list: '\(model.name).\(property.name)' links to class '\(target.className())', which is "
          + "missing from Configuration.objectTypes. Add it."
        : "'\(model.name).\(property.name)' links to class '\(target.className())', which has no persisted properties, "
          + "is excluded from the default schema, or shares its name with another class.")
  }
}
