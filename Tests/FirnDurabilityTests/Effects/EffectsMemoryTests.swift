import FirnDurability
import FirnEngine
import Testing

/// Effects of every kind end where they take more memory than they may.
@Suite struct EffectsMemoryTests {
  private static let table = TableID(0)
  private static let (text, list, set, map) = (ColumnID(0), ColumnID(1), ColumnID(2), ColumnID(3))
  private static let schema = [
    TableDescription(
      name: "Item",
      columns: [
        ColumnDescription(name: "text", type: .string),
        ColumnDescription(name: "list", type: .data, collection: .list),
        ColumnDescription(name: "set", type: .data, collection: .set),
        ColumnDescription(name: "map", type: .data, collection: .map),
      ])
  ]
  private static let count = 100

  enum Change: CaseIterable {
    case newRows, values, newElements, elements, setElements, newEntries, entries
  }

  private static func value(_ number: Int, _ byteCount: Int) -> Value {
    .data([UInt8(number)] + [UInt8](repeating: 7, count: byteCount))
  }

  private static func setUp(_ writer: Writer) {
    for number in 0..<count {
      let row = writer.insert(into: table) { $0.set(text, .string([97])) }
      if number > 0 { continue }
      for element in 0..<count {
        writer.insert(value(element, 1), at: element, of: list, of: row, in: table)
        writer.set(value(element, 1), forKey: [UInt8(element)], ofMap: map, of: row, in: table)
      }
    }
  }

  private static func make(_ change: Change, _ writer: Writer) {
    let row = RowKey(0)
    for number in 0..<count {
      let value = value(number, 5_000)
      switch change {
      case .newRows: writer.insert(into: table) { $0.set(text, .string([UInt8](repeating: 98, count: 5_000))) }
      case .values:
        let long = Value.string([UInt8](repeating: 98, count: 5_000))
        writer.set(text, of: RowKey(UInt64(number)), in: table, to: long)
      case .newElements: writer.insert(value, at: number, of: list, of: row, in: table)
      case .elements: writer.replace(at: number, with: value, of: list, of: row, in: table)
      case .setElements: writer.insert(value, intoSet: set, of: row, in: table)
      case .newEntries: writer.set(value, forKey: [1, UInt8(number)], ofMap: map, of: row, in: table)
      case .entries: writer.set(value, forKey: [UInt8(number)], ofMap: map, of: row, in: table)
      }
    }
  }

  @Test(arguments: Change.allCases) func effectsEndWithinTheirMemory(_ change: Change) throws {
    let merge = try Catalogue().merging(schema: Self.schema)
    let log = EffectsLog(map: merge.map)
    let graph = Graph(schema: merge.graphSchema, seed: HashSeed(1, 2), log: log)
    for write in [Self.setUp, { Self.make(change, $0) }] {
      graph.enterGateBlocking()
      write(graph.begin())
      _ = try graph.commit()
      graph.gate.leave()
    }
    let frames = log.take()
    func effects(_ index: Int) throws -> Effects {
      try frames[index].bytes.withUnsafeBytes { try Effects(decoding: $0, map: merge.map) }
    }
    /// The bytes of the content before a change, and with it when it may take so much; nil when that is refused.
    func taken(_ most: Int) throws -> (before: Int, after: Int)? {
      let copy = Graph(schema: merge.graphSchema, seed: HashSeed(1, 2))
      copy.enterGateBlocking()
      defer { copy.gate.leave() }
      try effects(0).apply(to: copy.begin())
      _ = try copy.commit()
      let writer = copy.begin()
      defer { copy.cancel() }
      let before = writer.allocatedByteCount
      let change = try effects(1)
      do { try change.apply(to: writer, byteCountMax: most) } catch {
        #expect("\(error)".contains("More than \(most) bytes of memory"))
        return nil
      }
      return (before, writer.allocatedByteCount)
    }
    let (before, all) = try #require(try taken(.max))
    #expect(all > before + 400_000)
    #expect(try taken(all)?.after == all, "so much may be taken, no more")
    #expect(try taken(before + (all - before) / 2) == nil)
  }
}
