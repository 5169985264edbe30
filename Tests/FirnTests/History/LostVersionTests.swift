import FirnDurability
import FirnEngine
import Foundation
import StoreTestSupport
import Testing

@testable import Firn

private class Entry: Object {
  @Persisted var number: Int
}

/// Numbers of versions when the disk fails: those that readers have seen are not given to anything else.
@Suite struct LostVersionTests {
  /// Another one for each case: stores that are open are known by it, whatever disk they are on.
  private let path = "/\(UUID().uuidString).firn"

  private func configuration(_ disk: SimulatedDisk) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: path), objectTypes: [Entry.self])
    configuration.fileSystem = disk
    configuration.history = .init(byteCount: 1 << 20)
    configuration.checkpoints.interval = nil
    return configuration
  }

  private func write(_ store: RealmStore, _ numbers: Range<Int>) async throws {
    for number in numbers {
      try await store.write { realm in
        realm.create(Entry.self, value: ["number": number])
        return
      }
    }
  }

  private func inserted(_ store: RealmStore, after version: UInt64) async throws -> [Int] {
    var numbers: [Int] = []
    for try await entry in store.history(after: version) {
      for object in entry.classes.flatMap(\.insertions) {
        guard case .int(let number)? = object.properties.first(where: { $0.name == "number" })?.newValue else {
          continue
        }
        numbers.append(number)
      }
    }
    return numbers
  }

  /// A store whose disk has failed: commits 0 to 2 are there, 3 is lost.
  private func failed(_ disk: SimulatedDisk) async throws -> RealmStore {
    let store = try await RealmStore.open(configuration(disk))
    try await write(store, 0..<3)
    disk.setFault(SimulatedDisk.Fault(call: 1, kind: .error(.inputOutput), isSync: true))
    await #expect(throws: Realm.Error.self) { try await write(store, 3..<4) }
    return store
  }

  @Test(arguments: SimulatedDisk.Survival.allCases)
  func whatReadersSawAfterwardsLeadsToAllThatFollows(_ survival: SimulatedDisk.Survival) async throws {
    for seed in UInt64(0)..<8 {
      let disk = SimulatedDisk(seed: seed)
      let store = try await failed(disk)
      let frozen = store.freeze()
      #expect(frozen.objects(Entry.self).count == 3)
      let (seen, token) = (frozen.version, frozen.resumeToken)
      #expect(try await inserted(store, after: seen) == [])
      store.store.leaveOpenStores()

      let next = try await RealmStore.open(configuration(disk.crash(survival)))
      let isBack = next.freeze().objects(Entry.self).count == 4
      try await write(next, 4..<9)
      let expected = (isBack ? [3] : []) + Array(4..<9)
      #expect(try await inserted(next, after: seen) == expected, "seed \(seed)")
      let position = try #require(token.position)
      #expect(position.version == seen && next.store.historyPosition(of: seen) == position)
      try await next.close()
    }
  }

  @Test func whatACheckpointSavedAfterwardsHasItsOwnNumber() async throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try await failed(disk)
    let before = store.freeze().version
    let report = try #require(try await store.checkpoint())
    let seen = store.freeze().version
    #expect(report.isBase && seen == report.version && seen > before)
    store.store.leaveOpenStores()
    let next = try await RealmStore.open(configuration(disk.crash(.everything)))
    #expect(next.freeze().version == seen && next.freeze().objects(Entry.self).count == 3)
    try await write(next, 4..<9)
    #expect(try await inserted(next, after: seen) == Array(4..<9))
    await #expect(throws: Realm.Error.self) { _ = try await inserted(next, after: before) }
    try await next.close()
  }
}
