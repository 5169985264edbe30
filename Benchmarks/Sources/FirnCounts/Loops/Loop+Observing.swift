import Firn

extension Loop {
  static var observers: [Loop] {
    [
      observed("14a", "update an Int beside an observed query") { realm, _ in
        [realm.objects(Person.self).where { $0.age > 50 }.observe { blackHole($0) }]
      },
      observed("", "update an Int beside an observed sorted query") { realm, _ in
        [realm.objects(Person.self).where { $0.age > 50 }.sorted(by: \.name).observe { blackHole($0) }]
      },
      observed("14b", "update an Int beside 1,000 observed queries") { realm, dataset in
        dataset.cities.map { city in realm.objects(Person.self).where { $0.city == city }.observe { blackHole($0) } }
      },
      observed("14d", "update an Int of one of 1,000 observed objects") { realm, _ in
        (0..<1_000).map { id in
          realm.person(withID: id).observe { (change: ObjectChange<Person>) in blackHole(change) }
        }
      },
      observed("14h", "update an Int beside an observed query through a link") { realm, _ in
        [realm.objects(Person.self).where { $0.best.age > 50 }.observe { blackHole($0) }]
      },
      observed("14i", "update an Int beside an observed grouping") { realm, _ in
        [realm.objects(Person.self).grouped(by: \.city) { $0.sum(of: \.age) }.observe { blackHole($0) }]
      },
      observedFolders("14e", "update an element of one of 1,000 observed lists") { folder, _ in
        folder.entries.observe { blackHole($0) }
      },
      observedFolders("14f", "update a value of one of 1,000 observed maps") { folder, _ in
        folder.byName.observe { blackHole($0) }
      },
      observedFolders("14g", "update an object of one of 1,000 observed backlinks", writesFolders: true) { _, entry in
        entry.folders.observe { blackHole($0) }
      },
      observeAppending,
    ]
  }

  /// One update per transaction. Its changes are delivered when the next one begins.
  private static func observed(
    _ row: String, _ name: String, _ observe: @escaping (Realm, Dataset) -> [NotificationToken]
  ) -> Loop {
    Loop(row, name, turns: 2_000) {
      let (fixture, dataset) = try filledFixture()
      let persons = fixture.persons(withIDs: Array(0..<1_000))
      let tokens = observe(fixture.realm, dataset)
      try deliver(fixture.realm)
      return { turnCount in
        for turn in 0..<turnCount {
          try fixture.realm.write { persons[turn % persons.count].age = turn &* 37 % 100 }
        }
        try deliver(fixture.realm)
        withExtendedLifetime(tokens) {}
      }
    }
  }

  /// An empty write delivers what is due before it begins.
  private static func deliver(_ realm: Realm) throws {
    try realm.write {}
    try realm.write {}
  }

  /// Each folder has an entry of its own and the next one.
  private static func observedFolders(
    _ row: String, _ name: String, writesFolders: Bool = false,
    _ observe: @escaping (Folder, Entry) -> NotificationToken
  ) -> Loop {
    Loop(row, name, turns: 2_000) {
      let realm = try FirnFixture().realm
      let count = 1_000
      try realm.write {
        for id in 0..<count { realm.create(Entry.self, value: ["id": id, "size": id]) }
        let entries = Array(realm.objects(Entry.self))
        for id in 0..<count {
          let folder = realm.create(Folder.self, value: ["id": id])
          folder.entries.append(objectsIn: [entries[id], entries[(id + 1) % count]])
          folder.byName["own"] = entries[id]
        }
      }
      let (folders, entries) = (Array(realm.objects(Folder.self)), Array(realm.objects(Entry.self)))
      let tokens = zip(folders, entries).map { observe($0, $1) }
      try deliver(realm)
      return { turnCount in
        for turn in 0..<turnCount {
          let index = turn &* 37 % count
          try realm.write {
            if writesFolders { folders[index].note += 1 } else { entries[index].size ^= 1 }
          }
        }
        try deliver(realm)
        withExtendedLifetime(tokens) {}
      }
    }
  }

  private static var observeAppending: Loop {
    Loop("14i", "append 1,000 to an observed list of Int", turns: 20) {
      let fixture = try KindsFixture()
      let list = fixture.kinds.list
      let token = list.observe { blackHole($0) }
      try deliver(fixture.realm)
      return { turnCount in
        for _ in 0..<turnCount {
          try fixture.realm.write { list.append(objectsIn: 0..<1_000) }
          try deliver(fixture.realm)
        }
        withExtendedLifetime(token) {}
      }
    }
  }
}
