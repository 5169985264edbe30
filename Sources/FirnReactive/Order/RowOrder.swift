import FirnEngine

/// The order of a sorted view: its sort keys, then the row key, so that no two rows are equal.
///
/// Values are read from a version when they are needed. A null value comes before every value, a row behind a null link
/// after every value; descending reverses both. A term may have both last, in either direction.
struct RowOrder: Sendable {
  struct Term: Sendable {
    /// The links to follow and the table each one leads to.
    var links: [(column: ColumnID, target: TableID)]
    var column: ColumnID
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
  // Copies of the first term's fields, which every entry needs.
  private let firstColumn: ColumnID
  private let firstType: ColumnType
  private let firstAscends: Bool
  private let firstHasNullsLast: Bool
  private let firstFollowsLinks: Bool

  init(_ sort: [SortKey], table: TableID, schema: [TableDescription]) {
    self.table = table
    terms = sort.map { key in
      var current = table
      var links: [(column: ColumnID, target: TableID)] = []
      for link in key.path.links {
        current = schema.target(of: link, in: current)
        links.append((link, current))
      }
      let type = schema[current.index].columns[key.path.column.index].type
      return Term(links: links, column: key.path.column, type: type, ascending: key.ascending, nullsLast: key.nullsLast)
    }
    firstColumn = terms[0].column
    firstType = terms[0].type
    firstAscends = terms[0].ascending
    firstHasNullsLast = terms[0].nullsLast
    firstFollowsLinks = !terms[0].links.isEmpty
  }

  func entry(for key: RowKey, in snapshot: Snapshot) -> OrderEntry {
    let code: SortCode
    if firstHasNullsLast {
      let value = value(of: key, terms[0], in: snapshot) ?? .null
      // Behind everything, once the codes of a descending term are turned round.
      code = value != .null ? self.code(value) : firstAscends ? .last : SortCode(rawValue: 0)
    } else if firstFollowsLinks {
      code = value(of: key, terms[0], in: snapshot).map { self.code($0) } ?? .last
    } else {
      code = self.code(snapshot.value(firstColumn, of: key, in: table))
    }
    return OrderEntry(code: firstAscends ? code.rawValue : ~code.rawValue, key: key.rawValue)
  }

  @inline(__always)
  private func code(_ value: Value) -> SortCode { firstType == .mixed ? SortCode(mixed: value) : SortCode(value) }

  /// The rows in order, with their codes. O(n log n).
  func entries(for keys: [RowKey], in snapshot: Snapshot) -> [OrderEntry] {
    var entries: [OrderEntry] = []
    entries.reserveCapacity(keys.count)
    for key in keys { entries.append(entry(for: key, in: snapshot)) }
    entries.sort { precedes($0, $1, in: snapshot) }
    return entries
  }

  /// The value of a term; nil when a link on the way is null.
  fileprivate func value(of key: RowKey, _ term: Term, in snapshot: Snapshot) -> Value? {
    var table = table
    var key = key
    for link in term.links {
      guard case .link(let target) = snapshot.value(link.column, of: key, in: table) else { return nil }
      key = target
      table = link.target
    }
    return snapshot.value(term.column, of: key, in: table)
  }

  func precedes(_ a: OrderEntry, _ b: OrderEntry, in snapshot: Snapshot) -> Bool {
    if a.code != b.code { return a.code < b.code }
    var place = OrderPlace(b, self, snapshot)
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
  private let snapshot: Snapshot
  private let firstTerm: Int
  private var values: [Value?]

  init(_ entry: OrderEntry, _ order: RowOrder, _ snapshot: Snapshot) {
    self.entry = entry
    self.order = order
    self.snapshot = snapshot
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
    var index = firstTerm
    while index < order.terms.count {
      let term = order.terms[index]
      if values.count == index &- firstTerm {
        values.append(order.value(of: RowKey(entry.key), term, in: snapshot))
      }
      let own = values[index &- firstTerm]
      let comparison = term.order(order.value(of: RowKey(other.key), term, in: snapshot), own)
      if comparison != 0 { return comparison < 0 }
      index &+= 1
    }
    return other.key < entry.key
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
