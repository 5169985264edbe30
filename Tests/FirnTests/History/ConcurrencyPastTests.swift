import FirnDurability
import FirnEngine
import Foundation
import Testing

@testable import Firn

/// Many tasks write, and others read what was written before, while checkpoints run.
@Suite struct ConcurrencyPastTests {
  @Test(arguments: [false, true]) func historyIsExactBesideWriters(inMemory: Bool) async throws {
    var configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: "/\(UUID().uuidString).firn"), objectTypes: [PastFlight.self, PastPlane.self])
    configuration.history = .init(byteCount: 1 << 30)
    if inMemory {
      configuration.inMemoryIdentifier = UUID().uuidString
    } else {
      configuration.fileSystem = SimulatedDisk(seed: 1)
    }
    let store = try await RealmStore.open(configuration)
    let first = store.store.graph.head
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<3 {
        group.addTask {
          for number in 0..<60 {
            try await store.write(author: "\(writer)", metadata: ["n": "\(number)"]) { realm in
              realm.create(PastFlight.self, value: ["id": "\(writer)", "delay": number], update: .modified)
            }
            if number % 20 == 19 { try await store.checkpoint() }
          }
        }
      }
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<15 {
            var numbers = [-1, -1, -1]
            for try await entry in store.history(after: first) {
              guard let cause = entry.cause, let writer = Int(cause.author ?? ""),
                let number = cause.metadata["n"].flatMap({ Int($0) })
              else { continue }
              // Each writer's commits are all there, in order, with the values of before.
              #expect(number == numbers[writer] + 1)
              numbers[writer] = number
              let change = entry.classes.first.flatMap { $0.modifications.first ?? $0.insertions.first }
              #expect(change?["delay"]?.newValue == .int(number))
              #expect(change?["delay"]?.oldValue == (number == 0 ? nil : .int(number - 1)))
            }
            let touched = try #require(
              try await store.touchedRows(after: first))
            let inserted = touched.changes.tables.map(\.inserted.count).reduce(0, +)
            #expect(inserted <= 3 && touched.changes.tables.allSatisfy { $0.deleted.isEmpty })
          }
        }
      }
      try await group.waitForAll()
    }
    var count = 0
    for try await _ in store.history(after: first) { count += 1 }
    #expect(count == 180)
    try await store.close()
  }

  /// However many clients come with an old token or read the past, and however long that is.
  @Test func manyReadersHaveFewFilesOpenAndTakeFewThreads() async throws {
    let disk = SimulatedDisk(seed: 1)
    var configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: "/\(UUID().uuidString).firn"), objectTypes: [PastFlight.self, PastPlane.self])
    configuration.history = .init(byteCount: 1 << 30)
    configuration.checkpoints.interval = nil
    configuration.fileSystem = disk
    let store = try await RealmStore.open(configuration)
    let token = store.store.graph.holdHead()
    let position = store.store.historyPosition(of: token.number)
    for number in 0..<40 {
      try await store.write { realm in
        realm.create(PastFlight.self, value: ["id": "a", "delay": number], update: .modified)
      }
      // A segment each time.
      try await store.checkpoint()
    }
    let head = store.store.graph.head
    #expect(disk.paths.count { $0.hasSuffix(".segment") } >= 20)
    _ = disk.takeOpenFileCountMax()
    let openFileCount = disk.takeOpenFileCountMax()
    let busyMax = Lock(0)
    disk.beforeRead { _ in
      let busy = store.store.historyThreads.counts.busy
      busyMax.withLock { $0 = max($0, busy) }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for reader in 0..<64 {
        group.addTask {
          if reader % 2 == 0 {
            #expect(store.store.historyPosition(of: token.number) == position)
            let touched = try await store.store.touchedRows(after: token.number, through: store.store.graph.holdHead())
            #expect(touched != nil)
          } else {
            var version = token.number
            for try await entry in store.history(after: token.number) { version = entry.version }
            #expect(version >= head)
          }
        }
      }
      group.addTask {
        for number in 0..<20 {
          try await store.write { realm in
            realm.create(PastFlight.self, value: ["id": "b", "delay": number], update: .modified)
          }
        }
      }
      try await group.waitForAll()
    }
    disk.beforeRead(nil)
    let threadCount = Store.historyThreadCountMax
    #expect((1...threadCount).contains(busyMax.withLock { $0 }))
    // One for each thread, and what writing takes: the next segment, and the base that may be written.
    #expect(disk.takeOpenFileCountMax() <= openFileCount + threadCount + 4)
    try await store.close()
  }

  /// Whoever waits gets a turn after those who came before, however much others read.
  @Test func readersTakeTurns() async throws {
    let threads = WorkThreads(threadCountMax: 1)
    let order = Lock<[Int]>([])
    let isFull = Semaphore()
    let isOpen = Semaphore()
    threads.submit {
      isFull.signal()
      isOpen.wait()
    } orRefuse: { _ in
      Issue.record("no thread")
    }
    isFull.wait()
    await withTaskGroup(of: Void.self) { group in
      for reader in 0..<8 {
        group.addTask {
          for _ in 0..<5 {
            try? await threads.run { order.withLock { $0.append(reader) } }
          }
        }
      }
      while threads.counts.waiting < 8 { await Task.yield() }
      isOpen.signal()
      await group.waitForAll()
    }
    // Nobody is far ahead of those who had come as well.
    let turns = order.withLock { $0 }
    #expect(Set(turns.prefix(8)).count == 8)
    #expect(turns.count == 40)
  }

  @Test("as far back as there is anything is possible whatever goes meanwhile", arguments: [false, true])
  func oldestBesideWriters(inMemory: Bool) async throws {
    var configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: "/\(UUID().uuidString).firn"), objectTypes: [PastFlight.self, PastPlane.self])
    configuration.history = .init(byteCount: 1)
    if inMemory {
      configuration.inMemoryIdentifier = UUID().uuidString
    } else {
      configuration.fileSystem = SimulatedDisk(seed: 1)
    }
    let store = try await RealmStore.open(configuration)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        while !Task.isCancelled {
          try await store.write { realm in _ = realm.create(PastPlane.self) }
          if !inMemory { try await store.checkpoint() }
          // A write that need not wait does not suspend, and there may be no other thread for tasks.
          await Task.yield()
        }
      }
      group.addTask {
        for _ in 0..<(inMemory ? 3_000 : 30) {
          var iterator = store.history().makeAsyncIterator()
          _ = try await iterator.next()
        }
      }
      try await group.next()
      group.cancelAll()
      while let result = await group.nextResult() {
        if case .failure(let error) = result, !(error is CancellationError) { throw error }
      }
    }
    try await store.close()
  }
}
