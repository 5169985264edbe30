import DeparturePlan
import Firn
import Foundation

/// Writes the day into the store, minute by minute. The only writer while it runs, and it never prints.
struct Replay: Sendable {
  let day: FlightDay
  let plan: ReplayPlan
  let minutesPerSecond: Double

  /// Returns when the last flight has come down; a cancelled task throws `CancellationError`.
  func run() async throws {
    let store = try await RealmStore.open(.departures)
    guard let first = plan.events.first?.time else { return }
    try await store.write { realm in load(into: realm, at: Date(first)) }

    let start = ContinuousClock.now
    for events in plan.minutes {
      let time = events[events.startIndex].time
      try await Task.sleep(until: start + .seconds(Double(time - first) / minutesPerSecond), clock: .continuous)
      try await store.write { realm in
        realm.object(ofType: Board.self, forPrimaryKey: Board.key)?.clock = Date(time)
        for event in events { apply(event, in: realm) }
      }
    }
  }

  private func load(into realm: Realm, at time: Date) {
    realm.add(day.airports.map(Airport.init))
    realm.add(day.airlines.map(Airline.init))
    realm.add(day.planes.map(Plane.init))
    realm.add(Board(openingAt: time))
  }

  private func apply(_ event: ReplayPlan.Event, in realm: Realm) {
    let record = day.flights[event.flight]
    if event.change == .appears {
      add(record, to: realm)
    }
    guard let flight = realm.object(ofType: Flight.self, forPrimaryKey: record.id) else {
      fatalError("flight \(record.id) changes before it appears")
    }
    flight.changed = Date(event.time)
    switch event.change {
    case .appears:
      flight.status = .scheduled
    case .delayed(let minutes):
      flight.status = .delayed
      flight.delay = minutes
    case .cancelled:
      flight.status = .cancelled
    case .departed(let delayMinutes):
      flight.status = .departed
      flight.delay = delayMinutes
      flight.airline?.departureCount += 1
      flight.airline?.delayMinutes += max(delayMinutes, 0)
    case .arrived:
      flight.status = .arrived
    case .diverted:
      flight.status = .diverted
    }
  }

  private func add(_ record: FlightRecord, to realm: Realm) {
    let flight = Flight(record)
    flight.airline = realm.object(ofType: Airline.self, forPrimaryKey: record.carrier)
    flight.plane = record.tailNumber.flatMap { realm.object(ofType: Plane.self, forPrimaryKey: $0) }
    flight.origin = realm.object(ofType: Airport.self, forPrimaryKey: record.origin)
    flight.destination = realm.object(ofType: Airport.self, forPrimaryKey: record.destination)
    realm.add(flight)
  }
}
