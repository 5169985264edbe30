import Firn
import Foundation
import Testing

/// Stores that the board cannot be kept in: a sentence that says why, a status that is not 0, and the files as they were.
@Suite struct RefusedStoreTests {
  /// All files below a folder and what is in them.
  private func contents(of folder: URL) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      contents[name] = FileManager.default.contents(atPath: folder.appendingPathComponent(name).path)
    }
    return contents
  }

  @Test func refusesAFileThatIsNoStore() async throws {
    try await withFolder { folder in
      let file = folder.appendingPathComponent("file")
      try Data("this is no store".utf8).write(to: file)
      let run = try ProgramRun("--store", file.path)
      #expect(run.status == 1)
      #expect(run.errors.hasPrefix("Error: the store \(file.path) was not written by this version of the program"))
      #expect(try contents(of: folder) == ["file": Data("this is no store".utf8)])
    }
  }

  @Test func refusesAPlaceThatCannotBeWritten() async throws {
    try await withFolder { folder in
      let file = folder.appendingPathComponent("file")
      try Data().write(to: file)
      for path in [file.appendingPathComponent("day.firn"), folder.appendingPathComponent("none/day.firn")] {
        let run = try ProgramRun("--store", path.path)
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("Error: the store \(path.path) cannot be opened: name another file"))
      }
      #expect(try contents(of: folder) == ["file": Data()])
    }
  }

  @Test func refusesADiskWithoutRoom() async throws {
    try await withFolder { folder in
      let path = folder.appendingPathComponent("day.firn").path
      let run = try ProgramRun("--store", path, blockCountMax: 1)
      #expect(run.status == 1)
      #expect(run.errors.hasPrefix("Error: the store \(path) finds no room"))
    }
  }

  @Test func refusesADamagedStore() async throws {
    try await withFolder { folder in
      let file = folder.appendingPathComponent("day.firn")
      #expect(try ProgramRun("--store", file.path, "--speed", "100000").status == 0)
      var bytes = try Data(contentsOf: file)
      for position in bytes.count / 2..<bytes.count / 2 + 8 { bytes[position] ^= 0xFF }
      try bytes.write(to: file)
      let run = try ProgramRun("--store", file.path)
      #expect(run.status == 1)
      #expect(run.errors.hasPrefix("Error: the store \(file.path) is damaged: move it and"))
      #expect(try Data(contentsOf: file) == bytes)
    }
  }

  /// Also with `--restart`, which begins a board anew and nothing else.
  @Test(arguments: [[], ["--restart"]])
  func refusesAStoreOfAnotherProgram(options: [String]) async throws {
    try await withFolder { folder in
      let file = folder.appendingPathComponent("parcels.firn")
      let store = try await RealmStore.open(.init(fileURL: file, objectTypes: [Crate.self]))
      try await store.write { realm in _ = realm.create(Crate.self, value: ["number": 1]) }
      try await store.close()
      let before = try contents(of: folder)
      let run = try ProgramRun(["--store", file.path] + options)
      #expect(run.status == 1)
      #expect(run.errors.hasPrefix("Error: the store keeps objects but no board"))
      #expect(try contents(of: folder) == before)
    }
  }

  @Test func refusesClassesOfTheSameNameWithOtherProperties() async throws {
    try await withFolder { folder in
      let file = folder.appendingPathComponent("flights.firn")
      let store = try await RealmStore.open(.init(fileURL: file, objectTypes: [Flight.self]))
      try await store.close()
      let run = try ProgramRun("--store", file.path)
      #expect(run.status == 1)
      #expect(run.errors.hasPrefix("Error: the store \(file.path) was not written by this version of the program"))
    }
  }

  @Test func refusesASecondBoardOnOneStore() async throws {
    try await withFolder { folder in
      let store = folder.appendingPathComponent("day.firn").path
      let first = try ProgramInTerminal(["--store", store], width: 80, height: 24)
      try first.wait(forText: "New York departures")
      let second = try ProgramRun("--store", store)
      #expect(second.status == 1)
      #expect(second.errors.contains("is in use, perhaps by another board"))
      first.type("q")
      #expect(try first.waitForEnd() == .exited(0))
    }
  }
}

class Crate: Object {
  @Persisted var number: Int
}

/// Not the board's.
class Flight: Object {
  @Persisted var pilot: String
}
