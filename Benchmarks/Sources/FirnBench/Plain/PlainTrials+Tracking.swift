import Observation

@Observable
private final class ObservablePerson {
  var age = 42
}

extension PlainTrials {
  static func readInScope(_ stage: Stage) -> Trial {
    let person = ObservablePerson()
    return { ScopeLoop.sample { person.age } }
  }
}
