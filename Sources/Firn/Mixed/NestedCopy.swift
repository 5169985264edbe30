internal import FirnEngine

/// Copies collections into mixed values of a realm, level by level.
struct NestedCopy {
  private let instance: RealmInstance
  private let writer: Writer
  /// Collections whose rows are there, but not their content.
  private var rest: [(source: List<AnyRealmValue>, row: RowKey, depth: Int)] = []

  init(_ instance: RealmInstance, _ writer: Writer) {
    self.instance = instance
    self.writer = writer
  }

  /// The stored form of a collection, with everything inside it.
  mutating func copy(_ value: AnyRealmValue) -> Value {
    let root = begin(value, depth: 1)
    // The deepest first: one that contains itself soon is too deep.
    while let next = rest.popLast() {
      let lists = requireTable(writer.layout.nestedLists)
      // Read before anything is written: the collection may be a part of itself.
      let values = next.source.map { begin($0, depth: next.depth + 1) }
      writer.append(contentsOf: values, to: TableDescription.nestedColumn, of: next.row, in: lists)
    }
    return root
  }

  /// The stored form of a value; of a collection, with the content still to come.
  private mutating func begin(_ value: AnyRealmValue, depth: Int) -> Value {
    guard case .list(let source) = value else { return value.single(in: instance) }
    if depth > Self.depthMax {
      fatalError("Collections in a mixed value are nested more than \(Self.depthMax) levels deep.")
    }
    let row = writer.insert(into: requireTable(writer.layout.nestedLists)) { _ in }
    rest.append((source, row, depth))
    return .list(row)
  }

  /// How many levels of collections a mixed value can be given.
  static var depthMax: Int { 100 }

  private func requireTable(_ table: TableID?) -> TableID {
    guard let table else { fatalError("The realm's schema has no mixed properties.") }
    return table
  }
}
