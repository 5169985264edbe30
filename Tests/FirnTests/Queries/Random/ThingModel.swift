import Firn
import Foundation

/// A class with properties of many kinds, for random conditions on it.
protocol AnyThing: Object {
  var id: Int { get set }
  var number: Int { get set }
  var rank: Int? { get set }
  var score: Double? { get set }
  var text: String? { get set }
  var city: String { get set }
  var flag: Bool { get set }
  var born: Date? { get set }
  var boss: Self? { get set }
  var place: ThingPlace? { get set }
  var numbers: List<Int?> { get }
  var words: MutableSet<String> { get }
  var prices: Map<String, Double?> { get }
  var friends: List<Self> { get }
}

final class Thing: Object, AnyThing {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var number: Int
  @Persisted(indexed: true) var rank: Int?
  @Persisted var score: Double?
  @Persisted var text: String?
  @Persisted(indexed: true) var city: String
  @Persisted var flag: Bool
  @Persisted var born: Date?
  @Persisted var boss: Thing?
  @Persisted var place: ThingPlace?
  @Persisted var numbers: List<Int?>
  @Persisted var words: MutableSet<String>
  @Persisted var prices: Map<String, Double?>
  @Persisted var friends: List<Thing>
  @Persisted(originProperty: "boss") var staff: LinkingObjects<Thing>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The same with ordered indexes.
final class IndexedThing: Object, AnyThing {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var number: Int
  @Persisted(index: .ordered) var rank: Int?
  @Persisted var score: Double?
  @Persisted(index: .ordered) var text: String?
  @Persisted(index: .hash) var city: String
  @Persisted var flag: Bool
  @Persisted(index: .ordered) var born: Date?
  @Persisted var boss: IndexedThing?
  @Persisted var place: ThingPlace?
  @Persisted var numbers: List<Int?>
  @Persisted var words: MutableSet<String>
  @Persisted var prices: Map<String, Double?>
  @Persisted var friends: List<IndexedThing>
  @Persisted(originProperty: "boss") var staff: LinkingObjects<IndexedThing>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }

  override class func indexes() -> [Index] {
    [
      Index(\IndexedThing.number, \IndexedThing.text), Index(\IndexedThing.flag, \IndexedThing.score),
      Index(\IndexedThing.city, \IndexedThing.number, \IndexedThing.born), Index(\IndexedThing.boss!.number),
      Index(\IndexedThing.place!.zip, \IndexedThing.score), Index(\IndexedThing.boss!.boss!.text),
    ]
  }
}

extension IndexedThing {
  /// The properties of its ordered indexes.
  static let orders: [[[String]]] = [
    [["rank"]], [["text"]], [["born"]], [["number"], ["text"]], [["flag"], ["score"]],
    [["city"], ["number"], ["born"]], [["boss", "number"]], [["place", "zip"], ["score"]], [["boss", "boss", "text"]],
  ]
}

final class ThingPlace: EmbeddedObject {
  @Persisted var zip: Int
  @Persisted var name: String?

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// What a thing holds, in plain Swift.
struct ThingRow {
  var id: Int
  var number = 0
  var rank: Int?
  var score: Double?
  var text: String?
  var city = ""
  var flag = false
  var born: Date?
  var boss: Int?
  var zip: Int?
  var placeName: String?
  var numbers: [Int?] = []
  var words: Set<String> = []
  var prices: [String: Double?] = [:]
  var friends: [Int] = []
}

/// All things in plain Swift, in the order of their rows.
struct ThingWorld {
  var rows: [Int: ThingRow] = [:]

  /// In the order of the rows.
  var ids: [Int] { rows.keys.sorted() }

  func boss(of row: ThingRow) -> ThingRow? { row.boss.flatMap { rows[$0] } }
  func friends(of row: ThingRow) -> [ThingRow] { row.friends.compactMap { rows[$0] } }
  func staff(of row: ThingRow) -> [ThingRow] { ids.compactMap { rows[$0] }.filter { $0.boss == row.id } }
}

/// A realm of things and the same in plain Swift, written to at random.
final class ThingStore<T: AnyThing> {
  let realm: Realm
  private(set) var world = ThingWorld()
  private var nextID = 0

  init() throws {
    realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [T.self, ThingPlace.self]))
  }

  var things: Results<T> { realm.objects(T.self) }

  /// Writes something, in the transaction that is open.
  func write(_ random: inout SeededRandom, countMax: Int) {
    let ids = world.ids
    if ids.isEmpty || (ids.count < countMax && random.chance(40)) { return add(&random) }
    let id = ids[random.below(ids.count)]
    if random.chance(12) { return delete(id) }
    change(id, ids, &random)
  }

  func add(_ random: inout SeededRandom) {
    let thing = T()
    thing.id = nextID
    realm.add(thing)
    world.rows[nextID] = ThingRow(id: nextID)
    nextID += 1
    for _ in 0..<10 { change(thing.id, world.ids, &random) }
  }

  private func delete(_ id: Int) {
    realm.delete(thing(id))
    world.rows[id] = nil
    for other in world.ids {
      if world.rows[other]!.boss == id { world.rows[other]!.boss = nil }
      world.rows[other]!.friends.removeAll { $0 == id }
    }
  }

  private func thing(_ id: Int) -> T { realm.object(ofType: T.self, forPrimaryKey: id)! }

  private func change(_ id: Int, _ ids: [Int], _ random: inout SeededRandom) {
    let thing = thing(id)
    var row = world.rows[id]!
    switch random.below(14) {
    case 0: (thing.number, row.number) = pair(random.below(6))
    case 1: (thing.rank, row.rank) = pair(ThingValues.optional(&random) { $0.below(6) })
    case 2: (thing.score, row.score) = pair(ThingValues.optional(&random) { ThingValues.score(&$0) })
    case 3: (thing.text, row.text) = pair(ThingValues.optional(&random) { ThingValues.text(&$0) })
    case 4: (thing.city, row.city) = pair(ThingValues.text(&random))
    case 5: (thing.flag, row.flag) = pair(random.chance(50))
    case 6:
      (thing.born, row.born) = pair(ThingValues.optional(&random) { Date(timeIntervalSince1970: Double($0.below(4))) })
    case 7:
      row.boss = ThingValues.optional(&random) { ids[$0.below(ids.count)] }
      thing.boss = row.boss.map { self.thing($0) }
    case 8:
      (row.zip, row.placeName) = (
        ThingValues.optional(&random) { $0.below(4) }, ThingValues.optional(&random) { ThingValues.text(&$0) }
      )
      if row.zip == nil { row.placeName = nil }
      thing.place = row.zip.map { ThingPlace(value: ["zip": $0, "name": row.placeName as Any]) }
    case 9:
      let new = (0..<random.below(4)).map { _ in ThingValues.optional(&random) { $0.below(6) } }
      row.numbers = new
      thing.numbers.removeAll()
      thing.numbers.append(objectsIn: new)
    case 10:
      let word = ThingValues.text(&random)
      if row.words.remove(word) == nil {
        row.words.insert(word)
        thing.words.insert(word)
      } else {
        thing.words.remove(word)
      }
    case 11:
      let name = ThingValues.names[random.below(3)]
      let price = random.chance(20) ? Double?.none : ThingValues.score(&random)
      if random.chance(25) {
        row.prices[name] = nil as Double??
        thing.prices.removeObject(for: name)
      } else {
        row.prices[name] = .some(price)
        thing.prices[name] = .some(price)
      }
    default:
      if random.chance(30), !row.friends.isEmpty {
        let place = random.below(row.friends.count)
        row.friends.remove(at: place)
        thing.friends.remove(at: place)
      } else {
        let friend = ids[random.below(ids.count)]
        row.friends.append(friend)
        thing.friends.append(self.thing(friend))
      }
    }
    world.rows[id] = row
  }

  private func pair<Value>(_ value: Value) -> (Value, Value) { (value, value) }

  /// Writes that are taken back together.
  func cancelling(_ body: () -> Void) {
    let (before, next) = (world, nextID)
    realm.beginWrite()
    defer {
      realm.cancelWrite()
      (world, nextID) = (before, next)
    }
    body()
  }
}

/// What things hold.
enum ThingValues {
  static let texts = ["", "a", "ab", "abc", "B", "Zoe", "zoe", "Äpfel", "éa", "a longer text than that", "a*b"]
  static let names = ["k", "l", "m"]

  static func text(_ random: inout SeededRandom) -> String { texts[random.below(texts.count)] }

  static func score(_ random: inout SeededRandom) -> Double {
    [.nan, .infinity, -0.0, 0, 0.5, 1, 2.25, 3][random.below(8)]
  }

  static func optional<Value>(_ random: inout SeededRandom, _ value: (inout SeededRandom) -> Value) -> Value? {
    random.chance(20) ? nil : value(&random)
  }
}
