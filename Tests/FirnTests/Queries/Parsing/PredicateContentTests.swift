import Foundation
import TestSupport
import Testing

@testable import Firn

/// What lies within arguments is looked at before it is used: it may be too much, too deep or gone.
@Suite struct PredicateContentTests {
  private let realm: Realm
  private var nodes: Results<FuzzNode> { realm.objects(FuzzNode.self) }

  init() throws {
    var random = SeededRandom(7)
    realm = try FuzzNode.makeRealm(count: 12, &random)
  }

  /// With few values in lists: counting a million takes long in a debug build.
  private func refusal(_ text: String, _ arguments: Any...) throws -> InvalidPredicate? {
    do {
      _ = try nodes.filter(parsing: text, arguments: arguments, limits: PredicateLimits(valueCount: 1_000)).count
      return nil
    } catch let error as Realm.Error {
      return error.invalidPredicate
    }
  }

  private static func list(_ elements: AnyRealmValue...) -> AnyRealmValue {
    let list = List<AnyRealmValue>()
    list.append(objectsIn: elements)
    return .list(list)
  }

  @Test func rangesMayHaveMoreElementsThanAnInt() throws {
    for text in ["number IN %@", "any = %@", "number IN {%@}", "any IN {1, %@}"] {
      let failure = try #require(try refusal(text, Int.min...Int.max))
      #expect(failure.expected == "at most 1000 values in lists" && failure.argument == 1, "\(failure)")
    }
  }

  @Test func listsInListsAreCounted() throws {
    var array: [Any] = [1]
    var dictionary: [String: Any] = ["k": 1]
    var mixed = AnyRealmValue.int(1)
    for _ in 0..<70 {
      array = [array, array]
      dictionary = ["k": dictionary, "l": dictionary]
      mixed = Self.list(mixed, mixed)
    }
    for argument in [array as Any, dictionary, mixed] {
      for text in ["any = %@", "any IN {%@}", "number = %@", "name LIKE %@"] {
        let failure = try #require(try refusal(text, argument))
        #expect(failure.expected == "at most 1000 values in lists", "\(failure)")
      }
      #expect(try refusal("%K = 1", argument)?.expected == "a String with a key path")
      #expect(try refusal("number = %d", argument)?.expected == "an integer")
      #expect(try refusal("number = %f", argument)?.expected == "a number")
      #expect(try refusal("any[%@] = 1", argument)?.expected == "a key in quotes, an index from 0 on, or #any")
    }
    let limits = PredicateLimits(valueCount: 3)
    #expect(invalid("any = %@", [[1, 2]], limits: limits) == nil)
    #expect(invalid("any = %@", [[1, 2, 3]], limits: limits)?.position == 6)
    #expect(invalid("any = %@", ["k": [1, 2, 3]], limits: limits)?.position == 6)
    #expect(invalid("any IN {%@}", [1, 2], limits: limits) == nil)
    #expect(invalid("any IN {%@}", [1, 2, 3], limits: limits)?.position == 8)
  }

  @Test func listsMayBeAsDeepInEachOtherAsInMixedValues() throws {
    func nested(_ depth: Int) -> Any { (0..<depth).reduce(1 as Any) { inner, _ in [inner] } }
    func mixed(_ depth: Int) -> Any { (0..<depth).reduce(AnyRealmValue.int(1)) { inner, _ in Self.list(inner) } }
    for argument in [nested(100), mixed(100)] { #expect(try refusal("any = %@", argument) == nil) }
    for argument in [nested(101), nested(5_000), mixed(101), ["k": nested(100)]] {
      let failure = try #require(try refusal("any = %@", argument))
      #expect(failure.expected == "at most 100 collections within each other in a value", "\(failure)")
    }
    let cycle = List<AnyRealmValue>()
    cycle.append(.list(cycle))
    #expect(try refusal("any = %@", AnyRealmValue.list(cycle))?.position == 6)
    cycle.removeAll()
  }

  @Test func sequencesThatCanBeReadOnceAreNoElements() throws {
    let endless = sequence(first: 1) { $0 }
    for text in ["any = %@", "any IN {%@}", "number IN %@"] {
      let failure = try #require(try refusal(text, [endless]))
      #expect(failure.expected == "a collection" && failure.argument == 1, "\(failure)")
    }
  }

  @Test func collectionsInMixedValuesMayBeGone() throws {
    var values: [AnyRealmValue] = []
    try realm.write {
      nodes[0].any = Self.list(.int(1))
      nodes[0].anys.append(.dictionary(Map()))
      values = [nodes[0].any, nodes[0].anys.last!]
      realm.delete(nodes[0])
    }
    for value in values {
      for text in ["any = %@", "any IN {%@}", "anys.@max = %@"] {
        let failure = try #require(try refusal(text, value))
        #expect(failure.expected == "a collection with elements", "\(failure)")
      }
      #expect(try refusal("any IN %@", [value])?.expected == "a collection with elements")
    }
  }

  @Test func objectsInMixedValuesBelongToTheRealm() throws {
    var random = SeededRandom(8)
    let other = try FuzzNode.makeRealm(count: 2, &random).objects(FuzzNode.self)[0]
    let map = Map<String, AnyRealmValue>()
    map["k"] = .object(other)
    for value in [
      AnyRealmValue.object(other), Self.list(.object(other)), .dictionary(map), Self.list(.dictionary(map)),
    ] {
      #expect(try refusal("any = %@", value)?.expected == "an object of the realm")
      #expect(try refusal("any IN %@", [value])?.expected == "an object of the realm")
    }
    let own = nodes[1]
    try realm.write { nodes[0].any = Self.list(.object(own)) }
    #expect(nodes.filter("any = %@", Self.list(.object(own))).map(\.id) == [nodes[0].id])
  }

  @Test func deletedObjectsEqualNoValueOfACustomType() throws {
    var place: FuzzPlace?
    try realm.write {
      let node = FuzzNode()
      node.id = 100
      node.place = FuzzPlace(value: ["a"])
      realm.add(node)
      place = node.place
      realm.delete(node)
    }
    let gone = try #require(place)
    #expect(gone.isInvalidated)
    #expect(nodes.filter("spot = %@ OR spot IN %@ OR ANY spots = %@", gone, [gone], gone).isEmpty)
    #expect(nodes.filter("spot != %@", gone).count == nodes.count)
    #expect(nodes.filter("NONE spots = %@", gone).count == nodes.count)
  }

  @Test func datesBeyondAllCalendarsAreShown() throws {
    for interval in [Double.infinity, -.infinity, .nan, .greatestFiniteMagnitude, -1e11] {
      let date = Date(timeIntervalSinceReferenceDate: interval)
      #expect(try refusal("number = %@", date)?.description.contains("\(interval) seconds after 2001") == true)
      #expect(throws: Never.self) { try nodes.filter(parsing: "date > %@ OR any = %@", arguments: [date, date]).count }
    }
    #expect(try refusal("number = %@", Date.distantFuture)?.description.contains("4001-01-01") == true)
  }
}
