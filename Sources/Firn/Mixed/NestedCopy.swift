internal import FirnEngine

/// Makes the stored form of mixed values; collections are copied, level by level.
struct NestedCopy<Failure: Error> {
  private let writer: Writer
  /// The stored form of an object.
  private let reference: (Object) throws(Failure) -> Value
  /// Collections whose rows are there, but not their content.
  private var rest: [(source: AnyRealmValue, row: RowKey, depth: Int)] = []

  init(_ writer: Writer, reference: @escaping (Object) throws(Failure) -> Value) {
    self.writer = writer
    self.reference = reference
  }

  /// The stored form of a value, with everything inside it.
  mutating func copy(_ value: AnyRealmValue) throws(Failure) -> Value {
    let root = try begin(value, depth: 1)
    // The deepest first: one that contains itself soon is too deep.
    while let next = rest.popLast() {
      let column = TableDescription.nestedColumn
      switch next.source {
      case .list(let list):
        let table = Self.require(writer.layout.nestedLists)
        // Read before anything is written: the collection may be a part of itself.
        var values: [Value] = []
        for value in Array(list) { values.append(try begin(value, depth: next.depth + 1)) }
        writer.append(contentsOf: values, to: column, of: next.row, in: table)
      case .dictionary(let map):
        let table = Self.require(writer.layout.nestedMaps)
        for (key, value) in map.entries {
          if let problem = MapBase._problem(with: key) { fatalError("\(problem) (a dictionary in a mixed value)") }
          let stored = try begin(value, depth: next.depth + 1)
          writer.set(stored, forKey: Array(key.utf8), ofMap: column, of: next.row, in: table)
        }
      default: break
      }
    }
    return root
  }

  /// The stored form of a value; of a collection, with the content still to come.
  private mutating func begin(_ value: AnyRealmValue, depth: Int) throws(Failure) -> Value {
    let table: TableID
    switch value {
    case .list: table = Self.require(writer.layout.nestedLists)
    case .dictionary: table = Self.require(writer.layout.nestedMaps)
    case .object(let object): return try reference(object)
    default: return value.scalar
    }
    if depth > NestedDepth.most {
      fatalError("Collections in a mixed value are nested more than \(NestedDepth.most) levels deep.")
    }
    let row = writer.insert(into: table) { _ in }
    rest.append((value, row, depth))
    return table == writer.layout.nestedLists ? .list(row) : .map(row)
  }

  private static func require(_ table: TableID?) -> TableID {
    guard let table else { fatalError("The realm's schema has no mixed properties.") }
    return table
  }
}

/// How many levels of collections a mixed value can be given.
enum NestedDepth {
  static var most: Int { 100 }
}
