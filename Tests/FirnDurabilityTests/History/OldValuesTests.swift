import FirnEngine
import TestSupport
import Testing

@testable import FirnDurability

@Suite("Old values in frames")
struct OldValuesTests {
  /// Runs random commits and hands out each with the versions before and after.
  private func commits(
    _ schema: [TableDescription], seed: UInt64, _ writing: (Graph) -> () throws -> Version,
    _ body: (EffectsLog.Frame, CatalogueMap, Version, Version) throws -> Void
  ) throws {
    let merge = try Catalogue().merging(schema: schema)
    let log = EffectsLog(map: merge.map)
    let graph = Graph(schema: merge.graphSchema, seed: HashSeed(1, 2), log: log)
    let commit = writing(graph)
    for _ in 0..<60 {
      let before = graph.holdHead()
      let after = try commit()
      for frame in log.take() { try body(frame, merge.map, before, after) }
    }
  }

  private func check(_ frame: EffectsLog.Frame, _ map: CatalogueMap, _ before: Version, _ after: Version) throws {
    #expect(frame.bytesWithOldValues.starts(with: frame.bytes), "effects are the same bytes")
    let effects = try frame.bytesWithOldValues.withUnsafeBytes {
      try Effects(decoding: $0, map: map, oldValues: .read)
    }
    let plain = try frame.bytes.withUnsafeBytes { try Effects(decoding: $0, map: map) }
    let skipped = try frame.bytesWithOldValues.withUnsafeBytes {
      try Effects(decoding: $0, map: map, oldValues: .skipped)
    }
    #expect(skipped.bytes == plain.bytes)
    let changes = plain.rowChanges()
    for index in changes.tables.indices {
      let table = TableID(index)
      let layout = after.graph.layout.tables[index]
      let rows = effects.rows(of: table)
      #expect(rows.filter { $0.kind == .inserted }.map(\.key) == changes.tables[index].inserted)
      #expect(rows.filter { $0.kind == .modified }.map(\.key) == changes.tables[index].modified.map(\.key))
      #expect(rows.filter { $0.kind == .deleted }.map(\.key) == changes.tables[index].deleted)
      for row in rows {
        if let column = layout.primaryKey {
          let version = row.kind == .inserted ? after : before
          let expected = version.contents.value(ColumnID(column), of: row.key, in: table)
          #expect(row.primaryKey == expected)
        }
        var columns: [ColumnID] = []
        for cell in row.cells {
          columns.append(cell.column)
          func value(_ version: Version) -> Value? {
            if layout.columns[cell.column.index].storage.isCollection { return nil }
            return version.contents.value(cell.column, of: row.key, in: table)
          }
          let (old, new) = (value(before), value(after))
          #expect(isAlike(cell.old, row.kind == .inserted ? nil : old))
          #expect(isAlike(cell.new, row.kind == .deleted ? nil : new))
        }
        if row.kind == .deleted {
          let scalars = (0..<layout.columnCount).filter { !layout.columns[$0].storage.isCollection }
          #expect(columns == scalars.filter { $0 != layout.primaryKey }.map { ColumnID($0) })
        }
      }
    }
  }

  private func isAlike(_ left: Value?, _ right: Value?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left.isIdentical(to: right)
  }

  @Test("are those that rows had", arguments: 1...4 as ClosedRange<UInt64>)
  func values(seed: UInt64) throws {
    print("Old values seed \(seed)")
    try commits(EffectsSchema.tables, seed: seed) { graph in
      var writing = RandomWriting(graph: graph, seed: seed, rowCountMax: 40)
      return { try writing.commit() }
    } _: { frame, map, before, after in
      try check(frame, map, before, after)
    }
    try commits(MixedWriting.schema, seed: seed) { graph in
      var writing = MixedWriting(graph, seed: seed)
      return { try writing.commit() }
    } _: { frame, map, before, after in
      try check(frame, map, before, after)
    }
  }

  @Test("are refused when they name the primary key, or a column twice")
  func oddColumns() throws {
    let merge = try Catalogue().merging(schema: DurableHistoryTests.schema)
    let log = EffectsLog(map: merge.map)
    let graph = Graph(schema: merge.graphSchema, seed: HashSeed(1, 2), log: log)
    func commit(_ body: (Writer) -> Void) throws {
      graph.enterGateBlocking()
      defer { graph.gate.leave() }
      body(graph.begin())
      _ = try graph.commit()
    }
    try commit { $0.insert(into: TableID(0)) { $0.setInt(ColumnID(0), 77) } }
    let key = try #require(log.take().first.map { _ in RowKey(0) })
    try commit { $0.setInt(ColumnID(1), of: key, in: TableID(0), to: 99) }
    let frame = try #require(log.take().first)
    let bytes = frame.bytesWithOldValues
    func refusal(_ bytes: [UInt8]) -> String? {
      do {
        _ = try bytes.withUnsafeBytes { try Effects(decoding: $0, map: merge.map, oldValues: .read) }
        return nil
      } catch {
        return "\(error)"
      }
    }
    #expect(refusal(bytes) == nil)
    var refusals: [String] = []
    for place in frame.bytes.count..<bytes.count {
      for id in UInt8(0)...3 {
        var odd = bytes
        odd[place] = id
        refusals.append(refusal(odd) ?? "")
      }
      let rest = bytes[(place + 1)...]
      refusals.append(refusal(bytes[..<place] + [2] + rest + rest) ?? "")
    }
    #expect(refusals.contains { $0.contains("A primary key among old values") })
    #expect(refusals.contains { $0.contains("A column is named twice") })
    #expect(refusals.contains { $0.contains("A column that is no primary key") })
  }

  @Test("make segments of another format version, and without them nothing is different", arguments: TestKey.allCases)
  func formatVersions(key: TestKey) throws {
    var payloads: [[[UInt8]]] = []
    for recordsOldValues in [false, true] {
      let disk = SimulatedDisk(seed: 1)
      let store = try openStore("/store.firn", EffectsSchema.tables, on: disk, segmentByteCount: 1 << 14) { options in
        options.key = key.key
        options.recordsOldValues = recordsOldValues
      }
      var writing = RandomWriting(graph: store.graph, seed: 5, rowCountMax: 40)
      for _ in 0..<30 { store.flush(through: try writing.commit().number) }
      let paths = disk.paths.filter { $0.hasSuffix(".segment") }
      for path in paths {
        guard let bytes = disk.content(path), bytes.contains(where: { $0 != 0 }) else { continue }
        // The header, and the first frame.
        #expect(bytes[8] == (recordsOldValues ? 3 : 1))
        #expect(bytes[(key.key == nil ? 96 : 112) + 4] == (recordsOldValues ? 3 : 1))
      }
      let reader = try JournalReader(folder: "/store.firn.journal", storeID: store.storeID, key: key.key, in: disk)
      var found: [[UInt8]] = []
      _ = try reader.read(after: 1) { commit in
        #expect(commit.hasOldValues == recordsOldValues)
        found.append(Array(commit.payload))
      }
      payloads.append(found)
      _ = store.release()
    }
    #expect(payloads[0].count == 30 && payloads[1].count == 30)
    for (plain, old) in zip(payloads[0], payloads[1]) { #expect(old.starts(with: plain)) }
    #expect(payloads[1].joined().count > payloads[0].joined().count)
  }

  @Test("are recorded or not, as the store was opened, and both are read")
  func openings() throws {
    let disk = SimulatedDisk(seed: 1)
    var number: Int64 = 0
    for recordsOldValues in [false, true, false] {
      let store = try DurableHistoryTests.open(disk) { $0.recordsOldValues = recordsOldValues }
      for _ in 0..<15 {
        number += 1
        store.flush(through: try DurableHistoryTests.commit(number, to: store))
      }
      if number == 30 { _ = try store.checkpoint() }
      _ = store.release()
      disk.releaseLocks()
    }
    let store = try DurableHistoryTests.open(disk)
    #expect(try DurableHistoryTests.read(store, after: 1).count == 45)
    for commit in try store.historyPage(after: 1, through: store.graph.head) {
      let isRecorded = commit.version > 16 && commit.version <= 31
      for row in commit.effects?.rows(of: TableID(0)) ?? [] where row.kind != .inserted {
        #expect((row.primaryKey != nil) == (isRecorded || row.kind == .deleted))
        #expect(row.cells.contains { $0.old != nil } == isRecorded)
      }
    }
    _ = store.release()
  }
}
