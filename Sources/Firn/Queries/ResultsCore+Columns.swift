internal import FirnEngine

/// Names and key paths to columns.
extension ResultsCore {
  private var layout: GraphLayout { instance.store.graph.layout }

  func column(named name: String) -> ColumnID {
    guard let index = table.layout.descriptions.firstIndex(where: { $0.name == name }) else {
      table.model.trapForProperty(named: name)
    }
    return ColumnID(index)
  }

  func name(of path: ColumnPath) -> String {
    var current = table.layout
    var names: [String] = []
    for link in path.links {
      names.append(current.descriptions[link.index].name)
      current = layout.tables[Int(current.columns[link.index].target)]
    }
    return (names + [current.descriptions[path.column.index].name]).joined(separator: ".")
  }

  func sortKey(_ keyPath: AnyKeyPath, ascending: Bool, nilsLast: Bool = false) -> SortKey {
    SortKey(valuePath(keyPath, to: "sort"), ascending: ascending, nullsLast: nilsLast)
  }

  func sortKey(_ descriptor: SortDescriptor) -> SortKey {
    SortKey(
      valuePath(descriptor.keyPath, to: "sort"), ascending: descriptor.ascending, nullsLast: descriptor.nilsLast)
  }

  /// The path to a value that rows can be compared by.
  ///
  /// - Parameter action: What the path is for, in a message.
  func valuePath(_ keyPath: AnyKeyPath, to action: String) -> ColumnPath {
    let names = StoreSchema.propertyNames(of: keyPath, on: table.model.type)
    if names.isEmpty {
      fatalError("Cannot \(action) on a key path of '\(table.model.name)' that is not a persisted property.")
    }
    return valuePath(names.joined(separator: "."), to: action)
  }

  func valuePath(_ keyPath: String, to action: String) -> ColumnPath {
    func fail(_ reason: String) -> Never { fatalError("Cannot \(action) on key path '\(keyPath)': \(reason)") }
    if keyPath.contains("@") { fail("KVC collection operators are not supported.") }
    let names = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    var current = table.layout
    var links: [ColumnID] = []
    for (index, name) in names.enumerated() {
      if name.isEmpty { fail("missing property name.") }
      guard let column = current.descriptions.firstIndex(where: { $0.name == name }) else {
        let model = instance.store.schema.models[current.index]
        if model.linkingProperties.contains(where: { $0.name == name }) {
          fail("property '\(current.name).\(name)' is of unsupported type 'linking objects'.")
        }
        fail(
          "property '\(current.name).\(name)' does not exist."
            + Spelling.suggestion(for: name, among: current.descriptions.map(\.name)))
      }
      let description = current.descriptions[column]
      if let collection = description.collection {
        if collection == .map { fail("missing dictionary key: '\(current.name).\(name)' is a dictionary.") }
        fail("property '\(current.name).\(name)' is of unsupported type '\(collection.propertyName)'.")
      }
      if index == names.count - 1 {
        if description.type == .link {
          fail("property '\(current.name).\(name)' of type 'object' cannot be the final property in the key path.")
        }
        if description.type == .data { fail("property '\(current.name).\(name)' is of unsupported type 'data'.") }
        return ColumnPath(links: links, ColumnID(column))
      }
      if description.type != .link {
        fail(
          "property '\(current.name).\(name)' of type '\(description.type)' may only be the final property in the key path."
        )
      }
      links.append(ColumnID(column))
      current = layout.tables[Int(current.columns[column].target)]
    }
    fail("missing property name.")
  }
}
