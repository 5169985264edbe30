internal import FirnEngine

extension SchemaValidation {
  /// Checks that every `LinkingObjects` property names a property that links to its class.
  mutating func checkLinkingProperties(of model: ClassModel, _ models: [ClassModel]) {
    for linking in model.linkingProperties {
      let name = "\(model.name).\(linking.name)"
      let origin = "\(linking.origin.className()).\(linking.originProperty)"
      if linking.originProperty.isEmpty {
        note(
          model, linking.name,
          "Property '\(name)' must set the origin property name: declare it with @Persisted(originProperty:).")
        continue
      }
      guard let other = models.first(where: { $0.type == linking.origin }) else {
        note(
          model, linking.name,
          "Property '\(name)' shows links from class '\(linking.origin.className())', which is missing from the "
            + "schema. Add it to Configuration.objectTypes.")
        continue
      }
      guard let property = other.properties.first(where: { $0.name == linking.originProperty }) else {
        note(
          model, linking.name,
          "Property '\(origin)' declared as origin of linking objects property '\(name)' does not exist. Name a "
            + "persisted property of '\(linking.origin.className())'.")
        continue
      }
      guard property.shape.type == .object, let target = property.shape.target else {
        note(
          model, linking.name,
          "Property '\(origin)' declared as origin of linking objects property '\(name)' is not a link. Name a link, "
            + "or a collection of links, to '\(model.name)'.")
        continue
      }
      if target != model.type {
        note(
          model, linking.name,
          "Property '\(origin)' declared as origin of linking objects property '\(name)' links to type "
            + "'\(target.className())'. Name one that links to '\(model.name)'.")
      }
    }
  }
}

extension StoreSchema {
  /// Where the links of a `LinkingObjects` property come from.
  func origin(of linking: ClassModel.LinkingProperty) -> TableHandle.Origin {
    guard let table = index(of: linking.origin),
      let column = models[table].properties.firstIndex(where: { $0.name == linking.originProperty })
    else { fatalError("Property '\(linking.name)' has an origin that the schema does not have.") }
    return TableHandle.Origin(table: TableID(table), column: ColumnID(column), name: linking.originProperty)
  }
}
