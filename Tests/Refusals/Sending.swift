// Code that must not compile: Scripts/check-refusals. What the compiler has to say of a line is in a comment at its end.
import Firn

class Flight: Object {
  @Persisted(primaryKey: true) var id: String
  @Persisted var delay: Int
}

func addingEach(_ store: RealmStore, _ flights: [Flight]) async throws {
  for flight in flights {
    // Each of them may still be reached through the array.
    try await store.write { $0.add(flight) }  // refused: passing closure as a 'sending' parameter
  }
}

func usedAfterwards(_ store: RealmStore) async throws {
  let flight = Flight()
  try await store.write { $0.add(flight) }  // refused: sending value
  print(flight.delay)
}

func writtenTwice(_ store: RealmStore) async throws {
  let flight = Flight()
  for _ in 0..<2 {
    try await store.write { $0.add(flight) }  // refused: sending value
  }
}

func someOf(_ store: RealmStore) async throws {
  let flights = try await store.write { $0.objects(Flight.self)[0..<2] }  // refused: sending
  print(flights.count)
}

func inATuple(_ store: RealmStore) async throws {
  let (flight, count) = try await store.write { realm in (realm.create(Flight.self), 1) }  // refused: sending
  print(flight, count)
}

@MainActor func elsewhere(_ realm: Realm, _ flight: Flight) async throws {
  try await realm.asyncWrite { flight.delay = 1 }
  // Runs on the realm's actor, which the compiler does not know to be this one.
  try await realm.asyncWrite { _ in flight.delay = 1 }  // refused: sending
  let unmanaged = Flight()
  try await realm.asyncWrite { $0.add(unmanaged) }  // refused: sending value
  print(unmanaged.delay)
}

actor Desk {
  var flights: [Flight] = []

  func save(_ store: RealmStore) async throws {
    let flight = flights[0]
    try await store.write { $0.add(flight) }  // refused: passing closure as a 'sending' parameter
  }
}
