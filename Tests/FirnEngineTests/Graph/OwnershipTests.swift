import FirnEngine
import TestSupport
import Testing

@Suite("Rows that belong to others") struct OwnershipTests {
  private typealias Model = OwnershipModel

  private static func graph() -> Graph {
    Graph(schema: Model.tables, seed: HashSeed(1, 2), poisonsFreedBlocks: true)
  }

  @Test("random transactions agree with a naive model", arguments: 0..<8)
  func model(round: Int) throws {
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    print("ownership \(round): seed \(seed)")
    var random = SeededGenerator(seed)
    let graph = Self.graph()
    var model = Model()
    var denied = 0
    for step in 0..<120 {
      let before = model
      let old = graph.holdHead()
      graph.enterGateBlocking()
      defer { graph.gate.leave() }
      let writer = graph.begin()
      for _ in 0..<(1 + random.below(12)) { Self.operate(writer, &model, &random) }
      if random.below(12) == 0 {
        graph.cancel()
        model = before
        model.denials = []
        continue
      }
      do {
        let new = try graph.commit().version
        try #require(!model.isDenied, "seed \(seed), step \(step): a denied deletion was committed")
        model.denials = []
        new.contents.checkInvariants()
        try #require(Model(new.contents).rows == model.rows, "seed \(seed), step \(step)")
        try Self.check(graph.changes(from: old, to: new), before, model, "seed \(seed), step \(step)")
        try Self.check(
          ChangeSet(from: old.contents, to: new.contents), before, model, "seed \(seed), step \(step), compared")
      } catch is DeletionDenied {
        try #require(model.isDenied, "seed \(seed), step \(step): a deletion was denied")
        denied += 1
        model = before
        model.denials = []
        try #require(Model(graph.holdHead().contents).rows == model.rows, "seed \(seed), step \(step), denied")
      }
    }
    #expect(denied > 0)
    graph.checkInvariants()
  }

  /// The rows that went are told, whatever made them go.
  private static func check(_ changes: ChangeSet, _ before: Model, _ after: Model, _ what: String) throws {
    for table in 0..<3 {
      let (old, new) = (Set(before.rows[table].keys), Set(after.rows[table].keys))
      try #require(changes.tables[table].deleted.map(\.rawValue) == old.subtracting(new).sorted(), "\(what): deleted")
      try #require(changes.tables[table].inserted.map(\.rawValue) == new.subtracting(old).sorted(), "\(what): inserted")
    }
  }

  private static func operate(_ writer: Writer, _ model: inout Model, _ random: inout SeededGenerator) {
    func any(_ table: TableID) -> UInt64? { model.keys(table).randomElement(using: &random) }
    switch random.below(20) {
    case 0...3:
      let table = random.below(3) == 0 ? Model.part : Model.owner
      let id = Int64(writer.nextKey(of: table).rawValue)
      let key = writer.insert(into: table) { $0.setInt(ColumnID(0), id) }
      model.rows[table.index][key.rawValue] = Model.row(table)
    case 4...9: own(writer, &model, &random)
    case 10, 11:
      // Owning lists are shortened, moved in and emptied.
      let (table, column) = [(Model.owner, 2), (Model.child, 2)][random.below(2)]
      guard let key = any(table), let targets = model.rows[table.index][key]?.links[column], !targets.isEmpty else {
        return
      }
      let index = random.below(targets.count)
      var rest = targets
      switch random.below(5) {
      case 0:
        rest = []
        writer.removeAll(of: ColumnID(column), of: RowKey(key), in: table)
      case 1, 2:
        let other = random.below(targets.count)
        rest.insert(rest.remove(at: index), at: other)
        writer.move(from: index, to: other, of: ColumnID(column), of: RowKey(key), in: table)
      case 3:
        let count = 1 + random.below(targets.count - index)
        rest.removeSubrange(index..<index + count)
        writer.remove(at: index, count: count, of: ColumnID(column), of: RowKey(key), in: table)
      default:
        rest.remove(at: index)
        writer.remove(at: index, of: ColumnID(column), of: RowKey(key), in: table)
      }
      model.setTargets(rest, column, of: key, in: table)
    case 12...15:
      // Links that own nothing.
      let places = [(Model.owner, 3), (Model.owner, 4), (Model.owner, 5), (Model.owner, 6), (Model.part, 1)]
      let more = [(Model.part, 2), (Model.child, 3), (Model.child, 4)]
      let (table, column) = (places + more + [(Model.owner, 8)])[random.below(9)]
      let description = Model.description(table, column)
      guard let key = any(table), let target = any(description.target!) else { return }
      if description.collection == .set {
        let isNew = writer.insert(.link(RowKey(target)), intoSet: ColumnID(column), of: RowKey(key), in: table)
        if isNew {
          let targets = (model.rows[table.index][key]?.links[column] ?? []) + [target]
          model.setTargets(targets.sorted(), column, of: key, in: table)
        }
      } else if description.collection == .list {
        writer.append(contentsOf: [Value.link(RowKey(target))], to: ColumnID(column), of: RowKey(key), in: table)
        let targets = (model.rows[table.index][key]?.links[column] ?? []) + [target]
        model.setTargets(targets, column, of: key, in: table)
      } else {
        let new = random.below(3) == 0 ? nil : target
        writer.setLink(ColumnID(column), of: RowKey(key), in: table, to: new.map { RowKey($0) })
        model.setTargets(new.map { [$0] } ?? [], column, of: key, in: table)
      }
    default:
      let table = TableID(random.below(3))
      let keys = (0..<(1 + random.below(2))).compactMap { _ in any(table) }
      writer.delete(keys.map { RowKey($0) }, from: table)
      model.delete(keys, from: table)
    }
  }

  /// Makes an embedded row in some slot, or takes it away again.
  private static func own(_ writer: Writer, _ model: inout Model, _ random: inout SeededGenerator) {
    let places = [(Model.owner, 1), (Model.owner, 2), (Model.owner, 2), (Model.child, 1), (Model.child, 2)]
    let (table, column) = (places + [(Model.owner, Model.named)])[random.below(6)]
    guard let key = model.keys(table).randomElement(using: &random) else { return }
    let old = model.rows[table.index][key]?.links[column] ?? []
    if column == 1, random.below(4) == 0 {
      writer.setLink(ColumnID(column), of: RowKey(key), in: table, to: nil)
      return model.setTargets([], column, of: key, in: table)
    }
    if column == 1, let target = old.first, random.below(4) == 0 {
      // The slot keeps what it has.
      return writer.setLink(ColumnID(column), of: RowKey(key), in: table, to: RowKey(target))
    }
    if column == Model.named, random.below(3) == 0 {
      let name = ["a", "b", "c"][random.below(3)]
      if random.below(2) == 0 {
        writer.set(.null, forKey: Array(name.utf8), ofMap: ColumnID(column), of: RowKey(key), in: table)
      } else {
        Array(name.utf8).withUnsafeBytes { name in
          _ = writer.removeValue(forKey: name, ofMap: ColumnID(column), of: RowKey(key), in: table)
        }
      }
      return model.setNamed(name, nil, of: key)
    }
    let number = Int64(random.below(5))
    let target = writer.insert(into: Model.child) { $0.setInt(ColumnID(0), number) }
    model.rows[Model.child.index][target.rawValue] = Model.row(Model.child)
    var targets = [target.rawValue]
    if column == Model.named {
      let name = ["a", "b", "c"][random.below(3)]
      writer.set(.link(target), forKey: Array(name.utf8), ofMap: ColumnID(column), of: RowKey(key), in: table)
      return model.setNamed(name, target.rawValue, of: key)
    }
    if column == 1 {
      writer.setLink(ColumnID(column), of: RowKey(key), in: table, to: target)
    } else if !old.isEmpty, random.below(3) == 0 {
      let index = random.below(old.count)
      targets = old
      targets[index] = target.rawValue
      writer.replace(at: index, with: .link(target), of: ColumnID(column), of: RowKey(key), in: table)
    } else {
      targets = old + targets
      writer.insert(.link(target), at: old.count, of: ColumnID(column), of: RowKey(key), in: table)
    }
    model.setTargets(targets, column, of: key, in: table)
  }

  @Test("long chains and cycles are deleted without recursion")
  func chains() throws {
    let graph = Self.graph()
    let count = 100_000
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    var writer = graph.begin()
    // Parts in a chain that ends where it began, and children one inside the other.
    var last: RowKey?
    var first: RowKey?
    for id in 0..<count {
      let part = writer.insert(into: Model.part) {
        $0.setInt(ColumnID(0), Int64(id))
        $0.setLink(ColumnID(1), last)
      }
      if first == nil { first = part }
      last = part
    }
    writer.setLink(ColumnID(1), of: try #require(first), in: Model.part, to: last)
    var inner: RowKey?
    for number in 0..<count {
      inner = writer.insert(into: Model.child) {
        $0.setInt(ColumnID(0), Int64(number % 7))
        $0.setLink(ColumnID(1), inner)
      }
    }
    let owner = writer.insert(into: Model.owner) {
      $0.setInt(ColumnID(0), 1)
      $0.setLink(ColumnID(1), inner)
    }
    writer.append(contentsOf: [Value.link(try #require(last))], to: ColumnID(4), of: owner, in: Model.owner)
    let full = try graph.commit().version
    writer = graph.begin()
    writer.delete([owner], from: Model.owner)
    let empty = try graph.commit().version
    for table in 0..<3 { #expect(empty.contents.rowCount(TableID(table)) == 0) }
    #expect(graph.changes(from: full, to: empty).tables[2].deleted.count == count)
    empty.contents.checkInvariants()
  }

  @Test("a denied deletion names both rows, and passes when the targets go too")
  func denied() throws {
    let graph = Self.graph()
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    var writer = graph.begin()
    let part = writer.insert(into: Model.part) { $0.setInt(ColumnID(0), 7) }
    let owner = writer.insert(into: Model.owner) {
      $0.setInt(ColumnID(0), 3)
      $0.setLink(ColumnID(5), part)
    }
    _ = try graph.commit()
    writer = graph.begin()
    writer.delete([owner], from: Model.owner)
    let error = #expect(throws: DeletionDenied.self) { try graph.commit() }
    #expect(error?.primaryKey == .int(3) && error?.targetPrimaryKey == .int(7))
    #expect(error?.table == Model.owner && error?.target == Model.part && error?.column == ColumnID(5))
    #expect(graph.holdHead().contents.contains(owner, in: Model.owner))
    writer = graph.begin()
    writer.delete([owner], from: Model.owner)
    writer.delete([part], from: Model.part)
    #expect(try graph.commit().version.contents.rowCount(Model.owner) == 0)
  }
}

extension OwnershipModel {
  static func row(_ table: TableID) -> Row {
    var row = Row()
    for column in linkColumns(table) { row.links[column] = [] }
    return row
  }
}
