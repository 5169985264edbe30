import FirnEngine
import Glibc
import TestSupport
import Testing

@testable import FirnDurability

/// Bytes that only an attacker writes, under right checksums: decoders give an error or something sound, nothing else.
@Suite struct FuzzTests {
  /// How many inputs to run: FIRN_FUZZ_INPUTS of the environment, from FIRN_FUZZ_SEED on if that is there too.
  private static func number(_ name: String) -> UInt64? { environmentNumber(name) }

  @Test func decodersTakeAnything() throws {
    let count = Self.number("FIRN_FUZZ_INPUTS") ?? 6_000
    let start = Self.number("FIRN_FUZZ_SEED") ?? UInt64.random(in: 0...UInt64(UInt32.max))
    print("fuzzing: \(count) inputs from seed \(start)")
    var run = try FuzzRun(corpus: FuzzCorpus(seed: 7))
    for seed in start..<start &+ count {
      do {
        try run.run(seed)
      } catch {
        Issue.record("seed \(seed): \(error)")
      }
      if count > 100_000, (seed &- start) % (count / 50) == 0 { print("fuzzing: at seed \(seed), \(run.counts)") }
    }
    print("fuzzing: \(run.counts)")
    if Steps.areCounted { print("fuzzing: the most expensive were \(run.costs)") }
    #expect(count < 1_000 || run.counts.values.allSatisfy { $0.refused > 0 })
  }
}

/// Runs decoders on mutated inputs. Errors that a user of the library would not get are thrown on.
struct FuzzRun {
  struct Count: CustomStringConvertible {
    var accepted = 0
    var refused = 0

    var description: String { "\(accepted)+\(refused)" }
  }

  enum Target: String, CaseIterable {
    case sequence, keys, catalogue, effects, oldValues, segment, lock, base, delta, store

    /// How many of a thousand inputs.
    var share: Int {
      switch self {
      case .sequence: 420
      case .keys: 50
      case .catalogue: 120
      case .effects: 170
      case .oldValues: 80
      case .segment: 110
      case .lock: 10
      case .base: 25
      case .delta: 10
      case .store: 5
      }
    }
  }

  let corpus: FuzzCorpus
  private(set) var counts: [Target: Count] = [:]
  /// The most expensive input of each kind.
  private(set) var costs: [Target: FuzzCost] = [:]
  private var decoder = SequenceDecoder()
  private var decoderBudget = ExpansionBudget.unlimited
  /// The cost of the input that is run.
  private var cost = FuzzCost()

  init(corpus: FuzzCorpus) { self.corpus = corpus }

  mutating func run(_ seed: UInt64) throws {
    var mutation = FuzzMutation(seed)
    var place = mutation.random.below(1_000)
    let target = Target.allCases.first { target in
      place -= target.share
      return place < 0
    }
    guard let target else { fatalError("The shares are not a thousand.") }
    do {
      cost = FuzzCost()
      defer {
        if cost.stepsPerByte >= costs[target]?.stepsPerByte ?? 0 { costs[target] = cost }
      }
      try run(target, &mutation)
      if cost.isTooMuch { throw FuzzFault("It cost \(cost)") }
      counts[target, default: Count()].accepted += 1
    } catch {
      guard error is StoreError || error is DecodingError || error is EffectsError || error is LoadError else {
        throw error
      }
      if cost.isTooMuch { throw FuzzFault("It cost \(cost), and was refused: \(error)") }
      counts[target, default: Count()].refused += 1
    }
  }

  private mutating func run(_ target: Target, _ mutation: inout FuzzMutation) throws {
    switch target {
    case .sequence: try runSequence(&mutation)
    case .keys: try runKeys(&mutation)
    case .catalogue: try runCatalogue(&mutation)
    case .effects: try runEffects(&mutation)
    case .oldValues: try runOldValues(&mutation)
    case .segment: try runSegment(&mutation)
    case .lock: try runLock(&mutation)
    case .base, .delta: try runContents(target == .base ? .base : .delta, &mutation)
    case .store: try runStore(&mutation)
    }
  }

  /// A decoder with a fresh budget now and then: making one is not cheap.
  private mutating func freshDecoder(_ mutation: inout FuzzMutation) -> SequenceDecoder {
    if mutation.random.below(64) == 0 {
      var limits = SnapshotLimits()
      limits.elementCountMax = 1 << 16
      limits.rawByteCountMax = 1 << 20
      decoderBudget = ExpansionBudget(byteCountMax: 64 << 20)
      decoder = SequenceDecoder(limits: limits, budget: decoderBudget)
    }
    return decoder
  }

  /// Calls `body`, which reads bytes, and notes what it costs.
  ///
  /// - Parameter byteCount: What is there to be read, or paid for otherwise.
  private mutating func measuring<Value>(
    _ byteCount: Int, _ budget: ExpansionBudget, _ body: () throws -> Value
  ) throws -> Value {
    let claimed = budget.byteCount
    var result: Result<Value, any Error>?
    cost.steps += Steps.count { result = Result { try body() } }
    cost.byteCount += byteCount
    cost.claimed += budget.byteCount - claimed
    return try result!.get()
  }

  private mutating func runSequence(_ mutation: inout FuzzMutation) throws {
    let sample = corpus.sequences[mutation.random.below(corpus.sequences.count)]
    var bytes = sample.bytes
    mutation.mutate(&bytes)
    let rowCount = mutation.random.chance(80) ? sample.rowCount : mutation.random.below(17_000)
    let decoder = freshDecoder(&mutation)
    // The caller has paid for the rows that it asks for.
    let chunk = try measuring(bytes.count + 16 * rowCount, decoderBudget) {
      try bytes.withUnsafeBytes { try decoder.decode($0, rowCount: rowCount, shape: sample.shape) }
    }
    if chunk.rowCount != rowCount || chunk.elementCount > 1 << 16 {
      throw FuzzFault("A chunk of \(chunk.rowCount) rows")
    }
  }

  private mutating func runKeys(_ mutation: inout FuzzMutation) throws {
    var writer = ByteWriter()
    let count = mutation.random.below(60)
    var key: UInt64 = 0
    let step = [1, 5, 300, 1 << 20][mutation.random.below(4)]
    let keys = (0..<count).map { _ in
      key += UInt64(1 + mutation.random.below(step))
      return key
    }
    SequenceEncoder().append(keys: keys, to: &writer)
    var bytes = writer.array()
    mutation.mutate(&bytes)
    let decoder = freshDecoder(&mutation)
    let rowCount = mutation.random.chance(80) ? count : mutation.random.below(17_000)
    let found = try measuring(bytes.count + 16 * rowCount, decoderBudget) {
      try bytes.withUnsafeBytes {
        try decoder.decodeKeys($0, rowCount: rowCount, RowEstimate([], clusterByteCount: 200))
      }
    }
    if zip(found, found.dropFirst()).contains(where: { $0 >= $1 }) || found.last ?? 0 >= 1 << 40 {
      throw FuzzFault("Keys that do not ascend")
    }
  }

  private mutating func runCatalogue(_ mutation: inout FuzzMutation) throws {
    var bytes = corpus.catalogues[mutation.random.below(corpus.catalogues.count)]
    mutation.mutate(&bytes)
    let budget = ExpansionBudget(byteCountMax: 8 << 20)
    let schema = mutation.random.chance(20) ? EffectsSchema.tables : []
    try measuring(bytes.count, budget) {
      let catalogue = try bytes.withUnsafeBytes { bytes in
        var reader = ByteReader(bytes)
        let catalogue = try Catalogue(decoding: &reader, budget: budget)
        try reader.expectEnd()
        return catalogue
      }
      try budget.claim(MemoryEstimate.layout(catalogue))
      let merge = try catalogue.merging(schema: schema)
      _ = Graph(schema: merge.graphSchema, seed: HashSeed(1, 2))
    }
  }

  private mutating func runEffects(_ mutation: inout FuzzMutation) throws {
    let commit = corpus.commits[mutation.random.below(corpus.commits.count)]
    var bytes = commit.bytes
    mutation.mutate(&bytes)
    let budget = ExpansionBudget(byteCountMax: 8 << 20)
    let graph = commit.graph
    let effects = try measuring(bytes.count + graph.lastByteCount, budget) {
      let effects = try bytes.withUnsafeBytes { try Effects(decoding: $0, map: commit.merge.map, budget: budget) }
      graph.enterGateBlocking()
      let writer = graph.begin()
      defer {
        // The built graph has to be paid for like anything else.
        try? budget.claim(max(0, writer.allocatedByteCount - graph.lastByteCount))
        graph.cancel()
        graph.gate.leave()
      }
      try effects.apply(to: writer, byteCountMax: graph.lastByteCount + 8 << 20)
      return effects
    }
    // What opening would make of them, and then the next checkpoint.
    if mutation.random.below(16) != 0 { return }
    let scratch = try FuzzCorpus.graph(commit.merge, commit.history)
    scratch.enterGateBlocking()
    defer { scratch.gate.leave() }
    try effects.apply(to: scratch.begin(), byteCountMax: scratch.lastByteCount + 8 << 20)
    let version = try scratch.commit().version
    try check(version.contents)
    var net = NetEffects(map: commit.merge.map)
    try net.add(effects)
    var writer = ByteWriter()
    try net.encode(contents: version.contents, into: &writer)
    _ = try writer.withBytes { try Effects(decoding: $0, map: commit.merge.map) }
  }

  private mutating func runOldValues(_ mutation: inout FuzzMutation) throws {
    let commit = corpus.commits[mutation.random.below(corpus.commits.count)]
    var bytes = commit.bytesWithOldValues
    mutation.mutate(&bytes)
    let budget = ExpansionBudget(byteCountMax: 8 << 20)
    var cellCount = 0
    let effects = try measuring(bytes.count, budget) {
      let effects = try bytes.withUnsafeBytes {
        try Effects(decoding: $0, map: commit.merge.map, budget: budget, oldValues: .read)
      }
      for table in effects.touchedTables {
        for row in effects.rows(of: table) {
          if row.key.rawValue >= 1 << 40 { throw FuzzFault("A row \(row.key.rawValue)") }
          cellCount += row.cells.count
        }
      }
      return effects
    }
    effects.forEachDeletedPrimaryKey { _, _, _ in cellCount += 1 }
    if cellCount > 64 * bytes.count + 64 { throw FuzzFault("\(cellCount) cells in \(bytes.count) bytes") }
    // What opening reads of it is the same.
    let skipped = try bytes.withUnsafeBytes {
      try Effects(decoding: $0, map: commit.merge.map, budget: budget, oldValues: .skipped)
    }
    if !effects.bytes.starts(with: skipped.bytes) { throw FuzzFault("Other effects without old values") }
  }

  private mutating func runSegment(_ mutation: inout FuzzMutation) throws {
    let store = corpus.stores[mutation.random.below(corpus.stores.count)]
    let (path, original) = store.segments[mutation.random.below(store.segments.count)]
    let bytes = FuzzSegment.mutated(original, &mutation)
    let disk = SimulatedDisk(seed: 1)
    let folder = FuzzCorpus.path + ".journal"
    disk.setContent(path, bytes)
    let header = original[16..<32].map { UInt64($0) }
    func number(_ place: Int) -> UInt64 { (0..<8).reduce(0) { $0 | header[place + $1] << UInt64(8 * $1) } }
    let start = (0..<8).reduce(UInt64(0)) { $0 | UInt64(original[64 + $1]) << UInt64(8 * $1) }
    let reached = mutation.random.chance(80) ? start : min(mutation.number(start), JournalFormat.numberMax)
    let budget = ExpansionBudget(byteCountMax: 8 << 20)
    var byteCount = 0
    let report = try measuring(bytes.count, budget) {
      let reader = try JournalReader(
        folder: folder, storeID: StoreID(low: number(0), high: number(8)), key: store.key, budget: budget, in: disk)
      return try reader.read(after: reached) { byteCount += $0.payload.count }
    }
    if byteCount > bytes.count || report.position.version > JournalFormat.numberMax {
      throw FuzzFault("A journal of \(byteCount) bytes to version \(report.position.version)")
    }
  }

  private mutating func runLock(_ mutation: inout FuzzMutation) throws {
    let original = corpus.stores[0].lock
    var bytes = original
    mutation.mutate(&bytes)
    let text = try measuring(bytes.count, .unlimited) { LockText(parsing: bytes) }
    if text.hint == nil { throw DecodingError("No hint", offset: 0) }
  }

  private mutating func runContents(_ kind: SnapshotHeader.Kind, _ mutation: inout FuzzMutation) throws {
    let store = corpus.stores[mutation.random.below(corpus.stores.count)]
    let files = store.bases.filter { $0.contents.kind == kind }
    let bytes = files[mutation.random.below(files.count)].contents.mutated(&mutation)
    let budget = ExpansionBudget(byteCountMax: 32 << 20)
    let graph = try measuring(bytes.count, budget) { try Self.read(bytes, kind, store.key, budget) }
    guard let graph else { return }
    if graph.lastByteCount > budget.byteCount {
      throw FuzzFault("A graph of \(graph.lastByteCount) bytes, for which \(budget.byteCount) were claimed")
    }
    let head = graph.holdHead()
    try withExtendedLifetime(head) { try check(head.contents) }
  }

  /// The graph of a base, as opening makes it; nil for a delta.
  private static func read(
    _ bytes: [UInt8], _ kind: SnapshotHeader.Kind, _ key: StoreKey?, _ budget: ExpansionBudget
  ) throws -> Graph? {
    let reader = try SnapshotReader(MemoryFile(bytes), kind: kind, key: key, budget: budget)
    if kind == .delta {
      _ = try reader.effects(budget: budget)
      return nil
    }
    try budget.claim(MemoryEstimate.layout(reader.directory.catalogue))
    let merge = try reader.directory.catalogue.merging(schema: [])
    let loader = GraphLoader(
      schema: merge.graphSchema, seed: HashSeed(1, 2), threadCount: 1, willExpand: { try budget.claim($0) })
    let tables = reader.directory.catalogue.tables.map { merge.map.table($0.id)! }
    try reader.claimRows(budget, tables.map { RowEstimate(loader.layout.tables[$0.index]) })
    for (state, table) in zip(reader.directory.tables, tables) { loader.setNextKey(state.nextKey, of: table) }
    try reader.read(threadCount: 1, budget: budget) { dictionary in
      try loader.setDictionary(
        dictionary.values, of: ColumnID(dictionary.column), in: tables[dictionary.table])
    } group: { group in
      try loader.addGroup(tables[group.table], keys: group.keys, columns: group.columns)
    }
    try loader.finish(version: reader.header.version)
    return Graph(loaded: loader)
  }

  /// Opening refuses what the first line does, and all else is sound.
  private func check(_ contents: GraphContents) throws {
    if let fault = contents.ownerFault() { throw LoadError(message: fault) }
    contents.checkInvariants()
  }

  private mutating func runStore(_ mutation: inout FuzzMutation) throws {
    let store = corpus.stores[mutation.random.below(corpus.stores.count)]
    let disk = store.disk.crash(.everything)
    let place = mutation.random.below(store.bases.count + store.segments.count + 1)
    if place < store.bases.count {
      disk.setContent(store.bases[place].path, store.bases[place].contents.mutated(&mutation))
    } else if place < store.bases.count + store.segments.count {
      let (path, bytes) = store.segments[place - store.bases.count]
      disk.setContent(path, FuzzSegment.mutated(bytes, &mutation))
    } else {
      var bytes = store.lock
      mutation.mutate(&bytes)
      disk.setContent(FuzzCorpus.path + ".lock", bytes)
    }
    let isReadOnly = mutation.random.chance(50)
    let options = FuzzCorpus.options(isReadOnly: isReadOnly, key: store.key)
    let schema = mutation.random.chance(50) ? store.schema : []
    let byteCount = disk.paths.reduce(0) { $0 + (disk.content($1)?.count ?? 0) }
    // The claims are not told, but they were no more than that.
    let opened = try measuring(byteCount + 2 * (32 << 20), .unlimited) {
      _ = try DurableStore.verify(FuzzCorpus.path, disk, options: options)
      return try DurableStore.open(
        FuzzCorpus.path, schema: schema, options: options, seed: HashSeed(1, 2), fileSystem: disk)
    }
    let head = opened.graph.holdHead()
    try withExtendedLifetime(head) { try check(head.contents) }
    if isReadOnly { return }
    // It goes on from there, and what it writes can be read.
    let content = StoreContent(head.contents)
    _ = try opened.checkpoint()
    _ = opened.release()
    let again = try DurableStore.open(
      FuzzCorpus.path, schema: [], options: FuzzCorpus.options(isReadOnly: true, key: store.key), seed: HashSeed(1, 2),
      fileSystem: disk)
    if StoreContent(again.graph.holdHead().contents) != content {
      throw FuzzFault("Another content after opening again")
    }
  }
}

/// Something that is neither an error for the user nor sound.
struct FuzzFault: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
