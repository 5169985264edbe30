package import DeparturePlan
package import Firn
internal import Foundation

/// Writes the day into the store, step by step. The only writer while it runs, and it never prints.
///
/// Each step is one transaction, which also says that the step is done: see ``Board``.
package struct Replay: Sendable {
  private let day: FlightDay
  private let steps: [ReplayPlan.Step]
  private let store: RealmStore

  package init(_ day: FlightDay, store: RealmStore) {
    self.day = day
    self.store = store
    steps = ReplayPlan(day).steps
  }

  package var stepCount: Int { steps.count }

  /// Makes the store ready: empty ones are filled with what does not change in a day.
  ///
  /// - Parameter isAnew: Whether to forget what the store holds.
  /// - Throws: ``UnsuitableStore``, or what writing throws.
  package func prepare(isAnew: Bool = false) async throws -> ReplayStart {
    try await store.write { realm in
      let signature = day.signature
      if !isAnew, let board = realm.object(ofType: Board.self, forPrimaryKey: Board.key) {
        guard board.day == signature else { throw UnsuitableStore.otherDay(stored: board.day, given: signature) }
        if !board.isDayOver {
          guard board.planVersion == ReplayPlan.version else {
            throw UnsuitableStore.otherPlan(stored: board.planVersion, given: ReplayPlan.version)
          }
          board.isOpen = true
          board.isPaused = false
          return .resumed(
            stepCount: board.stepCount, clock: board.clock, minutesPerSecond: board.minutesPerSecond)
        }
      }
      let start: ReplayStart = realm.objects(Board.self).isEmpty || isAnew ? .newDay : .again
      // The realm does not show objects of other programs' classes; what opening found counts them.
      let isEmpty = realm.isEmpty && store.lastOpenReport?.objectCount ?? 0 == 0
      guard isEmpty || !realm.objects(Board.self).isEmpty else { throw UnsuitableStore.noBoard }
      realm.deleteAll()
      load(into: realm)
      return start
    }
  }

  /// Goes through the rest of the day at a pace. Returns when the last flight has come down; a cancelled task throws
  /// `CancellationError`.
  package func run(at pace: ReplayPace) async throws {
    let done = try await store.write { realm in
      let board = realm.object(ofType: Board.self, forPrimaryKey: Board.key)
      board?.minutesPerSecond = pace.minutesPerSecond
      return board?.stepCount ?? 0
    }
    for (position, step) in steps.enumerated().dropFirst(done) {
      let minute = Double(step.time.sinceEpoch)
      if position == done {
        pace.start(at: position == 0 ? minute : Double(steps[position - 1].time.sinceEpoch))
      }
      while case .changed(let speed, let isPaused) = try await pace.wait(until: minute) {
        try await store.write { realm in
          let board = realm.object(ofType: Board.self, forPrimaryKey: Board.key)
          board?.minutesPerSecond = speed
          board?.isPaused = isPaused
        }
      }
      try await perform(position)
    }
  }

  /// Writes one step. Steps are performed in order, each once.
  package func perform(_ position: Int) async throws {
    let step = steps[position]
    try await store.write { realm in
      guard let board = realm.object(ofType: Board.self, forPrimaryKey: Board.key), board.stepCount == position else {
        fatalError("step \(position) of the replay is not the one after the last")
      }
      board.clock = Date(step.time)
      board.stepCount = position + 1
      board.isDayOver = position + 1 == steps.count
      for record in step.weather {
        realm.object(ofType: Weather.self, forPrimaryKey: record.airport)?.update(record)
      }
      for event in step.events { apply(event, in: realm) }
    }
  }

  private func load(into realm: Realm) {
    realm.add(day.airports.map(Airport.init))
    realm.add(day.airlines.map(Airline.init))
    realm.add(day.planes.map(Plane.init))
    realm.add(day.origins.map { Weather(airport: $0) })
    realm.add(Board(day.signature, openingAt: Date(steps[0].time)))
  }

  private func apply(_ event: ReplayPlan.Event, in realm: Realm) {
    let record = day.flights[event.flight]
    if event.change == .appears {
      add(record, to: realm)
    }
    guard let flight = realm.object(ofType: Flight.self, forPrimaryKey: record.id) else {
      fatalError("flight \(record.id) changes before it appears")
    }
    guard event.change != .leavesBoard else {
      flight.isOnBoard = false
      return
    }
    flight.newsTime = Date(event.time)
    switch event.change {
    case .appears:
      flight.status = .scheduled
      flight.isOnBoard = true
    case .delayed(let minutes):
      flight.status = .delayed
      flight.delay = minutes
    case .cancelled:
      flight.status = .cancelled
    case .departed(let delayMinutes):
      flight.status = .departed
      flight.delay = delayMinutes
      flight.airline?.addDeparture(delayMinutes: delayMinutes)
    case .arrived:
      flight.status = .arrived
    case .diverted:
      flight.status = .diverted
    case .leavesBoard:
      break
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
