internal import FirnEngine

/// Turns values into drafts: reads and checks everything, and writes nothing.
///
/// Objects in the value that the realm does not manage are drafted, each once, so that cycles end. Drafts are worked off
/// from a list instead of recursively, in the order in which a walk through the value meets them.
final class Drafting {
  let instance: RealmInstance
  let writer: Writer
  let policy: Realm.UpdatePolicy
  private(set) var drafts: [ObjectDraft] = []
  /// The drafts in the order of the input.
  private(set) var order: [Int] = []
  private var pending: [Int] = []
  private var known: [ObjectIdentity: Int] = [:]
  private(set) var keyed: [PlannedKey: Int] = [:]
  /// Keeps what `known` names alive.
  private var kept: [ObjectBase] = []
  /// What unmanaged and foreign objects in mixed values become.
  private var mixedTargets: [ObjectIdentity: Int] = [:]
  /// Whether unmanaged objects in the value are added themselves, as an assignment does, not copied.
  var addsObjects = false
  private(set) var meter: InputMeter
  private let form: InputForm

  struct PlannedKey: Hashable {
    let table: Int
    let value: Value
  }

  /// - Parameters:
  ///   - limits: For input from outside; nil for values of the program itself.
  ///   - form: Where the values come from.
  init(
    _ instance: RealmInstance, _ writer: Writer, _ policy: Realm.UpdatePolicy, _ limits: CreationLimits? = nil,
    form: InputForm = .values
  ) {
    self.instance = instance
    self.writer = writer
    self.policy = policy
    self.form = form
    meter = InputMeter(limits)
  }

  /// Drafts an object and everything in it.
  func draft(_ handle: TableHandle, _ input: Any) throws -> Int {
    let index = add(handle, input, .top, depth: 1)
    try finish()
    return index
  }

  /// Drafts what one property of a row is to hold, and everything in it.
  func draft(
    _ column: Int, _ property: ClassModel.Property, of key: RowKey, _ handle: TableHandle, _ value: Any
  ) throws -> ObjectDraft.Cell {
    let cell = try cell(value, property, column, handle, above: nil, key, depth: 1)
    pending.reverse()
    try finish()
    return cell
  }

  func setRow(_ row: RowKey, of draft: Int) { drafts[draft].row = row }

  // MARK: Objects

  private func add(_ handle: TableHandle, _ input: Any, _ place: DraftPlace, depth: Int) -> Int {
    drafts.append(ObjectDraft(handle: handle, place: place, depth: depth, input: input))
    pending.append(drafts.count - 1)
    return drafts.count - 1
  }

  private func finish() throws {
    while let index = pending.popLast() {
      order.append(index)
      let start = pending.count
      do {
        try read(index)
      } catch let error as InvalidValue {
        throw error.at(path(of: index))
      }
      // The first thing met comes off the list first.
      pending[start...].reverse()
    }
  }

  private func read(_ index: Int) throws {
    let draft = drafts[index]
    let input = draft.input.unsafelyUnwrapped
    drafts[index].input = nil
    let handle = draft.handle
    let model = handle.model
    try meter.check(depth: draft.depth)
    try meter.addValue()
    if model.isUnknown {
      throw InvalidValue(
        message: "Objects of class '\(model.name)', which the process does not have, cannot be created.",
        expected: "an object that exists", found: "a value")
    }
    let source = Unwrapping.value(input).flatMap { Unwrapping.object($0) }
    let isOfClass = source.map { $0._model.type == model.type } ?? false
    // Each place gets an embedded object of its own.
    let isShared = isOfClass && !handle.layout.isOwned
    if isShared, let source, let other = known[ObjectIdentity(source)] {
      drafts[index].outcome = .same(other)
      return
    }
    let given = try GivenValues(input, model, unknownNames, arrays: draft.isCustom ? .accept : arrays)
    if let source, isShared {
      known[ObjectIdentity(source)] = index
      kept.append(source)
    }
    var defaults: ObjectBase?
    let primaryKey = try findOutcome(of: index, given, &defaults)
    var existing: RowKey?
    var isInsertion = true
    if case .update(let target) = drafts[index].outcome {
      isInsertion = false
      if case .row(let key) = target {
        existing = key
        if source == nil { try checkUpdate(of: index, given) }
      }
    }
    var cells: [ObjectDraft.Cell?] = Array(repeating: nil, count: model.properties.count)
    let keyColumn = handle.layout.primaryKey
    if isInsertion, let keyColumn, let primaryKey { cells[keyColumn] = .scalar(primaryKey) }
    for column in cells.indices where column != keyColumn {
      if refusesMissing, isInsertion, given.values[column] == nil {
        try checkMissing(model.properties[column], of: index, &defaults)
      }
      // The first look is a cheap one: a class may have many properties of which nothing is said.
      if given.values[column] == nil, !isInsertion || !needsCell(column, handle, &defaults) { continue }
      let property = model.properties[column]
      let value = given.values[column] ?? Self.defaultValue(property, model, &defaults)
      do {
        cells[column] = try cell(value, property, column, handle, above: index, existing, depth: draft.depth)
      } catch let error as InvalidValue {
        throw error.at("\(path(of: index)).\(property.name)")
      }
    }
    if isInsertion { drafts[index].defaults = defaults }
    drafts[index].cells = cells
  }

  /// Finds out whether a row is made or updated. The primary key, if the class has one.
  private func findOutcome(of index: Int, _ given: GivenValues, _ defaults: inout ObjectBase?) throws -> Value? {
    let handle = drafts[index].handle
    let model = handle.model
    guard let keyColumn = handle.layout.primaryKey else {
      if policy != .error, case .top = drafts[index].place {
        throw InvalidValue(
          message: "'\(model.name)' does not have a primary key and can not be updated.",
          expected: "a class with a primary key", found: model.name)
      }
      if case .unknown = drafts[index].outcome { drafts[index].outcome = .insert }
      return nil
    }
    let property = model.properties[keyColumn]
    if given.values[keyColumn] == nil, refusesMissing || refusesMissingKey(property) {
      try checkMissing(property, of: index, &defaults)
    }
    let primaryKey: Value
    do {
      primaryKey = try stored(
        given.values[keyColumn] ?? Self.defaultValue(property, model, &defaults), property, model)
    } catch let error as InvalidValue {
      throw error.at("\(path(of: index)).\(property.name)")
    }
    let planned = PlannedKey(table: handle.layout.index, value: primaryKey)
    let row = writer.contents.find(primaryKey: primaryKey, in: handle.table)
    let other = keyed[planned]
    if policy == .error, row != nil || other != nil, !mayLink(index, given, exists: row != nil) {
      throw InvalidValue.duplicateKey(ShownValue.text(primaryKey.text), of: model.name)
        .at("\(path(of: index)).\(property.name)")
    }
    if let row {
      drafts[index].outcome = .update(.row(row.key))
    } else if let other {
      drafts[index].outcome = .update(.draft(other))
    } else {
      drafts[index].outcome = .insert
      keyed[planned] = index
    }
    return primaryKey
  }

  /// Whether the default of a property has to be read and stored by itself. Single values are taken from an object of the
  /// class when the row is made.
  private func needsCell(_ column: Int, _ handle: TableHandle, _ defaults: inout ObjectBase?) -> Bool {
    let object = defaults ?? handle.model.type.init()
    defaults = object
    return PropertyPlan.holdsMore(handle.plans + column, Unmanaged.passUnretained(object).toOpaque()) {
      handle.model.properties[column].wrapper
    }
  }

  private var refusesMissing: Bool { meter.limits?.missingKeys == .refuse }

  /// Input from outside has to say which object it means. Object ids and UUIDs are made for new ones.
  private func refusesMissingKey(_ property: ClassModel.Property) -> Bool {
    meter.limits != nil && property.shape.type != .objectId && property.shape.type != .UUID
  }

  var arrays: PositionalArrays { meter.limits?.positionalArrays ?? .accept }

  var unknownNames: GivenValues.UnknownNames { meter.limits.map { .init($0.unknownKeys) } ?? .note }

  private static func defaultValue(
    _ property: ClassModel.Property, _ model: ClassModel, _ defaults: inout ObjectBase?
  ) -> Any {
    let object = defaults ?? model.type.init()
    defaults = object
    return property.read(object)
  }

  // MARK: Properties

  private func cell(
    _ value: Any, _ property: ClassModel.Property, _ column: Int, _ handle: TableHandle, above: Int?,
    _ existing: RowKey?, depth: Int
  ) throws -> ObjectDraft.Cell {
    let model = handle.model
    if let kind = property.shape.collection {
      if let existing, Self.isOwnContent(value, column, existing, handle) { return .unchanged }
      return kind == .map
        ? .entries(try entries(value, property, column, handle, above, existing, depth))
        : .elements(kind, try elements(value, property, column, handle, above, existing, depth))
    }
    if property.shape.type == .any {
      let place = DraftPlace.property(above, property.name)
      return .mixed(try mixed(value, property, handle, place, depth: depth))
    }
    if property.shape.type == .object {
      let current = embedded(in: column, of: existing, handle) {
        writer.contents.value(ColumnID(column), of: $0, in: handle.table)
      }
      let place = DraftPlace.property(above, property.name)
      return .link(try target(value, property, column, handle, place, current: current, depth: depth + 1))
    }
    return .scalar(try stored(value, property, model))
  }

  private func elements(
    _ value: Any, _ property: ClassModel.Property, _ column: Int, _ handle: TableHandle, _ above: Int?,
    _ existing: RowKey?, _ depth: Int
  ) throws -> [DraftElement] {
    guard let given = try GivenValues.elements(value, property, of: handle.model, maximum: meter.rest) else {
      throw InputMeter.tooMany(meter.limits ?? CreationLimits())
    }
    if !given.isEmpty { try meter.check(depth: depth + 1) }
    var elements: [DraftElement] = []
    elements.reserveCapacity(given.count)
    for (position, element) in given.enumerated() {
      do {
        if property.shape.type == .any {
          let place = DraftPlace.element(above, property.name, position)
          elements.append(.mixed(try mixed(element, property, handle, place, depth: depth + 1)))
          continue
        }
        guard property.shape.type == .object else {
          elements.append(.value(try stored(element, property, handle.model)))
          continue
        }
        let place = DraftPlace.element(above, property.name, position)
        let current = embedded(in: column, of: existing, handle) { row in
          position < writer.listCount(ColumnID(column), of: row, in: handle.table)
            ? writer.contents.listValue(at: position, of: ColumnID(column), of: row, in: handle.table) : .null
        }
        guard
          let target = try target(element, property, column, handle, place, current: current, depth: depth + 2)
        else {
          throw Coercion.invalid("<null>", "NSNull", property, handle.model)
        }
        elements.append(.link(target))
      } catch let error as InvalidValue {
        throw error.at("\(path(of: above)).\(property.name)[\(position)]")
      }
    }
    return elements
  }

  private func entries(
    _ value: Any, _ property: ClassModel.Property, _ column: Int, _ handle: TableHandle, _ above: Int?,
    _ existing: RowKey?, _ depth: Int
  ) throws -> [(key: String, value: DraftElement)] {
    guard let given = try GivenValues.entries(value, property, of: handle.model, maximum: meter.rest) else {
      throw InputMeter.tooMany(meter.limits ?? CreationLimits())
    }
    if !given.isEmpty { try meter.check(depth: depth + 1) }
    // In the order of the keys, so that what is made of the values does not depend on the dictionary.
    return try given.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { key, value in
      do {
        if let problem = MapBase._problem(with: key) {
          throw InvalidValue(
            message: "\(problem) (property '\(handle.model.name).\(property.name)')", expected: "a key for a map",
            found: ShownValue.text(key))
        }
        try meter.add(Value(key))
        let place = DraftPlace.entry(above, property.name, key)
        if property.shape.type == .any {
          return (key, .mixed(try mixed(value, property, handle, place, depth: depth + 1)))
        }
        guard property.shape.type == .object else { return (key, .value(try stored(value, property, handle.model))) }
        let current = embedded(in: column, of: existing, handle) {
          writer.contents.mapValue(forKey: Array(key.utf8), ColumnID(column), of: $0, in: handle.table) ?? .null
        }
        let target = try target(value, property, column, handle, place, current: current, depth: depth + 2)
        return (key, target.map { .link($0) } ?? .value(.null))
      } catch let error as InvalidValue {
        throw error.at("\(path(of: above)).\(property.name)[\"\(ShownValue.text(key))\"]")
      }
    }
  }

  func stored(_ value: Any, _ property: ClassModel.Property, _ model: ClassModel) throws -> Value {
    let value = try form.meant(value, by: property, of: model, meter.limits?.numericDates ?? .refuse)
    let stored = try Coercion.stored(value, property, of: model)
    if let limits = meter.limits {
      try Coercion.checkConversion(of: stored, from: value, property, of: model)
      if case .decimal128(let bits) = stored { try check(DecimalFloat(bits), value, property, model, limits) }
    }
    try meter.add(stored)
    return stored
  }

  private func check(
    _ decimal: DecimalFloat, _ value: Any, _ property: ClassModel.Property, _ model: ClassModel,
    _ limits: CreationLimits
  ) throws {
    if limits.nonFiniteDecimals == .accept || decimal.kind == .finite { return }
    var error = Coercion.invalid(value, ShownValue.typeName(value), property, model)
    error.message += " Allow it with CreationLimits.nonFiniteDecimals."
    error.expected = "a finite decimal number"
    error.found = ShownValue.text(value)
    throw error
  }

  // MARK: Mixed values

  /// The draft that an object in a mixed value becomes; nil for one of this realm, and for one that will be added itself.
  func mixedTarget(of object: Object) -> Int? { mixedTargets[ObjectIdentity(object)] }

  /// - Parameter depth: How deep what holds the value lies. The value itself is no level of its own, unless it is an object
  ///   or a collection that is not empty.
  private func mixed(
    _ input: Any, _ property: ClassModel.Property, _ handle: TableHandle, _ place: DraftPlace, depth: Int
  ) throws -> AnyRealmValue {
    let value: AnyRealmValue
    do throws(MixedRefusal) {
      value = try AnyRealmValue.read(input, maximum: meter.rest)
    } catch {
      throw error.problem(in: input, property, handle.model, meter.limits).at(path(to: place) + error.path)
    }
    // What is in it, the deepest first: a collection that contains itself soon is too deep.
    var rest = [(value: value, depth: 0)]
    while let next = rest.popLast() {
      try meter.addValue()
      if next.depth > NestedDepth.most {
        throw InvalidValue(
          message: "Collections in the value for '\(handle.model.name).\(property.name)' are nested more than "
            + "\(NestedDepth.most) levels deep.", expected: "at most \(NestedDepth.most) levels", found: "more")
      }
      try meter.check(depth: depth + next.depth)
      switch next.value {
      case .object(let object): try draftMixed(object, property, handle, place, depth: depth + next.depth + 1)
      case .string(let text): try meter.add(byteCount: text.utf8.count)
      case .decimal128(let decimal):
        if let limits = meter.limits { try check(decimal.number, decimal, property, handle.model, limits) }
      case .data(let data): try meter.add(byteCount: data.count)
      case .list(let list): for element in list { rest.append((element, next.depth + 1)) }
      case .dictionary(let map):
        for (key, element) in map.entries {
          if let problem = MapBase._problem(with: key) {
            throw InvalidValue(message: problem, expected: "a key for a map", found: ShownValue.text(key))
          }
          rest.append((element, next.depth + 1))
        }
      default: break
      }
    }
    return value
  }

  private func draftMixed(
    _ object: Object, _ property: ClassModel.Property, _ handle: TableHandle, _ place: DraftPlace, depth: Int
  ) throws {
    if object._isGone { throw InvalidValue.deleted(object, expected: object._modelName) }
    if object._instance === instance, let table = object._table {
      if table.layout.isOwned { throw Coercion.invalid(object, object._modelName, property, handle.model) }
      return
    }
    guard let target = instance.handle(object._model.type) else {
      var error = Coercion.invalid(object, object._modelName, property, handle.model)
      if instance.isCounterpart(object._instance) {
        error.message += " It is one of the old objects of the migration. Take the new one."
        throw error
      }
      error.message += " Its class is not in the schema. Include it in Configuration.objectTypes."
      error.missingClass = object._model.isUnknown ? nil : object._model.type
      throw error
    }
    if addsObjects || mixedTargets[ObjectIdentity(object)] != nil { return }
    mixedTargets[ObjectIdentity(object)] = add(target, object, place, depth: depth)
    kept.append(object)
  }

  /// Whether a collection is given to itself.
  private static func isOwnContent(_ value: Any, _ column: Int, _ key: RowKey, _ handle: TableHandle) -> Bool {
    guard let list = Unwrapping.value(value) as? any ManagedListIdentity, let owner = list.owner else { return false }
    return owner.table.context == handle.context && owner.table.table == handle.table && owner.key == key
      && owner.column == ColumnID(column)
  }

  /// The embedded object that a place of a row holds; nil when there is none.
  private func embedded(
    in column: Int, of row: RowKey?, _ handle: TableHandle, _ value: (RowKey) -> Value
  ) -> RowKey? {
    guard let row, handle.layout.columns[column].linkKind == .embedded, case .link(let key) = value(row) else {
      return nil
    }
    return key
  }

  /// What a link leads to: a managed object of this realm, or what will be made of the value.
  ///
  /// - Parameter current: The embedded object that the place holds now: it is updated in place with `.modified`, and
  ///   replaced else.
  private func target(
    _ input: Any, _ property: ClassModel.Property, _ column: Int, _ handle: TableHandle, _ place: DraftPlace,
    current: RowKey?, depth: Int
  ) throws -> DraftTarget? {
    guard let value = property.shape.linked(input) else {
      if property.shape.nullIsDefault { throw Coercion.invalid("<null>", "NSNull", property, handle.model) }
      return nil
    }
    let table = instance.handle(Int(handle.layout.columns[column].target))
    if let object = Unwrapping.object(value) {
      if let key = try instance.counterpart(of: object, in: table), !table.layout.isOwned || key == current {
        return .row(key)
      }
      if object._model.type != table.model.type || object._model.name != table.model.name {
        throw Coercion.invalid(object, object._modelName, property, handle.model)
      }
      if object._instance === instance {
        if object._isGone { throw InvalidValue.deleted(object, expected: table.model.name) }
        let key = RowKey(object._key)
        if !table.layout.isOwned || key == current { return .row(key) }
      }
      if addsObjects, object._instance == nil { return .unmanaged(object) }
    } else if meter.limits?.nestedObjects == .link, let keyColumn = table.layout.primaryKey {
      return try existing(value, table, keyColumn, place)
    } else if !GivenValues.mayBe(value) {
      throw Coercion.invalid(value, ShownValue.typeName(value), property, handle.model)
    }
    let draft = add(table, value, place, depth: depth)
    drafts[draft].isCustom = property.shape.custom != nil
    if policy == .modified, let current { drafts[draft].outcome = .update(.row(current)) }
    return .draft(draft)
  }

  // MARK: Places

  func path(of index: Int?) -> String { index.map { path(to: drafts[$0].place) } ?? "$" }

  func path(to place: DraftPlace) -> String {
    var steps: [String] = []
    var next: DraftPlace? = place
    while let place = next {
      let current: Int?
      switch place {
      case .top: current = nil
      case .property(let above, let name):
        steps.append(".\(name)")
        current = above
      case .element(let above, let name, let position):
        steps.append(".\(name)[\(position)]")
        current = above
      case .entry(let above, let name, let key):
        steps.append(".\(name)[\"\(ShownValue.text(key))\"]")
        current = above
      }
      next = current.map { drafts[$0].place }
    }
    return "$" + steps.reversed().joined()
  }
}
