import Foundation
import Testing

@testable import Firn

private class Shelf: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var left: List<Int>
  @Persisted var right: List<Int>
  @Persisted var leftSet: MutableSet<Int>
  @Persisted var rightSet: MutableSet<Int>
  @Persisted var leftMap: Map<String, Int>
  @Persisted var rightMap: Map<String, Int>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A class of the same columns.
private final class Cupboard: Shelf {}

/// Collections that are given to an object that is there, wherever they come from: it has their content afterwards.
/// Only the very collection that is written to may be passed over.
@Suite struct GivenCollectionTests {
  private static let pairs = [["left", "right"], ["leftSet", "rightSet"], ["leftMap", "rightMap"]]
  private static let names = pairs.flatMap { $0 }

  private static func realm() throws -> Realm {
    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [Shelf.self, Cupboard.self]))
    try realm.write {
      for id in 0..<2 {
        for type in [Shelf.self, Cupboard.self] { realm.add(filled(type.init(), id, type == Shelf.self ? 0 : 100)) }
      }
    }
    return realm
  }

  /// No two collections have the same content.
  private static func filled(_ shelf: Shelf, _ id: Int, _ first: Int) -> Shelf {
    shelf.id = id
    for (place, name) in names.enumerated() {
      let numbers = [first + 10 * id + place, first + 10 * id + place + 1000]
      switch shelf[name] {
      case let list as List<Int>: list.append(objectsIn: numbers)
      case let set as MutableSet<Int>: set.insert(objectsIn: numbers)
      case let map as Map<String, Int>: for number in numbers { map["k\(number)"] = number }
      default: Issue.record("\(name) is no collection")
      }
    }
    return shelf
  }

  private static func content(_ shelf: Shelf, _ name: String) -> [String] {
    switch shelf[name] {
    case let list as List<Int>: list.map { "\($0)" }
    case let set as MutableSet<Int>: set.map { "\($0)" }.sorted()
    case let map as Map<String, Int>: map.map { "\($0.key): \($0.value)" }.sorted()
    default: ["nothing"]
    }
  }

  /// The object itself, another one, itself in an earlier version, the same row of another class and of another
  /// database, and one that is not stored.
  private static func sources(for shelf: Shelf, _ realm: Realm) throws -> [Shelf?] {
    let frozen = shelf.freeze()
    let other = try Self.realm()
    try other.write { other.objects(Shelf.self)[0].left.append(7) }
    try realm.write {
      for list in [shelf.left, shelf.right] { list.append(5) }
      for set in [shelf.leftSet, shelf.rightSet] { set.insert(5) }
      for map in [shelf.leftMap, shelf.rightMap] { map["k"] = 5 }
    }
    return [
      shelf, realm.object(ofType: Shelf.self, forPrimaryKey: 1), frozen,
      realm.object(ofType: Cupboard.self, forPrimaryKey: 0), other.object(ofType: Shelf.self, forPrimaryKey: 0),
      filled(Shelf(), 0, 500),
    ]
  }

  @Test(arguments: [Realm.UpdatePolicy.modified, .all], 0..<6)
  func replaceTheContentWhereverTheyComeFrom(policy: Realm.UpdatePolicy, source: Int) throws {
    try onOwnThread {
      for (target, given) in Self.pairs.flatMap({ [($0[0], $0[0]), ($0[0], $0[1]), ($0[1], $0[0])] }) {
        let realm = try Self.realm()
        let shelf = try #require(realm.object(ofType: Shelf.self, forPrimaryKey: 0))
        let from = try #require(try Self.sources(for: shelf, realm)[source])
        let expected = Self.content(from, given)
        let others = Self.names.filter { $0 != target }
        let untouched = others.map { Self.content(shelf, $0) }
        try realm.write {
          let value: [String: Any] = ["id": 0, target: from[given] ?? NSNull()]
          realm.create(Shelf.self, value: value, update: policy)
        }
        #expect(Self.content(shelf, target) == expected, "\(target) from \(given) of source \(source)")
        #expect(others.map { Self.content(shelf, $0) } == untouched, "beside \(target) from \(given) of \(source)")
      }
    }
  }

  /// The limits count values, however they are given.
  @Test func countAlikeInEveryForm() throws {
    try onOwnThread {
      let realm = try Self.realm()
      let managed = try #require(realm.object(ofType: Shelf.self, forPrimaryKey: 1))
      let unmanaged = Self.filled(Shelf(), 1, 0)
      func countNeeded(_ name: String, _ value: Any) throws -> Int {
        realm.beginWrite()
        defer { realm.cancelWrite() }
        return try #require(
          (0...20).first { count in
            (try? realm.create(
              Shelf.self, checking: ["id": 5, name: value] as [String: Any], limits: CreationLimits(valueCount: count)))
              != nil
          }, "\(name) from \(type(of: value))")
      }
      let lists: [Any] = [
        Array(managed.left), AnySequence(managed.left), managed.left, unmanaged.left, managed.leftSet,
        unmanaged.leftSet, Set(managed.left), managed.left.sorted(), managed.left.freeze(),
      ]
      // The object, its key and two elements.
      let list = try countNeeded("left", [1, 2])
      for value in lists {
        #expect(try countNeeded("left", value) == list, "\(type(of: value))")
        #expect(try countNeeded("leftSet", value) == list, "\(type(of: value))")
      }
      #expect(list == (try countNeeded("left", [1])) + 1)
      let maps: [Any] = [["a": 1, "b": 2], managed.leftMap, unmanaged.leftMap, managed.leftMap.freeze()]
      #expect(try Set(maps.map { try countNeeded("leftMap", $0) }).count == 1)
    }
  }
}
