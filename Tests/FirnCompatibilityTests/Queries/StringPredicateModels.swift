import Firn
import Foundation
import Testing

enum TextColour: String, PersistableEnum {
  case red, green, blue
}

enum TextLevel: Int, PersistableEnum {
  case low = 1
  case high = 5
}

struct TextMetres: CustomPersistable, Equatable {
  typealias PersistedType = Double
  var count: Double

  init(_ count: Double) { self.count = count }
  init(persistedValue: Double) { count = persistedValue }
  var persistableValue: Double { count }
}

/// A property of each type.
final class TextRow: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var flag: Bool
  @Persisted var maybeFlag: Bool?
  @Persisted var number: Int
  @Persisted var maybeNumber: Int?
  @Persisted var small: Int8
  @Persisted var ratio: Float
  @Persisted var price: Double
  @Persisted var maybePrice: Double?
  @Persisted var name: String
  @Persisted var note: String?
  @Persisted var other: String?
  @Persisted var bytes: Data
  @Persisted var maybeBytes: Data?
  @Persisted var date: Date
  @Persisted var maybeDate: Date?
  @Persisted var amount: Decimal128
  @Persisted var oid: ObjectId
  @Persisted var token: UUID
  @Persisted var maybeToken: UUID?
  @Persisted var any: AnyRealmValue
  @Persisted var colour: TextColour
  @Persisted var level: TextLevel?
  @Persisted var metres = TextMetres(0)
  @Persisted var parent: TextRow?
  @Persisted var place: TextPlace?
  @Persisted var numbers: List<Int>
  @Persisted var maybeNumbers: List<Int?>
  @Persisted var names: MutableSet<String>
  @Persisted var prices: Map<String, Double>
  @Persisted var notes: Map<String, String?>
  @Persisted var anys: Map<String, AnyRealmValue>
  @Persisted var dates: List<Date>
  @Persisted var friends: List<TextRow>
  @Persisted var circle: MutableSet<TextRow>
  @Persisted var roles: Map<String, TextRow?>
  @Persisted(originProperty: "parent") var children: LinkingObjects<TextRow>
}

final class TextPlace: EmbeddedObject {
  @Persisted var city: String
  @Persisted var height: Int?
}

/// Rows with few values, so that conditions hold for some of them.
struct TextRows {
  let realm: Realm
  let rows: Results<TextRow>
  let dates = (0..<4).map { Date(timeIntervalSince1970: 1_700_000_000 + Double($0) * 86_400) }
  let keys = (0..<3).map { _ in ObjectId.generate() }
  let tokens = (0..<3).map { _ in UUID() }
  private let texts = ["", "a", "ab", "abc", "B", "bä", "BA", "é", "e\u{301}", "x*y", "Straße", "z\0z"]

  init(_ count: Int = 80, random: inout SeededRandom) throws {
    realm = try Realm(
      configuration: .init(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [TextRow.self, TextPlace.self]))
    rows = realm.objects(TextRow.self)
    try realm.write {
      for id in 0..<count { add(id, &random) }
    }
  }

  private func add(_ id: Int, _ random: inout SeededRandom) {
    func some<T>(_ values: [T]) -> T { values[random.below(values.count)] }
    func maybe<T>(_ value: T) -> T? { random.chance(30) ? nil : value }
    let row = TextRow()
    row.id = id
    row.flag = random.chance(50)
    row.maybeFlag = maybe(random.chance(50))
    row.number = random.below(8) - 2
    row.maybeNumber = maybe(random.below(5))
    row.small = Int8(random.below(6) - 3)
    row.ratio = Float(random.below(8)) / 2
    row.price = Double(random.below(10)) / 4
    row.maybePrice = maybe(Double(random.below(6)) / 2)
    row.name = some(texts)
    row.note = maybe(some(texts))
    row.other = maybe(some(texts))
    row.bytes = Data(some(texts).utf8)
    row.maybeBytes = maybe(Data(some(texts).utf8))
    row.date = some(dates)
    row.maybeDate = maybe(some(dates))
    row.amount = Decimal128(value: Decimal(random.below(8)) / 2)
    row.oid = some(keys)
    row.token = some(tokens)
    row.maybeToken = maybe(some(tokens))
    row.colour = some([.red, .green, .blue])
    row.level = maybe(some([.low, .high]))
    row.metres = TextMetres(Double(random.below(4)))
    row.place = maybe(TextPlace(value: [some(texts), maybe(random.below(4)) as Any] as [Any]))
    realm.add(row)
    row.any = mixed(&random)
    row.parent = maybe(row)?.id.isMultiple(of: 2) == true ? nil : existing(&random)
    row.numbers.append(objectsIn: (0..<random.below(4)).map { _ in random.below(6) })
    row.maybeNumbers.append(objectsIn: (0..<random.below(4)).map { _ in random.chance(30) ? nil : random.below(6) })
    row.names.insert(objectsIn: (0..<random.below(4)).map { _ in texts[random.below(texts.count)] })
    row.dates.append(objectsIn: (0..<random.below(3)).map { _ in dates[random.below(dates.count)] })
    for key in ["k", "K", "key", "é"] where random.chance(40) {
      row.prices[key] = Double(random.below(6)) / 2
      row.notes[key] = .some(random.chance(30) ? nil : texts[random.below(texts.count)])
      row.anys[key] = mixed(&random)
      row.roles[key] = .some(random.chance(25) ? nil : existing(&random))
    }
    for _ in 0..<random.below(4) {
      if let friend = existing(&random) { row.friends.append(friend) }
      if let friend = existing(&random) { row.circle.insert(friend) }
    }
  }

  private func existing(_ random: inout SeededRandom) -> TextRow? {
    let count = rows.count
    return count == 0 ? nil : rows[random.below(count)]
  }

  private func mixed(_ random: inout SeededRandom) -> AnyRealmValue {
    switch random.below(12) {
    case 0: return .none
    case 1, 2: return .int(random.below(4))
    case 3: return .double(Double(random.below(6)) / 2)
    case 4: return .bool(random.chance(50))
    case 5, 6: return .string(texts[random.below(texts.count)])
    case 7: return .data(Data(texts[random.below(texts.count)].utf8))
    case 8: return .date(dates[random.below(dates.count)])
    case 9: return .decimal128(Decimal128(value: Decimal(random.below(4))))
    case 10:
      let list = List<AnyRealmValue>()
      list.append(objectsIn: (0..<random.below(3)).map { _ in .int(random.below(3)) })
      return .list(list)
    default:
      let map = Map<String, AnyRealmValue>()
      map["k"] = .int(random.below(3))
      if random.chance(50) { map["l"] = .string("x") }
      return .dictionary(map)
    }
  }

  /// Compares a condition with a rule, through each of the ways to give it.
  func check(
    _ text: String, _ arguments: Any..., sourceLocation: SourceLocation = #_sourceLocation,
    where rule: (TextRow) -> Bool
  ) {
    let wanted = Array(rows).filter(rule).map(\.id)
    do {
      let found = Array(try rows.filter(parsing: text, arguments: arguments)).map(\.id)
      #expect(found == wanted, "\(text) \(arguments)", sourceLocation: sourceLocation)
      let position = try rows.index(parsing: text, arguments: arguments)
      #expect(position == wanted.first, "the first of \(text)", sourceLocation: sourceLocation)
      let predicate = NSPredicate(format: text, argumentArray: arguments)
      #expect(rows.filter(predicate).count == wanted.count, "\(text)", sourceLocation: sourceLocation)
      let negated = Array(try rows.filter(parsing: "NOT (\(text))", arguments: arguments)).count
      #expect(negated == rows.count - wanted.count, "NOT (\(text))", sourceLocation: sourceLocation)
    } catch {
      Issue.record("\(text): \(error)", sourceLocation: sourceLocation)
    }
  }

  /// What is wrong with a condition.
  func refusal(_ text: String, _ arguments: Any...) -> InvalidPredicate? {
    do {
      _ = try rows.filter(parsing: text, arguments: arguments)
      return nil
    } catch {
      return (error as? Realm.Error)?.invalidPredicate
    }
  }

  /// Whether a condition is refused with a sentence that has a part.
  func expectRefusal(
    _ part: String, _ text: String, _ arguments: Any..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    do {
      _ = try rows.filter(parsing: text, arguments: arguments)
      Issue.record("\(text) was taken", sourceLocation: sourceLocation)
    } catch {
      let sentence = (error as? Realm.Error)?.invalidPredicate?.description ?? "\(error)"
      #expect(sentence.contains(part), "\(text)", sourceLocation: sourceLocation)
    }
  }
}
