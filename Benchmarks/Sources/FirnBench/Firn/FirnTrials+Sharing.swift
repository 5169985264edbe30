import Firn

extension FirnTrials {
  static func writeAmongReaders(_ stage: Stage) throws -> Trial {
    let store = try FirnFixture(filledWith: stage.dataset).store()
    let ids = stage.dataset.randomIDs(count: SharedWriting.countPerTask)
    return {
      try waitFor {
        try await SharedWriting.latency(of: ids) { id in
          store.freeze().object(ofType: Person.self, forPrimaryKey: id)?.age ?? 0
        } write: { id, age in
          try await store.write { $0.person(withID: id).age = age }
        }
      }.sampleOfHalf()
    }
  }

  static func writeBesideHogs(_ stage: Stage) throws -> Trial {
    let store = try FirnFixture(filledWith: stage.dataset).store()
    let ids = stage.dataset.randomIDs(count: SharedWriting.countPerTask)
    return {
      try waitFor {
        try await SharedWriting.latencyBesideHogs(of: ids) { id, age in
          try await store.write { $0.person(withID: id).age = age }
        }
      }.sample()
    }
  }
}
