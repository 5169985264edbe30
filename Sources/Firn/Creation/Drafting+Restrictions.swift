internal import FirnEngine

/// What input from outside may be refused for besides wrong values.
extension Drafting {
  /// Refuses a new object that gets no value for a property that needs one.
  func checkMissing(_ property: ClassModel.Property, of index: Int, _ defaults: inout ObjectBase?) throws {
    guard property.isRequired else { return }
    let model = drafts[index].handle.model
    let object = defaults ?? model.type.init()
    defaults = object
    if property.wrapper.holdsValue(at: Unmanaged.passUnretained(object).toOpaque() + property.offset) { return }
    throw InvalidValue(
      message:
        "Property '\(model.name).\(property.name)' needs a value, and the input has none for it. Give one, or declare "
        + "the property as optional or with a default.", expected: InputWords.element(property.shape), found: "nothing"
    ).at("\(path(of: index)).\(property.name)")
  }

  /// Refuses changes of an object that exists and stands within another one, unless they are allowed.
  func checkUpdate(of index: Int, _ given: GivenValues) throws {
    let draft = drafts[index]
    guard let limits = meter.limits, limits.nestedObjects != .update, draft.handle.layout.primaryKey != nil else {
      return
    }
    if case .top = draft.place { return }
    try checkKeyAlone(given, draft.handle.model, at: draft.place)
  }

  /// Whether input from outside that names an object within another one by its primary key links to it, though none may be
  /// updated. What says more of one that exists is refused later, as a change.
  func mayLink(_ index: Int, _ given: GivenValues, exists: Bool) -> Bool {
    guard let limits = meter.limits else { return false }
    if case .top = drafts[index].place { return false }
    if exists, limits.nestedObjects != .update { return true }
    return drafts[index].handle.model.properties.allSatisfy { $0.isPrimaryKey || given.values[$0.column] == nil }
  }

  /// The object that a value names by its primary key: by itself, or in a dictionary or array that gives nothing else.
  func existing(_ value: Any, _ table: TableHandle, _ keyColumn: Int, _ place: DraftPlace) throws -> DraftTarget {
    let model = table.model
    let property = model.properties[keyColumn]
    var given = value
    var path = path(to: place)
    if GivenValues.mayBe(value) {
      let values = try GivenValues(value, model, unknownNames, arrays: arrays)
      try checkKeyAlone(values, model, at: place)
      path += ".\(property.name)"
      guard let key = values.values[keyColumn] else {
        throw InvalidValue(
          message:
            "Objects of class '\(model.name)' are linked to by their primary key '\(property.name)', which the input "
            + "does not give.", expected: "the primary key '\(property.name)'", found: "nothing"
        ).at(path)
      }
      given = key
    }
    do {
      let key = try stored(given, property, model)
      if let row = writer.contents.find(primaryKey: key, in: table.table) { return .row(row.key) }
      if let draft = keyed[PlannedKey(table: table.layout.index, value: key)] { return .draft(draft) }
      let text = ShownValue.text(key.text)
      throw InvalidValue(
        message:
          "There is no object of class '\(model.name)' with the primary key value '\(text)', and input like this may "
          + "only link to objects that exist. Add the object first, or allow more with CreationLimits.nestedObjects.",
        expected: "the primary key of an object", found: text)
    } catch let error as InvalidValue {
      throw error.at(path)
    }
  }

  private func checkKeyAlone(_ given: GivenValues, _ model: ClassModel, at place: DraftPlace) throws {
    guard let other = model.properties.first(where: { !$0.isPrimaryKey && given.values[$0.column] != nil }) else {
      return
    }
    throw InvalidValue(
      message:
        "The input would change '\(model.name).\(other.name)' of an object that it may only link to. Give the primary "
        + "key alone, or allow more with CreationLimits.nestedObjects.", expected: "the primary key alone",
      found: "'\(other.name)'"
    ).at("\(path(to: place)).\(other.name)")
  }
}

extension ClassModel.Property {
  /// Whether a new object needs a value that only the declaration can give.
  var isRequired: Bool { !shape.isCollection && shape.type != .any && (!shape.isOptional || shape.nullIsDefault) }
}
