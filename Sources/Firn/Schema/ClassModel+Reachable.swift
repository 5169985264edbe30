extension ClassModel {
  /// A class and all classes that links lead to from it, in either direction.
  static func reachable(from type: ObjectBase.Type) -> [ObjectBase.Type] {
    var types: [ObjectBase.Type] = []
    var pending: [ObjectBase.Type] = [type]
    var seen: Set<ObjectIdentifier> = []
    while let next = pending.popLast() {
      guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
      types.append(next)
      let model = ClassModel.of(next)
      pending += model.properties.compactMap(\.shape.target) + model.linkingProperties.map(\.origin)
    }
    return types
  }
}
