internal import FirnEngine

extension StoreSchema {
  /// Checks that embedded classes have no primary key and do not contain themselves.
  func checkEmbedding() throws {
    for model in models where model.type.isEmbedded() {
      if let column = model.primaryKey {
        throw Realm.Error(
          .fail,
          "Embedded class '\(model.name)' has the primary key '\(model.properties[column].name)'. Embedded objects are "
            + "found through their owners: declare it without primaryKey, or derive the class from Object.")
      }
    }
    for model in models {
      for property in model.properties where property.shape.collection == .set {
        guard let target = property.shape.target, target.isEmbedded() else { continue }
        throw Realm.Error(
          .fail,
          "Property '\(model.name).\(property.name)' is a set of the embedded class '\(target.className())', which sets "
            + "cannot hold. Use a list or a map, or derive the class from Object.")
      }
    }
    // Whether a class is being visited, or has been.
    var isOpen: [Int: Bool] = [:]
    for start in models.indices where isOpen[start] == nil && models[start].type.isEmbedded() {
      var path: [(table: Int, next: Int)] = [(start, 0)]
      isOpen[start] = true
      while let (table, next) = path.last {
        guard next < tables[table].columns.count else {
          isOpen[table] = false
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let column = tables[table].columns[next]
        guard column.linkKind == .embedded, let target = column.target?.index else { continue }
        if isOpen[target] == true {
          throw Realm.Error(
            .fail,
            "Cycles containing embedded objects are not supported: '\(models[table].name).\(column.name)' leads back to "
              + "'\(models[target].name)'. Derive one of the classes from Object.")
        }
        if isOpen[target] == nil {
          isOpen[target] = true
          path.append((target, 0))
        }
      }
    }
  }
}
