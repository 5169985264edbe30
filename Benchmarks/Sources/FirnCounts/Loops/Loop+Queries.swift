import Firn

extension Loop {
  static var lookUps: [Loop] {
    [
      Loop("4", "look a person up by primary key and read an Int", turns: 50_000) {
        let (fixture, dataset) = try filledFixture()
        let ids = dataset.randomIDs(count: 10_000)
        return { turnCount in
          for turn in 0..<turnCount {
            blackHole(fixture.person(withID: ids[turn % ids.count]).age)
          }
        }
      },
      perScan("6", "iterate 5,000 persons and read an Int") { persons in
        var sum = 0
        for person in persons { sum &+= person.age }
        return sum
      },
      perScan("13", "iterate 5,000 persons and read an Int of a linked one") { persons in
        var sum = 0
        for person in persons { sum &+= person.best?.age ?? 0 }
        return sum
      },
    ]
  }

  static var queries: [Loop] {
    [
      perScan("7", "count age > 50 of 5,000") { $0.where { $0.age > 50 }.count },
      perScan("8a", "count name == x of 5,000") { $0.where { $0.name == "somebody else" }.count },
      perScan("8b", "count name contains x of 5,000") { $0.where { $0.name.contains("xyz") }.count },
      perScan("", "count active and two ages or a score of 5,000") {
        $0.where { $0.active && ($0.age.in([7, 8]) || $0.score < 5) }.count
      },
      perScan("", "count age of a linked one > 50 of 5,000") { $0.where { $0.best.age > 50 }.count },
      perScan("12", "sum a Double of 5,000") { Int($0.sum(of: \.score)) },
      perScan("11", "sort 5,000 by city and age", turns: 5) {
        let sorted = $0.sorted(by: [SortDescriptor(keyPath: "city"), "age"])
        return sorted[sorted.count / 2].id
      },
      inCities("9a", "count city == x by a hash index") { $0.count },
      inCities("9b", "iterate city == x by a hash index and read an Int") {
        var sum = 0
        for person in $0 { sum &+= person.age }
        return sum
      },
      ordered("10", "count an age between two by an ordered index") { $0.where { $0.age.contains(30...35) }.count },
      ordered("11", "find the first by city and age by a compound index") {
        $0.sorted(by: [SortDescriptor(keyPath: "city"), "age"]).first?.id ?? 0
      },
      addOrdered,
    ]
  }

  private static func perScan(
    _ row: String, _ name: String, turns: Int = 200, _ scan: @escaping (Results<Person>) -> Int
  ) -> Loop {
    Loop(row, name, turns: turns) {
      let realm = try filledFixture().0.realm
      return { turnCount in
        for _ in 0..<turnCount { blackHole(scan(realm.objects(Person.self))) }
      }
    }
  }

  private static func inCities(_ row: String, _ name: String, _ read: @escaping (Results<Person>) -> Int) -> Loop {
    Loop(row, name, turns: 10_000) {
      let (fixture, dataset) = try filledFixture()
      let (realm, cities) = (fixture.realm, dataset.cities)
      return { turnCount in
        for turn in 0..<turnCount {
          blackHole(read(realm.objects(Person.self).where { $0.city == cities[turn % cities.count] }))
        }
      }
    }
  }

  private static func ordered(
    _ row: String, _ name: String, _ read: @escaping (Results<OrderedPerson>) -> Int
  ) -> Loop {
    Loop(row, name, turns: 5_000) {
      let realm = try FirnFixture().realm
      let dataset = Dataset(count: personCount)
      try realm.write {
        for index in 0..<dataset.count { realm.add(OrderedPerson(dataset.record(at: index))) }
      }
      return { turnCount in
        for _ in 0..<turnCount { blackHole(read(realm.objects(OrderedPerson.self))) }
      }
    }
  }

  private static var addOrdered: Loop {
    Loop("", "add persons with ordered indexes in one transaction", turns: 5_000) {
      let realm = try FirnFixture().realm
      let dataset = Dataset(count: personCount)
      return { turnCount in
        try realm.write {
          for index in 0..<turnCount { realm.add(OrderedPerson(dataset.record(at: index))) }
        }
      }
    }
  }
}
