import Firn
import TestSupport

enum HoundKind: String, PersistableEnum, Codable {
  case setter, pointer, poodle
}

class HoundHome: Object {
  @Persisted var city: String
  @Persisted var zip: Int?
  @Persisted(originProperty: "home") var hounds: LinkingObjects<Hound>
}

class Hound: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var name: String
  @Persisted var nick: String?
  @Persisted(indexed: true) var age: Int
  @Persisted var score: Int?
  @Persisted var weight: Double
  @Persisted var isGood: Bool
  @Persisted var born: Date
  @Persisted var kind: HoundKind
  @Persisted var home: HoundHome?
  @Persisted var boss: Hound?
  @Persisted var pups: List<Hound>
  @Persisted var tags: List<String>
  @Persisted var marks: MutableSet<Int>
  @Persisted var words: MutableSet<String>
  @Persisted(originProperty: "pups") var parents: LinkingObjects<Hound>

  var shout: String { name.uppercased() }
  var isOld: Bool { age > 3 }
}

/// Hounds with random properties, among them the values on which the engine and Swift might not agree.
enum Hounds {
  static let texts = [
    "", "a", "A", "K", "\u{212A}", "Kit", "\u{212A}it", "é", "e\u{301}", "cafe\u{301}", "caf\u{E9}", "Rex", "Re", ";",
    "\u{37E}", "\r\n", "\n", "xRex",
  ]
  static let weights = [0, -0.0, .nan, 1.5, -1.5, .infinity]

  static func realm() throws -> Realm {
    try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [Hound.self, HoundHome.self]))
  }

  static func write(
    _ hound: Hound, _ realm: Realm, _ random: inout SeededRandom, texts: [String] = texts
  ) {
    let hounds = realm.objects(Hound.self)
    let homes = realm.objects(HoundHome.self)
    switch random.below(15) {
    case 0, 1: hound.name = texts.randomElement(using: &random)!
    case 2: hound.nick = random.chance(30) ? nil : texts.randomElement(using: &random)!
    case 3: hound.age = random.below(6)
    case 4: hound.score = random.chance(30) ? nil : random.below(6)
    case 5: hound.weight = weights.randomElement(using: &random)!
    case 6: hound.isGood = random.chance(50)
    case 7: hound.born = Date(timeIntervalSinceReferenceDate: Double(random.below(4)))
    case 8: hound.kind = HoundKind.allCases.randomElement(using: &random)!
    case 9: hound.home = random.chance(30) || homes.isEmpty ? nil : homes[random.below(homes.count)]
    case 10: hound.boss = random.chance(30) ? nil : hounds[random.below(hounds.count)]
    case 11:
      if random.chance(40), !hound.pups.isEmpty {
        hound.pups.remove(at: random.below(hound.pups.count))
      } else {
        hound.pups.append(hounds[random.below(hounds.count)])
      }
    case 12:
      if random.chance(40), !hound.tags.isEmpty {
        hound.tags.removeLast()
      } else {
        hound.tags.append(texts.randomElement(using: &random)!)
      }
    case 13:
      let word = texts.randomElement(using: &random)!
      if random.chance(40) { hound.words.remove(word) } else { hound.words.insert(word) }
    default: if random.chance(40) { hound.marks.remove(random.below(5)) } else { hound.marks.insert(random.below(5)) }
    }
  }

  /// Adds, writes and deletes a few.
  static func change(
    _ realm: Realm, _ random: inout SeededRandom, countMax: Int = 30, texts: [String] = texts
  ) {
    let hounds = realm.objects(Hound.self)
    if hounds.count < countMax, random.chance(40) {
      let hound = Hound()
      hound.id = (hounds.max(of: \.id) ?? 0) + 1
      realm.add(hound)
      for _ in 0..<12 { write(hound, realm, &random, texts: texts) }
    } else if !hounds.isEmpty, random.chance(15) {
      realm.delete(hounds[random.below(hounds.count)])
    } else if random.chance(15) {
      let homes = realm.objects(HoundHome.self)
      let home = homes.count < 4 ? realm.create(HoundHome.self, value: [:] as [String: Any]) : homes[random.below(4)]
      home.city = texts.randomElement(using: &random)!
      home.zip = random.chance(30) ? nil : random.below(4)
    } else if !hounds.isEmpty {
      write(hounds[random.below(hounds.count)], realm, &random, texts: texts)
    }
  }
}
