import Foundation
import TestSupport

@testable import Firn

/// Arguments of all kinds: those that suit some property, and those that suit none.
final class StrangeValues {
  private let realm: Realm
  private let node: FuzzNode
  private let deleted: FuzzNode
  private let deletedList: List<Int>
  private let deletedPlace: FuzzPlace
  private let deletedMixed: [AnyRealmValue]
  private let foreign: FuzzNode
  private let frozen: FuzzNode

  /// - Parameter realm: One with nodes, of which one is deleted.
  init(_ realm: Realm, _ other: Realm) throws {
    self.realm = realm
    let nodes = realm.objects(FuzzNode.self)
    node = nodes[0]
    foreign = other.objects(FuzzNode.self)[0]
    frozen = node.freeze()
    var gone: (FuzzNode, FuzzPlace, [AnyRealmValue])?
    try realm.write {
      let node = FuzzNode()
      node.id = -7
      node.place = FuzzPlace(value: ["gone"])
      realm.add(node)
      node.any = .list(List())
      node.anys.append(.dictionary(Map()))
      gone = (node, node.place!, [node.any, node.anys[0], .object(node)])
    }
    (deleted, deletedPlace, deletedMixed) = gone!
    deletedList = deleted.numbers
    try realm.write { realm.delete(deleted) }
  }

  func value(_ random: inout SeededRandom, depth: Int = 0) -> Any {
    switch random.below(20) {
    case 0...2: return FuzzValues.number(&random)
    case 3, 4: return FuzzValues.text(&random)
    case 5: return pick(nulls, &random)
    case 6, 7: return pick(numbers, &random)
    case 8: return pick(texts, &random)
    case 9: return pick(plain, &random)
    case 10: return pick(others, &random)
    case 11, 12: return object(&random)
    case 13: return collection(&random)
    case 14: return FuzzValues.mixed(&random)
    case 15: return mixed(&random)
    case 16: return sequence(&random)
    case 17: return FuzzValues.date(&random)
    default: return depth > 3 ? 1 : nested(&random, depth + 1)
    }
  }

  private func pick(_ values: [Any], _ random: inout SeededRandom) -> Any { values[random.below(values.count)] }

  private let nulls: [Any] = [
    NSNull(), Int?.none as Any, String??.some(nil) as Any, Any?.none as Any, AnyRealmValue.none, FuzzNode?.none as Any,
    FuzzColour?.none as Any,
  ]

  private let numbers: [Any] = [
    Int.min, Int.max, UInt64.max, UInt8(3), Int8.min, Int128.max, UInt128.max, Float.nan, Double.nan, Double.infinity,
    -Double.infinity, -0.0, Double.leastNonzeroMagnitude, Double.greatestFiniteMagnitude, Float(1.5), Decimal.nan,
    Decimal.greatestFiniteMagnitude, Decimal(1.5), Decimal128(5), Decimal128(value: Decimal.nan), NSNumber(value: true),
    NSNumber(value: Double.nan), NSNumber(value: UInt64.max), NSDecimalNumber.notANumber, true, false,
    Int?.some(3) as Any,
    CGFloat(1), Int16?.some(1) as Any,
  ]

  private let texts: [Any] = [
    NSString("a"), NSMutableString("k"), "a"[...], Character("a"), "#any", "@count", "numbers.@count", "SELF.number",
    "..",
    "$x", "number", "friends.number", "%@", "\u{0}", String(repeating: "é*", count: 300), "nan", "1e99999", "0x10",
    "00000000-0000-0000-0000-000000000000", "a" + String(repeating: "\u{301}\u{323}", count: 2_000), "parent.name",
    "any",
    StaticString("x"), Unicode.Scalar("x"), "abc".utf8, "abc".unicodeScalars, String?.some("a") as Any,
  ]

  private let plain: [Any] = [
    Data(), Data([0, 255]), NSData(data: Data([97])), Date.distantPast, Date.distantFuture,
    Date(timeIntervalSince1970: .nan), Date(timeIntervalSince1970: .infinity),
    Date(timeIntervalSince1970: -.greatestFiniteMagnitude), NSDate(), UUID(), NSUUID(), ObjectId.generate(),
    FuzzColour.red, FuzzMetres(1), FuzzMetres(.nan), FuzzSpot("a"), FuzzSpot?.some(FuzzSpot("ab")) as Any,
    FuzzColour?.some(.green) as Any,
  ]

  private let others: [Any] = [
    Int.self, FuzzNode.self, \FuzzNode.number, { 1 } as () -> Int, (1, 2), NSObject(), NSPredicate(value: true),
    URL(fileURLWithPath: "/"), Notification.Name("x"), CocoaError(.fileNoSuchFile), (), AnyHashable(1),
    AnyHashable("k"),
    IndexSet(integersIn: 1...3), Locale.current, PredicateLimits(), Result<Int, CocoaError>.success(1),
    ["k": 1], [1: 2], ["k": ["l": [1, nil]]] as [String: Any], ["a.b": 1, "$x": 2], [:] as [String: Any],
    NSDictionary(dictionary: ["k": 1]), [AnyHashable("x"): 1],
  ]

  private func object(_ random: inout SeededRandom) -> Any {
    switch random.below(12) {
    case 0...2: node
    case 3: foreign
    case 4: frozen
    case 5: deleted
    case 6: FuzzNode(value: ["id": 3])
    case 7: node.place as Any
    case 8: deletedPlace
    case 9: FuzzPlace(value: ["a", 1])
    case 10: FuzzNode?.some(node) as Any
    default: foreign.place as Any
    }
  }

  private func collection(_ random: inout SeededRandom) -> Any {
    switch random.below(12) {
    case 0: return node.numbers
    case 1: return node.friends
    case 2: return node.children
    case 3: return node.roles
    case 4: return node.mixed
    case 5: return node.anys
    case 6: return deletedList
    case 7: return realm.objects(FuzzNode.self)
    case 8: return realm.objects(FuzzNode.self).filter("number > 0").freeze()
    case 9: return AnyRealmCollection(node.circle)
    case 10: return foreign.friends
    default: return List<FuzzPlace>()
    }
  }

  private func mixed(_ random: inout SeededRandom) -> Any {
    switch random.below(9) {
    case 0: return AnyRealmValue.object([node, foreign, deleted, frozen, FuzzNode()][random.below(5)])
    case 1: return deletedMixed[random.below(deletedMixed.count)]
    case 2: return [deletedMixed[random.below(deletedMixed.count)]]
    case 3: return AnyRealmValue.list(Self.list([.object([node, foreign, deleted][random.below(3)])]))
    case 4: return node.any
    case 5:
      // Deeper than mixed values may be.
      var value = AnyRealmValue.int(1)
      for _ in 0..<90 + random.below(30) {
        if random.chance(50) {
          value = .list(Self.list([value]))
        } else {
          let map = Map<String, AnyRealmValue>()
          map["k"] = value
          value = .dictionary(map)
        }
      }
      return value
    case 6:
      // A few lists that have very many elements in them.
      var value = AnyRealmValue.int(1)
      for _ in 0..<random.below(80) { value = .list(Self.list([value, value])) }
      return value
    case 7:
      let list = List<AnyRealmValue>()
      list.append(.list(list))
      return AnyRealmValue.list(list)
    default: return AnyRealmValue.double(.nan)
    }
  }

  private static func list(_ elements: [AnyRealmValue]) -> List<AnyRealmValue> {
    let list = List<AnyRealmValue>()
    list.append(objectsIn: elements)
    return list
  }

  private func sequence(_ random: inout SeededRandom) -> Any {
    switch random.below(17) {
    case 0: return 0..<random.below(500)
    case 1: return Int.min...Int.max
    case 2: return Array(repeating: random.below(3), count: 1 << random.below(12))
    case 3: return repeatElement(1, count: random.below(2_000))
    case 4: return stride(from: 0, to: 1, by: 0.25)
    case 5: return Set([1, 2])
    case 6: return NSSet(array: [1, 2])
    case 7: return NSArray(array: [1, NSNull(), "a"])
    case 8: return NSMutableArray(array: [NSArray(array: [])])
    case 9: return AnySequence([1, 2])
    case 10: return [1, 2].lazy.map { $0 + 1 }
    case 11: return Data([1, 2])[1...]
    case 12:
      // Each has the one before twice.
      var array: [Any] = [1]
      for _ in 0..<random.below(80) { array = [array, array] }
      return array
    case 13:
      var dictionary: [String: Any] = ["k": 1]
      for _ in 0..<random.below(80) { dictionary = ["k": dictionary, "l": dictionary] }
      return dictionary
    case 14:
      var array: [Any] = [1]
      for _ in 0..<random.below(200) { array = [array] }
      return array
    case 15:
      // One with itself in it ends the process in Foundation already.
      var array = NSArray(array: [1])
      for _ in 0..<random.below(12) { array = NSArray(array: [array, array]) }
      return array
    default:
      if !random.chance(1) { return repeatElement("a", count: 100) }
      return random.chance(50) ? Swift.sequence(first: 1) { $0 } as Any : [Swift.sequence(first: 1) { $0 }] as Any
    }
  }

  private func nested(_ random: inout SeededRandom, _ depth: Int) -> Any {
    let elements = (0..<random.below(4)).map { _ in value(&random, depth: depth) }
    switch random.below(4) {
    case 0: return Dictionary(elements.map { (FuzzValues.key(&random), $0) }) { $1 }
    case 1: return elements.map { Optional($0) }
    default: return elements
    }
  }
}
