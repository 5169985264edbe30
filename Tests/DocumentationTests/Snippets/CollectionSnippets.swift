import Firn

/// The code in comments about sets and maps.
private enum Collections {
  enum Sets {
    class Airline: Object {
      @Persisted var name: String
    }
    class Airport: Object {
      @Persisted var tags: MutableSet<String>
      @Persisted var partners: MutableSet<Airline>
    }
  }

  enum Maps {
    class Gate: Object {
      @Persisted var number: Int
    }
    class Airport: Object {
      @Persisted var names: Map<String, String>
      @Persisted var gates: Map<String, Gate?>
    }
  }
}

private enum CollectionsPage {
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

  static func use(_ realm: Realm, _ otherTrip: Trip, _ unwanted: Trip) throws -> NotificationToken {
    let trip = Trip()
    trip.stops.append(objectsIn: ["Oslo", "Hamar"])
    trip.tags.insert("winter")
    trip.notes["Hamar"] = "change trains"
    try realm.write { realm.add(trip) }
    try realm.write { trip.tags = otherTrip.tags }
    try realm.write {
      trip.tags.formUnion(otherTrip.tags)
      trip.tags.subtract(unwanted.tags)
    }
    try realm.write {
      trip.notes["Hamar"] = nil
      trip.roles["guide"] = .some(nil)
    }
    for (place, note) in trip.notes.asKeyValueSequence() { print(place, note) }
    let alphabetical = trip.stops.sorted()
    let places = trip.stops.distinct()
    let crew = trip.crew.distinct(by: ["name"]).sorted(byKeyPath: "name")
    print(alphabetical, places, crew)
    let names = trip.crew.value(forKey: "name")
    let differentNames = trip.crew.value(forKeyPath: "@distinctUnionOfObjects.name")
    try realm.write { trip.crew.setValue("Kim", forKey: "name") }
    print(names ?? [], differentNames ?? [])
    let token = trip.notes.observe { change in
      if case .update(_, let deletions, let insertions, let modifications) = change {
        print(deletions, insertions, modifications)
      }
    }
    return token
  }
}
