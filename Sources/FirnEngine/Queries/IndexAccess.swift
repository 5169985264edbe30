/// One way to find all rows that may match: a row that does is found by one of the equalities on the primary key or hash
/// indexes, or lies in one of the ranges of ordered indexes.
struct IndexAccess {
  var probes: [IndexProbe] = []
  var ordered: [OrderedAccess] = []
  /// Whether every row that is found matches.
  var isComplete: Bool

  /// Whether no row is found twice: the probes are different values of one column.
  var isDisjoint: Bool {
    if ordered.isEmpty { return probes.allSatisfy { $0.columnIndex == probes[0].columnIndex } }
    return probes.isEmpty && ordered.count == 1
  }

  var isPrimaryKey: Bool { ordered.isEmpty && probes.allSatisfy(\.column.isPrimaryKey) }

  /// How many look-ups it takes.
  var lookupCount: Int { ordered.reduce(probes.count) { $0 + $1.bounds.count } }

  /// All ways into a condition, the best first as far as that is known without looking at data.
  ///
  /// - Parameter ordered: What the condition says about each ordered index.
  static func all(for draft: ConditionDraft, _ ordered: [OrderedAccess], _ constants: PlanConstants) -> [IndexAccess] {
    let indexes = ordered.map(\.index)
    var found: [IndexAccess] = []
    switch draft {
    case .test(let test, let values): found = equality(of: test.route, values, constants.memory)
    case .check(_, _, let route, let values): found = route.map { equality(of: $0, values, constants.memory) } ?? []
    case .any(let parts):
      if let union = union(of: parts, indexes, constants) { found = [union] }
    case .all(let parts):
      for part in parts {
        // What ordered indexes say is taken from all parts together.
        for var access in all(for: part, [], constants).prefix(1) {
          access.isComplete = false
          found.append(access)
        }
      }
      for case .any(let alternatives) in parts where !indexes.isEmpty {
        guard var access = union(of: alternatives, indexes, constants), !access.ordered.isEmpty else { continue }
        access.isComplete = false
        found.append(access)
      }
    case .constant, .not, .columns, .within: break
    }
    for access in ordered where access.boundCount > 0 {
      found.append(IndexAccess(ordered: [access], isComplete: access.isComplete))
    }
    return found.count < 2 ? found : found.sorted { $0.isBetter(than: $1) }
  }

  /// What every one of some conditions can be found by.
  private static func union(
    of parts: [ConditionDraft], _ indexes: [OrderedIndex], _ constants: PlanConstants
  ) -> IndexAccess? {
    var union = IndexAccess(isComplete: true)
    for part in parts {
      let ordered = indexes.map { OrderedAccess(part, $0, constants) }
      guard let access = all(for: part, ordered, constants).first else { return nil }
      union.probes += access.probes
      union.ordered += access.ordered
      union.isComplete = union.isComplete && access.isComplete
    }
    // The same value twice would count its rows twice.
    var seen: Set<IndexProbe.Identity> = []
    union.probes = union.probes.filter { seen.insert($0.identity).inserted }
    return union
  }

  private func isBetter(than other: IndexAccess) -> Bool {
    if isPrimaryKey != other.isPrimaryKey { return isPrimaryKey }
    if ordered.isEmpty != other.ordered.isEmpty { return ordered.isEmpty }
    if isComplete != other.isComplete { return isComplete }
    return lookupCount < other.lookupCount
  }

  private static func equality(of route: ResolvedPath, _ values: [Value], _ memory: QueryMemory) -> [IndexAccess] {
    let column = route.column
    let isFound = column.isPrimaryKey || column.isIndexed || column.storage == .link
    guard !values.isEmpty, route.isDirect, isFound, column.type != .decimal128 else { return [] }
    let probes = values.map { IndexProbe($0, column: column, index: route.columnIndex, memory: memory) }
    return [IndexAccess(probes: probes, isComplete: true)]
  }
}

/// One value to look up in the primary key, in a hash index, or among the rows that link to a row; in stored form.
struct IndexProbe {
  struct Identity: Hashable {
    let column: Int
    let value: Value
  }

  let column: ColumnLayout
  let columnIndex: Int
  let identity: Identity
  private var number: Int64 = 0
  private var real: Double = 0
  private var twelve = Bytes12(0, 0, 0)
  private var sixteen = Bytes16(low: 0, high: 0)
  private var bytes = UnsafeRawBufferPointer(start: nil, count: 0)

  init(_ value: Value, column: ColumnLayout, index: Int, memory: QueryMemory) {
    self.column = column
    columnIndex = index
    identity = Identity(column: index, value: value)
    switch value {
    case .bool(let value): number = value ? 1 : 0
    case .int(let value): number = value
    case .double(let value), .date(let value): real = value
    case .string(let value), .data(let value): bytes = memory.copy(value)
    case .objectID(let value): twelve = value
    case .uuid(let value): sixteen = value
    case .link(let target): number = Int64(target.rawValue)
    case .null, .float, .decimal128, .object, .list, .map: fatalError("Values of this kind are not looked up.")
    }
  }

  /// The row with this primary key.
  func find(_ contents: GraphContents, in table: TableID) -> RowLocation? {
    let root = contents.tableRoot(table)
    switch column.type {
    case .bool: return contents.find(BoolKey(number != 0), in: root, column: column)
    case .int: return contents.find(IntKey(number), in: root, column: column)
    case .double, .date: return contents.find(DoubleKey(real), in: root, column: column)
    case .string, .data: return contents.find(BytesKey(bytes), in: root, column: column)
    case .objectID: return contents.find(Bytes12Key(twelve), in: root, column: column)
    case .uuid: return contents.find(Bytes16Key(sixteen), in: root, column: column)
    case .float, .decimal128, .link, .mixed: return nil
    }
  }

  /// The rows with this value of an indexed column or of a link.
  func postings(_ contents: GraphContents) -> Postings? {
    switch column.type {
    case .bool: contents.postings(BoolKey(number != 0), column: column)
    case .int: contents.postings(IntKey(number), column: column)
    case .double, .date: contents.postings(DoubleKey(real), column: column)
    case .string, .data: contents.postings(BytesKey(bytes), column: column)
    case .objectID: contents.postings(Bytes12Key(twelve), column: column)
    case .uuid: contents.postings(Bytes16Key(sixteen), column: column)
    case .link:
      contents.backlinks(
        Int(column.backlink), of: RowKey(UInt64(number)), in: TableID(Int(column.target)))
    case .float, .decimal128, .mixed: nil
    }
  }

  /// How many rows it leads to.
  func count(_ contents: GraphContents, in table: TableID) -> Int {
    if column.isPrimaryKey { return find(contents, in: table) == nil ? 0 : 1 }
    return postings(contents)?.count ?? 0
  }

  func append(to keys: inout [UInt64], _ contents: GraphContents, in table: TableID) {
    if column.isPrimaryKey {
      if let location = find(contents, in: table) { keys.append(location.key.rawValue) }
      return
    }
    postings(contents)?.append(to: &keys)
  }
}

extension Postings {
  /// Appends the keys of the rows, ascending.
  package func append(to keys: inout [UInt64]) {
    var cursor = BacklinkLeaf.sources(leaf, slot)
    let start = keys.count
    keys.append(contentsOf: repeatElement(0, count: cursor.count))
    keys.withUnsafeMutableBufferPointer { keys in
      guard var target = keys.baseAddress.map({ $0 + start }) else { return }
      while let chunk = cursor.nextChunk() {
        chunk.decode(target)
        target += chunk.count
      }
    }
  }
}
