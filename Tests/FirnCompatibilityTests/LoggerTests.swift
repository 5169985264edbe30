import Firn
import Foundation
import Testing

private class Leaf: Object {
  @Persisted var number: Int
}

/// Has the library log a warning: an invalidated transaction is cancelled.
private func warn() throws {
  try onOwnThread {
    let realm = try Realm(
      configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [Leaf.self]))
    realm.beginWrite()
    realm.invalidate()
  }
}

/// Has the library log what happens to a database: it is opened.
private func openFile() throws {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("firn-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  try onOwnThread {
    _ = try Realm(configuration: .init(fileURL: folder.appendingPathComponent("leaves.firn"), objectTypes: [Leaf.self]))
  }
}

/// Prints what it is given, for the test that looks at the output of a process.
private func printing(_ level: LogLevel) -> Logger {
  Logger(level: level) { level, message in print("<\(level)> \(message)") }
}

private func printed(_ result: ExitTest.Result?) -> String {
  String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
}

/// Each in a process of its own: there is one shared logger.
struct LoggerTests {
  @Test func levelsHaveTheirNumbers() {
    let levels: [LogLevel] = [.off, .fatal, .error, .warn, .info, .detail, .debug, .trace, .all]
    #expect(levels.map(\.rawValue) == Array(0...8))
  }

  @Test func theSharedLoggerGetsWhatIsSevereEnough() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      // Made, and not shared.
      _ = printing(.all)
      Logger.shared = printing(.warn)
      try openFile()
      try warn()
    }
    let text = printed(result)
    #expect(text.contains("<warn> A realm was invalidated inside a write transaction"))
    #expect(!text.contains("<detail>") && text.components(separatedBy: "<warn>").count == 2)
  }

  @Test func whatDatabasesDoIsLogged() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      Logger.shared = printing(.trace)
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("firn-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let store = try await RealmStore.open(
        .init(fileURL: folder.appendingPathComponent("leaves.firn"), objectTypes: [Leaf.self]))
      try await store.write { _ = $0.create(Leaf.self) }
      try await store.checkpoint()
      try await store.close()
      try onOwnThread {
        let realm = try Realm(configuration: .init(inMemoryIdentifier: "in memory", objectTypes: [Leaf.self]))
        let token = realm.objects(Leaf.self).observe { _ in }
        realm.refresh()
        try realm.write { _ = realm.create(Leaf.self) }
        token.invalidate()
      }
    }
    let text = printed(result)
    for line in [
      "leaves.firn'. A new database.", "has committed version", "<detail> Checkpoint of",
      "<detail> Closed the database", "<detail> Opened the database 'in memory' in memory.",
      "<debug> The database 'in memory' has committed version", "<trace> Version", "told to 1 of 1 observers",
      "<detail> Released the database 'in memory'.",
    ] {
      #expect(text.contains(line), "\(line) in \(text)")
    }
  }

  @Test func theLevelMayBeChangedAtAnyTime() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      let logger = printing(.off)
      Logger.shared = logger
      try warn()
      try openFile()
      print("now")
      logger.level = .all
      if logger.level != .all || Logger.shared.level != .all { fatalError("The level was not set.") }
      try openFile()
      print("then")
      logger.level = .error
      try warn()
    }
    let parts = printed(result).components(separatedBy: "now\n")
    #expect(!parts[0].contains("<"))
    let later = parts.last?.components(separatedBy: "then\n")
    #expect(later?.first?.contains("<detail> Opened the database") == true)
    #expect(later?.last?.contains("<warn>") == false)
  }

  @Test func theDefaultLoggerWritesThroughSwiftLog() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent, \.standardErrorContent]
    ) {
      if Logger.shared.level != .info { fatalError("Not the level of the default logger.") }
      try openFile()
      try warn()
      // More than the handler of swift-log lets through by itself.
      Logger.shared.level = .detail
      try openFile()
    }
    let text = printed(result) + String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let lines = text.split(separator: "\n").filter { $0.contains("firn") }
    #expect(lines.contains { $0.contains("warning") && $0.contains("A realm was invalidated") })
    #expect(lines.filter { $0.contains("debug") && $0.contains("Opened the database") }.count == 1)
  }
}
