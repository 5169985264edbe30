internal import FirnEngine
internal import Foundation

/// A stored value that its property's type cannot be made from: the raw value of no case, what a custom type refuses, an
/// integer that is too wide.
public struct UnreadableValue: Sendable, Hashable, CustomStringConvertible {
  /// The class of the object.
  public let className: String
  /// The property.
  public let propertyName: String
  /// The object's primary key, or its number in the order of creation when the class has none.
  public let object: String
  /// What is stored.
  public let value: String

  /// Class, object, property and value.
  public var description: String {
    "\(className) '\(object)': the value '\(value)' of '\(propertyName)' cannot be converted"
  }
}

/// Finds unreadable values in a version whose tables may differ from those of the classes.
struct UnreadableValues {
  static let countMax = 1000

  private(set) var found: [UnreadableValue] = []
  private(set) var count = 0

  mutating func look(for models: [ClassModel], in snapshot: Snapshot, _ tables: [TableDescription]) {
    for model in models {
      guard let table = tables.firstIndex(where: { $0.name == model.name }) else { continue }
      for property in model.properties where !property.shape.isCollection && property.mayBeUnreadable {
        guard let column = tables[table].columns.firstIndex(where: { $0.name == property.name }),
          tables[table].columns[column].collection == nil,
          tables[table].columns[column].type == property.shape.type.columnType
        else { continue }
        look(property.value, property, model, snapshot, tables[table], TableID(table), ColumnID(column))
      }
    }
  }

  private mutating func look<Value: _Persistable>(
    _ type: Value.Type, _ property: ClassModel.Property, _ model: ClassModel, _ snapshot: Snapshot,
    _ description: TableDescription, _ table: TableID, _ column: ColumnID
  ) {
    var unreadable: [RowKey] = []
    snapshot.forEachKey(in: table) { key in
      let stored = snapshot.value(column, of: key, in: table)
      if Value._make(_StoredValue(stored)) == nil { unreadable.append(key) }
    }
    count += unreadable.count
    let primaryKey = description.columns.firstIndex(where: \.isPrimaryKey)
    for key in unreadable.prefix(Self.countMax - found.count) {
      let object =
        primaryKey.map { snapshot.value(ColumnID($0), of: key, in: table).text } ?? "\(key.rawValue)"
      found.append(
        UnreadableValue(
          className: model.name, propertyName: property.name, object: object,
          value: snapshot.value(column, of: key, in: table).text))
    }
  }
}

extension ClassModel.Property {
  /// Whether the type cannot be made from every value of its column.
  fileprivate var mayBeUnreadable: Bool {
    if shape.type == .object || shape.type == .any { return false }
    return shape.bitWidth < 64 || !Self.plainTypes.contains(ObjectIdentifier(value))
  }

  private static let plainTypes: Set<ObjectIdentifier> = {
    func both<Value>(_ type: Value.Type) -> [ObjectIdentifier] {
      [ObjectIdentifier(type), ObjectIdentifier(Value?.self)]
    }
    return Set(
      both(Bool.self) + both(Int.self) + both(Int64.self) + both(Float.self) + both(Double.self) + both(String.self)
        + both(Data.self) + both(Date.self) + both(UUID.self) + both(ObjectId.self) + both(Decimal128.self))
  }()
}
