internal import FirnDurability
internal import FirnEngine

/// What the declarations of model classes give to new rows, in stored form.
///
/// State    guarded by
/// models   its lock
/// schema   immutable
final class DeclaredDefaults: Sendable {
  private let schema: StoreSchema
  private let models = Lock<[Int: [Int: ColumnDefault]]>([:])

  init(_ schema: StoreSchema) { self.schema = schema }

  /// What rows get that lack a column: the declared value, or one per row where two objects do not get the same.
  func value(table: Int, column: Int) -> ColumnDefault {
    guard table < schema.models.count else { return .empty }
    if let known = models.withLock({ $0[table] }) { return known[column] ?? .empty }
    let first = values(of: table)
    let second = values(of: table)
    var defaults: [Int: ColumnDefault] = [:]
    for (column, value) in first { defaults[column] = second[column] == value ? .value(value) : .perRow }
    let result = defaults
    models.withLock { $0[table] = result }
    return result[column] ?? .empty
  }

  /// The value for the next row.
  func next(table: Int, column: Int) -> Value { values(of: table)[column] ?? .null }

  /// The single values of a new object, but for links, and for types that refuse their own default: making such an
  /// object traps. Runs the initialiser of the class.
  private func values(of table: Int) -> [Int: Value] {
    let model = schema.models[table]
    let object = model.type.init()
    let address = Unmanaged.passUnretained(object).toOpaque()
    let properties = model.properties.filter { property in
      !property.shape.isCollection && property.shape.type != .object
        && withExtendedLifetime(object) { property.wrapper.hasDefault(at: address + property.offset) }
    }
    let scratch = Graph(
      schema: [
        TableDescription(
          name: model.name,
          columns: properties.map { property in
            ColumnDescription(
              name: property.name, type: property.shape.type.columnType, isNullable: property.shape.isOptional)
          })
      ], seed: HashSeed(1, 1))
    scratch.enterGateBlocking()
    defer { scratch.gate.leave() }
    let writer = scratch.begin()
    defer { scratch.cancel() }
    let key = withExtendedLifetime(object) {
      writer.insert(into: TableID(0)) { row in
        withUnsafeMutablePointer(to: &row) { row in
          for (column, property) in properties.enumerated() where property.shape.type != .any {
            property.value._insert(from: address + property.offset, into: _NewRow(inserter: row), column)
          }
        }
      }
    }
    var values: [Int: Value] = [:]
    for (column, property) in properties.enumerated() {
      values[property.column] =
        property.shape.type == .any
        ? Self.mixed(property, address, object) : writer.contents.value(ColumnID(column), of: key, in: TableID(0))
    }
    return values
  }

  /// The default of a mixed property; null where it is an object or a collection.
  private static func mixed(
    _ property: ClassModel.Property, _ address: UnsafeMutableRawPointer, _ object: ObjectBase
  ) -> Value {
    guard let value = property.wrapper.value(at: address + property.offset, of: object) as? AnyRealmValue else {
      return .null
    }
    return value.waitsForRow ? .null : value.scalar
  }
}
