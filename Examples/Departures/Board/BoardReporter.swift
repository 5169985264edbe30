import DeparturePlan
import Firn
import Foundation

/// Prints what observers of the store report, and nothing else: it does not know of the replay.
///
/// Lives on the main thread, where its realm is and its observers are called.
final class BoardReporter {
  private let clock: BoardClock
  private let boards: Results<Board>
  private let airlines: Results<Airline>
  private var flights: [FlightStatus: Results<Flight>] = [:]
  private var tokens: [NotificationToken] = []
  private var delaySteps = DelaySteps()
  private var hour: Int?

  /// True when the last lines are out.
  private(set) var isClosed = false

  init(realm: Realm, clock: BoardClock) {
    self.clock = clock
    boards = realm.objects(Board.self)
    airlines = realm.objects(Airline.self).sorted(by: \.code)
    tokens.append(boards.observe { [unowned self] change in report(change) })
    tokens.append(airlines.observe(keyPaths: [\.delayMinutes]) { [unowned self] change in report(change) })
    for status in FlightStatus.allCases {
      let flights = realm.objects(Flight.self).where { $0.status == status }
      // Key paths, because a flight also counts as modified when the airline it links to changes.
      tokens.append(flights.observe(keyPaths: [\.delay]) { [unowned self] change in report(change, status) })
      self.flights[status] = flights
    }
  }

  private func report(_ change: RealmCollectionChange<Results<Flight>>, _ status: FlightStatus) {
    for flight in change.newAndModified {
      let time = clock.text(flight.changed)
      let news =
        switch status {
        case .scheduled: "scheduled for \(clock.text(flight.scheduledDeparture))"
        case .delayed: "delayed \(flight.delay ?? 0) min"
        case .departed: "departed \(lateness(flight.delay ?? 0))"
        case .arrived, .cancelled, .diverted: status.rawValue
        }
      print("\(time) \(flight.route) \(news)")
    }
  }

  private func lateness(_ minutes: Int) -> String {
    minutes > 0 ? "\(minutes) min late" : minutes < 0 ? "\(-minutes) min early" : "on time"
  }

  private func report(_ change: RealmCollectionChange<Results<Airline>>) {
    for airline in change.newAndModified {
      let average = airline.averageDelayMinutes
      let count = airline.departureCount
      guard delaySteps.isWorthALine(airline: airline.code, averageMinutes: average, departureCount: count) else {
        continue
      }
      let time = boards.first.map { clock.text($0.clock) } ?? "--:--"
      print("\(time) delays by airline: \(airline.name) averages \(Int(average)) min over \(count) departures")
    }
  }

  private func report(_ change: RealmCollectionChange<Results<Board>>) {
    for board in change.newAndModified {
      let current = clock.hour(of: board.clock)
      if current != hour || !board.isOpen {
        hour = current
        print("\(clock.text(board.clock)) == \(tally)")
      }
      if !board.isOpen, !isClosed {
        printDelays()
        isClosed = true
      }
    }
  }

  private var tally: String {
    func count(_ status: FlightStatus) -> Int { flights[status]?.count ?? 0 }
    let waiting = "on the board \(count(.scheduled) + count(.delayed)), \(count(.delayed)) of them delayed"
    let gone = "in the air \(count(.departed)), arrived \(count(.arrived)), diverted \(count(.diverted))"
    return "\(waiting); \(gone), cancelled \(count(.cancelled))"
  }

  private func printDelays() {
    print("delays by airline, average minutes over departures:")
    let worstFirst = airlines.where { $0.departureCount > 0 }
      .sorted { $0.averageDelayMinutes > $1.averageDelayMinutes }
    for airline in worstFirst {
      print("  \(airline.code) \(Int(airline.averageDelayMinutes)) over \(airline.departureCount)  \(airline.name)")
    }
  }
}

extension RealmCollectionChange where CollectionType: RandomAccessCollection, CollectionType.Index == Int {
  /// The elements that are new in the collection or changed in their place, at their present positions.
  fileprivate var newAndModified: [CollectionType.Element] {
    switch self {
    case .initial(let collection):
      return Array(collection)
    case .update(let collection, let deletions, let insertions, let modifications):
      let modified = positionsAfterChange(modifications, deletions: deletions, insertions: insertions)
      return (insertions + modified).sorted().map { collection[$0] }
    case .error(let error):
      fatalError("an observer got an error: \(error)")
    }
  }
}
