import Foundation
import Testing

@testable import Firn

/// Real processes that are killed while they write with history.
@Suite struct KilledHistoryTests {
  static func configuration(_ folder: String) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: "\(folder)/past.firn"), objectTypes: [PastFlight.self, PastPlane.self])
    configuration.history = .init(byteCount: 1 << 30)
    configuration.checkpoints.interval = nil
    return configuration
  }

  /// Commit `number` of a life, which says all that history is to say of it.
  static func write(_ number: Int, life: Int, to store: RealmStore) async throws {
    try await store.write(author: "\(life)", metadata: ["n": "\(number)", "odd": "a\0b\u{FFFD}🐦"]) { realm in
      realm.create(PastFlight.self, value: ["id": "\(life)", "delay": number], update: .modified)
    }
  }

  @Test("what was acknowledged before kill -9 is in the history, exactly, life after life")
  func killed() async throws {
    let folder = NSTemporaryDirectory() + "firn-killed-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for life in 0..<4 {
      await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String, life = life as Int] in
        let store = try await RealmStore.open(Self.configuration(folder))
        let acknowledged = try #require(fopen("\(folder)/acknowledged", "a"))
        for number in 0..<100_000 {
          try await Self.write(number, life: life, to: store)
          fputs("\(life) \(number)\n", acknowledged)
          fflush(acknowledged)
          // In the middle of what follows.
          if number == 30 + 17 * life {
            Task.detached { kill(getpid(), SIGKILL) }
          }
          if number % 25 == 24 { try await store.checkpoint() }
        }
      }
      let lines = try String(contentsOfFile: "\(folder)/acknowledged", encoding: .utf8).split(separator: "\n")
      let store = try await RealmStore.open(Self.configuration(folder))
      var told: [String] = []
      var last: [String: Int] = [:]
      for try await entry in store.history() where !entry.classes.isEmpty {
        let author = try #require(entry.cause?.author)
        let number = try #require(entry.cause?.metadata["n"].flatMap { Int($0) })
        #expect(entry.cause?.metadata["odd"] == "a\0b\u{FFFD}🐦")
        let changes = try #require(entry.classes.first)
        let flight = try #require(changes.insertions.first ?? changes.modifications.first)
        #expect(flight.identity.primaryKey == .string(author) && flight["delay"]?.newValue == .int(number))
        #expect(flight["delay"]?.oldValue == last[author].map { .int($0) })
        last[author] = number
        told.append("\(author) \(number)")
      }
      // One commit may have reached the disk whose caller was not told.
      let extra = told.count - lines.count
      #expect((0...life + 1).contains(extra), "life \(life): \(extra)")
      #expect(lines.allSatisfy { told.contains(String($0)) })
      #expect(
        told
          == told.sorted { (Int($0.prefix(1))!, Int($0.dropFirst(2))!) < (Int($1.prefix(1))!, Int($1.dropFirst(2))!) })
      try await store.close()
      #expect(try RealmStore.verify(Self.configuration(folder)).historyCommitCount >= told.count)
    }
  }
}
