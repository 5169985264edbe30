internal import FirnEngine

/// Copies collections into mixed values of a realm, level by level.
struct NestedCopy {
  private let instance: RealmInstance
  private let writer: Writer
  /// Collections whose rows are there, but not their content.
  private var rest: [(source: AnyRealmValue, row: RowKey, depth: Int)] = []

  init(_ instance: RealmInstance, _ writer: Writer) {
    self.instance = instance
    self.writer = writer
  }

  /// The stored form of a collection, with everything inside it.
  mutating func copy(_ value: AnyRealmValue) -> Value {
    let root = begin(value, depth: 1)
    // The deepest first: one that contains itself soon is too deep.
    while let next = rest.popLast() {
      let column = TableDescription.nestedColumn
      switch next.source {
      case .list(let list):
        // Read before anything is written: the collection may be a part of itself.
        let values = Array(list).map { begin($0, depth: next.depth + 1) }
        writer.append(contentsOf: values, to: column, of: next.row, in: Self.require(writer.layout.nestedLists))
      case .dictionary(let map):
        let table = Self.require(writer.layout.nestedMaps)
        for (key, value) in map.entries {
          if let problem = MapBase._problem(with: key) { fatalError("\(problem) (a dictionary in a mixed value)") }
          let stored = begin(value, depth: next.depth + 1)
          writer.set(stored, forKey: Array(key.utf8), ofMap: column, of: next.row, in: table)
        }
      default: break
      }
    }
    return root
  }

  /// The stored form of a value; of a collection, with the content still to come.
  private mutating func begin(_ value: AnyRealmValue, depth: Int) -> Value {
    let isList: Bool
    switch value {
    case .list: isList = true
    case .dictionary: isList = false
    default: return value.single(in: instance)
    }
    if depth > Self.depthMax {
      fatalError("Collections in a mixed value are nested more than \(Self.depthMax) levels deep.")
    }
    let row = writer.insert(into: Self.require(isList ? writer.layout.nestedLists : writer.layout.nestedMaps)) { _ in }
    rest.append((value, row, depth))
    return isList ? .list(row) : .map(row)
  }

  /// How many levels of collections a mixed value can be given.
  static var depthMax: Int { 100 }

  private static func require(_ table: TableID?) -> TableID {
    guard let table else { fatalError("The realm's schema has no mixed properties.") }
    return table
  }
}
