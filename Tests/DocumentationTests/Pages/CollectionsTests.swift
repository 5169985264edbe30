import Firn
import Testing

@MainActor @Suite struct CollectionsTests {
  class Member: Object {
    @Persisted var name: String
  }

  class Trip: Object {
    @Persisted var stops: List<String>
    @Persisted var tags: MutableSet<String>
    @Persisted var notes: Map<String, String>
    @Persisted var crew: List<Member>
    @Persisted var roles: Map<String, Member?>
  }

  @Test func changing() throws {
    let realm = try makeRealm(Trip.self, Member.self)
    let otherTrip = Trip(value: ["tags": ["snow", "train"]])
    let unwanted = Trip(value: ["tags": ["train"]])
    try realm.write { realm.add([otherTrip, unwanted]) }

    let trip = Trip()
    trip.stops.append(objectsIn: ["Oslo", "Hamar"])
    trip.tags.insert("winter")
    trip.notes["Hamar"] = "change trains"
    try realm.write { realm.add(trip) }
    #expect(Array(trip.stops) == ["Oslo", "Hamar"] && Array(trip.tags) == ["winter"])
    #expect(trip.notes["Hamar"] == "change trains")

    try realm.write { trip.tags = otherTrip.tags }
    #expect(Array(trip.tags) == ["snow", "train"])
    try realm.write {
      trip.tags.formUnion(otherTrip.tags)
      trip.tags.subtract(unwanted.tags)
    }
    #expect(Array(trip.tags) == ["snow"])

    try realm.write { trip.notes["Oslo"] = "buy tickets" }
    let printed = try Printout.of {
      try realm.write {
        trip.notes["Hamar"] = nil
        trip.roles["guide"] = .some(nil)
      }
      for (place, note) in trip.notes.asKeyValueSequence() { print(place, note) }
    }
    #expect(printed == "Oslo buy tickets\n")
    #expect(trip.roles.keys == ["guide"])
  }

  @Test func sortingAndAccessByName() throws {
    let realm = try makeRealm(Trip.self, Member.self)
    let members = ["Sam", "Ada", "Sam"].map { ["name": $0] }
    let trip = Trip(value: ["stops": ["Oslo", "Hamar", "Oslo"], "crew": members])
    try realm.write { realm.add(trip) }

    let alphabetical = trip.stops.sorted()
    let places = trip.stops.distinct()
    let crew = trip.crew.distinct(by: ["name"]).sorted(byKeyPath: "name")
    #expect(Array(alphabetical) == ["Hamar", "Oslo", "Oslo"] && Array(places) == ["Oslo", "Hamar"])
    #expect(crew.map(\.name) == ["Ada", "Sam"])

    let names = trip.crew.value(forKey: "name")
    let differentNames = trip.crew.value(forKeyPath: "@distinctUnionOfObjects.name")
    try realm.write { trip.crew.setValue("Kim", forKey: "name") }
    #expect((names as? [Any])?.compactMap { $0 as? String } == ["Sam", "Ada", "Sam"])
    #expect((differentNames as? [Any])?.compactMap { $0 as? String }.sorted() == ["Ada", "Sam"])
    #expect(trip.crew.map(\.name) == ["Kim", "Kim", "Kim"])
  }

  @Test func observing() throws {
    let realm = try makeRealm(Trip.self, Member.self)
    let trip = Trip(value: ["notes": ["Hamar": "change trains", "Oslo": "buy tickets"]])
    try realm.write { realm.add(trip) }
    let printed = try Printout.of {
      let token = trip.notes.observe { change in
        if case .update(_, let deletions, let insertions, let modifications) = change {
          print(deletions, insertions, modifications)
        }
      }
      try realm.write {
        trip.notes["Hamar"] = nil
        trip.notes["Lillehammer"] = "walk"
        trip.notes["Oslo"] = "sleep"
      }
      realm.refresh()
      token.invalidate()
    }
    #expect(printed == #"["Hamar"] ["Lillehammer"] ["Oslo"]"# + "\n")
  }
}
