internal import FirnEngine

extension SchemaValidation {
  /// The most properties of an index, and the most ordered indexes of a class.
  static var indexedPropertyCountMax: Int { 16 }
  static var indexCountMax: Int { 64 }

  /// The ordered indexes of a class: those of its properties, then those that it declares as a class. Notes what is wrong
  /// with them.
  ///
  /// - Parameters:
  ///   - position: The class among the models, whose tables come in the same order.
  mutating func indexes(
    ofClassAt position: Int, in models: [ClassModel], _ tables: [TableDescription]
  ) -> [IndexDescription] {
    let model = models[position]
    var indexes = model.properties.filter { $0.index == .ordered || $0.index == .unique }.map {
      IndexDescription(name: $0.name, paths: [ColumnPath(ColumnID($0.column))], isUnique: $0.index == .unique)
    }
    for declared in model.type.indexes() {
      guard let index = description(declared, position, models, tables) else { continue }
      if let other = indexes.first(where: { $0.paths == index.paths }) {
        note(
          model,
          "Class '\(model.name)' declares the index of '\(other.name)' twice. Keep one of them, the unique one if it is "
            + "to be unique.")
      }
      indexes.append(index)
    }
    if indexes.count > Self.indexCountMax {
      note(
        model,
        "Class '\(model.name)' has \(indexes.count) ordered indexes; \(Self.indexCountMax) is the most. Keep those that "
          + "queries use.")
    }
    return indexes
  }

  private mutating func description(
    _ index: Index, _ position: Int, _ models: [ClassModel], _ tables: [TableDescription]
  ) -> IndexDescription? {
    let model = models[position]
    let count = index.keyPaths.count
    if count == 0 || count > Self.indexedPropertyCountMax {
      note(
        model,
        "An index of class '\(model.name)' has \(count) properties; it needs 1 to \(Self.indexedPropertyCountMax).")
      return nil
    }
    var paths: [ColumnPath] = []
    var names: [String] = []
    for keyPath in index.keyPaths {
      guard let (path, name) = path(keyPath, position, models, tables) else { return nil }
      if paths.contains(path) {
        note(model, "An index of class '\(model.name)' names the property '\(name)' twice. Name it once.")
        return nil
      }
      paths.append(path)
      names.append(name)
    }
    if index.kind == .places { return placeIndex(names[0], paths[0], position, models, tables) }
    return IndexDescription(name: names.joined(separator: ", "), paths: paths, isUnique: index.kind == .unique)
  }

  private mutating func placeIndex(
    _ name: String, _ path: ColumnPath, _ position: Int, _ models: [ClassModel], _ tables: [TableDescription]
  ) -> IndexDescription? {
    let links = path.links + [path.column]
    var table = position
    for link in links { table = tables[table].columns[link.index].target?.index ?? table }
    guard let place = models[table].place(behind: links) else {
      note(
        models[position],
        "Class '\(models[position].name)' has an index of the places '\(name)', but class '\(models[table].name)' holds "
          + "none: it needs the columns 'type' (String) and 'coordinates' (List<Double>).")
      return nil
    }
    return IndexDescription(name: name, place: place)
  }

  private mutating func path(
    _ keyPath: AnyKeyPath, _ position: Int, _ models: [ClassModel], _ tables: [TableDescription]
  ) -> (ColumnPath, String)? {
    let model = models[position]
    let root = type(of: keyPath).rootType as? ObjectBase.Type
    let isOfClass = root.map { Self.isClass(model.type, $0) } ?? false
    let names = isOfClass ? StoreSchema.propertyNames(of: keyPath, on: model.type) : []
    if names.isEmpty {
      note(
        model,
        "An index of class '\(model.name)' has a key path that leads to no persisted property of the class. Write it as "
          + "\\\(model.name).property.")
      return nil
    }
    let name = names.joined(separator: ".")
    var (table, links) = (position, [ColumnID]())
    for (place, part) in names.enumerated() {
      guard let column = tables[table].columns.firstIndex(where: { $0.name == part }),
        tables[table].columns[column].collection == nil
      else {
        note(
          model,
          "An index of class '\(model.name)' leads through '\(name)', where '\(part)' is a collection. Only links to one "
            + "object can be followed.")
        return nil
      }
      let description = tables[table].columns[column]
      if place == names.count - 1 {
        if !models[table].properties[column].value.isValue(type(of: keyPath).valueType) {
          note(
            model,
            "An index of class '\(model.name)' goes on behind the property '\(name)'. Name the property itself.")
          return nil
        }
        return (ColumnPath(links: links, ColumnID(column)), name)
      }
      links.append(ColumnID(column))
      table = description.target?.index ?? table
    }
    return nil
  }

  private static func isClass<Root: ObjectBase>(_ type: ObjectBase.Type, _ root: Root.Type) -> Bool {
    type is Root.Type
  }
}

extension _Persistable {
  /// Whether a key path to values of a type, perhaps behind links that may be nil, ends at a property of this type.
  fileprivate static func isValue(_ type: Any.Type) -> Bool { type == Self.self || type == Self?.self }
}
