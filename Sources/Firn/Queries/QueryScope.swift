internal import FirnEngine

/// Finds the columns that key paths stand for in a store.
struct QueryScope {
  private let store: Store

  init(_ store: Store) { self.store = store }

  /// The columns that a key path leads through from a table.
  struct Path: Sendable {
    var columns: [ColumnID]
    var name: String
    /// The table that the last column links to, or -1.
    var target: Int

    var last: ColumnID { columns[columns.count - 1] }
  }

  func path(_ keyPath: AnyKeyPath, _ type: ObjectBase.Type, _ table: Int) -> Path {
    if let known = store.keyPaths.withLock({ $0[keyPath, table] }) { return known }
    let path = resolve(StoreSchema.propertyNames(of: keyPath, on: type), type, table)
    store.keyPaths.withLock { $0[keyPath, table] = path }
    return path
  }

  private func resolve(_ names: [String], _ type: ObjectBase.Type, _ table: Int) -> Path {
    if names.isEmpty {
      fatalError("A query on '\(type.className())' uses a property that is not persisted.")
    }
    var path = Path(columns: [], name: names.joined(separator: "."), target: table)
    for name in names {
      guard path.target >= 0,
        let column = store.schema.tables[path.target].columns.firstIndex(where: { $0.name == name })
      else { fatalError("Class '\(type.className())' has no property '\(name)' that could be used in a query.") }
      let description = store.schema.tables[path.target].columns[column]
      if description.isList {
        fatalError("Property '\(type.className()).\(name)' is a list, which queries do not support.")
      }
      path.columns.append(ColumnID(column))
      path.target = description.target?.index ?? -1
    }
    return path
  }

}

/// What key paths stand for, by identity: equal key paths are the same object if they are written in the same place.
struct KeyPathCache {
  private var paths: [Key: (keyPath: AnyKeyPath, path: QueryScope.Path)] = [:]

  private struct Key: Hashable {
    let keyPath: ObjectIdentifier
    let table: Int
  }

  subscript(keyPath: AnyKeyPath, table: Int) -> QueryScope.Path? {
    get { paths[Key(keyPath: ObjectIdentifier(keyPath), table: table)]?.path }
    set {
      // Key paths made at run time are new objects each time.
      if paths.count >= 4096 { paths.removeAll() }
      paths[Key(keyPath: ObjectIdentifier(keyPath), table: table)] = newValue.map { (keyPath, $0) }
    }
  }
}
