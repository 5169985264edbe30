package import DeparturePlan
package import DepartureScreen
package import Firn

package import struct Firn.SortDescriptor

/// Observes what the screen shows, and brings it as values. It does not know of the replay.
///
/// Belongs to the thread of its realm.
package final class BoardFeed {
  private let realm: Realm
  private let clock: BoardClock
  private let vicinity: Vicinity?
  private let deliver: (BoardNews) -> Void
  private var tokens: [NotificationToken] = []
  private var selected: NotificationToken?
  private var departures = ObservedRows<DepartureLine>()
  private var airlines = ObservedRows<AirlineLine>()
  private var weather = ObservedRows<WeatherLine>()

  private static let logCountMax = 100

  typealias FlightsByStatus = LiveGroups<FlightStatus, Double?>

  /// - Parameter vicinity: Where the departures that are brought lead to; nil for anywhere.
  package init(
    realm: Realm, clock: BoardClock, vicinity: Vicinity? = nil, deliver: @escaping (BoardNews) -> Void
  ) {
    self.realm = realm
    self.clock = clock
    self.vicinity = vicinity
    self.deliver = deliver
    tokens = [
      realm.objects(Board.self).observe { change in
        guard let board = change.newAndModified.last else { return }
        deliver(.status(BoardStatus(board, clock)))
      },
      realm.objects(Airline.self)
        .sorted(by: [SortDescriptor(keyPath: \Airline.averageDelayMinutes, ascending: false), "code"])
        .observe { [unowned self] change in
          airlines.apply(change) { AirlineLine($0) }
          deliver(.airlines(airlines.values))
        },
      realm.objects(Weather.self).sorted(by: \.airport).observe { [unowned self] change in
        weather.apply(change) { WeatherLine($0) }
        deliver(.weather(weather.values))
      },
      realm.objects(Flight.self).grouped(by: \.status) { $0.average(of: \.delay) }.observe { change in
        switch change {
        case .initial(let groups), .update(let groups, _, _, _): deliver(.statuses(StatusLine.all(groups)))
        case .error(let error): fatalError("an observer got an error: \(error)")
        }
      },
      // A key path, because a flight also counts as modified when the airline it links to changes.
      realm.objects(FlightNews.self).sorted(by: \.time).observe(keyPaths: [\.time]) { change in
        let news = change.newAndModified.suffix(BoardFeed.logCountMax)
        if !news.isEmpty { deliver(.log(news.map { LogLine($0, clock) })) }
      },
    ]
    select(BoardSelection())
  }

  /// Brings other departures from now on, those that are there at once.
  package func select(_ selection: BoardSelection) {
    var flights = realm.objects(Flight.self).where { $0.isOnBoard }
    if let vicinity { flights = flights.where { $0.destination.location.geoWithin(vicinity.circle) } }
    if let airport = selection.airport { flights = flights.where { $0.origin.code == airport } }
    if let airline = selection.airline { flights = flights.where { $0.airline.code == airline } }
    let order: [SortDescriptor] =
      switch selection.order {
      case .time: []
      case .delay: [SortDescriptor(keyPath: "delay", ascending: false)]
      case .airline: ["airline.code"]
      case .destination: ["destination.city"]
      }
    selected = flights.sorted(by: order + ["scheduledDeparture", "id"])
      .observe(keyPaths: ["status", "delay"]) { [unowned self] change in
        departures.apply(change) { DepartureLine($0, clock) }
        deliver(.departures(departures.values))
      }
  }
}
