import FirnEngine

/// Owners, their embedded children and parts, linked in every way a link can be meant; and what they should hold.
struct OwnershipModel {
  static let owner = TableID(0)
  static let part = TableID(1)
  static let child = TableID(2)
  /// The column of an owner that is a map.
  static let named = 7

  static let tables: [TableDescription] = [
    TableDescription(
      name: "Owner",
      columns: [
        ColumnDescription(name: "id", type: .int, isPrimaryKey: true),
        ColumnDescription(name: "child", type: .link, target: child, linkKind: .embedded),
        list("children", child, .embedded),
        ColumnDescription(name: "partner", type: .link, target: owner, linkKind: .cascade),
        list("parts", part, .cascade),
        ColumnDescription(name: "guarded", type: .link, target: part, linkKind: .deny),
        ColumnDescription(name: "friend", type: .link, target: owner),
        ColumnDescription(name: "named", type: .link, collection: .map, target: child, linkKind: .embedded),
        ColumnDescription(name: "chosen", type: .link, collection: .set, target: part, linkKind: .cascade),
      ]),
    TableDescription(
      name: "Part",
      columns: [
        ColumnDescription(name: "id", type: .int, isPrimaryKey: true),
        ColumnDescription(name: "next", type: .link, target: part, linkKind: .cascade),
        list("watched", owner, .deny),
      ]),
    TableDescription(
      name: "Child",
      columns: [
        ColumnDescription(name: "number", type: .int, isIndexed: true),
        ColumnDescription(name: "grandchild", type: .link, target: child, linkKind: .embedded),
        list("nested", child, .embedded),
        ColumnDescription(name: "part", type: .link, target: part, linkKind: .cascade),
        ColumnDescription(name: "owner", type: .link, target: owner),
      ]),
  ]

  private static func list(_ name: String, _ target: TableID, _ kind: LinkKind) -> ColumnDescription {
    ColumnDescription(name: name, type: .link, collection: .list, target: target, linkKind: kind)
  }

  struct Row: Equatable {
    /// The targets by column: at most one of a link, any number of a collection, in its order.
    var links: [Int: [UInt64]] = [:]
    /// The targets in the map, by name.
    var named: [String: UInt64] = [:]
  }

  struct Denial {
    let targets: [UInt64]
    let table: TableID
  }

  var rows: [[UInt64: Row]] = [[:], [:], [:]]
  /// What must be gone at the next commit.
  var denials: [Denial] = []

  static func linkColumns(_ table: TableID) -> [Int] {
    tables[table.index].columns.indices.filter { tables[table.index].columns[$0].type == .link }
  }

  static func description(_ table: TableID, _ column: Int) -> ColumnDescription { tables[table.index].columns[column] }

  func keys(_ table: TableID) -> [UInt64] { rows[table.index].keys.sorted() }

  /// Gives a link or list other targets, and deletes embedded ones that were replaced.
  mutating func setTargets(_ targets: [UInt64], _ column: Int, of key: UInt64, in table: TableID) {
    let old = rows[table.index][key]?.links[column] ?? []
    rows[table.index][key]?.links[column] = targets
    let description = Self.description(table, column)
    if description.linkKind == .embedded, let target = description.target {
      delete(old.filter { !targets.contains($0) }, from: target)
    }
  }

  /// Gives a name in the map another target, or none.
  mutating func setNamed(_ name: String, _ target: UInt64?, of key: UInt64) {
    rows[Self.owner.index][key]?.named[name] = target
    let named = rows[Self.owner.index][key]?.named ?? [:]
    setTargets(named.sorted { $0.key < $1.key }.map(\.value), Self.named, of: key, in: Self.owner)
  }

  mutating func delete(_ keys: [UInt64], from table: TableID) {
    var pending = keys.map { (table, $0) }
    while let (table, key) = pending.popLast() {
      guard let row = rows[table.index][key] else { continue }
      for (column, targets) in row.links where !targets.isEmpty {
        let description = Self.description(table, column)
        let target = description.target!
        switch description.linkKind {
        case .cascade, .embedded: pending += targets.map { (target, $0) }
        case .deny: denials.append(Denial(targets: targets, table: target))
        case .nullify: break
        }
      }
      rows[table.index][key] = nil
      for origin in rows.indices {
        for column in Self.linkColumns(TableID(origin)) where Self.description(TableID(origin), column).target == table
        {
          for other in rows[origin].keys {
            rows[origin][other]?.links[column]?.removeAll { $0 == key }
            if origin == Self.owner.index, column == Self.named {
              let kept = rows[origin][other]?.named.filter { $0.value != key }
              rows[origin][other]?.named = kept ?? [:]
            }
          }
        }
      }
    }
  }

  var isDenied: Bool {
    denials.contains { denial in denial.targets.contains { rows[denial.table.index][$0] != nil } }
  }

  /// What a graph holds.
  init(_ contents: GraphContents) {
    for table in [Self.owner, Self.part, Self.child] {
      contents.forEachKey(in: table) { key in
        var row = Row()
        for column in Self.linkColumns(table) {
          var targets: [UInt64] = []
          if Self.description(table, column).collection != nil {
            for index in 0..<contents.listCount(ColumnID(column), of: key, in: table) {
              if case .link(let target) = contents.listValue(at: index, of: ColumnID(column), of: key, in: table) {
                targets.append(target.rawValue)
                guard table == Self.owner, column == Self.named else { continue }
                let name = contents.mapKey(at: index, of: ColumnID(column), of: key, in: table)
                row.named[String(decoding: name, as: UTF8.self)] = target.rawValue
              }
            }
          } else if case .link(let target) = contents.value(ColumnID(column), of: key, in: table) {
            targets.append(target.rawValue)
          }
          row.links[column] = targets
        }
        rows[table.index][key.rawValue] = row
      }
    }
  }

  init() {}
}
