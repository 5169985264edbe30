import FirnDurability
import Foundation
import StoreTestSupport
import Synchronization
import Testing

@testable import Firn

/// Where a subscriber that comes back has to begin anew, or is told nothing.
@Suite struct ResumeResetTests {
  @Test func tokensOfElsewhereLeadToAReset() async throws {
    let (store, other) = (
      try await RealmStore.open(Resumed.configuration()), try await RealmStore.open(Resumed.configuration())
    )
    try await LateFlights.fill(store)
    try await LateFlights.fill(other)
    let token = store.freeze().resumeToken
    let position = try #require(token.position)
    #expect(position.version == other.freeze().resumeToken.position?.version)
    let wrong = [
      other.freeze().resumeToken, ResumeToken(nil),
      ResumeToken(HistoryPosition(storeID: position.storeID, version: position.version + 1, mark: position.mark)),
      ResumeToken(HistoryPosition(storeID: position.storeID, version: .max, mark: position.mark)),
      ResumeToken(HistoryPosition(storeID: position.storeID, version: 0, mark: position.mark)),
      ResumeToken(HistoryPosition(storeID: position.storeID, version: position.version, mark: position.mark &+ 1)),
    ]
    for token in wrong {
      #expect(await LateFlights.resumption(store, after: token)?.start == .reset, "\(token)")
    }
    #expect(await LateFlights.resumption(store, after: token)?.start == .resumed)
    try await store.close()
    try await other.close()
  }

  @Test func newPropertiesLeadToAReset() async throws {
    let disk = SimulatedDisk(seed: 1)
    var configuration = Resumed.configuration(disk, [ResumedAirport.self, ResumedFlight.self, ResumedCrew.self])
    let store = try await RealmStore.open(configuration)
    try await LateFlights.fill(store)
    let token = store.freeze().resumeToken
    try await store.close()
    // Without a change, it goes on.
    let same = try await RealmStore.open(configuration)
    #expect(await LateFlights.resumption(same, after: token) == Told(resumed: [], []))
    try await same.close()
    configuration.objectTypes = Resumed.types
    let changed = try await RealmStore.open(configuration)
    #expect(await LateFlights.resumption(changed, after: token)?.start == .reset)
    let next = changed.freeze().resumeToken
    #expect(await LateFlights.resumption(changed, after: next) == Told(resumed: [], []))
    try await changed.close()
  }

  @Test func whoIsFarBehindBeginsAnew() async throws {
    var configuration = Resumed.configuration()
    configuration.maximumObserverLag = 16_000
    let store = try await RealmStore.open(configuration)
    try await LateFlights.fill(store)
    var changes = LateFlights.changes(store).makeAsyncIterator()
    _ = await changes.next()
    for start in 0..<4 {
      try await LateFlights.write(store) { realm in
        for number in 0..<1_000 {
          realm.create(ResumedFlight.self, value: ["id": "n\(start) \(number)", "delay": 5] as [String: Any])
        }
      }
    }
    let change = try #require(await changes.next())
    #expect(Told(change).start == .reset && change.content.count == 4_003)
    try await store.close()
  }

  @Test func readOnlyStoresResumeAndEnd() async throws {
    let disk = SimulatedDisk(seed: 1)
    var configuration = Resumed.configuration(disk)
    let store = try await RealmStore.open(configuration)
    try await LateFlights.fill(store)
    let token = store.freeze().resumeToken
    try await LateFlights.write(store) { realm in realm.objects(ResumedFlight.self).first?.delay = 8 }
    try await store.close()
    configuration.readOnly = true
    let reading = try await RealmStore.open(configuration)
    var changes = LateFlights.changes(reading, after: token).makeAsyncIterator()
    #expect(await changes.next().map { Told($0) } == Told(resumed: ["f0"], []))
    #expect(await changes.next().map { Told($0) } == nil)
    try await reading.close()
  }

  /// A journal that cannot be read is no reason to end, nor to leave something out.
  @Test func whatCannotBeReadLeadsToAReset() async throws {
    let disk = SimulatedDisk(seed: 1)
    let configuration = Resumed.configuration(disk)
    let store = try await RealmStore.open(configuration)
    try await LateFlights.fill(store)
    let token = store.freeze().resumeToken
    try await LateFlights.write(store) { realm in realm.objects(ResumedFlight.self).first?.delay = 8 }
    let folder = configuration.fileURL!.path + ".journal"
    for name in try disk.list(folder) where name.hasSuffix(".segment") {
      disk.setContent("\(folder)/\(name)", Array(repeating: 7, count: 400))
    }
    #expect(await LateFlights.resumption(store, after: token)?.start == .reset)
    store.store.leaveOpenStores()
  }

  /// Readers see what was not on the disk when that failed, but the files do not say so for certain.
  @Test func aDiskThatFailedTellsNothingOfWhatReadersSee() async throws {
    let disk = SimulatedDisk(seed: 1)
    var configuration = Resumed.configuration(disk)
    configuration.durability = .onCheckpoint
    configuration.checkpoints.interval = nil
    let store = try await RealmStore.open(configuration)
    try await LateFlights.fill(store)
    try await store.checkpoint()
    let token = store.freeze().resumeToken
    try await LateFlights.write(store) { realm in realm.objects(ResumedFlight.self).first?.delay = 8 }
    disk.setFault(SimulatedDisk.Fault(call: 1, kind: .stop))
    await #expect(throws: Realm.Error.self) { try await store.checkpoint() }
    let told = await LateFlights.resumption(store, after: token)
    #expect(told?.start == .reset || told == Told(resumed: ["f0"], []), "\(told as Any)")
    store.store.leaveOpenStores()
  }

  @Test func cancellationEndsAtOnce() async throws {
    let store = try await RealmStore.open(Resumed.configuration())
    try await LateFlights.fill(store)
    let token = store.freeze().resumeToken
    for await _ in LateFlights.changes(store, after: token).prefix(1) {}
    let task = Task {
      var count = 0
      for await _ in LateFlights.changes(store, after: token) { count += 1 }
      return count
    }
    while store.statistics.streams.isEmpty { await Task.yield() }
    task.cancel()
    #expect(await task.value <= 1)
    while !store.statistics.streams.isEmpty { await Task.yield() }
    try await store.close()
  }

  /// Later changes without what happened before would be wrong.
  @Test func whoIsCancelledWhileThePastIsReadIsToldNothingMore() async throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try await RealmStore.open(Resumed.configuration(disk))
    try await LateFlights.fill(store)
    let token = store.freeze().resumeToken
    // More than is read at once.
    for number in 0..<3 {
      try await LateFlights.write(store) { realm in
        realm.objects(ResumedFlight.self)[number].note = String(repeating: "\(number)", count: 700_000)
      }
    }
    nonisolated(unsafe) var changes = LateFlights.changes(store, after: token).makeAsyncIterator()
    let isReading = Atomic<Bool>(false)
    let gate = DispatchSemaphore(value: 0)
    disk.beforeRead { _ in
      isReading.store(true, ordering: .releasing)
      gate.wait()
    }
    let task = Task { await changes.next().map { Told($0) } }
    while !isReading.load(ordering: .acquiring) { await Task.yield() }
    task.cancel()
    disk.beforeRead(nil)
    gate.signal()
    #expect(await task.value == nil)
    try await LateFlights.write(store) { realm in realm.objects(ResumedFlight.self).last?.delay = 9 }
    #expect(await changes.next().map { Told($0) } == nil)
    try await store.close()
  }

  /// Keys that wait take what they are long.
  @Test func longKeysAreGivenUp() async throws {
    var configuration = Resumed.configuration()
    configuration.maximumObserverLag = 300_000
    let store = try await RealmStore.open(configuration)
    var changes = LateFlights.changes(store).makeAsyncIterator()
    let name = String(repeating: "long ", count: 20_000)
    try await LateFlights.write(store) { realm in
      for number in 0..<8 {
        realm.create(ResumedFlight.self, value: ["id": "\(number) \(name)", "delay": 9] as [String: Any])
      }
    }
    _ = await changes.next()
    for number in 0..<8 {
      try await LateFlights.write(store) { realm in
        realm.object(ofType: ResumedFlight.self, forPrimaryKey: "\(number) \(name)")?.delay = 0
      }
    }
    while store.statistics.streams.first.map({ $0.byteCount > 300_000 }) ?? true { await Task.yield() }
    #expect(await changes.next().map { Told($0).start } == .some(.reset))
    try await store.close()
  }
}
