/// Which rows of which ordered indexes depend on a row: on what one of its columns holds, or on its being there.
struct OrderedReach: Sendable {
  /// The way from a row to the rows of an index whose path leads through it.
  struct Way: Hashable, Sendable {
    /// The number of the index.
    let index: Int
    /// The links to go back, the last one of the path first. Empty: the row itself is in the index.
    var links: [Link]
  }

  /// A link on a path, seen from its target.
  struct Link: Hashable, Sendable {
    /// The table that the link lies in.
    let origin: Int
    let column: Int
    /// Which of the target's backlink columns mirrors it.
    var backlink = -1
  }

  /// By table and column.
  private var byColumn: [[[Way]]]
  /// By table; where rows go when one is deleted.
  private var byTable: [[Way]]

  init(_ schema: [TableDescription]) {
    byColumn = schema.map { $0.columns.map { _ in [] } }
    byTable = schema.map { _ in [] }
    var number = 0
    for (root, table) in schema.enumerated() {
      for index in table.indexes {
        for path in index.reads { add(path, from: root, schema, number) }
        number += 1
      }
    }
  }

  private mutating func add(_ path: ColumnPath, from root: Int, _ schema: [TableDescription], _ number: Int) {
    var table = root
    var way = Way(index: number, links: [])
    for column in path.links + [path.column] {
      insert(way, into: &byColumn[table][column.index])
      insert(way, into: &byTable[table])
      let description = schema[table].columns[column.index]
      guard description.type == .link, let target = description.target else { continue }
      way.links.insert(Link(origin: table, column: column.index), at: 0)
      table = target.index
    }
    // An index that orders by a link depends on the link's target.
    if !way.links.isEmpty { insert(way, into: &byTable[table]) }
  }

  private func insert(_ way: Way, into ways: inout [Way]) {
    if !ways.contains(way) { ways.append(way) }
  }

  /// The same with the backlinks filled in.
  func bound(to tables: [TableLayout]) -> OrderedReach {
    func bound(_ way: Way) -> Way {
      var way = way
      for place in way.links.indices {
        let link = way.links[place]
        way.links[place].backlink = Int(tables[link.origin].columns[link.column].backlink)
      }
      return way
    }
    var reach = self
    reach.byColumn = byColumn.map { $0.map { $0.map(bound) } }
    reach.byTable = byTable.map { $0.map(bound) }
    return reach
  }

  /// The ways from a row of which a column is written.
  func readers(of column: ColumnID, in table: Int) -> [Way] { byColumn[table][column.index] }

  /// The ways from a row that is deleted.
  func dependents(on table: Int) -> [Way] { byTable[table] }
}
