import TestSupport
#if Encryption
  import FirnDurability
  import FirnEngine
  import Testing

  /// Stores with a key: what is in them is there again with the key, and nothing of it without.
  @Suite struct EncryptedStoreTests {
    private static let key = TestKey.encrypted.key
    private static let otherKey = [UInt8](repeating: 9, count: 64).withUnsafeBytes { StoreKey($0) }

    private static func error(_ body: () throws -> Void) -> StoreError? {
      do {
        try body()
        return nil
      } catch {
        return error as? StoreError
      }
    }

    @Test func whatIsWrittenIsThereAgain() throws {
      let files = try EncryptedDisk()
      #expect(files.paths(".delta").count == 1 && files.paths(".segment").count == 2)
      let store = try EncryptedDisk.open(files.disk, files.key)
      #expect(StoreContent(store.graph.holdHead().contents) == files.content)
      #expect(store.opening.recoveredCommitCount == 8)
      var options = DurableStore.Options()
      options.key = files.key
      #expect(try DurableStore.verify(EncryptedDisk.path, files.disk, options: options).journalCommitCount == 8)
      try EncryptedDisk.insert(500..<510, into: store)
      // A reader beside the one that writes.
      let reader = try EncryptedDisk.open(files.disk, files.key) { $0.isReadOnly = true }
      #expect(StoreContent(reader.graph.holdHead().contents) == StoreContent(store.graph.holdHead().contents))
      try store.close()
      #expect(files.paths(".segment") == [])
      let last = try EncryptedDisk.open(files.disk.crash(.nothing), files.key)
      #expect(last.graph.holdHead().contents.rowCount(TableID(0)) == 219)
    }

    @Test func largeCommitsAreSealedInParts() throws {
      let disk = SimulatedDisk(seed: 1)
      let store = try EncryptedDisk.open(disk, Self.key)
      try EncryptedDisk.insert(0..<50_000, into: store)
      try EncryptedDisk.insert(50_000..<50_001, into: store)
      let content = StoreContent(store.graph.holdHead().contents)
      #expect(store.release() == nil)
      let again = try EncryptedDisk.open(disk, Self.key)
      #expect(again.opening.recoveredCommitCount == 2)
      #expect(StoreContent(again.graph.holdHead().contents) == content)
    }

    @Test func nothingThatWasWrittenCanBeRead() throws {
      let words = ["Confidential", "hidden name", "secret", "somebody", "purpose"]
      for key in [Self.key, nil] {
        let disk = SimulatedDisk(seed: 1)
        let store = try EncryptedDisk.open(disk, key)
        try EncryptedDisk.insert(0..<1, into: store)
        let graph = store.graph
        graph.enterGateBlocking()
        let writer = graph.begin()
        _ = writer.insert(into: TableID(0)) { $0.set(ColumnID(0), .int(7)) }
        let version = try graph.commit(note: CommitNote(author: "somebody", metadata: ["purpose": "none"])).version
          .number
        graph.gate.leave()
        store.flush(through: version)
        #expect(store.release() == nil)
        let bytes = disk.paths.flatMap { disk.content($0) ?? [] }
        for word in words { #expect(bytes.contains(word) == (key == nil), "\(word)") }
      }
    }

    @Test func theKeyHasToBeTheRightOne() throws {
      let encrypted = try EncryptedDisk()
      let plain = try EncryptedDisk(nil)
      for (files, key, words) in [
        (encrypted, nil, "is encrypted. Give its key"),
        (encrypted, Self.otherKey, "with another key than the one given"),
        (plain, Self.key, "is not encrypted, but a key was given"),
      ] {
        for isReadOnly in [false, true] {
          // Also while somebody has it open, and without a trace.
          let disk = files.disk.crash(.everything)
          let before = disk.paths
          let error = Self.error { _ = try EncryptedDisk.open(disk, key) { $0.isReadOnly = isReadOnly } }
          #expect(error?.code == .invalidDatabase && error?.message.contains(words) == true, "\(error as Any)")
          #expect(error?.path == EncryptedDisk.path)
          #expect(disk.paths == before)
        }
        var options = DurableStore.Options()
        options.key = key
        let error = Self.error { _ = try DurableStore.verify(EncryptedDisk.path, files.disk, options: options) }
        #expect(error?.code == .invalidDatabase)
      }
      // A damaged header is damage, and no wrong key.
      var bytes = encrypted.base
      bytes[20] ^= 1
      #expect(try encrypted.opening(EncryptedDisk.path, as: bytes) == .corrupted)
      #expect(try DurableStore.deleteFiles(EncryptedDisk.path, encrypted.disk), "needs no key")
      #expect(encrypted.disk.paths == [])
    }

    @Test func copiesHaveTheKeyThatIsGivenForThem() throws {
      let keys = [Self.key, Self.otherKey, nil]
      for (from, source) in keys.enumerated() {
        let files = try EncryptedDisk(source)
        let store = try EncryptedDisk.open(files.disk, source)
        for (to, target) in keys.enumerated() {
          let path = "/copy\(to).firn"
          try StoreCopy(store.graph.holdHead(), of: store).write(to: path, key: target, in: files.disk)
          for (index, key) in keys.enumerated() {
            let error = Self.error {
              let copy = try EncryptedDisk.open(files.disk, key, path: path)
              #expect(StoreContent(copy.graph.holdHead().contents) == files.content)
              _ = copy.release()
            }
            #expect(error?.code == (index == to ? nil : .invalidDatabase), "\(from), \(to), \(index)")
          }
        }
      }
    }

    @Test func aSeedHasTheKeyOfTheStore() throws {
      let files = try EncryptedDisk()
      let seeded = try EncryptedDisk.open(files.disk, files.key, path: "/new") { $0.seedPath = EncryptedDisk.path }
      #expect(StoreContent(seeded.graph.holdHead().contents) == files.content)
      #expect(!(files.disk.content("/new") ?? []).contains("Confidential"))
      for key in [nil, Self.otherKey] {
        let error = Self.error {
          _ = try EncryptedDisk.open(files.disk, key, path: "/other") { $0.seedPath = EncryptedDisk.path }
        }
        #expect(error?.code == .invalidDatabase && error?.path == EncryptedDisk.path)
        #expect(files.disk.content("/other") == nil)
      }
    }

    /// The journal of the old key beside a copy with another one, put in place of the base: as with plain files, it says what to do.
    @Test func aJournalBesideARekeyedCopyIsNamed() throws {
      for target in [Self.otherKey, nil] {
        let files = try EncryptedDisk()
        let store = try EncryptedDisk.open(files.disk, files.key)
        try StoreCopy(store.graph.holdHead(), of: store).write(to: "/copy", key: target, in: files.disk)
        _ = store.release()
        files.disk.setContent(EncryptedDisk.path, files.disk.content("/copy") ?? [])
        let error = Self.error { _ = try EncryptedDisk.open(files.disk, target) }
        #expect(error?.code == .corrupted && error?.message.contains("remove the folder") == true, "\(error as Any)")
      }
    }

    @Test func everyFileHasItsOwnSalt() throws {
      let files = try EncryptedDisk()
      var salts: Set<[UInt8]> = [Array(files.base[56..<72])]
      for path in files.paths(".delta") { salts.insert(Array(files.disk.content(path)![56..<72])) }
      for path in files.paths(".segment") { salts.insert(Array(files.disk.content(path)![48..<64])) }
      #expect(salts.count == 4)
      // Also the segments of one process.
      let store = try EncryptedDisk.open(files.disk, files.key)
      for id in Int64(1_000)..<1_100 { try EncryptedDisk.insert(id..<id + 1, into: store) }
      for path in files.paths(".segment") { salts.insert(Array(files.disk.content(path)![48..<64])) }
      #expect(salts.count > 5 && salts.count == files.paths(".segment").count + 2)
      _ = try store.checkpoint()
      salts.insert(Array(files.base[56..<72]))
      _ = store.release()
    }

    @Test func keysAreShownNowhere() throws {
      let key = try #require(TestKey.encrypted.key)
      var text = "\(key) \(String(reflecting: key)) "
      dump(key, to: &text)
      var options = DurableStore.Options()
      options.key = key
      dump(options, to: &text)
      let files = try EncryptedDisk()
      let log = Lock("")
      files.disk.setFault(SimulatedDisk.Fault(call: 30, kind: .error(.inputOutput)))
      do {
        let store = try EncryptedDisk.open(files.disk, key) {
          $0.log = { message in log.withLock { $0 += message } }
        }
        for id in Int64(500)..<520 { try EncryptedDisk.insert(id..<id + 1, into: store) }
      } catch {
        text += "\(error)"
        dump(error, to: &text)
      }
      text += log.withLock { $0 }
      #expect(files.disk.didStop)
      #expect(KeyText.isAbsent(in: text))
      #expect(
        !KeyText.isAbsent(in: "x \(TestKey.bytes)") && !KeyText.isAbsent(in: "000102030405060708090a0b0c0d0e0f1011"))
    }
  }

  /// How a key might show itself.
  enum KeyText {
    static func isAbsent(in text: String) -> Bool {
      let digits = TestKey.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      let decimals = TestKey.bytes[8..<16].map(String.init)
      let shown = text.lowercased().filter { !$0.isWhitespace && $0 != "-" && $0 != "▿" }
      // Base 64 of the bytes from 0 and from 33 on.
      let parts = [
        String(digits.prefix(16)), String(digits.suffix(16)), "aaecawqfbgci", "isijjcumjygp",
        decimals.joined(separator: ","), decimals.joined(),
      ]
      if parts.contains(where: { shown.contains($0) }) { return false }
      return true
    }
  }
#endif
