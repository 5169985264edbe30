import FirnEngine
import TestSupport
import Testing

@Suite struct OrderedIndexTests {
  /// Random transactions in which indexes are looked at in between, one by one or all; held versions stay as they were.
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func rowsAreInOrder(seed: UInt64) throws {
    print("Ordered index seed \(seed)")
    var model = OrderedModel(seed: seed)
    model.spread = [5, 40, 1_000, 100_000][Int(seed % 4)]
    let emptyBlockCount = model.graph.allocatedBlockCount
    try model.write { writer in
      for _ in 0..<4 { model.insert(OrderedModel.country, writer) }
      for _ in 0..<30 { model.insert(OrderedModel.airport, writer) }
      for _ in 0..<900 { model.insert(OrderedModel.flight, writer) }
    }
    var held: [Version] = []
    for step in 0..<30 {
      model.graph.enterGateBlocking()
      let writer = model.graph.begin()
      for _ in 0..<(1 + model.random.below(40)) { try operate(&model, writer) }
      if step % 7 == 3 {
        model.graph.cancel()
      } else {
        _ = try model.graph.commit()
      }
      model.graph.gate.leave()
      let version = model.graph.holdHead()
      version.contents.checkInvariants()
      if step % 5 == 0 { held.append(version) }
    }
    for version in held { try model.check(version.contents) }
    held = []
    try model.write { writer in
      for table in [OrderedModel.country, OrderedModel.flight, OrderedModel.airport] { writer.deleteAll(from: table) }
    }
    model.graph.holdHead().contents.checkInvariants()
    let most = model.graph.layout.tables.reduce(0) { $0 + $1.columnCount + 3 }
    #expect(model.graph.allocatedBlockCount - emptyBlockCount <= most)
    model.graph.checkInvariants()
  }

  private func operate(_ model: inout OrderedModel, _ writer: Writer) throws {
    let tables = [OrderedModel.flight, OrderedModel.flight, OrderedModel.airport, OrderedModel.country]
    let table = tables[model.random.below(4)]
    switch model.random.below(100) {
    case 0..<20: for _ in 0..<(1 + model.random.below(6)) { model.insert(table, writer) }
    case 20..<65: for _ in 0..<(1 + model.random.below(4)) { model.update(table, writer) }
    case 65..<80: if let key = model.key(table, writer.contents) { writer.delete([key], from: table) }
    case 80..<82:
      var keys: [RowKey] = []
      writer.contents.forEachKey(in: table) { key in if model.random.chance(30) { keys.append(key) } }
      writer.delete(keys, from: table)
    case 82..<84: for _ in 0..<200 { model.update(OrderedModel.flight, writer) }
    case 84..<94:
      let number = model.random.below(model.graph.layout.orderedIndexes.count)
      writer.settleOrdered(number)
      try model.check(writer.settledContents, number)
    default: writer.indexedContents.checkInvariants()
    }
  }

  /// A graph goes on as before when a transaction was cancelled after its indexes had been looked at.
  @Test func cancellingPutsRowsBack() throws {
    var model = OrderedModel(seed: 9)
    try model.write { writer in
      for _ in 0..<10 { model.insert(OrderedModel.airport, writer) }
      for _ in 0..<500 { model.insert(OrderedModel.flight, writer) }
    }
    for isMany in [false, true] {
      model.graph.enterGateBlocking()
      let writer = model.graph.begin()
      for _ in 0..<(isMany ? 400 : 5) { model.update(OrderedModel.flight, writer) }
      _ = writer.indexedContents
      for _ in 0..<(isMany ? 400 : 5) { model.update(OrderedModel.flight, writer) }
      model.insert(OrderedModel.flight, writer)
      model.graph.cancel()
      model.graph.gate.leave()
      model.graph.holdHead().contents.checkInvariants()
      try model.write { writer in
        model.update(OrderedModel.flight, writer)
        model.insert(OrderedModel.flight, writer)
      }
      model.graph.holdHead().contents.checkInvariants()
    }
  }

  /// No rows, one row, all rows alike, all null.
  @Test(arguments: [0, 1, 300, 10_000])
  func rowsMayBeAlike(count: Int) throws {
    let model = OrderedModel(seed: 1)
    let keys = try model.write { writer in
      (0..<count).map { index in
        writer.insert(into: OrderedModel.flight) { inserter in
          if index % 2 == 0 { inserter.set(OrderedModel.delay, .int(7)) }
        }
      }
    }
    let first = model.graph.holdHead()
    first.contents.checkInvariants()
    let index = model.graph.layout.orderedIndexes[1]
    #expect(first.contents.positions(of: [.int(7)], in: index).count == (count + 1) / 2)
    #expect(first.contents.positions(of: [.null], in: index) == 0..<(count / 2))
    #expect(first.contents.positions(of: [.int(8)], in: index) == count..<count)
    #expect(first.contents.key(at: count, of: index) == nil)
    // One after the other, then back.
    for value in [Value.null, .int(7)] {
      try model.write { writer in
        for key in keys.prefix(200).reversed() {
          writer.set(OrderedModel.delay, of: key, in: OrderedModel.flight, to: value)
          writer.settleOrdered(1)
        }
      }
      model.graph.holdHead().contents.checkInvariants()
    }
    first.contents.checkInvariants()
  }

  /// One link that many rows lead through: renaming its target, exchanging it, deleting it.
  @Test func manyRowsMayDependOnOne() throws {
    let model = OrderedModel(seed: 2)
    let airports = try model.write { writer in
      (0..<40).map { index in
        writer.insert(into: OrderedModel.airport) { $0.set(OrderedModel.city, Value("city \(index)")) }
      }
    }
    try model.write { writer in
      for index in 0..<3_000 {
        let airport = index % 10 == 0 ? airports[1 + index % 39] : airports[0]
        writer.insert(into: OrderedModel.flight) { inserter in
          inserter.set(OrderedModel.from, .link(airport))
          inserter.set(OrderedModel.delay, .int(Int64(index % 17)))
        }
      }
    }
    model.graph.holdHead().contents.checkInvariants()
    try model.write { writer in
      for round in 0..<50 {
        writer.set(OrderedModel.city, of: airports[0], in: OrderedModel.airport, to: Value("name \(round)"))
        writer.set(OrderedModel.city, of: airports[5], in: OrderedModel.airport, to: Value("name \(round)"))
      }
      // Climbed to once, not with each write.
      #expect(writer.orderedWork.climbedLinks < 3_000 + 50 * 64)
      try model.check(writer.indexedContents)
    }
    try model.write { writer in
      let country = writer.insert(into: OrderedModel.country) { $0.set(OrderedModel.name, Value("here")) }
      writer.set(OrderedModel.within, of: airports[0], in: OrderedModel.airport, to: .link(country))
      try model.check(writer.indexedContents)
      writer.set(OrderedModel.name, of: country, in: OrderedModel.country, to: Value("there"))
      writer.delete([airports[7]], from: OrderedModel.airport)
      try model.check(writer.indexedContents)
      writer.delete([country], from: OrderedModel.country)
    }
    model.graph.holdHead().contents.checkInvariants()
    try model.write { $0.delete([airports[0], airports[3]], from: OrderedModel.airport) }
    model.graph.holdHead().contents.checkInvariants()
  }

  /// Each of many changes in a transaction moves one row, also when a query looks after each.
  @Test func changesMoveFewRows() throws {
    var model = OrderedModel(seed: 3)
    try model.write { writer in for _ in 0..<5_000 { model.insert(OrderedModel.flight, writer) } }
    let before = try model.write { writer in
      let before = writer.orderedWork
      for _ in 0..<300 {
        writer.insert(into: OrderedModel.flight) { $0.set(OrderedModel.delay, .int(3)) }
        writer.settleOrdered(1)
      }
      #expect(writer.orderedWork.movedRows - before.movedRows == 300)
      #expect(writer.orderedWork.builtRows == before.builtRows)
      return writer.orderedWork
    }
    try model.write { writer in
      // The other indexes took in their rows together.
      #expect(writer.orderedWork.movedRows - before.movedRows == 300 * 6)
      let before = writer.orderedWork
      let key = writer.contents.key(at: 17, in: OrderedModel.flight)!
      for number in 0..<100 {
        writer.set(OrderedModel.delay, of: key, in: OrderedModel.flight, to: .int(Int64(number)))
      }
      _ = writer.indexedContents
      // Out and in, of the two indexes that read the column.
      #expect(writer.orderedWork.movedRows - before.movedRows == 4)
      // What no index reads costs nothing.
      #expect(writer.orderedWork.builtRows == before.builtRows)
    }
  }

  /// A version that is held costs a few nodes, however many rows there are.
  @Test func updatesCopyFewNodes() throws {
    var model = OrderedModel(seed: 4)
    model.spread = 100_000
    try model.write { writer in for _ in 0..<20_000 { model.insert(OrderedModel.flight, writer) } }
    let held = model.graph.holdHead()
    let before = model.graph.allocatedBlockCount
    try model.write { writer in
      writer.set(
        OrderedModel.delay, of: held.contents.key(at: 50, in: OrderedModel.flight)!, in: OrderedModel.flight,
        to: .int(5))
    }
    #expect(model.graph.allocatedBlockCount - before < 24)
    held.contents.checkInvariants()
  }

  /// An index made at once, and one whose rows came one by one in any order.
  @Test(arguments: [true, false])
  func entriesAreSmall(isBuiltAtOnce: Bool) throws {
    let rowCount = 40_000
    var byteCounts: [Int] = []
    for indexed in [false, true] {
      let columns = [ColumnDescription(name: "value", type: .int)]
      let indexes = indexed ? [IndexDescription(name: "value", paths: [ColumnPath(ColumnID(0))])] : []
      let graph = Graph(
        schema: [TableDescription(name: "Row", columns: columns, indexes: indexes)], seed: HashSeed(1, 2))
      var random = SeededGenerator(7)
      graph.enterGateBlocking()
      for step in 0..<(isBuiltAtOnce ? 1 : rowCount / 20) {
        let writer = graph.begin()
        for _ in 0..<(isBuiltAtOnce ? rowCount : 20) {
          let value = Int64(random.below(1 << 30)) + Int64(step) % 2
          writer.insert(into: TableID(0)) { $0.setInt(ColumnID(0), value) }
        }
        _ = try graph.commit()
      }
      graph.gate.leave()
      byteCounts.append(graph.allocatedByteCount)
    }
    let perRow = Double(byteCounts[1] - byteCounts[0]) / Double(rowCount)
    print("bytes per row of an ordered index: \(perRow)")
    #expect(perRow > 13 && perRow <= 20)
  }
}
