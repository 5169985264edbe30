import Firn

extension FirnTrials {
  static func bulkAdd(_ stage: Stage) -> Trial {
    let dataset = stage.dataset
    return {
      let realm = try FirnFixture().realm
      let sample = try sample(per: dataset.count) {
        try realm.write {
          var elders: [Person] = []
          for index in 0..<dataset.count {
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
      try expect(realm.objects(Person.self).count, dataset.count, "persons added to Firn")
      return sample
    }
  }

  static func singleAdd(_ stage: Stage) throws -> Trial {
    let dataset = stage.dataset
    let fixture = try FirnFixture(filledWith: dataset)
    let realm = fixture.realm
    let elders = fixture.persons(withIDs: Array(0..<dataset.elderCount))
    let idle = realm.objects(Person.self).where { $0.age > 1_000 }.observe { change in
      if case .update = change { fatalError("nobody is that old") }
    }
    var next = dataset.count
    return {
      defer { withExtendedLifetime(idle) {} }
      let indexes = next..<(next + SingleAdd.countPerPass)
      next = indexes.upperBound
      return try sample(per: indexes.count) {
        for index in indexes {
          let person = Person(dataset.record(at: index))
          person.best = elders[dataset.elder(of: index)]
          try realm.write { realm.add(person) }
        }
      }
    }
  }
}
