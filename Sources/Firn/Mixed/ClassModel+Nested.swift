internal import FirnEngine

/// What the rows of collections inside mixed values look like. They are no objects.
extension ClassModel {
  static let nestedLists = nested(Persisted<List<AnyRealmValue>>.self, "elements")
  static let nestedMaps = nested(Persisted<Map<String, AnyRealmValue>>.self, "entries")

  private static func nested(_ wrapper: any PersistedProperty.Type, _ property: String) -> ClassModel {
    ClassModel(
      type: ObjectBase.self, name: "AnyRealmValue",
      properties: [
        Property(
          name: property, column: 0, offset: 0, wrapper: wrapper, value: wrapper.value, index: nil,
          isPrimaryKey: false, shape: wrapper.shape, problem: nil, deleteRule: .nullify, columnName: property,
          targetName: nil)
      ])
  }
}
