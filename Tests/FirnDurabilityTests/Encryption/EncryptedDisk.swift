import TestSupport
#if Encryption
  import FirnDurability
  import FirnEngine
  import Testing

  /// A disk with an encrypted store: a base, a delta, and two segments with commits of alike lengths.
  struct EncryptedDisk {
    static let path = "/store.firn"
    static let secret = "a secret that nobody reads"
    static let schema = [
      TableDescription(
        name: "Confidential",
        columns: [
          ColumnDescription(name: "id", type: .int, isPrimaryKey: true),
          ColumnDescription(name: "hidden name", type: .string),
        ])
    ]

    let disk: SimulatedDisk
    let content: StoreContent
    let key: StoreKey?

    init(_ key: StoreKey? = TestKey.encrypted.key) throws {
      let disk = SimulatedDisk(seed: 1)
      self.key = key
      let store = try Self.open(disk, key)
      try Self.insert(0..<200, into: store)
      #expect(try store.checkpoint().isBase)
      try Self.insert(200..<201, into: store)
      #expect(try !store.checkpoint().isBase)
      for id in Int64(300)..<304 { try Self.insert(id..<id + 1, into: store) }
      #expect(store.release() == nil)
      disk.releaseLocks()
      let again = try Self.open(disk, key)
      for id in Int64(400)..<404 { try Self.insert(id..<id + 1, into: again) }
      content = StoreContent(again.graph.holdHead().contents)
      #expect(again.release() == nil)
      disk.releaseLocks()
      self.disk = disk
    }

    static func open(
      _ disk: SimulatedDisk, _ key: StoreKey?, path: String = path,
      _ change: (inout DurableStore.Options) -> Void = { _ in }
    ) throws -> DurableStore {
      try openStore(path, schema, on: disk, segmentByteCount: 1 << 12) {
        $0.idleNanoseconds = nil
        $0.preparesSegments = false
        $0.threadCount = 1
        $0.key = key
        change(&$0)
      }
    }

    static func insert(_ ids: Range<Int64>, into store: DurableStore) throws {
      let graph = store.graph
      graph.enterGateBlocking()
      let writer = graph.begin()
      for id in ids {
        _ = writer.insert(into: TableID(0)) { row in
          row.set(ColumnID(0), .int(id))
          row.set(ColumnID(1), Value("\(secret) \(id &* 0x5851_F42D_4C95_7F2D)"))
        }
      }
      let version = try graph.commit().version.number
      graph.gate.leave()
      store.flush(through: version)
    }

    var base: [UInt8] { disk.content(Self.path) ?? [] }

    func paths(_ suffix: String) -> [String] {
      disk.paths.filter { path in path.hasSuffix(suffix) && disk.content(path)?.contains { $0 != 0 } == true }
    }

    func segment(_ index: Int) throws -> (path: String, segment: EncryptedSegment) {
      let path = paths(".segment")[index]
      return (path, EncryptedSegment(bytes: try #require(disk.content(path))))
    }

    /// Opens the store with a file replaced, for writing, for reading only, and to verify it; the code of the error if all three refuse it
    /// alike, and nil if all three find the content.
    func opening(_ path: String, as bytes: [UInt8]) throws -> StoreError.Code? {
      var codes: Set<StoreError.Code?> = []
      for isReadOnly in [false, true] {
        let disk = disk.crash(.everything)
        disk.setContent(path, bytes)
        codes.insert(
          Self.code {
            let store = try Self.open(disk, key) { $0.isReadOnly = isReadOnly }
            #expect(StoreContent(store.graph.holdHead().contents) == content)
          })
      }
      let disk = disk.crash(.everything)
      disk.setContent(path, bytes)
      var options = DurableStore.Options()
      options.key = key
      codes.insert(Self.code { _ = try DurableStore.verify(Self.path, disk, options: options) })
      return try #require(codes.count == 1 ? codes.first : nil, "\(codes)")
    }

    static func code(_ body: () throws -> Void) -> StoreError.Code? {
      do {
        try body()
        return nil
      } catch {
        #expect(error is StoreError, "\(error)")
        return (error as? StoreError)?.code
      }
    }
  }

  extension [UInt8] {
    func contains(_ text: String) -> Bool {
      let bytes = Array(text.utf8)
      return indices.contains { self[$0...].starts(with: bytes) }
    }
  }
#endif
