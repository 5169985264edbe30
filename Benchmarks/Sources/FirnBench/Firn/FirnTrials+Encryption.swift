#if Encryption
  import Firn
  import Foundation

  enum Encrypted {
    static let plainLabel = "plain files"
    static let key = Data((0..<64).map { UInt8($0) })
  }

  extension FirnTrials {
    static func durableEncryptedUpdate(_ stage: Stage) throws -> Trial {
      let fixtures = [
        try FirnFileFixture(in: encryptedFolder(stage), .everyCommit, key: Encrypted.key),
        try FirnFileFixture(copying: stage, .everyCommit),
      ]
      let ids = stage.dataset.distinctIDs(atMost: DurableCommits.countPerPass)
      let persons = fixtures.map { $0.realm.persons(withIDs: ids) }
      var round = 0
      return {
        round += 1
        var times = [0.0, 0.0]
        for start in stride(from: 0, to: ids.count, by: DurableCommits.countPerTurn) {
          for (index, fixture) in fixtures.enumerated() {
            let turn = persons[index][start..<min(ids.count, start + DurableCommits.countPerTurn)]
            times[index] += try nanoseconds(per: ids.count) {
              for person in turn { try fixture.realm.write { person.age = (person.id + round) % 100 } }
            }
          }
        }
        return Sample(
          value: times[0], asides: [.init(label: Encrypted.plainLabel, value: times[1], unit: .nanoseconds)])
      }
    }

    static func openEncrypted(_ stage: Stage) throws -> Trial {
      let encrypted = try open(stage, encryptedFolder(stage), key: Encrypted.key)
      let plain = try open(stage, stage.sharedFirnFolder().copy())
      return {
        let sample = try encrypted()
        let beside = try plain()
        return Sample(
          value: sample.value,
          asides: [.init(label: Encrypted.plainLabel, value: beside.value, unit: .nanoseconds)] + sample.asides)
      }
    }

    /// What the stage has filled, with another key.
    private static func encryptedFolder(_ stage: Stage) throws -> TemporaryFolder {
      let folder = try TemporaryFolder()
      let plain = try FirnFileFixture(copying: stage, .everyCommit)
      try plain.realm.writeCopy(toFile: folder.file("persons.firn"), encryptionKey: Encrypted.key)
      return folder
    }
  }
#endif
