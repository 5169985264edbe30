import FirnCombine
import Foundation
import TestSupport
import Testing

@testable import Firn

/// A database that is only read does not change: whoever would be told ends the process.
@Suite struct ReadOnlyTests {
  private static let subscribing: [@Sendable (Realm) -> Any] = [
    { $0.objects(Person.self).changesetPublisher.sink { _ in } },
    { $0.objects(Person.self).objectWillChange.sink { _ in } },
    { valuePublisher($0.objects(Person.self)[0]).sink(receiveCompletion: { _ in }, receiveValue: { _ in }) },
    { changesetPublisher(Card(projecting: $0.objects(Person.self)[0])).sink { _ in } },
    { $0.objects(Person.self)[0].scores.changesetPublisher.sink { _ in } },
    { $0.objects(Person.self).sectioned(by: \.age).changesetPublisher.sink { _ in } },
    { $0.objects(Person.self).sectioned(by: \.age)[0].changesetPublisher.sink { _ in } },
    { $0.objects(Person.self).liveValue { $0.count }.valuePublisher.sink { _ in } },
    { $0.objects(Person.self).grouped(by: \.age).changesetPublisher.sink { _ in } },
    { $0.objects(Person.self).projectTo.name.observe { _ in } },
    { $0.objects(Card.self).observe { _ in } },
    { $0.objectWillChange.sink { _ in } },
  ]

  @Test(arguments: subscribing.indices) func nothingIsObserved(kind: Int) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("firn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("test.firn").path
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [kind = kind as Int, path = path as String] in
      var configuration = People.configuration()
      configuration.fileURL = URL(fileURLWithPath: path)
      let store = try await RealmStore.open(configuration)
      try await store.write { _ = $0.create(Person.self, value: ["id": 1]) }
      try await store.close()
      configuration.readOnly = true
      let reading = configuration
      try onOwnThread { _ = ReadOnlyTests.subscribing[kind](try Realm(configuration: reading)) }
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("Read-only Realms do not change and do not have change notifications"), "\(output)")
  }
}
