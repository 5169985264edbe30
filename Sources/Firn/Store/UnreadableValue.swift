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

  mutating func look(for models: [ClassModel], in contents: GraphContents, _ tables: [TableDescription]) {
    for model in models {
      guard let table = tables.firstIndex(where: { $0.name == model.name }) else { continue }
      for property in model.properties where !property.shape.isCollection && property.mayBeUnreadable {
        guard let column = tables[table].columns.firstIndex(where: { $0.name == property.columnName }),
          tables[table].columns[column].collection == nil,
          tables[table].columns[column].type == property.shape.type.columnType
        else { continue }
        let place = Place(
          property: property, model: model, contents: contents, tables: tables, table: TableID(table),
          column: ColumnID(column))
        if let custom = property.shape.custom, let type = property.shape.target {
          look(custom, storedAs: type, place)
        } else {
          look(property.value, place)
        }
      }
    }
  }

  /// A column that is looked through.
  private struct Place {
    let property: ClassModel.Property
    let model: ClassModel
    let contents: GraphContents
    let tables: [TableDescription]
    let table: TableID
    let column: ColumnID

    func value(_ key: RowKey) -> Value { contents.value(column, of: key, in: table) }
  }

  private mutating func look<Property: _Persistable>(_ type: Property.Type, _ place: Place) {
    place.contents.forEachKey(in: place.table) { key in
      let stored = place.value(key)
      if Property._make(_StoredValue(stored)) == nil { note(key, place, stored.text) }
    }
  }

  /// Values of a custom type that are stored as embedded objects.
  private mutating func look(
    _ custom: any _CustomPersistable.Type, storedAs type: ObjectBase.Type, _ place: Place
  ) {
    guard let table = place.tables[place.table.index].columns[place.column.index].target else { return }
    let columns = place.tables[table.index].columns
    let members = ClassModel.of(type).properties.filter { !$0.shape.isCollection }.compactMap { member in
      columns.firstIndex { $0.name == member.columnName }.map { (property: member, column: ColumnID($0)) }
    }
    place.contents.forEachKey(in: place.table) { key in
      // A null reads as the default.
      guard case .link(let row) = place.value(key) else { return }
      let object = type.init()
      let address = Unmanaged.passUnretained(object).toOpaque()
      var texts: [String] = []
      for (property, column) in members {
        let stored = place.contents.value(column, of: row, in: table)
        _ = property.wrapper.setUnmanaged(_StoredValue(stored), at: address + property.offset)
        texts.append("\(property.name): \(stored.text)")
      }
      if custom._converted(object) == nil { note(key, place, texts.joined(separator: ", ")) }
    }
  }

  private mutating func note(_ key: RowKey, _ place: Place, _ value: String) {
    count += 1
    if found.count == Self.countMax { return }
    let primaryKey = place.tables[place.table.index].columns.firstIndex(where: \.isPrimaryKey)
    let object =
      primaryKey.map { place.contents.value(ColumnID($0), of: key, in: place.table).text } ?? "\(key.rawValue)"
    found.append(
      UnreadableValue(
        className: place.model.name, propertyName: place.property.name, object: object, value: value))
  }
}

extension ClassModel.Property {
  /// Whether the type cannot be made from every value of its column.
  fileprivate var mayBeUnreadable: Bool {
    if shape.type == .object { return shape.custom != nil }
    if shape.type == .any { return false }
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
