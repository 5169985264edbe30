import CrashStore
import Firn
import Foundation
import Testing

/// Processes that are killed while they migrate a store: it is the old one or the new one, and never anything between.
@Suite struct KilledMigrationTests {
  /// Which migration is killed, and of what.
  struct Way: Sendable, CustomTestStringConvertible {
    let models: ParcelModels
    /// Whether the second half of the parcels is in the journal only.
    let hasJournal: Bool

    /// How many marks there are from the last one that always finds the old store.
    var markCountFromTurn: Int { models == .altered ? 3 : 2 }

    var testDescription: String { "\(models), \(hasJournal ? "half of it in the journal" : "all in the base")" }
  }

  private static let ways = [
    Way(models: .altered, hasJournal: false), Way(models: .altered, hasJournal: true),
    Way(models: .extended, hasJournal: true),
  ]

  /// FIRN_KILLS of the environment says how often, for all ways together.
  private static let killCount = ProcessInfo.processInfo.environment["FIRN_KILLS"].flatMap { Int($0) } ?? 6

  @Test(arguments: ways)
  func killedMigrationsLeaveTheOldStoreOrTheNewOne(way: Way) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("firn-kill-\(UUID().uuidString)")
    let original = folder.appendingPathComponent("original")
    try FileManager.default.createDirectory(at: original, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let contents = [way.models: way.models.expectedContents, .first: ParcelModels.first.expectedContents]
    try await makeStore(original, folder.appendingPathComponent("writing"), way)

    let calm = folder.appendingPathComponent("calm")
    try FileManager.default.copyItem(at: original, to: calm)
    var pauses = try migrate(calm, to: way.models)
    try await check(calm, way.models, contents, readOnly: false, "\(way.testDescription), not killed")

    var newCount = 0
    let count = (Self.killCount + Self.ways.count - 1) / Self.ways.count
    for round in 0..<count {
      let killed = folder.appendingPathComponent("\(round)")
      try FileManager.default.copyItem(at: original, to: killed)
      // Anywhere, and as often behind the mark before the old store becomes the new one, half of that about the moment itself.
      let mark = round % 2 == 0 ? Int.random(in: pauses.indices) : pauses.count - way.markCountFromTurn
      let delay = Int.random(in: (round % 4 == 3 ? pauses[mark] * 4 / 5 : 0)...pauses[mark] * 6 / 5)
      try migrate(killed, to: way.models, killing: (mark + 1, UInt32(delay)))
      let version = try schemaVersionAtURL(ParcelModels.file(killed))
      let isNew = version == way.models.schemaVersion
      let note =
        "\(way.testDescription), kill \(round), \(delay) µs after mark \(mark) of \(pauses.count): "
        + (isNew ? "new" : "old")
      print(note)
      #expect(isNew || version == ParcelModels.first.schemaVersion, "\(note)")
      if isNew { newCount += 1 }
      // The next kill from here comes nearer to the moment at which the one becomes the other, however busy the machine is.
      pauses[mark] = isNew ? pauses[mark] * 5 / 6 : pauses[mark] * 6 / 5
      // What is only read goes into the migration as the kill left it.
      try await check(killed, isNew ? way.models : .first, contents, readOnly: round % 4 < 2, note)
      try await check(killed, way.models, contents, readOnly: false, "\(note), then migrated")
      #expect(try schemaVersionAtURL(ParcelModels.file(killed)) == way.models.schemaVersion, "\(note)")
      try FileManager.default.removeItem(at: killed)
    }
    print("\(way.testDescription): \(count) kills, \(count - newCount) left the old store, \(newCount) the new one")
  }

  /// Makes a store of the first models in one folder, and copies its files into another as a crash would leave them.
  private func makeStore(_ folder: URL, _ writing: URL, _ way: Way) async throws {
    try FileManager.default.createDirectory(at: writing, withIntermediateDirectories: true)
    let store = try await RealmStore.open(ParcelModels.first.configuration(writing))
    let half = ParcelModels.parcelCount / 2
    try await store.write { ParcelModels.fill($0, 0..<half) }
    try await store.checkpoint()
    try await store.write { ParcelModels.fill($0, half..<ParcelModels.parcelCount) }
    if !way.hasJournal { try await store.checkpoint() }
    let file = ParcelModels.file(writing).lastPathComponent
    for name in [file, "\(file).journal"] {
      try FileManager.default.copyItem(
        at: writing.appendingPathComponent(name), to: folder.appendingPathComponent(name))
    }
    try await store.close()
  }

  /// Migrates in a process, which is killed when it has told of so many marks and so many microseconds have passed, or ends
  /// by itself.
  ///
  /// - Returns: How long it took from each mark to the next, in microseconds; the last is made up.
  @discardableResult
  private func migrate(_ folder: URL, to models: ParcelModels, killing: (mark: Int, delay: UInt32)? = nil) throws
    -> [Int]
  {
    let process = Process()
    process.executableURL = WriterProgram.executable
    process.arguments = [folder.path, models.rawValue]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = killing == nil ? FileHandle.nullDevice : input
    process.standardOutput = output
    try process.run()
    var times: [ContinuousClock.Instant] = []
    while times.count < killing?.mark ?? .max {
      let bytes = output.fileHandleForReading.availableData
      if bytes.isEmpty { break }
      times += Array(repeating: .now, count: bytes.count)
    }
    if let killing {
      usleep(killing.delay)
      kill(process.processIdentifier, SIGKILL)
    }
    process.waitUntilExit()
    #expect(process.terminationReason == (killing == nil ? .exit : .uncaughtSignal))
    #expect(killing != nil || process.terminationStatus == 0)
    #expect(times.count >= killing?.mark ?? 2, "The migration ended by itself.")
    return zip(times, times.dropFirst()).map { Int(($1 - $0) / .microseconds(1)) } + [3_000]
  }

  /// Opens a store with models, which migrates it to them if it has others, and compares all that it has.
  private func check(
    _ folder: URL, _ models: ParcelModels, _ contents: [ParcelModels: [String]], readOnly: Bool, _ note: String
  ) async throws {
    var configuration = models.configuration(folder)
    configuration.readOnly = readOnly
    let store = try await RealmStore.open(configuration)
    let (found, expected) = (models.contents(store.freeze().realm), contents[models] ?? [])
    try await store.close()
    let difference = zip(found, expected).first { $0 != $1 }
    #expect(found.count == expected.count, "\(note)")
    #expect(difference == nil, "\(note), as \(models)")
    if readOnly { return }
    _ = try RealmStore.verify(configuration)
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    #expect(!names.contains { $0.hasSuffix(".tmp") }, "\(note): \(names)")
  }
}
