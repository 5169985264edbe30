import FirnEngine

@testable import FirnDurability

/// What is mutated: files and parts of files as the library writes them.
struct FuzzCorpus {
  /// Effects of a commit, and the graph that they can be applied to.
  struct Commit {
    var bytes: [UInt8]
    /// The same with the values that were before.
    var bytesWithOldValues: [UInt8]
    var merge: CatalogueMerge
    /// The effects of the commits before it.
    var history: [[UInt8]]
    var graph: Graph
  }

  struct Sequence {
    var bytes: [UInt8]
    var rowCount: Int
    var shape: SequenceShape
  }

  struct Store {
    var key: StoreKey?
    var schema: [TableDescription]
    var disk: SimulatedDisk
    var bases: [(path: String, contents: FuzzSnapshot)]
    var segments: [(path: String, bytes: [UInt8])]
    var lock: [UInt8]
  }

  static let path = "/store.firn"

  var commits: [Commit] = []
  var catalogues: [[UInt8]] = []
  var sequences: [Sequence] = []
  var stores: [Store] = []

  init(seed: UInt64) throws {
    var random = SeededRandom(seed)
    try addSequences(&random)
    try addCommits(EffectsSchema.tables) { graph in
      var writing = RandomWriting(graph: graph, seed: seed, rowCountMax: 20)
      return { try writing.commit() }
    }
    try addCommits(MixedWriting.schema) { graph in
      var writing = MixedWriting(graph, seed: seed)
      return { try writing.commit() }
    }
    for key in TestKey.allCases {
      try addStore(EffectsSchema.tables, key.key, seed) { graph in
        var writing = RandomWriting(graph: graph, seed: seed, rowCountMax: 12)
        return { try writing.commit() }
      }
    }
    try addStore(MixedWriting.schema, nil, seed) { graph in
      var writing = MixedWriting(graph, seed: seed)
      return { try writing.commit() }
    }
  }

  private mutating func addSequences(_ random: inout SeededRandom) throws {
    let elements: [SequenceShape.Element] = [
      .bits, .ints, .bytes, .fixed(width: 4), .fixed(width: 8), .fixed(width: 12), .fixed(width: 16),
    ]
    let encoder = SequenceEncoder()
    for element in elements {
      for collection in [nil, CollectionKind.list, .set, .map] {
        for _ in 0..<12 {
          let shape = SequenceShape(element, collection: collection)
          let rowCount = [0, 1, 2, 7, 40][random.below(5)]
          let chunk = random.chunk(rowCount, shape, isNullable: random.chance(50))
          var writer = ByteWriter()
          try encoder.append(chunk, to: &writer)
          sequences.append(Sequence(bytes: writer.array(), rowCount: rowCount, shape: shape))
        }
      }
    }
  }

  private mutating func addCommits(
    _ schema: [TableDescription], _ writing: (Graph) -> () throws -> Version
  ) throws {
    let merge = try Catalogue().merging(schema: schema)
    var writer = ByteWriter()
    merge.catalogue.encode(into: &writer)
    catalogues.append(writer.array())
    var fewer = schema
    fewer[0].columns.removeLast()
    var second = ByteWriter()
    try merge.catalogue.merging(schema: fewer).catalogue.encode(into: &second)
    catalogues.append(second.array())
    let log = EffectsLog(map: merge.map)
    let commit = writing(Graph(schema: merge.graphSchema, seed: HashSeed(1, 2), log: log))
    var history: [[UInt8]] = []
    while commits.count < (schema.count > 4 ? 24 : 40) {
      _ = try commit()
      for frame in log.take() {
        let graph = try Self.graph(merge, history)
        if frame.bytes.count < 4_000 {
          commits.append(
            Commit(
              bytes: frame.bytes, bytesWithOldValues: frame.bytesWithOldValues, merge: merge, history: history,
              graph: graph))
        }
        history.append(frame.bytes)
      }
    }
  }

  /// A graph with what some commits did.
  static func graph(_ merge: CatalogueMerge, _ history: [[UInt8]]) throws -> Graph {
    let graph = Graph(schema: merge.graphSchema, seed: HashSeed(1, 2))
    for bytes in history {
      let effects = try bytes.withUnsafeBytes { try Effects(decoding: $0, map: merge.map) }
      graph.enterGateBlocking()
      try effects.apply(to: graph.begin())
      _ = try graph.commit()
      graph.gate.leave()
    }
    return graph
  }

  /// How the fuzzer opens stores: with little memory to spend.
  static func options(isReadOnly: Bool, key: StoreKey?) -> DurableStore.Options {
    var options = DurableStore.Options()
    options.key = key
    options.idleNanoseconds = nil
    options.isReadOnly = isReadOnly
    options.segmentByteCount = 1 << 12
    options.checkpointByteCount = .max
    options.checkpointNanoseconds = nil
    options.preparesSegments = false
    options.threadCount = 1
    options.expandedByteCountMax = 32 << 20
    return options
  }

  private mutating func addStore(
    _ schema: [TableDescription], _ key: StoreKey?, _ seed: UInt64, _ writing: (Graph) -> () throws -> Version
  ) throws {
    let disk = SimulatedDisk(seed: seed)
    let store = try DurableStore.open(
      Self.path, schema: schema, options: Self.options(isReadOnly: false, key: key), seed: HashSeed(1, 2),
      fileSystem: disk)
    let commit = writing(store.graph)
    for _ in 0..<12 { _ = try commit() }
    _ = try store.checkpoint()
    var deltaCount = 0
    for _ in 0..<8 where deltaCount < 2 {
      _ = try commit()
      if try !store.checkpoint().isBase { deltaCount += 1 }
    }
    for _ in 0..<3 { store.flush(through: try commit().number) }
    _ = store.release()
    var bases: [(path: String, contents: FuzzSnapshot)] = []
    var segments: [(path: String, bytes: [UInt8])] = []
    for path in disk.paths {
      let bytes = disk.content(path) ?? []
      if path == Self.path { bases.append((path, try FuzzSnapshot(bytes, kind: .base, key: key))) }
      if path.hasSuffix(".delta") { bases.append((path, try FuzzSnapshot(bytes, kind: .delta, key: key))) }
      if path.hasSuffix(".segment"), bytes.contains(where: { $0 != 0 }) { segments.append((path, bytes)) }
    }
    stores.append(
      Store(
        key: key, schema: schema, disk: disk, bases: bases, segments: segments,
        lock: disk.content(Self.path + ".lock") ?? []))
  }
}
