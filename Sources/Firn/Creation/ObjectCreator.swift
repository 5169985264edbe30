internal import FirnEngine
internal import Foundation

/// Creates and updates rows from values: one call of `create`, or of `add` with an update policy.
///
/// Objects in the value that the realm does not manage are copied, each once, so that cycles end.
final class ObjectCreator {
  private let instance: RealmInstance
  private let writer: Writer
  private let policy: Realm.UpdatePolicy
  private var copies: [Source: RowKey] = [:]
  /// Keeps what `copies` names alive.
  private var copied: [ObjectBase] = []

  /// What an object in the value is: an instance, or the row of another realm, which may have many accessors.
  private enum Source: Hashable {
    case unmanaged(ObjectIdentifier)
    case row(ObjectIdentifier, TableID, RowKey)

    init(_ object: ObjectBase) {
      if let instance = object._instance, let table = object._table {
        self = .row(ObjectIdentifier(instance), table.table, RowKey(object._key))
      } else {
        self = .unmanaged(ObjectIdentifier(object))
      }
    }
  }

  /// Whether unmanaged objects in mixed values are added themselves, not copied.
  var addsMixedObjects = false

  init(_ instance: RealmInstance, _ writer: Writer, _ policy: Realm.UpdatePolicy) {
    self.instance = instance
    self.writer = writer
    self.policy = policy
  }

  /// The row that stands for `input` afterwards.
  func create(_ handle: TableHandle, _ input: Any, isNested: Bool = false) throws -> RowKey {
    let model = handle.model
    let source = Unwrapping.value(input) as? ObjectBase
    // Each place gets an embedded object of its own.
    if let source, !handle.layout.isOwned, let key = copies[Source(source)], type(of: source) == model.type {
      return key
    }
    let given = try GivenValues(input, model)
    guard let keyColumn = handle.layout.primaryKey else {
      if policy != .error, !isNested {
        throw InvalidValue(message: "'\(model.name)' does not have a primary key and can not be updated.")
      }
      return try insert(handle, given, source)
    }
    var defaults: ObjectBase?
    let primaryKey: Value
    if let value = given.values[keyColumn] {
      primaryKey = try Coercion.stored(value, model.properties[keyColumn], of: model)
    } else {
      let object = model.type.init()
      primaryKey = try defaultValue(keyColumn, of: object, model)
      defaults = object
    }
    guard let existing = writer.snapshot.find(primaryKey: primaryKey, in: handle.table) else {
      return try insert(handle, given, source, primaryKey: primaryKey, defaults)
    }
    if policy == .error {
      throw InvalidValue(
        message: "Attempting to create an object of type '\(model.name)' with an existing primary key value "
          + "'\(primaryKey.text)'.")
    }
    remember(source, existing.key)
    try update(existing.key, handle, given)
    return existing.key
  }

  private func remember(_ source: ObjectBase?, _ key: RowKey) {
    guard let source, !type(of: source).isEmbedded() else { return }
    copies[Source(source)] = key
    copied.append(source)
  }

  private func defaultValue(_ column: Int, of object: ObjectBase, _ model: ClassModel) throws -> Value {
    let property = model.properties[column]
    let address = Unmanaged.passUnretained(object).toOpaque()
    return try Coercion.stored(property.wrapper.read(at: address + property.offset, of: object), property, of: model)
  }

  // MARK: Inserting

  private func insert(
    _ handle: TableHandle, _ given: GivenValues, _ source: ObjectBase?, primaryKey: Value? = nil,
    _ prepared: ObjectBase? = nil
  ) throws -> RowKey {
    let model = handle.model
    // Everything that can fail without links comes before the row.
    var values: [Value?] = Array(repeating: nil, count: model.properties.count)
    var defaults = prepared
    for (column, property) in model.properties.enumerated() {
      if given.values[column] == nil, defaults == nil { defaults = model.type.init() }
      if property.isLinkOrCollection { continue }
      if property.isPrimaryKey, let primaryKey {
        values[column] = primaryKey
      } else if let value = given.values[column] {
        values[column] = try Coercion.stored(value, property, of: model)
      } else if let defaults {
        values[column] = try defaultValue(column, of: defaults, model)
      }
    }
    let key = writer.insert(into: handle.table) { inserter in
      for column in values.indices { values[column].map { inserter.set(ColumnID(column), $0) } }
    }
    remember(source, key)
    for (column, property) in model.properties.enumerated() where property.isLinkOrCollection {
      let value: Any
      if let given = given.values[column] {
        value = given
      } else {
        let object = defaults.unsafelyUnwrapped
        value = property.wrapper.read(at: Unmanaged.passUnretained(object).toOpaque() + property.offset, of: object)
      }
      if let kind = property.shape.collection {
        let content = try content(value, kind, property, handle, column)
        if !content.isEmpty {
          writer.replaceContent(
            of: ColumnID(column), kind, of: key, in: handle.table, with: content, onlyDifferences: false)
        }
      } else if property.shape.type == .any {
        let stored = try mixed(value, property, handle)
        if stored != .null { writer.setMixed(ColumnID(column), of: key, in: handle.table, to: stored) }
      } else if let target = try target(value, property, handle, column) {
        writer.setLink(ColumnID(column), of: key, in: handle.table, to: target)
      }
    }
    return key
  }

  // MARK: Updating

  private func update(_ key: RowKey, _ handle: TableHandle, _ given: GivenValues) throws {
    for (column, property) in handle.model.properties.enumerated() where !property.isPrimaryKey {
      guard let value = given.values[column] else { continue }
      try set(column, property, of: key, handle, to: value)
    }
  }

  /// Writes one property; with `.modified` only what differs.
  func set(
    _ column: Int, _ property: ClassModel.Property, of key: RowKey, _ handle: TableHandle, to value: Any
  ) throws {
    let id = ColumnID(column)
    if let kind = property.shape.collection {
      if isOwnContent(value, id, key, handle) { return }
      if policy == .modified, handle.layout.columns[column].linkKind == .embedded {
        return try kind == .map
          ? updateEmbeddedMap(column, property, of: key, handle, to: value)
          : updateEmbeddedList(column, property, of: key, handle, to: value)
      }
      let content = try content(value, kind, property, handle, column)
      return writer.replaceContent(
        of: id, kind, of: key, in: handle.table, with: content, onlyDifferences: policy == .modified)
    }
    if handle.layout.columns[column].linkKind == .embedded {
      return try setEmbedded(column, property, of: key, handle, to: value)
    }
    let new: Value
    if property.shape.type == .object {
      new = try target(value, property, handle, column).map { .link($0) } ?? .null
    } else if property.shape.type == .any {
      new = try mixed(value, property, handle)
    } else {
      new = try Coercion.stored(value, property, of: handle.model)
    }
    if policy == .modified, writer.snapshot.value(id, of: key, in: handle.table) == new { return }
    writer.set(id, of: key, in: handle.table, to: new)
  }

  /// Replaces an embedded object, which deletes the one before; with `.modified` it is updated in place.
  private func setEmbedded(
    _ column: Int, _ property: ClassModel.Property, of key: RowKey, _ handle: TableHandle, to value: Any
  ) throws {
    let (id, table) = (ColumnID(column), handle.table)
    let current = writer.snapshot.value(id, of: key, in: table)
    if policy == .modified, try updateEmbedded(current, property, handle, column, to: value) { return }
    if isRow(value, current, handle, column) { return }
    let new = try target(value, property, handle, column)
    if policy == .modified, new == nil, current == .null { return }
    writer.setLink(id, of: key, in: table, to: new)
  }

  /// Updates an embedded object that is there with values for it. False when there is none, or no values.
  private func updateEmbedded(
    _ current: Value, _ property: ClassModel.Property, _ handle: TableHandle, _ column: Int, to value: Any
  ) throws -> Bool {
    guard case .link(let row) = current, let value = Unwrapping.value(value) else { return false }
    if isRow(value, current, handle, column) { return true }
    let child = instance.handle(Int(handle.layout.columns[column].target))
    try checkForm(value, child, property, handle)
    try update(row, child, try GivenValues(value, child.model))
    return true
  }

  /// Whether a value is the very object that an embedded link leads to.
  private func isRow(_ value: Any, _ current: Value, _ handle: TableHandle, _ column: Int) -> Bool {
    guard let object = Unwrapping.value(value) as? ObjectBase, object._instance === instance, let table = object._table,
      table.layout.index == Int(handle.layout.columns[column].target)
    else { return false }
    return current == .link(RowKey(object._key))
  }

  /// Updates embedded objects by position, takes surplus ones out and adds those that are missing.
  private func updateEmbeddedList(
    _ column: Int, _ property: ClassModel.Property, of key: RowKey, _ handle: TableHandle, to value: Any
  ) throws {
    let (id, table) = (ColumnID(column), handle.table)
    let new = try GivenValues.elements(value, property, of: handle.model)
    let count = writer.listCount(id, of: key, in: table)
    for (index, element) in new.enumerated() {
      if index < count,
        try updateEmbedded(
          writer.snapshot.listValue(at: index, of: id, of: key, in: table), property, handle, column, to: element)
      {
        continue
      }
      guard let target = try target(element, property, handle, column) else {
        throw Coercion.invalid("<null>", "NSNull", property, handle.model)
      }
      writer.append(contentsOf: [Value.link(target)], to: id, of: key, in: table)
    }
    if count > new.count { writer.remove(at: new.count, count: count - new.count, of: id, of: key, in: table) }
  }

  /// Updates embedded objects by name, takes those out that are not named and adds those that are missing.
  private func updateEmbeddedMap(
    _ column: Int, _ property: ClassModel.Property, of key: RowKey, _ handle: TableHandle, to value: Any
  ) throws {
    let (id, table) = (ColumnID(column), handle.table)
    let entries = try GivenValues.entries(value, property, of: handle.model)
    for (name, _) in entries { try checkKey(name, property, handle) }
    writer.removeKeys(notIn: Set(entries.map { Array($0.key.utf8) }), id, key, table)
    for (name, value) in entries {
      let bytes = Array(name.utf8)
      let current = writer.snapshot.mapValue(forKey: bytes, id, of: key, in: table)
      if let current, try updateEmbedded(current, property, handle, column, to: value) { continue }
      let new = try element(value, property, handle, column) ?? .null
      if new == .null, current == .null { continue }
      _ = writer.set(new, forKey: bytes, ofMap: id, of: key, in: table)
    }
  }

  /// Whether a collection is given to itself.
  private func isOwnContent(_ value: Any, _ column: ColumnID, _ key: RowKey, _ handle: TableHandle) -> Bool {
    guard let list = Unwrapping.value(value) as? any ManagedListIdentity, let owner = list.owner else { return false }
    return owner.table === handle && owner.key == key && owner.column == column
  }

  private func content(
    _ value: Any, _ kind: CollectionKind, _ property: ClassModel.Property, _ handle: TableHandle, _ column: Int
  ) throws -> StoredContent {
    if kind == .map {
      return .entries(
        try GivenValues.entries(value, property, of: handle.model).map { key, value in
          try checkKey(key, property, handle)
          return (key, try element(value, property, handle, column) ?? .null)
        })
    }
    return .elements(
      try GivenValues.elements(value, property, of: handle.model).map { value in
        guard let element = try element(value, property, handle, column) else {
          throw Coercion.invalid("<null>", "NSNull", property, handle.model)
        }
        return element
      })
  }

  private func checkKey(_ key: String, _ property: ClassModel.Property, _ handle: TableHandle) throws {
    if let problem = MapBase._problem(with: key) {
      throw InvalidValue(message: "\(problem) (property '\(handle.model.name).\(property.name)')")
    }
  }

  /// The stored form of a mixed value.
  private func mixed(_ value: Any, _ property: ClassModel.Property, _ handle: TableHandle) throws -> Value {
    guard let given = AnyRealmValue.given(value) else {
      throw Coercion.invalid(value, "\(type(of: value))", property, handle.model)
    }
    var copy = NestedCopy<any Error>(writer) { [self] (object: Object) throws(any Error) -> Value in
      if addsMixedObjects || object._instance === instance { return instance.reference(to: object) }
      guard let target = instance.handle(type(of: object)) else {
        throw Coercion.invalid(object, "\(type(of: object))", property, handle.model)
      }
      return .object(target.layout.number, try create(target, object, isNested: true))
    }
    return try copy.copy(given)
  }

  /// What a collection stores for an element; nil for the nil of a link.
  private func element(
    _ value: Any, _ property: ClassModel.Property, _ handle: TableHandle, _ column: Int
  ) throws -> Value? {
    if property.shape.type == .any { return try mixed(value, property, handle) }
    guard property.shape.type == .object else { return try Coercion.stored(value, property, of: handle.model) }
    return try target(value, property, handle, column).map { .link($0) }
  }

  // MARK: Links

  /// The row that a link leads to: that of a managed object of this realm, or one made of the value.
  private func target(
    _ input: Any, _ property: ClassModel.Property, _ handle: TableHandle, _ column: Int
  ) throws -> RowKey? {
    guard let value = Unwrapping.value(input) else { return nil }
    let table = instance.handle(Int(handle.layout.columns[column].target))
    try checkForm(value, table, property, handle)
    if let object = value as? ObjectBase, object._instance === instance {
      if object.isInvalidated {
        throw InvalidValue(message: "Object has been deleted or invalidated. (class '\(table.model.name)')")
      }
      if !table.layout.isOwned { return RowKey(object._key) }
    }
    return try create(table, value, isNested: true)
  }

  /// Checks that an object can be made of a value, as far as its form tells.
  private func checkForm(
    _ value: Any, _ target: TableHandle, _ property: ClassModel.Property, _ handle: TableHandle
  ) throws {
    if let object = value as? ObjectBase {
      if type(of: object) != target.model.type {
        throw Coercion.invalid("\(type(of: object))", "\(type(of: object))", property, handle.model)
      }
    } else if !(value is [AnyHashable: Any] || value is [Any]) {
      throw Coercion.invalid(value, "\(type(of: value))", property, handle.model)
    }
  }
}

/// A managed collection, as far as it takes to know it again.
protocol ManagedListIdentity {
  var owner: (table: TableHandle, key: RowKey, column: ColumnID)? { get }
}

extension ClassModel.Property {
  /// Whether the value, or what it holds, has to wait for the row.
  var isLinkOrCollection: Bool { shape.isCollection || shape.type == .object || shape.type == .any }
}

extension Value {
  /// How messages show a value.
  var text: String {
    switch self {
    case .null: "<null>"
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .float(let value): "\(value)"
    case .double(let value), .date(let value): "\(value)"
    case .string(let bytes): String(decoding: bytes, as: UTF8.self)
    case .uuid: UUID._make(_StoredValue(self)).map { "\($0)" } ?? ""
    case .data(let bytes): "\(bytes.count) bytes"
    case .objectID(let bytes): ObjectId(bytes).stringValue
    case .decimal128(let bits): DecimalFloat(bits).description
    case .link, .object, .list, .map: "\(self)"
    }
  }
}

extension RowInserter {
  mutating func set(_ column: ColumnID, _ value: Value) {
    if isMixed(column) { return setMixed(column, value) }
    switch value {
    case .null: setNull(column)
    case .bool(let value): setBool(column, value)
    case .int(let value): setInt(column, value)
    case .float(let value): setFloat(column, value)
    case .double(let value), .date(let value): setDouble(column, value)
    case .string(let bytes), .data(let bytes): bytes.withUnsafeBytes { setBytes(column, $0) }
    case .objectID(let value): setBytes12(column, value)
    case .uuid(let value), .decimal128(let value): setBytes16(column, value)
    case .link(let target): setLink(column, target)
    case .object, .list, .map: setMixed(column, value)
    }
  }
}
