import StoreTestSupport
import TestSupport

@testable import Firn

final class ResumedFlight: Object {
  @Persisted(primaryKey: true) var id: String
  @Persisted(indexed: true) var delay: Int
  @Persisted var note: String?
  @Persisted var airport: ResumedAirport?
  @Persisted var stops: List<ResumedAirport>
  @Persisted var tags: MutableSet<String>
  @Persisted var meals: Map<String, Int>
  @Persisted var extra: AnyRealmValue
  @Persisted var crew: ResumedCrew?

  /// Everything that counts without key paths.
  var text: String {
    let stops = self.stops.map { "\($0.id) \($0.city)" } as [String]
    let meals = self.meals.keys.map { "\($0) \(self.meals[$0] ?? 0)" }
    var extra = "\(self.extra.intValue ?? -1)"
    if case .list(let values) = self.extra { extra = "\(Array(values).map { $0.intValue ?? -1 })" }
    return "\(delay) \(note ?? "-") \(airport?.city ?? "-") \(stops) \(Array(tags).sorted()) \(meals) \(extra) "
      + "\(crew?.captain ?? "-")"
  }
}

final class ResumedAirport: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var city: String
  @Persisted(originProperty: "airport") var flights: LinkingObjects<ResumedFlight>
}

final class ResumedCrew: EmbeddedObject {
  @Persisted var captain: String
}

/// Has no primary key.
final class ResumedNotice: Object {
  @Persisted var text: String
  @Persisted var number: Int
}

/// Random changes of few objects, so that most of what can happen to one does.
enum Resumed {
  static let types: [ObjectBase.Type] = [
    ResumedFlight.self, ResumedAirport.self, ResumedNotice.self, ResumedCrew.self,
  ]

  /// A store on a disk, or in memory, with a long history.
  static func configuration(_ disk: SimulatedDisk? = nil, _ types: [ObjectBase.Type] = types) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: "/\(UUID().uuidString).firn"), objectTypes: types)
    configuration.history = .init(byteCount: 1 << 30)
    if let disk { configuration.fileSystem = disk } else { configuration.inMemoryIdentifier = UUID().uuidString }
    return configuration
  }

  static func write(_ realm: Realm, _ random: inout SeededRandom) {
    let cities = ["A", "B", "C"]
    let flights = realm.objects(ResumedFlight.self)
    func airport() -> ResumedAirport? { realm.objects(ResumedAirport.self).randomElement(using: &random) }
    switch random.below(18) {
    case 0, 1, 2:
      let id = "f\(random.below(14))"
      if realm.object(ofType: ResumedFlight.self, forPrimaryKey: id) != nil { return }
      let flight = realm.create(ResumedFlight.self, value: ["id": id, "delay": random.below(10)])
      flight.airport = airport()
    case 3:
      let id = random.below(5)
      realm.create(
        ResumedAirport.self, value: ["id": id, "city": cities[random.below(3)]] as [String: Any], update: .modified)
    case 4:
      if let flight = flights.randomElement(using: &random) { realm.delete(flight) }
    case 5:
      if random.chance(30), let airport = airport() { realm.delete(airport) }
    case 6: airport()?.city = cities[random.below(3)]
    case 7:
      let notice = realm.create(ResumedNotice.self, value: ["text": "n", "number": random.below(10)] as [String: Any])
      if random.chance(50) { realm.delete(notice) }
    default:
      guard let flight = flights.randomElement(using: &random) else { return }
      switch random.below(10) {
      case 0, 1, 2: flight.delay = random.below(10)
      case 3: flight.note = random.chance(50) ? nil : "note \(random.below(5))"
      case 4: flight.airport = random.chance(20) ? nil : airport()
      case 5:
        if random.chance(40), !flight.stops.isEmpty {
          flight.stops.remove(at: random.below(flight.stops.count))
        } else if let airport = airport() {
          flight.stops.append(airport)
        }
      case 6: if random.chance(50) { flight.tags.insert("t\(random.below(3))") } else { flight.tags.removeAll() }
      case 7: flight.meals["m\(random.below(3))"] = random.chance(30) ? nil : random.below(9)
      case 8:
        if case .list(let values) = flight.extra, random.chance(70) {
          values.append(.int(random.below(5)))
        } else {
          flight.extra = random.chance(50) ? .int(random.below(5)) : .fromArray([.int(1)])
        }
      default: flight.crew = random.chance(30) ? nil : ResumedCrew(value: ["captain": "c\(random.below(3))"])
      }
    }
  }
}
