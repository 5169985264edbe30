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
