/// The layouts of all tables: those of the schema first, then one hidden value table per hash index.
///
/// A *value table* holds each distinct value of an indexed column once, as its primary key, and as backlinks the rows
/// that have it. So an index is made of parts that exist anyway: unique look-up and backlinks.
@usableFromInline
package final class GraphLayout: Sendable {
  @usableFromInline package let tables: [TableLayout]
  /// The number of tables of the schema.
  package let visibleCount: Int
  package let schema: [TableDescription]
  /// The columns of mixed values, by `ColumnLayout.backlink`.
  package let mixedColumns: [(table: TableID, column: ColumnID)]
  /// The table whose rows hold the lists inside mixed values, and the one for maps; nil when the schema has none.
  package let nestedLists: TableID?
  package let nestedMaps: TableID?
  private let tablesByNumber: [UInt32: TableID]
  /// What all hashes of the graph start from. Random in a server, so that clients cannot choose keys that collide.
  @usableFromInline package let seed: HashSeed
  /// Whether any link is of another kind than `nullify`.
  package let hasLinkKinds: Bool
  /// The ordered indexes of all tables, table by table.
  package let orderedIndexes: [OrderedIndex]
  private let indexesByTable: [[OrderedIndex]]
  /// The numbers of those that are unique.
  let uniqueIndexes: [Int]
  /// Which rows of ordered indexes a change concerns.
  let orderedReach: OrderedReach

  package init(schema: [TableDescription], seed: HashSeed) {
    self.schema = schema
    self.seed = seed
    visibleCount = schema.count
    hasLinkKinds = schema.contains { $0.columns.contains { $0.linkKind != .nullify } }
    var owned: Set<Int> = []
    var columns: [[ColumnLayout]] = schema.map { $0.columns.map(ColumnLayout.init) }
    var descriptions: [[ColumnDescription]] = schema.map(\.columns)
    var names = schema.map(\.name)
    var backlinks: [[BacklinkLayout]] = Array(repeating: [], count: schema.count)

    var mixedColumns: [(table: TableID, column: ColumnID)] = []
    for table in schema.indices {
      if schema[table].columns.count > ColumnSet.capacity {
        fatalError("Table '\(schema[table].name)' has more than \(ColumnSet.capacity) columns.")
      }
      for column in schema[table].columns.indices {
        let description = schema[table].columns[column]
        let isPosting: Bool
        if description.type == .mixed {
          columns[table][column].backlink = Int32(mixedColumns.count)
          mixedColumns.append((TableID(table), ColumnID(column)))
          continue
        } else if description.type == .link {
          guard let target = description.target else {
            fatalError("Link column '\(schema[table].name).\(description.name)' has no target table.")
          }
          columns[table][column].target = Int32(target.index)
          if description.linkKind == .embedded { owned.insert(target.index) }
          isPosting = false
        } else if description.isIndexed {
          columns[table][column].target = Int32(columns.count)
          var value = description
          value.isNullable = false
          value.isIndexed = false
          value.isPrimaryKey = true
          columns.append([ColumnLayout(value)])
          descriptions.append([value])
          names.append("\(schema[table].name).\(description.name)")
          backlinks.append([])
          isPosting = true
        } else {
          continue
        }
        let target = Int(columns[table][column].target)
        columns[table][column].backlink = Int32(backlinks[target].count)
        backlinks[target].append(
          BacklinkLayout(originTable: Int32(table), originColumn: Int32(column), isPosting: isPosting))
      }
    }
    let reach = OrderedReach(schema)
    for table in schema.indices {
      for column in schema[table].columns.indices {
        columns[table][column].isOrdered = !reach.readers(of: ColumnID(column), in: table).isEmpty
      }
    }
    var indexCount: Int32 = 0
    for table in schema.indices {
      for index in schema[table].indexes {
        let first = index.paths[0]
        if index.place == nil, first.links.isEmpty, columns[table][first.column.index].leadingIndex < 0 {
          columns[table][first.column.index].leadingIndex = indexCount
        }
        indexCount += 1
      }
    }
    // A mixed value may lead to any table of the schema.
    let mixedBacklinks = mixedColumns.map { table, column in
      BacklinkLayout(originTable: Int32(table.index), originColumn: Int32(column.index))
    }
    let numbers = schema.indices.map { schema[$0].number != 0 ? schema[$0].number : UInt32($0 + 1) }
    tables = columns.indices.map { index in
      TableLayout(
        index: index, name: names[index], isVisible: index < schema.count, columns: columns[index],
        ownBacklinks: backlinks[index], mixedBacklinks: index < schema.count ? mixedBacklinks : [],
        descriptions: descriptions[index], number: index < schema.count ? numbers[index] : 0,
        isOwned: owned.contains(index),
        content: index < schema.count ? schema[index].content : .objects,
        hasOrderedIndexes: index < schema.count && !schema[index].indexes.isEmpty)
    }
    orderedReach = reach.bound(to: tables)
    var indexes: [OrderedIndex] = []
    for (table, description) in schema.enumerated() {
      for index in description.indexes {
        indexes.append(
          OrderedIndex(
            index, number: indexes.count, table: TableID(table), slot: tables.count + indexes.count, tables: tables))
      }
    }
    orderedIndexes = indexes
    indexesByTable = schema.indices.map { table in indexes.filter { $0.table.index == table } }
    uniqueIndexes = indexes.filter(\.isUnique).map(\.number)
    self.mixedColumns = mixedColumns
    tablesByNumber = Dictionary(uniqueKeysWithValues: numbers.enumerated().map { ($1, TableID($0)) })
    nestedLists = schema.firstIndex { $0.content == .lists }.map { TableID($0) }
    nestedMaps = schema.firstIndex { $0.content == .maps }.map { TableID($0) }
  }

  /// The ordered indexes of a table.
  package func orderedIndexes(of table: TableID) -> [OrderedIndex] {
    tables[table.index].hasOrderedIndexes ? indexesByTable[table.index] : []
  }

  /// The table that mixed values call by a number.
  package func table(number: UInt32) -> TableID? { tablesByNumber[number] }

  /// The table that a reference leads to; nil when the schema has none such.
  package func table(of reference: MixedReference) -> TableID? {
    switch reference.target {
    case .table(let number): table(number: number)
    case .lists: nestedLists
    case .maps: nestedMaps
    }
  }

  /// Whether a table holds collections inside mixed values.
  package func isNested(_ table: TableID) -> Bool { table == nestedLists || table == nestedMaps }
}

extension ColumnLayout {
  fileprivate init(_ description: ColumnDescription) {
    let storage: ColumnStorage
    var elementSize = 8
    switch description.collection {
    case .list: storage = .list
    case .set: storage = .set
    case .map: storage = .map
    case nil:
      switch description.type {
      case .bool: storage = .bits
      case .int: storage = .int
      case .link: storage = .link
      case .string, .data: storage = description.isIndexed ? .interned : .bytes
      case .mixed: storage = .bytes
      case .float, .double, .date, .objectID, .uuid, .decimal128:
        storage = .fixed
        elementSize = description.type.width
      }
    }
    self.init(
      type: description.type, storage: storage, isNullable: description.isNullable,
      isIndexed: description.isIndexed && description.collection == nil, isPrimaryKey: description.isPrimaryKey,
      elementSize: UInt8(elementSize), offset: 0, nullOffset: 0, linkKind: description.linkKind, target: -1,
      backlink: -1)
  }
}

extension ColumnType {
  /// The bytes of one value in a fixed leaf or in a collection; strings and data in collections are references of 8 bytes.
  package var width: Int {
    switch self {
    case .bool: 1
    case .float: 4
    case .int, .double, .date, .string, .data, .link, .mixed: 8
    case .objectID: 12
    case .uuid, .decimal128: 16
    }
  }
}
