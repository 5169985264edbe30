import Firn
import Testing

@MainActor @Suite struct ObservingTests {
  class Flight: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var delay: Int
  }

  @Test func collectionsAndObjects() throws {
    let realm = try makeRealm(Flight.self)
    let told = try Printout.of {
      let late = realm.objects(Flight.self).where { $0.delay > 30 }.sorted(by: \.delay)
      let token = late.observe { change in
        switch change {
        case .initial(let flights):
          print("late:", flights.count)
        case .update(let flights, let deletions, let insertions, let modifications):
          print("late:", flights.count, "gone:", deletions, "new:", insertions, "changed:", modifications)
        case .error(let error):
          print(error)
        }
      }
      realm.refresh()
      try realm.write {
        realm.create(Flight.self, value: ["id": "B6 123", "delay": 45])
      }
      realm.refresh()
      token.invalidate()
    }
    #expect(told == "late: 0\nlate: 1 gone: [] new: [0] changed: []\n")
    let flight = try #require(realm.objects(Flight.self).first)
    let changes = try Printout.of {
      let watching = flight.observe { (change: ObjectChange<Flight>) in
        if case .change(_, let properties) = change {
          for property in properties { print(property.name, property.oldValue ?? "nil", property.newValue ?? "nil") }
        }
      }
      try realm.write { flight.delay += 5 }
      realm.refresh()
      watching.invalidate()
    }
    #expect(changes == "delay 45 50\n")
  }

  func line(of flight: Flight) -> String { "\(flight.id) +\(flight.delay)" }

  func apply(_ change: RealmCollectionChange<Results<Flight>>, to lines: inout [String]) {
    switch change {
    case .initial(let flights):
      lines = flights.map(line(of:))
    case .update(let flights, let deletions, let insertions, let modifications):
      var kept: [String?] = lines
      for position in modifications { kept[position] = nil }
      for position in deletions.reversed() { kept.remove(at: position) }
      for position in insertions { kept.insert(nil, at: position) }
      lines = kept.enumerated().map { position, old in old ?? line(of: flights[position]) }
    case .error(let error):
      print(error)
    }
  }

  /// Each write deletes, adds, changes and moves some of the flights that are observed.
  @Test(arguments: 1...20) func linesFollowAnyChange(seed: UInt64) throws {
    var state = seed
    func random(below limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    let realm = try makeRealm(Flight.self)
    let late = realm.objects(Flight.self).where { $0.delay > 30 }.sorted(by: [
      SortDescriptor(keyPath: \Flight.delay), SortDescriptor(keyPath: \Flight.id),
    ])
    var lines: [String] = []
    var modificationsBehindOthers = 0
    let token = late.observe { change in
      if case .update(_, let deletions, let insertions, let modifications) = change, let last = modifications.last {
        if (deletions + insertions).contains(where: { $0 < last }) { modificationsBehindOthers += 1 }
      }
      apply(change, to: &lines)
    }
    for step in 0..<50 {
      try realm.write {
        for _ in 0...random(below: 6) {
          let id = "F\(random(below: 20))"
          if random(below: 4) == 0, let flight = realm.object(ofType: Flight.self, forPrimaryKey: id) {
            realm.delete(flight)
          } else {
            realm.create(Flight.self, value: ["id": id, "delay": 25 + 5 * random(below: 6)], update: .all)
          }
        }
      }
      realm.refresh()
      try #require(lines == late.map(line(of:)), "seed \(seed), step \(step)")
    }
    #expect(modificationsBehindOthers > 0)
    token.invalidate()
  }

  /// The page says so of a block that writes: whoever was not called yet is told of the commit before.
  @Test func blocksThatWrite() throws {
    let realm = try makeRealm(Flight.self)
    let flights = realm.objects(Flight.self)
    var calls: [String] = []
    let first = flights.observe { change in
      guard case .update(let flights, _, _, _) = change, flights.count == 1 else { return }
      calls.append("first 1")
      try! realm.write { _ = realm.create(Flight.self, value: ["id": "b"]) }
    }
    let second = flights.observe { change in
      if case .update(let flights, _, let insertions, _) = change {
        calls.append("second \(flights.count) \(insertions)")
      }
    }
    realm.refresh()
    try realm.write { _ = realm.create(Flight.self, value: ["id": "a"]) }
    realm.refresh()
    #expect(calls == ["first 1", "second 1 [0]"])
    realm.refresh()
    #expect(calls == ["first 1", "second 1 [0]", "second 2 [1]"])
    first.invalidate()
    second.invalidate()
  }
}
