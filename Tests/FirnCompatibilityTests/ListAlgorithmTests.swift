import Firn
import Foundation
import TestSupport
import Testing

/// The algorithms of the standard library that change a collection, on managed and unmanaged lists.
@Suite struct ListAlgorithmTests {
  private static let names = ["d", "a", "e", "b", "a", "c"]

  private static func whole(_ names: [String] = names) throws -> (Realm, CreatingWhole) {
    let realm = try Realm(configuration: relationsConfiguration([CreatingWhole.self, CreatingPart.self]))
    let whole = try realm.write {
      realm.create(CreatingWhole.self, value: ["parts": names.map { [$0] }])
    }
    return (realm, whole)
  }

  @Test func embeddedObjectsAreMoved() throws {
    let (realm, whole) = try Self.whole()
    let parts = Array(whole.parts)
    try realm.write {
      whole.parts.sort { $0.name < $1.name }
      #expect(whole.parts.map(\.name) == ["a", "a", "b", "c", "d", "e"])
      whole.parts.reverse()
      #expect(whole.parts.map(\.name) == ["e", "d", "c", "b", "a", "a"])
      whole.parts[1..<5].sort { $0.name < $1.name }
      #expect(whole.parts.map(\.name) == ["e", "a", "b", "c", "d", "a"])
      let pivot = whole.parts.partition { $0.name >= "c" }
      #expect(whole.parts[..<pivot].allSatisfy { $0.name < "c" } && pivot == 3)
      whole.parts.shuffle()
      #expect(whole.parts.map(\.name).sorted() == Self.names.sorted())
      whole.parts[0..<3].reverse()
      whole.parts[0..<3].shuffle()
      whole.parts[3..<6].swapAt(3, 5)
      whole.parts[2..<2].reverse()
      whole.parts.sort(using: KeyPathComparator(\.name, order: .reverse))
      #expect(whole.parts.map(\.name) == ["e", "d", "c", "b", "a", "a"])
      whole.parts[0..<0].sort { $0.name < $1.name }
    }
    #expect(parts.allSatisfy { !$0.isInvalidated } && parts.map(\.name) == Self.names)
    #expect(realm.dynamicObjects("CreatingPart").count == 6)
  }

  @Test(arguments: [0, 1, 2, 1000]) func listsOfAnyLengthAreSorted(count: Int) throws {
    var random = SeededRandom.printed("sorting embedded objects")
    let names = (0..<count).map { _ in String(random.below(500)) }
    let (realm, whole) = try Self.whole(names)
    let parts = Array(whole.parts)
    try realm.write { whole.parts.sort { $0.name < $1.name } }
    #expect(whole.parts.map(\.name) == names.sorted())
    #expect(parts.map(\.name) == names)
  }

  @Test func newEmbeddedObjectsTakeThePlacesOfThoseThatAreGone() throws {
    let (realm, whole) = try Self.whole(["a", "b", "c"])
    let (first, second) = (whole.parts[0], whole.parts[1])
    try realm.write {
      _ = whole.parts.withContiguousMutableStorageIfAvailable { parts in
        parts[0] = parts[2]
        parts[2] = CreatingPart(value: ["new"])
      }
    }
    #expect(whole.parts.map(\.name) == ["c", "b", "new"] && first.isInvalidated && second.name == "b")
  }

  @Test func valuesOfCustomTypesKeepTheirNumber() throws {
    let realm = try CustomEmbeddedTests.open()
    let place = try realm.write {
      realm.create(
        CustomPlace.self,
        value: ["id": 1, "path": (0..<50).map { CustomCoordinate(Double($0 * 37 % 50), 1) }] as [String: Any])
    }
    try realm.write { place.path.sort { $0.latitude < $1.latitude } }
    #expect(place.path.map(\.latitude) == (0..<50).map { Double($0) })
    try realm.write { place.path[10..<20].sort { $0.latitude > $1.latitude } }
    #expect(Set(place.path.map(\.latitude)).count == 50 && place.path[10].latitude == 19)
  }

  @Test func nestedCollectionsInMixedValuesAreMoved() throws {
    let realm = try Realm(configuration: relationsConfiguration([CreatingMixed.self]))
    let object = try realm.write {
      realm.create(
        CreatingMixed.self,
        value: [
          "values": [[3, 4] as [Any], 2, "x", ["k": [1] as [Any]] as [String: Any], 0.0, -0.0, Double.nan, 2] as [Any]
        ])
    }
    func rank(_ value: AnyRealmValue) -> Int {
      switch value {
      case .dictionary: 0
      case .int: 1
      case .double: 2
      case .string: 3
      default: 4
      }
    }
    try realm.write { object.values.sort { rank($0) < rank($1) } }
    let values = Array(object.values)
    #expect(values.map(rank) == [0, 1, 1, 2, 2, 2, 3, 4])
    #expect(values[7].listValue?.map { $0.intValue } == [3, 4])
    #expect(values[0].dictionaryValue?["k"]?.listValue?.count == 1)
    #expect(values[3...5].map { $0.doubleValue?.sign } == [.plus, .minus, .plus])
    try realm.write { object.values.reverse() }
    #expect(object.values.map(rank) == [4, 3, 2, 2, 2, 1, 1, 0])
  }

  @Test func aBlockThatThrowsLeavesTheOrder() throws {
    struct Stop: Error {}
    let (realm, whole) = try Self.whole()
    realm.beginWrite()
    #expect(throws: Stop.self) {
      try whole.parts.sort { left, right in
        if left.name == "e" || right.name == "e" { throw Stop() }
        return left.name < right.name
      }
    }
    #expect(whole.parts.map(\.name) == Self.names)
    realm.cancelWrite()
  }

  @Test func observersSeeMoves() throws {
    try onOwnThread {
      let (realm, whole) = try Self.whole(["b", "a"])
      var told: [String] = []
      let token = whole.parts.observe { change in
        if case .update(let parts, let deletions, let insertions, let modifications) = change {
          told.append("\(Array(parts.map(\.name))) \(deletions) \(insertions) \(modifications)")
        }
      }
      realm.refresh()
      try realm.write { whole.parts.sort { $0.name < $1.name } }
      realm.refresh()
      #expect(told == [#"["a", "b"] [1] [0] []"#])
      token.invalidate()
    }
  }

  @Test func valuesOfAnUnmanagedObjectAreCopiedDeeply() throws {
    let (realm, whole) = try Self.whole()
    try realm.write { whole.part = CreatingPart(value: ["one"]) }
    let copy = CreatingWhole(value: whole)
    #expect(copy.part?.name == "one" && copy.part?.realm == nil && copy.parts.map(\.name) == Self.names)
    #expect(copy.parts.allSatisfy { $0.realm == nil })
    let named = CreatingWhole(value: ["part": whole.part as Any, "parts": Array(whole.parts)] as [String: Any])
    #expect(named.part?.realm == nil && named.parts.count == 6)
    let frozen = CreatingWhole(value: whole.freeze())
    try realm.write {
      realm.add(copy)
      realm.add(named)
      realm.add(frozen)
      copy.parts[0].name = "changed"
    }
    #expect(whole.parts[0].name == "d" && realm.objects(CreatingWhole.self).count == 4)
    #expect(realm.dynamicObjects("CreatingPart").count == 28)
  }
}
