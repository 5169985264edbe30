import FirnEngine

/// The order of a sorted view: its sort keys, then the key, so that no two entries are equal.
///
/// The key is that of the row, or the label of an element of a sequence. Values are read from a version when they are needed. A null value comes before every value, a row behind a null link
/// after every value; descending reverses both. A term may have both last, in either direction. Elements of a sequence that
/// are null come first of all, and last of all when the first term descends or has nulls last.
struct RowOrder {
  struct Term {
    /// The links to follow and the table each one leads to.
    var links: [(column: ColumnID, target: TableID)]
    var column: ColumnID
    /// Whose value counts, when the column holds maps.
    var mapKey: [UInt8]?
    var type: ColumnType
    var ascending: Bool
    var nullsLast: Bool

    /// How two values come, nil standing for a null link.
    fileprivate func order(_ a: Value?, _ b: Value?) -> Int {
      if nullsLast {
        let (isFirstNull, isSecondNull) = ((a ?? .null) == .null, (b ?? .null) == .null)
        if isFirstNull || isSecondNull { return (isFirstNull ? 1 : 0) - (isSecondNull ? 1 : 0) }
      }
      return ascending ? Self.plainOrder(a, b) : Self.plainOrder(b, a)
    }

    private static func plainOrder(_ a: Value?, _ b: Value?) -> Int {
      guard let a else { return b == nil ? 0 : 1 }
      guard let b else { return -1 }
      return a.order(to: b)
    }
  }

  let table: TableID
  let terms: [Term]
  /// What the keys are labels of; nil when they are those of rows.
  let sequence: ElementSequence?
  // Copies of the first term's fields, which every entry needs.
  private let firstColumn: ColumnID
  private let firstType: ColumnType
  private let firstAscends: Bool
  private let firstHasNullsLast: Bool
  private let firstIsDirect: Bool

  init(_ sort: [SortKey], table: TableID, schema: [TableDescription], sequence: ElementSequence? = nil) {
    self.table = table
    self.sequence = sequence
    terms = sort.map { key in
      var current = table
      var links: [(column: ColumnID, target: TableID)] = []
      for link in key.path.links {
        current = schema.target(of: link, in: current)
        links.append((link, current))
      }
      let type = schema[current.index].columns[key.path.column.index].type
      return Term(
        links: links, column: key.path.column, mapKey: key.mapKey, type: type, ascending: key.ascending,
        nullsLast: key.nullsLast)
    }
    firstColumn = terms[0].column
    firstType = terms[0].type
    firstAscends = terms[0].ascending
    firstHasNullsLast = terms[0].nullsLast
    firstIsDirect = terms[0].links.isEmpty && terms[0].mapKey == nil
  }

  func entry(for key: RowKey, in contents: GraphContents) -> OrderEntry {
    if sequence != nil, isNull(key.rawValue) {
      return OrderEntry(code: areNullElementsLast ? .max : 0, key: key.rawValue)
    }
    let code: SortCode
    if firstHasNullsLast {
      let value = value(of: key, terms[0], in: contents) ?? .null
      // Behind everything, once the codes of a descending term are turned round.
      code = value != .null ? self.code(value) : firstAscends ? .last : SortCode(rawValue: 0)
    } else if !firstIsDirect {
      code = value(of: key, terms[0], in: contents).map { self.code($0) } ?? .last
    } else {
      code = self.code(contents.value(firstColumn, of: row(key), in: table))
    }
    return OrderEntry(code: firstAscends ? code.rawValue : ~code.rawValue, key: key.rawValue)
  }

  /// The row that a key stands for.
  @inline(__always)
  private func row(_ key: RowKey) -> RowKey { sequence.map { RowKey($0.row(key.rawValue)) } ?? key }

  /// Whether a key stands for a null element.
  fileprivate func isNull(_ key: UInt64) -> Bool { sequence?.row(key) == ElementSequence.nullRow }

  fileprivate var areNullElementsLast: Bool { !firstAscends || firstHasNullsLast }

  /// Whether one of the first terms leads through a null link, or the element is null.
  func isMissing(_ key: RowKey, firstTerms: Int, in contents: GraphContents) -> Bool {
    if sequence != nil, isNull(key.rawValue) { return true }
    return terms[..<firstTerms].contains { !$0.links.isEmpty && value(of: key, $0, in: contents) == nil }
  }

  @inline(__always)
  private func code(_ value: Value) -> SortCode { firstType == .mixed ? SortCode(mixed: value) : SortCode(value) }

  /// The rows in order, with their codes. O(n log n).
  func entries(for keys: [RowKey], in contents: GraphContents) -> [OrderEntry] {
    var entries: [OrderEntry] = []
    entries.reserveCapacity(keys.count)
    for key in keys { entries.append(entry(for: key, in: contents)) }
    entries.sort { precedes($0, $1, in: contents) }
    return entries
  }

  /// The value of a term; nil when a link on the way is null.
  fileprivate func value(of key: RowKey, _ term: Term, in contents: GraphContents) -> Value? {
    var table = table
    var key = row(key)
    for link in term.links {
      guard case .link(let target) = contents.value(link.column, of: key, in: table) else { return nil }
      key = target
      table = link.target
    }
    guard let mapKey = term.mapKey else { return contents.value(term.column, of: key, in: table) }
    return contents.mapValue(forKey: mapKey, term.column, of: key, in: table) ?? .null
  }

  func precedes(_ a: OrderEntry, _ b: OrderEntry, in contents: GraphContents) -> Bool {
    if a.code != b.code { return a.code < b.code }
    var place = OrderPlace(b, self, contents)
    return place.isAfter(a)
  }

  /// Whether rows whose codes are equal also have equal first values.
  fileprivate func isExact(_ code: UInt64) -> Bool {
    SortCode(rawValue: firstAscends ? code : ~code).isExact(for: firstType)
  }
}

/// A row of a sorted view, with the first 64 bits of its place in the order.
struct OrderEntry: BitwiseCopyable {
  var code: UInt64
  var key: UInt64
}

/// The place of one row in an order, to be compared with many rows: reads the row's own values once at most.
struct OrderPlace {
  private let entry: OrderEntry
  private let order: RowOrder
  private let contents: GraphContents
  private let firstTerm: Int
  private var values: [Value?]

  init(_ entry: OrderEntry, _ order: RowOrder, _ contents: GraphContents) {
    self.entry = entry
    self.order = order
    self.contents = contents
    firstTerm = order.isExact(entry.code) ? 1 : 0
    values = []
  }

  @inline(__always)
  mutating func isAfter(_ other: OrderEntry) -> Bool {
    other.code != entry.code ? other.code < entry.code : isAfterTie(other)
  }

  @inline(never)
  private mutating func isAfterTie(_ other: OrderEntry) -> Bool {
    if other.key == entry.key { return false }
    if order.sequence != nil {
      let (isNull, isOtherNull) = (order.isNull(entry.key), order.isNull(other.key))
      if isNull != isOtherNull { return isNull == order.areNullElementsLast }
      if isNull { return other.key < entry.key }
    }
    let comparison = compareTerms(with: other, until: order.terms.count)
    return comparison == 0 ? other.key < entry.key : comparison < 0
  }

  /// Whether another row comes before all that are equal to this one in the first terms.
  mutating func isAfterGroup(_ other: OrderEntry, firstTerms: Int) -> Bool {
    other.code != entry.code ? other.code < entry.code : compareTerms(with: other, until: firstTerms) < 0
  }

  /// How the other row comes, by the terms that the code does not decide.
  private mutating func compareTerms(with other: OrderEntry, until end: Int) -> Int {
    var index = firstTerm
    while index < end {
      let term = order.terms[index]
      if values.count == index &- firstTerm {
        values.append(order.value(of: RowKey(entry.key), term, in: contents))
      }
      let own = values[index &- firstTerm]
      let comparison = term.order(order.value(of: RowKey(other.key), term, in: contents), own)
      if comparison != 0 { return comparison }
      index &+= 1
    }
    return 0
  }
}

extension [TableDescription] {
  func target(of link: ColumnID, in table: TableID) -> TableID {
    let column = self[table.index].columns[link.index]
    guard let target = column.target else {
      fatalError("'\(self[table.index].name).\(column.name)' is not a link.")
    }
    return target
  }
}
