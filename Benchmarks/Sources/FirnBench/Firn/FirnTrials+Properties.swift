import Firn
import Foundation

extension FirnTrials {
  static func lookUp(_ stage: Stage) throws -> Trial {
    let realm = try stage.sharedFirn().realm
    let ids = stage.dataset.randomIDs(count: 200_000)
    let expected = stage.dataset.ageTotal(ofIDs: ids)
    return {
      var sum = 0
      let sample = sample(per: ids.count) {
        for id in ids {
          if let person = realm.object(ofType: Person.self, forPrimaryKey: id) { sum &+= person.age }
        }
      }
      try expect(sum, expected, "ages looked up in Firn")
      return sample
    }
  }

  static func readFrozen(_ stage: Stage) throws -> Trial {
    let person = try stage.sharedFirn().person(withID: stage.dataset.count / 2).freeze()
    return { readAge(of: person) }
  }

  static func readOnOwnThread(_ stage: Stage) throws -> Trial {
    let person = try stage.sharedFirn().person(withID: stage.dataset.count / 2)
    return { readAge(of: person) }
  }

  static func readOnQueue(_ stage: Stage) throws -> Trial {
    let configuration = try stage.sharedFirn().configuration
    let id = stage.dataset.count / 2
    let queue = DispatchQueue(label: "firn-bench")
    return {
      try queue.sync {
        let realm = try Realm(configuration: configuration, queue: queue)
        guard let person = realm.object(ofType: Person.self, forPrimaryKey: id) else { fatalError("no person \(id)") }
        return readAge(of: person)
      }
    }
  }

  static func readOnForeignThread(_ stage: Stage) throws -> Trial {
    // Objects are not Sendable. Firn lets other threads read them all the same, which is what is measured.
    nonisolated(unsafe) let person = try stage.sharedFirn().person(withID: stage.dataset.count / 2)
    return { try OtherThread { readAge(of: person) }.run() }
  }

  private static func readAge(of person: Person) -> Sample {
    sample(per: HotLoop.turnCount) {
      var sum = 0
      for _ in 0..<HotLoop.turnCount {
        sum &+= person.age
        clobberMemory()
      }
      blackHole(sum)
    }
  }

  static func writeProperty(_ stage: Stage) throws -> Trial {
    let fixture = try FirnFixture(filledWith: stage.dataset)
    let realm = fixture.realm
    let person = fixture.person(withID: stage.dataset.count / 2)
    return {
      try sample(per: HotLoop.turnCount) {
        try realm.write {
          for turn in 0..<HotLoop.turnCount {
            person.age = turn & 63
            clobberMemory()
          }
        }
      }
    }
  }

  static func readShortString(_ stage: Stage) throws -> Trial {
    try readString(stage, byteCount: HotLoop.shortNameByteCount)
  }

  static func readLongString(_ stage: Stage) throws -> Trial {
    try readString(stage, byteCount: HotLoop.longNameByteCount)
  }

  private static func readString(_ stage: Stage, byteCount: Int) throws -> Trial {
    let person = try stage.sharedFirn().person(withID: stage.dataset.idOfName(byteCount: byteCount))
    return {
      sample(per: HotLoop.turnCount) {
        for _ in 0..<HotLoop.turnCount { blackHole(person.name) }
      }
    }
  }
}
