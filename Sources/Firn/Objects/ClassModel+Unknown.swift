internal import FirnEngine

extension ClassModel {
  /// Whether it is that of a class which the file has and the process has not.
  var isUnknown: Bool { type == DynamicObject.self }

  /// A class of the file that the process does not have; its objects are seen by name only.
  ///
  /// - Parameter names: What the properties are called, by column; hidden where it is nil.
  convenience init(unknown table: TableDescription, in tables: [TableDescription], names: [String?]? = nil) {
    // No wrapper is ever looked at.
    let properties = table.columns.enumerated().map { index, column in
      var shape = _PropertyShape(
        PropertyType(column.type), target: column.type == .link ? DynamicObject.self : nil)
      shape.isOptional = column.isNullable && column.type != .mixed
      shape.collection = column.collection
      return Property(
        name: names.map { $0[index] ?? "" } ?? column.name, column: index, offset: 0, wrapper: Persisted<Int>.self,
        value: Int.self,
        index: column.isIndexed ? .hash : nil, isPrimaryKey: column.isPrimaryKey, shape: shape, problem: nil,
        deleteRule: .nullify, columnName: column.storedName, targetName: column.target.map { tables[$0.index].name })
    }
    self.init(type: DynamicObject.self, name: table.name, properties: properties)
  }
}
