/// What is looked for in an ordered index: the values of its first paths, or of all, and a place among the rows that have
/// them.
struct OrderedProbe {
  /// A place among the rows whose values are the wanted ones.
  enum Tie {
    case before, after
    /// Where the row with this key is or would be.
    case row(UInt64)
  }

  private let values: UnsafeMutableBufferPointer<OrderedValue>
  private let resolved: UnsafeMutablePointer<ResolvedPath>
  private let rows: UnsafeRawPointer
  private let contents: GraphContents
  /// Between these lie the codes of all rows that have the values.
  let lowCode: UInt64
  let highCode: UInt64
  private let exactCount: Int

  /// - Parameter values: As many as there are paths, or fewer. They must stay where they are.
  init(_ values: UnsafeMutableBufferPointer<OrderedValue>, _ index: OrderedIndex, _ contents: GraphContents) {
    self.values = values
    self.contents = contents
    resolved = index.resolved
    rows = contents.tableRoot(index.table)
    let code = index.code(values)
    lowCode = code.bits
    highCode = code.last
    exactCount = code.exactCount
  }

  /// How an entry stands to the wanted values: negative, zero or positive as it comes before, among or after them.
  @inline(__always)
  func order(of entry: OrderedEntry) -> Int {
    if entry.code < lowCode { return -1 }
    if entry.code > highCode { return 1 }
    return exactCount == values.count ? 0 : compare(entry.row)
  }

  @inline(__always)
  func isAfter(_ entry: OrderedEntry, _ tie: Tie) -> Bool {
    let order = order(of: entry)
    if order != 0 { return order < 0 }
    return switch tie {
    case .before: false
    case .after: true
    case .row(let key): entry.row < key
    }
  }

  @inline(never)
  private func compare(_ row: UInt64) -> Int {
    guard let location = Directory.locate(rows, row) else {
      fatalError("An ordered index leads to a row that does not exist.")
    }
    var place = exactCount
    while place < values.count {
      let path = UnsafePointer(resolved + place)
      let order = OrderedValue(path, location, contents).order(to: values[place], path.pointee.column.type)
      if order != 0 { return order }
      place &+= 1
    }
    return 0
  }

  /// Whether any of the values is null, or behind a null link.
  var hasNull: Bool { values.contains { $0.rank == .null || $0.rank == .missing } }

  /// How many entries of a tree come before the place.
  @inline(__always)
  func rank(_ root: UnsafeRawPointer?, _ tie: Tie) -> Int {
    OrderedTree.rank(root) { isAfter($0, tie) }
  }

  /// Puts the entry of a row with the values into a tree.
  func insert(_ row: UInt64, into root: UnsafeMutableRawPointer?, _ store: BlockStore) -> UnsafeMutableRawPointer {
    let entry = OrderedEntry(code: lowCode, row: row)
    if isExact { return OrderedTree.insert(entry, into: root, store) { $0.precedes(entry) } }
    return OrderedTree.insert(entry, into: root, store) { isAfter($0, .row(row)) }
  }

  /// Takes the entry of a row with the values out of a tree; false when it is not there.
  func remove(_ row: UInt64, from root: inout UnsafeMutableRawPointer?, _ store: BlockStore) -> Bool {
    let entry = OrderedEntry(code: lowCode, row: row)
    if isExact {
      return OrderedTree.remove(
        row, from: &root, store, precedes: { $0.precedes(entry) }, reaches: { !entry.precedes($0) })
    }
    return OrderedTree.remove(
      row, from: &root, store, precedes: { isAfter($0, .row(row)) }, reaches: { isAfter($0, .row(row &+ 1)) })
  }

  /// Whether codes tell all that there is to the values.
  private var isExact: Bool { exactCount == values.count && lowCode == highCode }
}
