import Firn

extension Loop {
  static var collections: [Loop] {
    [
      Loop("list", "append to a list of Int", turns: 50_000) {
        let fixture = try KindsFixture()
        let list = fixture.kinds.list
        return { turnCount in
          try fixture.realm.write {
            for turn in 0..<turnCount { list.append(turn) }
          }
        }
      },
      change("list", "insert into the middle of a list of Int", turns: 10_000) { kinds, turn in
        kinds.list.insert(turn, at: kinds.list.count / 2)
      },
      Loop("list", "iterate a list of 10,000 Int", turns: 50) {
        let fixture = try KindsFixture()
        let list = fixture.kinds.list
        try fixture.realm.write { list.append(objectsIn: 0..<9_900) }
        return { turnCount in
          for _ in 0..<turnCount {
            var sum = 0
            for number in list { sum &+= number }
            blackHole(sum)
          }
        }
      },
      use("", "read an element of a list of Int") { kinds, turn in kinds.list[turn % 100] },
      change("set", "insert into a set of Int", turns: 10_000) { kinds, turn in
        kinds.set.insert(turn &* 7_919 % 65_536)
      },
      use("set", "ask whether a set contains an Int") { kinds, turn in kinds.set.contains(turn % 200) ? 1 : 0 },
      change("map", "set a key of a map", turns: 10_000) { kinds, turn in
        kinds.map["key \(turn &* 7_919 % 65_536)"] = turn
      },
      use("map", "read a key of a map") { kinds, turn in kinds.map["\(turn % 100)"] ?? 0 },
    ]
  }

  static var links: [Loop] {
    [
      use("", "read a link and an Int behind it") { kinds, _ in kinds.link?.int ?? 0 },
      use("", "read an embedded object's Int") { kinds, _ in kinds.part?.number ?? 0 },
      use("", "count backlinks") { kinds, _ in kinds.backlinks.count },
      Loop("", "write a link", turns: 20_000) {
        let fixture = try KindsFixture()
        let others = fixture.others
        return { turnCount in
          try fixture.realm.write {
            for turn in 0..<turnCount { fixture.kinds.link = turn & 1 == 0 ? others.0 : others.1 }
          }
        }
      },
      change("", "write an embedded object", turns: 5_000) { kinds, _ in kinds.part = Part() },
      Loop("backlinks", "add objects that link to one", turns: 5_000) {
        let realm = try FirnFixture().realm
        return { turnCount in
          let hub = Hub()
          try realm.write {
            realm.add(hub)
            for _ in 0..<turnCount {
              let spoke = Spoke()
              spoke.hub = hub
              realm.add(spoke)
            }
          }
        }
      },
      Loop("backlinks", "cut links to one object in random order", turns: 5_000) {
        let realm = try FirnFixture().realm
        let spokes = try addSpokes(10_000, to: realm)
        return { turnCount in
          try realm.write {
            for spoke in spokes[..<turnCount] { spoke.hub = nil }
          }
        }
      },
    ]
  }

  /// Objects in random order that link to one.
  private static func addSpokes(_ count: Int, to realm: Realm) throws -> [Spoke] {
    let hub = Hub()
    var spokes: [Spoke] = []
    try realm.write {
      realm.add(hub)
      for _ in 0..<count {
        let spoke = Spoke()
        spoke.hub = hub
        realm.add(spoke)
        spokes.append(spoke)
      }
    }
    var random = SeededGenerator(seed: 24)
    return spokes.shuffled(using: &random)
  }

  /// In one transaction.
  private static func change(
    _ row: String, _ name: String, turns: Int, _ change: @escaping (Kinds, Int) -> Void
  ) -> Loop {
    Loop(row, name, turns: turns) {
      let fixture = try KindsFixture()
      return { turnCount in
        try fixture.realm.write {
          for turn in 0..<turnCount { change(fixture.kinds, turn) }
        }
      }
    }
  }

  private static func use(_ row: String, _ name: String, _ read: @escaping (Kinds, Int) -> Int) -> Loop {
    Loop(row, name, turns: 50_000) {
      let fixture = try KindsFixture()
      return { turnCount in
        for turn in 0..<turnCount { blackHole(read(fixture.kinds, turn)) }
        withExtendedLifetime(fixture) {}
      }
    }
  }
}
