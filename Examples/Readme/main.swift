// The code of the README as a program. `DocumentationTests` compares it with the README, `ReadmeTests` runs it.

import Firn

class Flight: Object {
  @Persisted(primaryKey: true) var id: String
  @Persisted var destination: String
  @Persisted var delay: Int?
}

let realm = try Realm(fileURL: URL(fileURLWithPath: "board.firn"))
let late = realm.objects(Flight.self).where { $0.delay > 30 }.sorted(by: \.delay)
let token = late.observe { change in
  if case .update(let flights, let deletions, let insertions, let modifications) = change {
    print(flights.count, deletions, insertions, modifications)
  }
}
try realm.write {
  let flight = realm.create(Flight.self, value: ["id": "B6 123", "destination": "BOS"], update: .modified)
  flight.delay = (flight.delay ?? 40) + 5
}
realm.refresh()  // calls the observer, which prints: 1 [] [0] []

// Otherwise it might be told of the next write, or not, before the program ends.
token.invalidate()
let url = URL(fileURLWithPath: "board.firn")

let store = try await RealmStore.open(.init(fileURL: url))
let flight = try await store.write { realm in
  realm.create(Flight.self, value: ["id": "LH 400", "destination": "JFK", "delay": 60], update: .modified)
}
print(flight.destination, flight.delay ?? 0)  // prints: JFK 60
