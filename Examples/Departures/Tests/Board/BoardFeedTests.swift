import DeparturePlan
import DepartureScreen
import Dispatch
import Firn
import Foundation
import Testing

@testable import DepartureBoard

/// What the feed brings is what the store has, at every moment of the day and for every selection.
@Suite struct BoardFeedTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [
    BoardSelection(), BoardSelection(airport: "JFK"), BoardSelection(airline: "B6", order: .delay),
    BoardSelection(airport: "EWR", airline: "UA", order: .destination), BoardSelection(order: .airline),
  ])
  func agreesWithTheStore(selection: BoardSelection) async throws { try await check(selection) }

  @Test(arguments: [(500.0, "ORD"), (300, "LAX"), (20_038, "JFK")])
  func bringsWhatLeadsNear(kilometers: Double, code: String) async throws {
    try await check(BoardSelection(), within: kilometers, of: code)
  }

  private func check(_ selection: BoardSelection, within kilometers: Double? = nil, of code: String = "") async throws {
    let day = try FlightDay(directory: FlightDay.bundledDirectory)
    let store = try await BoardStore.open(.file(folder.newFile(), isOwn: false))
    let replay = Replay(day, store: store.store)
    _ = try await replay.prepare()
    let center = day.airports.first { $0.code == code }
    let vicinity = center.flatMap { center in kilometers.flatMap { Vicinity(kilometers: $0, of: center) } }
    #expect((vicinity == nil) == (kilometers == nil))
    var near = Set(day.airports.map(\.code))
    if let center, let kilometers {
      near = Set(day.airports.filter { $0.kilometers(to: center) <= kilometers }.map(\.code))
      #expect(near.contains(code) && (near.count < 20 || kilometers > 20_000))
    }
    let probe = try FeedProbe(store, selection, vicinity, near)
    var shownCount = 0
    for step in 0..<replay.stepCount {
      try await replay.perform(step)
      guard step % 40 == 0 || step == replay.stepCount - 1 else { continue }
      let (found, expected) = probe.compare()
      shownCount += found.count
      #expect(found == expected, "after step \(step)")
    }
    #expect(shownCount > 20)
    let screen = probe.screen
    #expect(screen.status?.isDayOver == true)
    #expect(screen.weather.count == 3)
    #expect(screen.weather.allSatisfy { !$0.figures.isEmpty })
    let delays = screen.airlines.map(\.averageDelayMinutes)
    #expect(delays == delays.sorted(by: >))
    #expect(screen.log.count == 200)
    #expect(screen.statuses == probe.statuses)
    #expect(screen.statuses.count == 3 && screen.statuses.allSatisfy { $0.flightCount > 0 })
  }
}

extension AirportRecord {
  /// By haversines.
  fileprivate func kilometers(to other: AirportRecord) -> Double {
    func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    func haversine(_ angle: Double) -> Double { sin(angle / 2) * sin(angle / 2) }
    let value =
      haversine(radians(latitude - other.latitude))
      + cos(radians(latitude)) * cos(radians(other.latitude)) * haversine(radians(longitude - other.longitude))
    return 2 * asin(min(1, value.squareRoot())) * 6378.1
  }
}

/// A feed on a queue of its own. Everything in it is touched on that queue only.
private final class FeedProbe: @unchecked Sendable {
  private let queue = DispatchQueue(label: "feed")
  private let selection: BoardSelection
  /// The codes of airports that departures may lead to.
  private let destinations: Set<String>
  private let clock = BoardClock(timeZone: "America/New_York")
  private var realm: Realm!
  private var feed: BoardFeed!
  private var received = BoardScreen()

  init(
    _ store: BoardStore, _ selection: BoardSelection, _ vicinity: Vicinity?, _ destinations: Set<String>
  ) throws {
    self.selection = selection
    self.destinations = destinations
    try queue.sync {
      realm = try Realm(configuration: store.store.configuration, queue: queue)
      feed = BoardFeed(realm: realm, clock: clock, vicinity: vicinity) { [unowned self] in received.receive($0) }
      feed.select(selection)
    }
  }

  var screen: BoardScreen { queue.sync { received } }

  /// What going through all flights gives.
  var statuses: [StatusLine] {
    queue.sync {
      DepartureLine.Status.allCases.compactMap { status in
        let flights = realm.objects(Flight.self).filter { DepartureLine.Status($0.status) == status }
        let delays = flights.compactMap(\.delay)
        let average = Double(delays.reduce(0, +)) / Double(max(1, delays.count))
        return flights.isEmpty
          ? nil
          : StatusLine(
            status: status, flightCount: flights.count,
            averageDelayMinutes: delays.isEmpty ? nil : Int(average.rounded()))
      }
    }
  }

  /// What was brought, and what going through all flights gives.
  func compare() -> (found: [DepartureLine], expected: [DepartureLine]) {
    queue.sync {
      realm.refresh()
      let flights = realm.objects(Flight.self).filter { [selection, destinations] flight in
        flight.isOnBoard && (selection.airport == nil || flight.origin?.code == selection.airport)
          && (selection.airline == nil || flight.airline?.code == selection.airline)
          && destinations.contains(flight.destination?.code ?? "")
      }
      let sorted = Array(flights).sorted { left, right in
        let byTime = (left.scheduledDeparture, left.id) < (right.scheduledDeparture, right.id)
        switch selection.order {
        case .time: return byTime
        case .delay:
          let (first, second) = (left.delay ?? .min, right.delay ?? .min)
          return first == second ? byTime : first > second
        case .airline:
          let (first, second) = (left.airline?.code ?? "", right.airline?.code ?? "")
          return first == second ? byTime : first < second
        case .destination:
          let (first, second) = (left.destination?.city ?? "", right.destination?.city ?? "")
          return first == second ? byTime : first < second
        }
      }
      return (received.departures, sorted.map { DepartureLine($0, clock) })
    }
  }
}
