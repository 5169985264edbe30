internal import FirnEngine

extension SchemaValidation {
  /// Checks that embedded classes have no primary key, are in no set, and do not contain themselves.
  mutating func checkEmbedding(_ models: [ClassModel]) {
    for model in models where model.type.isEmbedded() {
      guard let column = model.primaryKey else { continue }
      let key = model.properties[column].name
      note(
        model, key,
        "Embedded class '\(model.name)' has the primary key '\(key)'. Embedded objects are found through their owners: "
          + "declare it without primaryKey, or derive the class from Object.")
    }
    for model in models {
      for property in model.properties where property.shape.collection == .set {
        guard let target = property.shape.target, target.isEmbedded() else { continue }
        note(
          model, property.name,
          "Property '\(model.name).\(property.name)' is a set of the embedded class '\(target.className())', which sets "
            + "cannot hold. Use a list or a map, or derive the class from Object.")
      }
    }
    checkCycles(models)
  }

  private mutating func checkCycles(_ models: [ClassModel]) {
    let indexes = Dictionary(models.indices.map { (ObjectIdentifier(models[$0].type), $0) }) { first, _ in first }
    // Whether a class is being visited, or has been.
    var isOpen: [Int: Bool] = [:]
    for start in models.indices where isOpen[start] == nil && models[start].type.isEmbedded() {
      var path: [(model: Int, next: Int)] = [(start, 0)]
      isOpen[start] = true
      while let (index, next) = path.last {
        let model = models[index]
        guard next < model.properties.count else {
          isOpen[index] = false
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let property = model.properties[next]
        guard let type = property.shape.target, type.isEmbedded(), let target = indexes[ObjectIdentifier(type)] else {
          continue
        }
        if isOpen[target] == true {
          note(
            model, property.name,
            "Cycles containing embedded objects are not supported: '\(model.name).\(property.name)' leads back to "
              + "'\(models[target].name)'. Derive one of the classes from Object.")
          return
        }
        if isOpen[target] == nil {
          isOpen[target] = true
          path.append((target, 0))
        }
      }
    }
  }
}
