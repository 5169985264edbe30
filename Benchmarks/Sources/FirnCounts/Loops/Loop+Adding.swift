import Firn

extension Loop {
  static var adding: [Loop] {
    [addInBulk, addOneByOne, addKinds, createFromDictionaries, updateAll, delete, deleteOneByOne]
  }

  private static var addInBulk: Loop {
    Loop("1", "add persons with a link in one transaction", turns: 5_000) {
      let dataset = Dataset(count: personCount)
      let realm = try FirnFixture().realm
      return { turnCount in
        try realm.write {
          var elders: [Person] = []
          for index in 0..<turnCount {
            let person = Person(dataset.record(at: index))
            if index < dataset.elderCount {
              elders.append(person)
            } else {
              person.best = elders[dataset.elder(of: index)]
            }
            realm.add(person)
          }
        }
      }
    }
  }

  private static var addOneByOne: Loop {
    Loop("2", "add a person per transaction beside an idle observer", turns: 2_000) {
      let (fixture, dataset) = try filledFixture()
      let realm = fixture.realm
      return { try addPersons($0, to: realm, dataset) }
    }
  }

  /// Each in a transaction of its own, while somebody observes what they are not in.
  static func addPersons(_ count: Int, to realm: Realm, _ dataset: Dataset) throws {
    let elders = realm.persons(withIDs: Array(0..<dataset.elderCount))
    let idle = realm.objects(Person.self).where { $0.age > 1_000 }.observe { change in
      if case .update = change { fatalError("nobody is that old") }
    }
    for index in dataset.count..<dataset.count + count {
      let person = Person(dataset.record(at: index))
      person.best = elders[dataset.elder(of: index)]
      try realm.write { realm.add(person) }
    }
    idle.invalidate()
  }

  private static var addKinds: Loop {
    Loop("", "add objects with properties of all kinds in one transaction", turns: 2_000) {
      let realm = try FirnFixture().realm
      return { turnCount in
        try realm.write {
          for turn in 0..<turnCount {
            let kinds = Kinds()
            kinds.int = turn
            kinds.string = "some text"
            kinds.part = Part()
            kinds.list.append(turn)
            kinds.map["key"] = turn
            realm.add(kinds)
          }
        }
      }
    }
  }

  private static var createFromDictionaries: Loop {
    Loop("create", "create objects from dictionaries in one transaction", turns: 2_000) {
      let realm = try FirnFixture().realm
      let values: [[String: Any]] = (0..<4_000).map { index in
        ["id": index, "name": "someone \(index)", "score": Double(index), "isActive": index % 2 == 0]
      }
      return { turnCount in
        try realm.write {
          for value in values[..<turnCount] { realm.create(Member.self, value: value) }
        }
      }
    }
  }

  private static var updateAll: Loop {
    Loop("17a", "update an Int of all persons in one transaction", turns: 20) {
      let realm = try filledFixture().0.realm
      return { turnCount in
        for turn in 0..<turnCount {
          try realm.write {
            for person in realm.objects(Person.self) { person.age = turn }
          }
        }
      }
    }
  }

  private static var delete: Loop {
    Loop("17b", "delete persons of a query in one transaction", turns: 2_000) {
      let realm = try filledFixture().0.realm
      return { turnCount in
        try realm.write {
          realm.delete(realm.objects(Person.self).where { $0.id < turnCount })
        }
      }
    }
  }

  private static var deleteOneByOne: Loop {
    Loop("", "delete a person per transaction", turns: 1_000) {
      let (fixture, dataset) = try filledFixture()
      let realm = fixture.realm
      let persons = realm.persons(withIDs: dataset.distinctIDs(atMost: 2_000))
      return { turnCount in
        for person in persons[..<turnCount] { try realm.write { realm.delete(person) } }
      }
    }
  }
}
