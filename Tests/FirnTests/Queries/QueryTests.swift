import FirnEngine
import Foundation
import Testing

@testable import Firn

private enum Status: String, PersistableEnum {
  case early, late, cancelled
}

private enum Level: Int, PersistableEnum {
  case low = 1
  case high = 9
}

private final class Place: Object {
  @Persisted(primaryKey: true) var code: String
  @Persisted var city: String
  @Persisted var twin: Place?
  @Persisted var isHub: Bool

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class Trip: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var delay: Int?
  @Persisted var small: Int16
  @Persisted var price: Double
  @Persisted var ratio: Float?
  @Persisted var title: String
  @Persisted var note: String?
  @Persisted(indexed: true) var carrier: String
  @Persisted var payload: Data
  @Persisted var departs: Date
  @Persisted var arrives: Date?
  @Persisted var token: UUID
  @Persisted var isFull: Bool
  @Persisted var isLate: Bool?
  @Persisted var status: Status
  @Persisted var lastStatus: Status?
  @Persisted var level: Level
  @Persisted var seats: Int
  @Persisted var sold: Int
  @Persisted var from: Place?

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite struct QueryTests {
  private let realm: Realm
  private let trips: Results<Trip>
  private let places: [Place]
  private let tokens: [UUID]

  init() throws {
    realm = try Realm(
      configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [Trip.self, Place.self]))
    trips = realm.objects(Trip.self)
    tokens = (0..<5).map { _ in UUID() }
    var places: [Place] = []
    let realm = realm
    let tokens = tokens
    try realm.write {
      for (index, city) in ["Boston", "Paris", "Zürich", "Oslo"].enumerated() {
        let place = Place()
        place.code = String(city.prefix(3)).uppercased()
        place.city = city
        place.isHub = index % 2 == 0
        place.twin = places.last
        realm.add(place)
        places.append(place)
      }
      for id in 0..<500 {
        let trip = Trip()
        trip.id = id
        trip.delay = id % 4 == 0 ? nil : id % 60
        trip.small = Int16(id % 100)
        trip.price = Double(id) / 3
        trip.ratio = id % 5 == 0 ? nil : Float(id % 8)
        trip.title = ["Alpha", "alpha", "Beta", "gamma ray", "Éclair", ""][id % 6]
        trip.note = id % 3 == 0 ? nil : "note \(id % 10)"
        trip.carrier = "carrier \(id % 11)"
        trip.payload = Data([UInt8(id % 4), 2, 3])
        trip.departs = Date(timeIntervalSinceReferenceDate: Double(id) * 60)
        trip.arrives = id % 7 == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(id) * 60 + 3600)
        trip.token = tokens[id % 5]
        trip.isFull = id % 3 == 1
        trip.isLate = id % 4 == 0 ? nil : id % 4 == 1
        trip.status = Status.allCases[id % 3]
        trip.lastStatus = id % 5 == 0 ? nil : Status.allCases[id % 2]
        trip.level = id % 2 == 0 ? .low : .high
        trip.seats = id % 13
        trip.sold = id % 9
        trip.from = id % 6 == 5 ? nil : places[id % 4]
        realm.add(trip)
      }
    }
    self.places = places
  }

  /// Compares a query with plain Swift on the same objects.
  private func check(
    _ query: (Query<Trip>) -> Query<Bool>, _ plain: (Trip) -> Bool, isTrivial: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let expected = trips.filter(plain).map(\.id)
    let found = trips.where(query)
    #expect(found.map(\.id) == Array(expected), sourceLocation: sourceLocation)
    #expect(found.count == expected.count, sourceLocation: sourceLocation)
    if !isTrivial {
      #expect(!expected.isEmpty && expected.count < 500, "a query that tells nothing", sourceLocation: sourceLocation)
    }
  }

  @Test func integers() {
    check({ $0.seats == 5 }, { $0.seats == 5 })
    check({ $0.seats != 5 }, { $0.seats != 5 })
    check({ $0.seats < 5 }, { $0.seats < 5 })
    check({ $0.seats <= 5 }, { $0.seats <= 5 })
    check({ $0.seats > 5 }, { $0.seats > 5 })
    check({ $0.seats >= 5 }, { $0.seats >= 5 })
    check({ $0.small > 50 }, { $0.small > 50 })
    check({ $0.seats.in([1, 3, 99]) }, { [1, 3, 99].contains($0.seats) })
    check({ $0.seats.contains(2..<6) }, { (2..<6).contains($0.seats) })
    check({ $0.seats.contains(2...6) }, { (2...6).contains($0.seats) })
    check({ $0.id == 17 }, { $0.id == 17 })
  }

  @Test func optionalIntegers() {
    check({ $0.delay > 30 }, { $0.delay.map { $0 > 30 } ?? false })
    check({ $0.delay < 30 }, { $0.delay.map { $0 < 30 } ?? false })
    check({ $0.delay == nil }, { $0.delay == nil })
    check({ $0.delay != nil }, { $0.delay != nil })
    check({ $0.delay != 5 }, { $0.delay != 5 })
    check({ $0.delay <= nil }, { $0.delay == nil })
    check({ $0.delay.in([nil, 7]) }, { $0.delay == nil || $0.delay == 7 })
    check({ $0.delay.contains(3..<9) }, { $0.delay.map { (3..<9).contains($0) } ?? false })
    check({ !$0.delay.contains(3...9) }, { !($0.delay.map { (3...9).contains($0) } ?? false) })
  }

  @Test func realNumbers() {
    check({ $0.price > 50.5 }, { $0.price > 50.5 })
    check({ $0.price.contains(10...20) }, { (10...20).contains($0.price) })
    check({ $0.ratio >= 3.5 }, { $0.ratio.map { $0 >= 3.5 } ?? false })
    check({ $0.ratio == nil }, { $0.ratio == nil })
  }

  @Test func datesAndIdentifiers() {
    let noon = Date(timeIntervalSinceReferenceDate: 6000)
    check({ $0.departs < noon }, { $0.departs < noon })
    check({ $0.arrives > noon }, { $0.arrives.map { $0 > noon } ?? false })
    check({ $0.token == tokens[2] }, { $0.token == tokens[2] })
    check({ $0.token.in([tokens[1], tokens[3]]) }, { [tokens[1], tokens[3]].contains($0.token) })
  }

  @Test func bools() {
    check({ $0.isFull }, { $0.isFull })
    check({ !$0.isFull }, { !$0.isFull })
    check({ $0.isFull == false }, { !$0.isFull })
    check({ $0.isLate == true }, { $0.isLate == true })
    check({ $0.isLate == nil }, { $0.isLate == nil })
    check({ $0.from.isHub }, { $0.from?.isHub == true })
    check({ $0.isFull && $0.seats > 3 }, { $0.isFull && $0.seats > 3 })
  }

  @Test func enumerations() {
    check({ $0.status == .late }, { $0.status == .late })
    check({ $0.status != .late }, { $0.status != .late })
    check({ $0.status.in([.early, .cancelled]) }, { $0.status != .late })
    check({ $0.lastStatus == .late }, { $0.lastStatus == .late })
    check({ $0.lastStatus == nil }, { $0.lastStatus == nil })
    check({ $0.level > .low }, { $0.level == .high })
    check({ $0.level.rawValue > 5 }, { $0.level.rawValue > 5 })
    check({ $0.status.rawValue.starts(with: "ca") }, { $0.status == .cancelled })
    check({ $0.lastStatus.rawValue == "late" }, { $0.lastStatus == .late })
  }

  @Test func texts() {
    check({ $0.title == "Alpha" }, { $0.title == "Alpha" })
    check(
      { $0.title > "Beta" }, { $0.title.utf8.lexicographicallyPrecedes("Beta".utf8) == false && $0.title != "Beta" })
    check({ $0.title.contains("a r") }, { $0.title.contains("a r") })
    check({ $0.title.contains("ALPH", options: .caseInsensitive) }, { $0.title.lowercased() == "alpha" })
    check({ $0.title.starts(with: "ga") }, { $0.title.hasPrefix("ga") })
    check({ $0.title.ends(with: "a") }, { $0.title.hasSuffix("a") })
    check({ $0.title.equals("eclair", options: [.caseInsensitive, .diacriticInsensitive]) }, { $0.title == "Éclair" })
    check({ $0.title.notEquals("ALPHA", options: .caseInsensitive) }, { $0.title.lowercased() != "alpha" })
    check({ $0.title.like("?lph*") }, { $0.title.dropFirst().hasPrefix("lph") })
    check({ $0.title.like("ALPH?", caseInsensitive: true) }, { $0.title.lowercased() == "alpha" })
    check({ $0.title.contains("") }, { _ in false }, isTrivial: true)
    check({ $0.note == nil }, { $0.note == nil })
    check({ $0.note.ends(with: "4") }, { $0.note?.hasSuffix("4") ?? false })
    check({ $0.note != "note 1" }, { $0.note != "note 1" })
    check({ $0.carrier == "carrier 3" }, { $0.carrier == "carrier 3" })
    check({ $0.carrier.in(["carrier 3", "carrier 5"]) }, { ["carrier 3", "carrier 5"].contains($0.carrier) })
    check({ $0.carrier.contains("10") }, { $0.carrier.contains("10") })
    check({ $0.payload == Data([1, 2, 3]) }, { $0.payload == Data([1, 2, 3]) })
    check({ $0.payload.starts(with: Data([2])) }, { $0.payload.first == 2 })
  }

  @Test func links() {
    check({ $0.from == nil }, { $0.from == nil })
    check({ $0.from != nil }, { $0.from != nil })
    check({ $0.from == places[1] }, { $0.from?.code == "PAR" })
    check({ $0.from != places[1] }, { $0.from?.code != "PAR" })
    check({ $0.from.in([places[0], places[2]]) }, { ["BOS", "ZÜR"].contains($0.from?.code) })
    check({ $0.from == Place() }, { _ in false }, isTrivial: true)
    check({ $0.from.city == "Boston" }, { $0.from?.city == "Boston" })
    check({ $0.from.city != "Boston" }, { $0.from?.city != "Boston" })
    check({ $0.from.twin.city == "Paris" }, { $0.from?.twin?.city == "Paris" })
    check({ $0.from.twin == nil }, { $0.from?.twin == nil })
    check({ $0.from.twin.twin.code == "BOS" }, { $0.from?.twin?.twin?.code == "BOS" })
    check({ $0.from.city.in(["Oslo", "Paris"]) }, { ["Oslo", "Paris"].contains($0.from?.city) })
  }

  @Test func columnsAgainstColumns() {
    check({ $0.seats == $0.sold }, { $0.seats == $0.sold })
    check({ $0.seats > $0.sold }, { $0.seats > $0.sold })
    check({ $0.departs < $0.departs }, { _ in false }, isTrivial: true)
    check({ $0.title != $0.carrier }, { _ in true }, isTrivial: true)
    check({ $0.from == $0.from.twin }, { $0.from?.code == $0.from?.twin?.code })
  }

  @Test func logic() {
    check(
      { ($0.delay > 30 || $0.status == .cancelled) && $0.from.city == "Boston" },
      { (($0.delay ?? 0) > 30 || $0.status == .cancelled) && $0.from?.city == "Boston" })
    check({ !($0.seats > 3 && $0.isFull) }, { !($0.seats > 3 && $0.isFull) })
    check({ !(!$0.isFull) }, { $0.isFull })
    check(
      { $0.carrier == "carrier 1" && $0.seats > 2 && !$0.isFull || $0.id == 3 },
      { $0.carrier == "carrier 1" && $0.seats > 2 && !$0.isFull || $0.id == 3 })
    check({ ($0.seats > 3) == true }, { $0.seats > 3 })
    check({ ($0.seats > 3) == false }, { $0.seats <= 3 })
  }

  @Test func chained() {
    let found = trips.where { $0.isFull }.where { $0.seats > 3 || $0.seats == 1 }
    #expect(found.map(\.id) == trips.filter { $0.isFull && ($0.seats > 3 || $0.seats == 1) }.map(\.id))
    #expect(trips.index(matching: { $0.seats == 7 }) == 7)
    #expect(found.index(matching: { $0.seats == 2 }) == nil)
  }

  /// A key path stands for a column of the table that it was asked for.
  @Test func ownColumnsAreKeptByTable() {
    let columns = OwnColumns()
    let keyPaths = [\WatchedItem.number as AnyKeyPath, \WatchedItem.score, \WatchedTeam.rank]
    func own(_ column: Int) -> OwnColumn { OwnColumn(column: ColumnID(column), name: PropertyName("name \(column)")) }
    for (column, keyPath) in keyPaths.enumerated() { columns.insert(keyPath, column + 1, own(column + 5)) }
    for (column, keyPath) in keyPaths.enumerated() {
      for table in 0..<5 {
        #expect(columns[keyPath, table] == (table == column + 1 ? own(column + 5) : nil))
      }
      columns.insert(keyPath, 4, own(9))
      #expect(columns[keyPath, 4] == own(9) && columns[keyPath, column + 1] == own(column + 5))
      #expect(columns[keyPath, 4]?.name.text == "name 9")
    }
  }
}
