import Firn

extension Loop {
  static var commits: [Loop] {
    [
      Loop("", "commit nothing", turns: 10_000) {
        let realm = try filledFixture().0.realm
        return { for _ in 0..<$0 { try realm.write {} } }
      },
      update("2b", "update an Int per transaction") { person, turn, _ in person.age = turn % 100 },
      update("2b", "update an indexed String per transaction") { person, turn, dataset in
        person.city = dataset.cities[turn % dataset.cities.count]
      },
      update("", "update a link per transaction") { person, turn, _ in
        person.best = turn & 1 == 0 ? person : nil
      },
      Loop("", "cancel a transaction that updates an Int", turns: 5_000) {
        let (fixture, dataset) = try filledFixture()
        let persons = fixture.persons(withIDs: dataset.distinctIDs(atMost: 2_000))
        return { turnCount in
          for turn in 0..<turnCount {
            fixture.realm.beginWrite()
            persons[turn % persons.count].age = turn % 100
            fixture.realm.cancelWrite()
          }
        }
      },
    ]
  }

  private static func update(
    _ row: String, _ name: String, _ change: @escaping (Person, Int, Dataset) -> Void
  ) -> Loop {
    Loop(row, name, turns: 5_000) {
      let (fixture, dataset) = try filledFixture()
      let persons = fixture.persons(withIDs: dataset.distinctIDs(atMost: 2_000))
      return { turnCount in
        for turn in 0..<turnCount {
          try fixture.realm.write { change(persons[turn % persons.count], turn + turn / persons.count, dataset) }
        }
      }
    }
  }
}
