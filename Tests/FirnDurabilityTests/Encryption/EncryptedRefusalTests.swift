#if Encryption
  import FirnDurability
  import FirnEngine
  import Testing

  /// What somebody without the key may do to encrypted files, under right checksums: all of it is refused.
  @Suite struct EncryptedRefusalTests {
    private static let key = TestKey.encrypted.key

    // MARK: Frames

    @Test func framesAreBoundToTheirPlaces() throws {
      let files = try EncryptedDisk()
      let (path, whole) = try files.segment(1)
      let (_, other) = try files.segment(0)
      let frames = whole.frames
      #expect(frames.count >= 4)
      func refuses(_ what: String, _ change: (inout EncryptedSegment) -> Void) throws {
        var changed = whole
        change(&changed)
        changed.mend()
        #expect(changed.bytes != whole.bytes, "\(what)")
        #expect(try files.opening(path, as: changed.bytes) == .corrupted, "\(what)")
      }
      var mended = whole
      mended.mend()
      #expect(
        mended.bytes == whole.bytes && frames[1].count == frames[2].count && frames[1].count == other.frames[2].count)
      // Under the heads that belong there, so that the order is right.
      try refuses("two frames swapped") {
        ($0[$0.content(frames[1])], $0[$0.content(frames[2])]) = ($0[$0.content(frames[2])], $0[$0.content(frames[1])])
      }
      try refuses("a frame replayed") { $0[$0.content(frames[2])] = $0[$0.content(frames[1])] }
      try refuses("a frame of another segment") {
        $0[$0.content(frames[1])] = other[other.content(other.frames[2])]
      }
      try refuses("a frame of another segment at the same place") {
        $0[$0.content(frames[2])] = other[other.content(other.frames[2])]
      }
      for place in [6, 40, 48, 56, 80, 95] {
        try refuses("byte \(place) of a frame") { $0.bytes[frames[1].lowerBound + place] ^= 1 }
      }
      try refuses("a frame that is not sealed") { $0.bytes[frames[1].lowerBound + 7] ^= 2 }
      for place in [32, 50, 64, 72, 80] {
        try refuses("byte \(place) of the header") { $0.bytes[place] ^= 1 }
      }
      try refuses("the check value") { $0.bytes[100] ^= 1 }
    }

    @Test func aFrameLeftOutIsMissed() throws {
      let files = try EncryptedDisk()
      let (path, whole) = try files.segment(1)
      var changed = whole
      changed.bytes.removeSubrange(whole.frames[1])
      // The head of the next one names the version that the frame made.
      changed.mend()
      let head = whole.frames[1].lowerBound
      for place in 48..<56 { changed.bytes[head + place] = whole.bytes[whole.frames[1].lowerBound + place] }
      changed.mend()
      #expect(try files.opening(path, as: changed.bytes) == .corrupted)
    }

    // MARK: Blocks

    @Test func blocksAreBoundToTheirPlaces() throws {
      var random = SeededRandom.printed("blocksAreBoundToTheirPlaces")
      let sample = try SnapshotSample.random(&random, groupRowCounts: [40, 40])
      let (bytes, twin) = (try sample.bytes(key: Self.key), try sample.bytes(key: Self.key))
      #expect(bytes.count == twin.count && bytes != twin, "the same content with another salt")
      #expect(try readAll(bytes, key: Self.key) == SnapshotContent(sample))
      #expect(try readAll(twin, key: Self.key) == SnapshotContent(sample))
      let directory = try SnapshotReader(MemoryFile(bytes), kind: .base, key: Self.key).directory
      func refuses(_ what: String, _ change: (inout [UInt8]) -> Void) {
        var changed = bytes
        change(&changed)
        #expect(EncryptedDisk.code { _ = try readAll(changed, key: Self.key) } == .corrupted, "\(what)")
        #expect(
          EncryptedDisk.code {
            _ = try SnapshotReader(MemoryFile(changed), kind: .base, key: Self.key).verify()
          } == .corrupted, "\(what)")
      }
      let places = directory.blocks.map { $0.offset..<$0.offset + $0.storedByteCount }
      var swapped = 0
      for (first, second) in zip(places, places.dropFirst()) {
        let range = first.lowerBound..<second.upperBound
        if bytes[first].elementsEqual(bytes[second]) { continue }
        swapped += 1
        refuses("swapped at \(range)") { $0.replaceSubrange(range, with: bytes[second] + bytes[first]) }
      }
      #expect(swapped > 50)
      for place in places { refuses("from a twin") { $0.replaceSubrange(place, with: twin[place]) } }
      // All but the header of the twin, and only the header.
      refuses("the body of a twin") { $0.replaceSubrange(112..., with: twin[112...]) }
      refuses("the directory of a twin") {
        let range = try! bytes.directoryOffset()..<bytes.count - 40
        $0.replaceSubrange(range, with: twin[range])
        Checksum.renew(&$0, range, at: bytes.count - 16)
        Checksum.renew(&$0, bytes.count - 40..<bytes.count - 8, at: bytes.count - 8)
      }
    }

    @Test func everyChangedByteIsFound() throws {
      var random = SeededRandom.printed("everyChangedByteIsFound, encrypted")
      let bytes = try SnapshotSample.random(&random, groupRowCounts: [1], collections: [.list]).bytes(key: Self.key)
      for index in bytes.indices {
        var damaged = bytes
        damaged[index] ^= UInt8(1 + random.below(255))
        // What the checksum of the header would tell is told by the check value as well.
        if index < 92 { Checksum.renew(&damaged, 0..<92, at: 92) }
        #expect(throws: StoreError.self, "byte \(index) of \(bytes.count)") { try readAll(damaged, key: Self.key) }
        #expect(throws: StoreError.self, "byte \(index) of \(bytes.count)") {
          try SnapshotReader(MemoryFile(damaged), kind: .base, key: Self.key).verify()
        }
      }
      for count in bytes.indices {
        #expect(throws: StoreError.self) {
          try SnapshotReader(MemoryFile(Array(bytes[..<count])), kind: .base, key: Self.key)
        }
      }
    }

    // MARK: Files

    @Test func plainFilesAreNoPartsOfEncryptedStores() throws {
      let encrypted = try EncryptedDisk()
      let plain = try EncryptedDisk(nil)
      for (files, other) in [(encrypted, plain), (plain, encrypted)] {
        let delta = try #require(files.paths(".delta").first)
        var bytes = try #require(other.disk.content(other.paths(".delta")[0]))
        bytes.replaceSubrange(16..<32, with: files.base[16..<32])
        Checksum.renew(&bytes, 0..<92, at: 92)
        #expect(try files.opening(delta, as: bytes) == .corrupted)
        let (path, segment) = try files.segment(1)
        #expect(try files.opening(path, as: forged(other.segment(1).segment, as: segment).bytes) == .corrupted)
      }
      // It is forged well enough to be taken where nothing is sealed.
      let twin = try EncryptedDisk(nil)
      let (path, segment) = try plain.segment(1)
      #expect(try plain.opening(path, as: forged(twin.segment(1).segment, as: segment).bytes) == nil)
    }

    /// A segment as somebody would make it for another store: under its id, which is no secret, where the one before ends.
    private func forged(_ segment: EncryptedSegment, as other: EncryptedSegment) -> EncryptedSegment {
      var forged = segment
      for start in [0] + forged.frames.map(\.lowerBound) { forged[start + 16..<start + 32] = other[16..<32] }
      forged[80..<84] = other[80..<84]
      forged.mend()
      return forged
    }

    @Test func deltasOfOtherStoresWithTheKeyAreRefused() throws {
      let (files, other) = (try EncryptedDisk(), try EncryptedDisk())
      let path = try #require(files.paths(".delta").first)
      var bytes = try #require(other.disk.content(path))
      #expect(try files.opening(path, as: bytes) == .corrupted)
      bytes.replaceSubrange(16..<32, with: files.base[16..<32])
      Checksum.renew(&bytes, 0..<92, at: 92)
      #expect(try files.opening(path, as: bytes) == .corrupted)
    }
  }
#endif
