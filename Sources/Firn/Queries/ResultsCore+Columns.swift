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

  /// The keys that a key path sorts by. One that is computed sorts by everything that it reads and objects can be
  /// sorted by.
  ///
  /// - Parameter subject: Makes the value that the key path is applied to, if that is not the object itself.
  func sortKeys(
    _ keyPath: AnyKeyPath, ascending: Bool, nilsLast: Bool = false, _ subject: (ObjectBase) -> Any = { $0 }
  ) -> [SortKey] {
    // The usual case, without its name.
    if let own = ownColumns[keyPath, tableIndex], table.layout.descriptions[own.column.index].type != .data {
      return [SortKey(ColumnPath(own.column), ascending: ascending, nullsLast: nilsLast)]
    }
    let type = table.model.type
    let path = StoreSchema.tracedPath(of: keyPath, on: type, subject)
    if !path.names.isEmpty, !ExactProperty.isExact(keyPath, on: type, subject) {
      return path.reads.compactMap { read in
        sortablePath(read).map {
          SortKey($0, mapKey: read.mapKey.map { Array($0.utf8) }, ascending: ascending, nullsLast: nilsLast)
        }
      }
    }
    return [sortKey(path, keyPath, ascending: ascending, nilsLast: nilsLast)]
  }

  /// The key of a key path that leads to a property.
  private func sortKey(
    _ path: StoreSchema.TracedPath, _ keyPath: AnyKeyPath, ascending: Bool, nilsLast: Bool
  ) -> SortKey {
    check(path, to: "sort")
    let column = valuePath(path.names.joined(separator: "."), to: "sort", mapKey: path.mapKey)
    if Swift.type(of: keyPath).rootType is ObjectBase.Type, column.links.isEmpty, path.mapKey == nil,
      let own = ownColumn(ClassPath.of(keyPath, on: table.model.type))
    {
      ownColumns.insert(keyPath, tableIndex, own)
    }
    return SortKey(
      column, mapKey: path.mapKey.map { Array($0.utf8) }, ascending: ascending, nullsLast: nilsLast)
  }

  /// The path to what was read, if objects can be sorted by that.
  private func sortablePath(_ read: StoreSchema.TracedPath.Read) -> ColumnPath? {
    var current = table.layout
    var links: [ColumnID] = []
    for (index, name) in read.names.enumerated() {
      guard let column = current.descriptions.firstIndex(where: { $0.name == name }) else { return nil }
      let description = current.descriptions[column]
      if index == read.names.count - 1 {
        let isSortable =
          read.mapKey == nil
          ? description.isSortable
          : description.collection == .map && description.type != .link && description.type != .data
        return isSortable ? ColumnPath(links: links, ColumnID(column)) : nil
      }
      guard description.type == .link, description.collection == nil else { return nil }
      links.append(ColumnID(column))
      current = layout.tables[Int(current.columns[column].target)]
    }
    return nil
  }

  func sortKey(_ descriptor: SortDescriptor) -> SortKey {
    if let column = table.layout.descriptions.firstIndex(where: { $0.name == descriptor.keyPath }),
      table.layout.descriptions[column].isSortable
    {
      return SortKey(
        ColumnPath(ColumnID(column)), ascending: descriptor.ascending, nullsLast: descriptor.nilsLast)
    }
    let (keyPath, mapKey) = Self.mapSubscript(of: descriptor.keyPath)
    return SortKey(
      valuePath(keyPath, to: "sort", mapKey: mapKey), mapKey: mapKey.map { Array($0.utf8) },
      ascending: descriptor.ascending, nullsLast: descriptor.nilsLast)
  }

  /// A key path and the key of a map at its end, as in `address.phones['home']`; quotes may be left out.
  private static func mapSubscript(of keyPath: String) -> (keyPath: String, mapKey: String?) {
    guard keyPath.hasSuffix("]"), let start = keyPath.firstIndex(of: "["), start != keyPath.startIndex else {
      return (keyPath, nil)
    }
    var key = keyPath[keyPath.index(after: start)...].dropLast()
    if let quote = key.first, quote == "'" || quote == "\"", key.count > 1, key.last == quote {
      key = key.dropFirst().dropLast()
    }
    return (String(keyPath[..<start]), String(key))
  }

  /// The path to a value that rows can be compared by.
  ///
  /// Traps for a key path that is computed, and for one that reads nothing persisted.
  ///
  /// - Parameter action: What the path is for, in a message.
  func valuePath(_ keyPath: AnyKeyPath, to action: String) -> ColumnPath {
    let type = table.model.type
    let path = StoreSchema.tracedPath(of: keyPath, on: type)
    check(path, to: action)
    if !ExactProperty.isExact(keyPath, on: type) { ExactProperty.trapForComputed(path, on: type, to: action) }
    return valuePath(path.names.joined(separator: "."), to: action)
  }

  private func check(_ path: StoreSchema.TracedPath, to action: String) {
    if path.names.isEmpty {
      fatalError("Cannot \(action) on a key path of '\(table.model.name)' that is not a persisted property.")
    }
  }

  /// - Parameter mapKey: Whose value is meant, when the path ends with a map.
  func valuePath(_ keyPath: String, to action: String, mapKey: String? = nil) -> ColumnPath {
    let shown = keyPath + (mapKey.map { "['\($0)']" } ?? "")
    func fail(_ reason: String) -> Never { fatalError("Cannot \(action) on key path '\(shown)': \(reason)") }
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
      if let mapKey, index == names.count - 1 {
        if description.collection != .map { fail("'\(current.name).\(name)' is no dictionary with a key '\(mapKey)'.") }
        if description.type == .link || description.type == .data {
          fail("dictionary '\(current.name).\(name)' has values of unsupported type '\(description.type)'.")
        }
        return ColumnPath(links: links, ColumnID(column))
      }
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

extension ColumnDescription {
  /// Whether rows can be compared by it.
  fileprivate var isSortable: Bool { collection == nil && type != .link && type != .data }
}
