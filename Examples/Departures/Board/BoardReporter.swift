package import DeparturePlan
package import Firn

/// Prints what observers of the store report, and nothing else: it does not know of the replay.
///
/// Lives on the main thread, where its realm is and its observers are called.
package final class BoardReporter {
  private let clock: BoardClock
  /// What happened until then is not printed.
  private let start: Date?
  private let boards: Results<Board>
  private let airlines: Results<Airline>
  /// The latest last.
  private let news: Results<FlightNews>
  private let flightsByStatus: LiveGroups<FlightStatus, Void>
  private var tokens: [NotificationToken] = []
  private var delaySteps = DelaySteps()
  private var hour: Int?

  /// True when the last lines are out.
  package private(set) var isClosed = false

  /// - Parameters:
  ///   - start: The clock of a board that goes on; nil for one that begins.
  ///   - vicinity: Where flights lead to of which news is printed; nil for anywhere.
  package init(realm: Realm, clock: BoardClock, start: Date? = nil, vicinity: Vicinity? = nil) {
    self.clock = clock
    self.start = start
    boards = realm.objects(Board.self)
    airlines = realm.objects(Airline.self).sorted(by: \.code)
    var flights = realm.objects(FlightNews.self)
    if let vicinity { flights = flights.filter("destination.location IN %@", vicinity.circle) }
    news = flights.sorted(by: \.time)
    flightsByStatus = realm.objects(Flight.self).grouped(by: \.status)
    tokens.append(boards.observe { [unowned self] change in report(change) })
    tokens.append(airlines.observe(keyPaths: [\.delayMinutes]) { [unowned self] change in report(change) })
    // A key path, because a flight also counts as modified when the airline it links to changes.
    tokens.append(news.observe(keyPaths: [\.time]) { [unowned self] change in report(change) })
  }

  private func report(_ change: RealmCollectionChange<Results<FlightNews>>) {
    for news in change.newAndModified where start.map({ $0 < news.time }) ?? true {
      print("\(clock.text(news.time)) \(news.route) \(news.text(clock))")
    }
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
    for board in change.newAndModified where !isClosed {
      let current = clock.hour(of: board.clock)
      if hour == nil {
        print("\(board.name), \(clock.day(of: board.clock)), local time; flights as airline, number, from→to")
      }
      if current != hour, board.isOpen {
        print("\(clock.text(board.clock)) == \(tally)")
      }
      hour = current
      if !board.isOpen {
        isClosed = true
        print("\(clock.text(board.clock)) == the board closes: \(tally)")
        printDelays()
      }
    }
  }

  private var tally: String {
    func count(_ status: FlightStatus) -> Int { flightsByStatus.group(for: status)?.count ?? 0 }
    let waiting = "\(count(.scheduled) + count(.delayed)) to depart, \(count(.delayed)) of them delayed"
    let gone = "\(count(.departed)) in the air, \(count(.arrived)) arrived, \(count(.diverted)) diverted"
    return "\(waiting); \(gone), \(count(.cancelled)) cancelled"
  }

  private func printDelays() {
    print("average delay at departure:")
    let worstFirst = airlines.where { $0.departureCount > 0 }
      .sorted { $0.averageDelayMinutes > $1.averageDelayMinutes }
    for airline in worstFirst {
      let minutes = String(Int(airline.averageDelayMinutes))
      let padding = String(repeating: " ", count: max(0, 6 - minutes.count))
      print("\(padding)\(minutes) min  \(airline.code) \(airline.name), departures: \(airline.departureCount)")
    }
  }
}
