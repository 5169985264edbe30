import Firn
import Foundation

extension FirnTrials {
  static func fileSize(_ stage: Stage) throws -> Trial {
    let folder = try stage.sharedFirnFolder()
    let count = Double(stage.dataset.count)
    return {
      // Segments of the journal are allotted in advance, whether there is one object or a million.
      let journal = try folder.byteCount { $0.hasSuffix(".segment") }
      let all = try folder.byteCount { _ in true }
      return Sample(
        value: Double(all - journal) / count,
        asides: [.init(label: "journal allotted", value: Double(journal) / count, unit: .bytes)])
    }
  }

  static func open(_ stage: Stage) throws -> Trial {
    try open(stage, stage.sharedFirnFolder().copy())
  }

  /// Opens a folder with what the stage has filled.
  static func open(_ stage: Stage, _ folder: TemporaryFolder, key: Data? = nil) throws -> Trial {
    let dataset = stage.dataset
    let configuration = FirnFileFixture.configuration(in: folder, .everyCommit, key: key)
    let city = dataset.cities[7]
    let inhabitantCount = dataset.cityIndexes.count { $0 == 7 }
    return {
      defer { withExtendedLifetime(folder) {} }
      var opened: RealmStore?
      var found = (age: -1, count: 0)
      var sample = try sample(per: 1) {
        let store = try waitFor { try await RealmStore.open(configuration) }
        let realm = store.freeze()
        found.age = realm.object(ofType: Person.self, forPrimaryKey: dataset.count / 2)?.age ?? -1
        found.count = realm.objects(Person.self).where { $0.city == city }.count
        opened = store
      }
      try expect(found.age, dataset.ages[dataset.count / 2], "age looked up after opening Firn")
      try expect(found.count, inhabitantCount, "persons counted by city after opening Firn")
      guard let opened, let report = opened.lastOpenReport else { fatalError("the realm is in memory") }
      sample.asides = [.init(label: "reading the files", value: report.duration / .nanoseconds(1), unit: .nanoseconds)]
      try waitFor { try await opened.close() }
      return sample
    }
  }

  static func checkpointEverything(_ stage: Stage) throws -> Trial {
    let columns = stage.sharedColumns()
    var room = columns.room()
    return {
      let fixture = try FirnFileFixture(filledWith: stage.dataset)
      var byteCount = 0
      var sample = try sample(per: 1) { byteCount = try fixture.checkpoint().byteCount }
      let compression = try nanoseconds(per: 1) { blackHole(try columns.compress(into: &room)) }
      let write = try nanosecondsToWrite(byteCount: byteCount)
      sample.asides = [
        .init(label: Files.compressionLabel, value: compression, unit: .nanoseconds),
        .init(label: "write and fsync of as many bytes", value: write, unit: .nanoseconds),
      ]
      return sample
    }
  }

  static func checkpointChanges(_ stage: Stage) throws -> Trial {
    let dataset = stage.dataset
    let fixture = try FirnFileFixture(filledWith: dataset)
    let full = try nanoseconds(per: 1) { try expect(fixture.checkpoint().isBase, true, "the first writes everything") }
    let persons = fixture.realm.persons(withIDs: dataset.distinctIDs(atMost: Files.changedCount(of: dataset.count)))
    var round = 0
    return {
      round += 1
      try fixture.realm.write {
        for person in persons { person.age = (person.id + round) % 100 }
      }
      var sample = try sample(per: 1) {
        try expect(fixture.checkpoint().isBase, false, "the next write what changed")
      }
      sample.asides = [.init(label: Files.fullCheckpointLabel, value: full, unit: .nanoseconds)]
      return sample
    }
  }

  private static func nanosecondsToWrite(byteCount: Int) throws -> Double {
    let bytes = [UInt8](repeating: 1, count: byteCount)
    let folder = try TemporaryFolder()
    return try nanoseconds(per: 1) { try folder.write(bytes, to: "bytes") }
  }

  static func replay(_ stage: Stage) throws -> Trial {
    let written = try FirnFileFixture(copying: stage, .onCheckpoint)
    let persons = written.realm.persons(withIDs: stage.dataset.distinctIDs(atMost: Replay.commitCount))
    for turn in 0..<Replay.commitCount {
      let person = persons[turn % persons.count]
      try written.realm.write { person.age = turn % 100 }
    }
    return {
      // What a process leaves behind that dies.
      let fixture = try FirnFileFixture(in: written.folder.copy { $0.hasSuffix(".lock") }, .onCheckpoint, .never)
      guard let report = fixture.store.lastOpenReport else { fatalError("the realm is in memory") }
      try expect(report.recoveredCommitCount, Replay.commitCount, "commits replayed")
      return Sample(
        value: Double(report.recoveredCommitCount) / (report.duration / .seconds(1)),
        asides: [.init(label: "opening", value: report.duration / .nanoseconds(1), unit: .nanoseconds)])
    }
  }
}
