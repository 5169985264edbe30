internal import FirnEngine
internal import FirnReactive

/// Where the keys of sections come from.
enum SectionKeySource<Element: RealmCollectionValue> {
  /// The property that is sorted by first.
  case property(SortKey)
  /// A block of the user, which gives the stored form of what it returns.
  case block((Element) -> Value)

  /// A block whose keys are stored values. Traps when it returns an object or a collection.
  static func calling<Key: _Persistable & Hashable>(_ block: @escaping (Element) -> Key) -> SectionKeySource {
    .block { element in
      let key = block(element)
      if let mixed = key as? AnyRealmValue {
        switch mixed {
        case .object, .list, .dictionary: SectionFailure.linkAsKey()
        default: return mixed.scalar
        }
      }
      let constant = key._constant
      return constant.string.map { Value($0) } ?? constant.value
    }
  }

  /// A key path that is computed.
  static func evaluating<Key: _Persistable & Hashable>(_ keyPath: KeyPath<Element, Key>) -> SectionKeySource {
    calling { $0[keyPath: keyPath] }
  }

  /// What decides about the keys, as far as it is known: a block may read anything of an element.
  func filter(in results: ResultsCore) -> KeyPathFilter {
    switch self {
    case .property(let key): KeyPathFilter(paths: [key.path.reads])
    case .block: results.everythingBehind
    }
  }

  var isProperty: Bool { if case .property = self { true } else { false } }

  /// The keys of rows in a version.
  ///
  /// - Parameter core: The query in a realm that shows that version, for blocks.
  func keys(of rows: [RowKey], in contents: GraphContents, _ core: () -> ResultsCore) -> [Value] {
    switch self {
    case .property(let key):
      let reader = PropertyReader(key, core())
      return rows.map { reader.value(of: $0, in: contents) }
    case .block(let block):
      let results = Results<Element>(core: core())
      return rows.map { row in results.element { row }.map(block) ?? .null }
    }
  }
}

/// Reads the values of a property to sort by.
struct PropertyReader {
  private let key: SortKey
  private let table: TableID

  init(_ key: SortKey, _ core: ResultsCore) {
    self.key = key
    table = core.table.table
  }

  /// Whether rows with equal values always lie together in the order: nulls and rows behind null links need not.
  var isContiguous: Bool { key.path.links.isEmpty && key.mapKey == nil }

  func value(of row: RowKey, in contents: GraphContents) -> Value {
    guard let mapKey = key.mapKey else { return contents.value(at: key.path, of: row, in: table) }
    var (table, row) = (table, row)
    for link in key.path.links {
      guard case .link(let target) = contents.value(link, of: row, in: table) else { return .null }
      table = TableID(Int(contents.layout.tables[table.index].columns[link.index].target))
      row = target
    }
    return contents.mapValue(forKey: mapKey, key.path.column, of: row, in: table) ?? .null
  }
}

/// What goes wrong with sections.
enum SectionFailure {
  static func linkAsKey() -> Never {
    fatalError("Links are not supported as section keys, nor are collections. Use a property of the object.")
  }

  static func vanished(_ key: Value) -> Never {
    fatalError(
      "Access to invalidated Results objects: there is no section with the key '\(key)' any more. Ask isInvalidated "
        + "before.")
  }

  static func noDescriptors() -> Never {
    fatalError(
      "There must be at least one SortDescriptor when making SectionedResults: empty sortDescriptor parameter.")
  }

  static func otherDescriptor(_ paths: [String], _ descriptor: String) -> Never {
    let paths = paths.map { "'\($0)'" }.joined(separator: " or ")
    fatalError("The section key path must match the primary sort descriptor: '\(descriptor)' is not \(paths).")
  }
}
