import FirnEngine
import TestSupport
import Testing

/// Copies of rows outlive the version that they came from.
@Suite struct RowCopyTests {
  private static let rows = TableID(0)
  private static let link = ColumnID(1)
  private static let list = ColumnID(2)

  /// Five kinds of links lead to the rows.
  private static let schema: [TableDescription] = {
    let columns = [
      ColumnDescription(name: "text", type: .string), ColumnDescription(name: "link", type: .link, target: rows),
      ColumnDescription(name: "list", type: .link, collection: .list, target: rows),
    ]
    let linking = (1...3).map { number in
      TableDescription(name: "Linking\(number)", columns: [ColumnDescription(name: "to", type: .link, target: rows)])
    }
    return [TableDescription(name: "Row", columns: columns)] + linking
  }()

  @Test(arguments: 1...6 as ClosedRange<UInt64>) func copiesHaveNoBacklinks(seed: UInt64) throws {
    var random = SeededRandom(seed)
    let graph = Graph(schema: Self.schema, seed: HashSeed(1, 2), poisonsFreedBlocks: true)
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    let writer = graph.begin()
    let keys = (0..<10).map { number in
      writer.insert(into: Self.rows) { $0.set(ColumnID(0), Value("text \(number)")) }
    }
    for _ in 0..<60 {
      let (origin, target) = (keys[random.below(keys.count)], keys[random.below(keys.count)])
      switch random.below(5) {
      case 0: writer.setLink(Self.link, of: origin, in: Self.rows, to: target)
      case 1: writer.insert(.link(target), at: 0, of: Self.list, of: origin, in: Self.rows)
      default: writer.insert(into: TableID(1 + random.below(3))) { $0.setLink(ColumnID(0), target) }
      }
    }
    let contents = try graph.commit().version.contents
    let layout = contents.layout.tables[Self.rows.index]
    #expect(layout.backlinkCount == 5)
    for key in keys {
      let location = try #require(contents.locate(key, in: Self.rows))
      let copy = RowCopy.make(location, in: contents, table: Self.rows)
      defer { RowCopy.free(copy) }
      for index in 0..<layout.backlinkCount {
        let leaf = Cluster.optionalLeaf(copy, at: layout.backlinkOffset(index))
        #expect(leaf == nil, "seed \(seed), row \(key), backlink \(index)")
      }
    }
  }

  /// Columns of all types, null and not: a copy has what the row has.
  @Test func copiesHaveTheValuesOfTheirRows() throws {
    var random = QueryRandom(1)
    let model = try QueryModel(rowCount: 600, random: &random)
    let contents = model.contents
    let layout = contents.layout.tables[model.table.index]
    for key in model.keys {
      let copy = RowCopy.make(try #require(contents.locate(key, in: model.table)), in: contents, table: model.table)
      defer { RowCopy.free(copy) }
      let row = RowLocation(cluster: copy, slot: 0)
      #expect(RowCopy.isCopy(copy) && row.key == key)
      for index in 0..<layout.columnCount {
        let expected = contents.value(ColumnID(index), of: key, in: model.table)
        let column = layout.columns[index]
        guard column.storage == .interned else {
          // NaN differs from itself.
          let value = contents.value(index, at: row, in: layout)
          #expect(value == expected || "\(value) \(expected)".hasPrefix("nan"), "row \(key), column \(index)")
          continue
        }
        let bytes = RowCopy.internedBytes(copy, Int(column.offset)).map(Array.init)
        #expect(bytes == expected.storedBytes, "row \(key), column \(index)")
      }
    }
  }
}
