import Dispatch
import Firn
import Synchronization
import Testing

@MainActor @Suite struct ProjectionsTests {
  class Airport: Object {
    @Persisted(primaryKey: true) var code: String
    @Persisted var city: String
    @Persisted var name: String
  }

  class Member: Object {
    @Persisted var name: String
  }

  class Flight: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var from: Airport?
    @Persisted var crew: List<Member>
    @Persisted var notes: List<String>
  }

  class FlightLine: Projection<Flight> {
    @Projected(\Flight.id) var number
    @Projected(\Flight.from?.city) var origin
    @Projected(\Flight.from!.name) var originName
    @Projected(\Flight.crew.projectTo.name) var crew: ProjectedCollection<String>
    @Projected(\Flight.notes) var notes
  }

  struct FlightRow: ValueProjection {
    let number: String
    let city: String?

    static var keyPaths: [PartialKeyPath<Flight>] { [\.id, \.from?.city] }

    init(projecting flight: Flight) {
      number = flight.id
      city = flight.from?.city
    }
  }

  final class Screen: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func show(_ rows: [FlightRow], gone: [Int] = [], new: [Int] = [], changed: [Int] = []) {
      lines.withLock { $0.append("\(rows.map { $0.number }) \(gone) \(new) \(changed)") }
    }
  }

  private func flights() throws -> Realm {
    let realm = try makeRealm(Airport.self, Member.self, Flight.self)
    try realm.write {
      let boston = realm.create(Airport.self, value: ["code": "BOS", "city": "Boston", "name": "Logan"])
      for id in ["B6 2", "B6 1"] {
        let flight = realm.create(Flight.self, value: ["id": id])
        flight.from = boston
        flight.crew.append(Member(value: ["name": "Ann"]))
      }
      realm.create(Flight.self, value: ["id": "LH 1"])
    }
    return realm
  }

  @Test func resultsOfProjections() throws {
    let realm = try flights()
    let told = Printout.of {
      let lines = realm.objects(FlightLine.self)
        .where { $0.origin == "Boston" && $0.crew.contains("Ann") }
        .sorted(by: \.number)
      for line in lines { print(line.number, line.origin ?? "", Array(line.crew)) }
      let same = realm.objects(FlightLine.self).filter("from.city == 'Boston'").sorted(byKeyPath: "id")
      #expect(Array(same) == Array(lines))
    }
    #expect(told == "B6 1 Boston [\"Ann\"]\nB6 2 Boston [\"Ann\"]\n")
  }

  @Test func writingAndObserving() throws {
    let realm = try flights()
    let line = realm.objects(FlightLine.self)[0]
    let told = try Printout.of {
      let token = line.observe { (change: ObjectChange<FlightLine>) in
        switch change {
        case .change(let line, let changes):
          for change in changes { print(line.number, change.name, change.newValue ?? "nil") }
        case .deleted:
          print("deleted")
        case .error(let error):
          print(error)
        }
      }
      try realm.write { line.rootObject.from?.city = "New York" }
      realm.refresh()
      try realm.write { realm.delete(line.rootObject) }
      realm.refresh()
      token.invalidate()
    }
    #expect(told == "B6 2 origin New York\nB6 2 originName Logan\ndeleted\n")
  }

  @Test func writing() throws {
    let realm = try flights()
    let flight = realm.objects(Flight.self)[0]
    let line = FlightLine(projecting: flight)
    try realm.write {
      line.originName = "General Edward"
      line.notes.append("late")
      line.crew[0] = "Bea"
    }
    #expect(flight.from?.name == "General Edward")
    #expect(Array(flight.notes) == ["late"])
    #expect(flight.crew[0].name == "Bea")
  }

  @Test func values() async throws {
    let realm = try flights()
    let (queue, screen) = (DispatchQueue(label: "screen"), Screen())
    let rows = realm.objects(Flight.self).values(as: FlightRow.self)
    let watching = realm.objects(Flight.self).observe(as: FlightRow.self, on: queue) { change in
      switch change {
      case .initial(let rows):
        screen.show(rows)
      case .update(let rows, let deletions, let insertions, let modifications):
        screen.show(rows, gone: deletions, new: insertions, changed: modifications)
      case .error(let error):
        print(error)
      }
    }
    #expect(rows.map(\.city) == ["Boston", "Boston", nil])
    while screen.all.isEmpty { await Task.yield() }
    try await realm.asyncWrite {
      realm.delete(realm.objects(Flight.self)[0])
      realm.objects(Flight.self)[1].from = realm.objects(Airport.self)[0]
    }
    while screen.all.count < 2 { await Task.yield() }
    #expect(screen.all == ["[\"B6 2\", \"B6 1\", \"LH 1\"] [] [] []", "[\"B6 1\", \"LH 1\"] [0] [] [2]"])
    watching.invalidate()
  }
}

/// The code in comments of the library.
private enum ProjectionComments {
  class Airport: Object {
    @Persisted var city: String
  }

  class Label: Object {
    @Persisted var country: String
  }

  class Player: Object {
    @Persisted var nick: String
  }

  class Track: Object {
    @Persisted var title: String
    @Persisted var label: Label?
    @Persisted var players: List<Player>
  }

  class Member: Object {
    @Persisted var name: String
  }

  class Flight: Object {
    @Persisted(primaryKey: true) var number: String
    @Persisted var from: Airport?
    @Persisted var crew: List<Member>
  }

  final class FlightLine: Projection<Flight> {
    @Projected(\Flight.number) var number
    @Projected(\Flight.from?.city) var origin
    @Projected(\Flight.crew.projectTo.name) var crew: ProjectedCollection<String>
  }

  final class TrackLine: Projection<Track> {
    @Projected(\Track.title) var heading
    @Projected(\Track.label?.country) var country
    @Projected(\Track.players.projectTo.nick) var nicks: ProjectedCollection<String>
  }

  struct FlightRow: ValueProjection {
    let number: String
    let city: String?

    static var keyPaths: [PartialKeyPath<Flight>] { [\.number, \.from?.city] }

    init(projecting flight: Flight) {
      number = flight.number
      city = flight.from?.city
    }
  }

  static func lines(_ realm: Realm) {
    for line in realm.objects(FlightLine.self).where({ $0.origin == "Boston" }) { print(line.number) }
  }

  static func nicks(_ team: Track) {
    let nicks = team.players.projectTo.nick
    nicks[0] = "Ace"  // writes into the first player
  }
}
