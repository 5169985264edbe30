internal import FirnEngine
internal import Foundation

/// Names and key paths to columns.
extension ResultsCore {
  private var layout: GraphLayout { instance.store.graph.layout }

  func column(named name: String) -> ColumnID {
    guard let index = table.layout.descriptions.firstIndex(where: { $0.name == name }) else {
      fatalError("Invalid property name '\(name)': class '\(table.model.name)' has no such property.")
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

  func sortKey(_ keyPath: AnyKeyPath, ascending: Bool) -> SortKey {
    let names = StoreSchema.propertyNames(of: keyPath, on: table.model.type)
    if names.isEmpty {
      fatalError("Cannot sort on a key path of '\(table.model.name)' that is not a persisted property.")
    }
    return sortKey(names.joined(separator: "."), ascending: ascending)
  }

  func sortKey(_ keyPath: String, ascending: Bool) -> SortKey {
    func fail(_ reason: String) -> Never { fatalError("Cannot sort on key path '\(keyPath)': \(reason)") }
    if keyPath.contains("@") { fail("KVC collection operators are not supported.") }
    let names = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    var current = table.layout
    var links: [ColumnID] = []
    for (index, name) in names.enumerated() {
      if name.isEmpty { fail("missing property name.") }
      guard let column = current.descriptions.firstIndex(where: { $0.name == name }) else {
        fail("property '\(current.name).\(name)' does not exist.")
      }
      let description = current.descriptions[column]
      if let collection = description.collection {
        fail("property '\(current.name).\(name)' is of unsupported type '\(collection.propertyName)'.")
      }
      if index == names.count - 1 {
        if description.type == .link {
          fail("property '\(current.name).\(name)' of type 'object' cannot be the final property in the key path.")
        }
        if description.type == .data { fail("property '\(current.name).\(name)' is of unsupported type 'data'.") }
        return SortKey(ColumnPath(links: links, ColumnID(column)), ascending: ascending)
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

  /// The values of a column in the order of the results.
  func values(of column: ColumnID) -> [Any] {
    return allKeys().map { key -> Any in
      let value = instance.read { $0.value(column, of: RowKey(key), in: table.table) }
      if table.layout.columns[column.index].type == .mixed {
        return AnyRealmValue(value, in: instance, isDynamic: table.isDynamic).payload ?? NSNull()
      }
      if case .link(let target) = value {
        return instance.handle(table.targetNumber(of: column.index)).accessor(target)
      }
      return value.foundationValue
    }
  }
}

extension Value {
  /// The value as Swift and Foundation have it; null is `NSNull`.
  var foundationValue: Any {
    switch self {
    case .null: NSNull()
    case .bool(let value): value
    case .int(let value): Int(value)
    case .float(let value): value
    case .double(let value): value
    case .string(let bytes): String(decoding: bytes, as: UTF8.self)
    case .data(let bytes): Data(bytes)
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .uuid(let bytes): UUID(uuid: unsafeBitCast(bytes, to: uuid_t.self))
    case .objectID(let bytes): ObjectId(bytes)
    case .decimal128(let bits): Decimal128(bits)
    case .link, .object, .list, .map: NSNull()
    }
  }
}
