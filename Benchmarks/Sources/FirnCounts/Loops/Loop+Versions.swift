import Firn

extension Loop {
  static var versions: [Loop] {
    [
      Loop("18", "freeze a realm", turns: 20_000) {
        let realm = try filledFixture().0.realm
        return { turnCount in
          for _ in 0..<turnCount { blackHole(realm.freeze()) }
        }
      },
      Loop("18", "freeze a store", turns: 20_000) {
        let store = try filledFixture().0.store()
        return { turnCount in
          for _ in 0..<turnCount { blackHole(store.freeze()) }
        }
      },
      Loop("", "freeze an object and read an Int", turns: 10_000) {
        let kinds = try KindsFixture().kinds
        return { turnCount in
          for _ in 0..<turnCount { blackHole(kinds.freeze().int) }
        }
      },
      Loop("19", "refresh and look 100 persons up by primary key", turns: 500) {
        let (fixture, dataset) = try filledFixture()
        let ids = dataset.randomIDs(count: 100)
        return { turnCount in
          for _ in 0..<turnCount {
            fixture.realm.refresh()
            for id in ids { blackHole(fixture.person(withID: id).age) }
          }
        }
      },
      Loop("", "read an Int in a realm that takes part in Observation", turns: 50_000) {
        let fixture = try FirnFixture(filledWith: Dataset(count: 1_000), tracksObservation: true)
        let person = fixture.person(withID: 500)
        return { turnCount in
          for _ in 0..<turnCount {
            blackHole(person.age)
            clobberMemory()
          }
        }
      },
    ]
  }
}
