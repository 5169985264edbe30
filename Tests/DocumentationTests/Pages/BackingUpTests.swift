import Firn
import Testing

@Suite struct BackingUpTests {
  class Flight: Object {
    @Persisted var id: String
  }

  struct Backups: Sendable {
    var store: RealmStore
    var folder: URL
    var keptCount = 7

    func run(every interval: Duration) async {
      while !Task.isCancelled {
        do {
          try await copy()
        } catch let error as Realm.Error where error.code == .storeClosed {
          return
        } catch {
          print("There is no new backup: \(error.localizedDescription)")
        }
        try? await Task.sleep(for: interval)
      }
    }

    func copy() async throws {
      let name = "board-\(Int(Date.now.timeIntervalSince1970)).firn"
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try await store.writeCopy(to: folder.appendingPathComponent(name))
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      let copies = names.filter { $0.hasPrefix("board-") && $0.hasSuffix(".firn") }.sorted()
      for old in copies.dropLast(keptCount) {
        try FileManager.default.removeItem(at: folder.appendingPathComponent(old))
      }
    }
  }

  @Test func copiesAtIntervals() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try await RealmStore.open(
      Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Flight.self]))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for second in 1...3 { try Data().write(to: folder.appendingPathComponent("board-\(second).firn")) }
    let backups = Backups(store: store, folder: folder, keptCount: 2)
    try await backups.copy()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".firn") }
    #expect(names.count == 2 && names.contains("board-3.firn"))

    // A file where the folder should be: a failure is told, and the loop goes on until it is cancelled.
    let file = folder.appendingPathComponent("file")
    try Data().write(to: file)
    let failing = Backups(store: store, folder: file)
    let printed = await Printout.of {
      let task = Task { await failing.run(every: .milliseconds(1)) }
      try? await Task.sleep(for: .milliseconds(50))
      task.cancel()
      await task.value
    }
    #expect(printed.components(separatedBy: "There is no new backup: ").count > 1)

    try await store.close()
    await Backups(store: store, folder: folder).run(every: .seconds(3600))
  }

  @Test func backUpAndRestore() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("board.firn")
    let configuration = Realm.Configuration(fileURL: file, objectTypes: [Flight.self])
    let store = try await RealmStore.open(configuration)
    try await store.write { $0.create(Flight.self, value: ["id": "B6 123"]) }

    let printed = try await Printout.of {
      let backup = folder.appendingPathComponent("board-\(Int(Date.now.timeIntervalSince1970)).firn")
      try await store.writeCopy(to: backup)
      let report = try RealmStore.verify(Realm.Configuration(fileURL: backup))
      print(report.version, report.byteCount)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let name = try #require(names.first { $0.hasPrefix("board-") && $0.hasSuffix(".firn") })
    let backup = folder.appendingPathComponent(name)
    let size = try #require(FileManager.default.attributesOfItem(atPath: backup.path)[.size] as? Int)
    #expect(printed == "\(store.freeze().version) \(size)\n")

    try await store.write { $0.deleteAll() }
    try await store.close()
    _ = try Realm.deleteFiles(for: configuration)
    try FileManager.default.copyItem(at: backup, to: file)
    let restored = try await RealmStore.open(configuration)
    #expect(restored.freeze().objects(Flight.self).map(\.id) == ["B6 123"])
    try await restored.close()
  }
}
