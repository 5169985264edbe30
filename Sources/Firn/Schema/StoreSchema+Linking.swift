internal import FirnEngine

extension StoreSchema {
  /// Checks that every `LinkingObjects` property names a property that links to its class.
  func checkLinkingProperties(of model: ClassModel) throws {
    for linking in model.linkingProperties {
      let name = "\(model.name).\(linking.name)"
      let origin = "\(linking.origin.className()).\(linking.originProperty)"
      func failure(_ problem: String) -> Realm.Error { Realm.Error(.fail, problem) }
      if linking.originProperty.isEmpty {
        throw failure(
          "Property '\(name)' must set the origin property name: declare it with @Persisted(originProperty:).")
      }
      guard let table = index(of: linking.origin) else {
        throw failure(
          "Property '\(name)' shows links from class '\(linking.origin.className())', which is missing from the "
            + "schema. Add it to Configuration.objectTypes.")
      }
      guard let property = models[table].properties.first(where: { $0.name == linking.originProperty }) else {
        throw failure(
          "Property '\(origin)' declared as origin of linking objects property '\(name)' does not exist. Name a "
            + "persisted property of '\(linking.origin.className())'.")
      }
      guard property.shape.type == .object, let target = property.shape.target else {
        throw failure(
          "Property '\(origin)' declared as origin of linking objects property '\(name)' is not a link. Name a link, "
            + "or a collection of links, to '\(model.name)'.")
      }
      if target != model.type {
        throw failure(
          "Property '\(origin)' declared as origin of linking objects property '\(name)' links to type "
            + "'\(target.className())'. Name one that links to '\(model.name)'.")
      }
    }
  }

  /// Where the links of a `LinkingObjects` property come from.
  func origin(of linking: ClassModel.LinkingProperty) -> TableHandle.Origin {
    guard let table = index(of: linking.origin),
      let column = models[table].properties.firstIndex(where: { $0.name == linking.originProperty })
    else { fatalError("Property '\(linking.name)' has an origin that the schema does not have.") }
    return TableHandle.Origin(table: TableID(table), column: ColumnID(column), name: linking.originProperty)
  }
}
