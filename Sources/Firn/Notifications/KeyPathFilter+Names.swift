internal import FirnEngine
internal import FirnReactive

/// Key paths by the names of properties.
extension KeyPathFilter {
  /// The filter of an observer; no key paths means no filter. Traps when one names a property that does not exist.
  static func make(_ names: [[String]]?, _ table: Int, _ realm: RealmInstance, followsLinks: Bool) -> KeyPathFilter {
    guard let names, !names.isEmpty else {
      return realm.observers().stage.filter(ofEverythingIn: table, followsLinks: followsLinks)
    }
    return KeyPathFilter(names, table, realm.store)
  }

  /// Only these key paths count. Traps when one names a property that does not exist.
  init(_ names: [[String]], _ table: Int, _ store: Store) {
    self.init(paths: names.map { PathStep.steps($0, from: table, store) })
  }
}

extension PathStep {
  /// The properties that names stand for. Traps when one does not exist.
  fileprivate static func steps(_ names: [String], from table: Int, _ store: Store) -> [PathStep] {
    var table: Int? = table
    var owner = store.model(table.unsafelyUnwrapped).name
    return names.map { name in
      guard let current = table else { Self.trap(name, owner) }
      let model = store.model(current)
      if let property = model.linkingProperties.first(where: { $0.name == name }) {
        let origin = store.schema.origin(of: property)
        table = origin.table.index
        owner = store.model(origin.table.index).name
        return .backlinks(origin: origin.table, origin.column)
      }
      let columns = store.graph.layout.schema[current].columns
      guard let column = columns.firstIndex(where: { $0.name == name }) else { Self.trap(name, owner) }
      table = columns[column].target?.index
      owner = table.map { store.model($0).name } ?? "\(owner).\(name)"
      return .column(ColumnID(column))
    }
  }

  private static func trap(_ name: String, _ owner: String) -> Never {
    fatalError("Invalid key path: property '\(name)' not found in object of type '\(owner)'.")
  }
}
