import FirnEngine
import TestSupport
import Testing

@testable import FirnDurability

@Suite("Verified history")
struct VerifiedHistoryTests {
  private static let path = "/store.firn"

  /// A store with 60 commits, half of them before its last checkpoint.
  private func disk(_ key: StoreKey? = nil) throws -> SimulatedDisk {
    let disk = SimulatedDisk(seed: 1)
    let store = try DurableHistoryTests.open(disk, key: key)
    for number in Int64(1)...60 {
      store.flush(through: try DurableHistoryTests.commit(number, to: store))
      if number == 30 { _ = try store.checkpoint() }
    }
    _ = store.release()
    return disk
  }

  private func failure(_ disk: SimulatedDisk, _ key: StoreKey? = nil) -> StoreError? {
    var options = DurableStore.Options()
    options.key = key
    do {
      _ = try DurableStore.verify(Self.path, disk, options: options)
      return nil
    } catch {
      return error as? StoreError
    }
  }

  @Test("has all commits, also those that opening does not need", arguments: TestKey.allCases)
  func whole(key: TestKey) throws {
    let disk = try disk(key.key)
    var options = DurableStore.Options()
    options.key = key.key
    let record = try DurableStore.verify(Self.path, disk, options: options)
    #expect(record.journalCommitCount == 30 && record.historyCommitCount == 60)
    let first = try #require(disk.paths.filter { $0.hasSuffix(".segment") }.min())
    var bytes = try #require(disk.content(first))
    bytes[300] ^= 1
    disk.setContent(first, bytes)
    let failure = failure(disk, key.key)
    #expect(failure?.code == .corrupted && failure?.path == first)
    #expect(failure?.message.contains("is sound, but not its history") == true)
    // Opening does not mind.
    let store = try DurableHistoryTests.open(disk, key: key.key)
    #expect(store.graph.holdHead().contents.rowCount(TableID(0)) > 0)
    _ = store.release()
  }

  @Test("has what rows were before")
  func oldValues() throws {
    let disk = try disk()
    #expect(failure(disk) == nil)
    let storeID = try StoreFiles(StorePaths(Self.path), disk, DurableStore.Options()).storeID
    let map = try Catalogue().merging(schema: DurableHistoryTests.schema).map
    var last: (payload: [UInt8], effects: Int)?
    _ = try JournalReader(folder: StorePaths(Self.path).journal, storeID: storeID, in: disk).read(after: 1) { commit in
      guard commit.kind == .commit else { return }
      let effects = try Effects(decoding: commit.payload, map: map, oldValues: .skipped)
      if effects.bytes.count < commit.payload.count { last = (Array(commit.payload), effects.bytes.count) }
    }
    let (payload, effects) = try #require(last)
    for path in disk.paths where path.hasSuffix(".segment") {
      guard var bytes = disk.content(path), let range = bytes.firstRange(of: payload) else { continue }
      bytes[range.lowerBound + effects] = 7
      FuzzSegment.mend(&bytes)
      disk.setContent(path, bytes)
    }
    let failure = failure(disk)
    #expect(failure?.code == .corrupted && failure?.message.contains("A flag of 7") == true)
  }
}
