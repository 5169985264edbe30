import Firn
import Foundation
import Testing

final class CreatingGroups: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var numbers: MutableSet<Int>
  @Persisted var words: MutableSet<String?>
  @Persisted var members: MutableSet<CreatingKeyed>
  @Persisted var ranks: Map<String, Double>
  @Persisted var notes: Map<String, String?>
  @Persisted var seats: Map<String, CreatingKeyed?>
}

/// Sets and maps in values, by name, and assigned again.
@Suite struct CreatingCollectionsTests {
  private func realm(_ change: (inout Realm.Configuration) -> Void = { _ in }) throws -> Realm {
    var configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString,
      objectTypes: [CreatingGroups.self, CreatingKeyed.self, CreatingLoose.self])
    change(&configuration)
    return try Realm(configuration: configuration)
  }

  @Test(arguments: [Realm.UpdatePolicy.modified, .all])
  func fromValues(policy: Realm.UpdatePolicy) throws {
    let realm = try realm()
    try realm.write {
      let groups = realm.create(
        CreatingGroups.self,
        value: [
          "id": 1, "numbers": [3, 1, 3], "words": Set(["a"]),
          "members": [["id": 1], CreatingKeyed(value: ["id": 2])] as [Any],
          "ranks": ["x": 1, "y": 2.5] as [String: Any], "notes": ["n": nil, "m": "t"] as [String: String?],
          "seats": ["a": ["id": 7], "b": NSNull()] as [String: Any],
        ] as [String: Any])
      #expect(Set(groups.numbers) == [1, 3] && Set(groups.words) == ["a"] && Set(groups.members.map(\.id)) == [1, 2])
      #expect(groups.ranks["x"] == 1 && groups.ranks["y"] == 2.5 && groups.ranks.count == 2)
      #expect(groups.notes.count == 2 && groups.notes["m"] == "t" && groups.notes["n"] == .some(nil))
      #expect(groups.seats["a"]??.id == 7 && groups.seats["b"] == .some(nil) && groups.seats.count == 2)
      realm.create(
        CreatingGroups.self,
        value: [
          "id": 1, "numbers": [1, 5], "ranks": ["y": 3], "notes": NSNull(), "seats": ["a": ["id": 7, "size": 1]],
        ] as [String: Any], update: policy)
      #expect(Set(groups.numbers) == [1, 5] && groups.words.count == 1 && groups.notes.count == 0)
      #expect(groups.ranks.count == 1 && groups.ranks["y"] == 3)
      #expect(groups.seats.count == 1 && groups.seats["a"]??.size == 1)
      realm.create(
        CreatingGroups.self, value: ["id": 1, "numbers": groups.numbers, "ranks": groups.ranks] as [String: Any],
        update: policy)
      #expect(groups.numbers.count == 2 && groups.ranks.count == 1, "their own content changes nothing")
      let copy = realm.create(CreatingGroups.self, value: ["id": 2, "ranks": groups.ranks] as [String: Any])
      #expect(copy.ranks["y"] == 3)
    }
    let unmanaged = CreatingGroups(value: ["id": 3, "numbers": [1], "ranks": ["a": 1]] as [String: Any])
    #expect(Set(unmanaged.numbers) == [1] && unmanaged.ranks["a"] == 1)
  }

  @Test func faultsInValues() throws {
    let realm = try realm()
    func fault(_ json: String) throws -> String? {
      try realm.write {
        #expect(throws: Realm.Error.self) { try realm.create(CreatingGroups.self, json: json) }?.invalidInput?
          .description
      }
    }
    #expect(
      try fault(#"{"id": 1, "ranks": {"a": 1, "b": "x"}}"#) == #"$.ranks["b"]: expected a number, found a string"#)
    #expect(try fault(#"{"id": 1, "ranks": [1]}"#) == "$.ranks: expected a dictionary of numbers, found a list")
    #expect(try fault(#"{"id": 1, "numbers": {}}"#) == "$.numbers: expected a set of integers, found an object")
    #expect(try fault(#"{"id": 1, "numbers": "x"}"#) == "$.numbers: expected a set of integers, found a string")
    #expect(try fault(#"{"id": 1, "numbers": [1, null]}"#) == "$.numbers[1]: expected an integer, found null")
    #expect(
      try fault(#"{"id": 1, "seats": {"k": {"id": "x"}}}"#) == #"$.seats["k"].id: expected an integer, found a string"#)
    #expect(
      try fault(#"{"id": 1, "members": [null]}"#)?.hasPrefix("$.members[0]: expected an object of 'CreatingKeyed'")
        == true)
    #expect(realm.isEmpty)
  }

  @Test func byName() throws {
    let realm = try realm()
    let groups = CreatingGroups(value: ["id": 1])
    groups["numbers"] = [4]
    groups["ranks"] = ["a": 1]
    try realm.write {
      realm.add(groups)
      groups["words"] = ["w", nil] as [String?]
      groups["members"] = [["id": 1], ["id": 2]]
      groups["seats"] = ["s": ["id": 3], "t": nil] as [String: Any?]
    }
    #expect(groups["numbers"] as? MutableSet<Int> === groups.numbers && groups.numbers.contains(4))
    #expect(groups["ranks"] as? Map<String, Double> === groups.ranks && groups.ranks["a"] == 1)
    #expect(groups.dynamicMutableSet("members").compactMap { $0["id"] as? Int }.sorted() == [1, 2])
    let seats: Map<String, DynamicObject?> = groups.dynamicMap("seats")
    #expect(seats["s"]??["id"] as? Int == 3 && seats["t"] == .some(nil))
    let row = try #require(realm.dynamicObject(ofType: "CreatingGroups", forPrimaryKey: 1))
    #expect((row["numbers"] as? MutableSet<Int>)?.contains(4) == true)
    #expect((row["words"] as? MutableSet<String?>)?.count == 2)
    #expect((row["members"] as? MutableSet<DynamicObject>)?.count == 2)
    #expect((row["ranks"] as? Map<String, Double>)?["a"] == 1)
    #expect((row["notes"] as? Map<String, String?>)?.count == 0)
    #expect((row["seats"] as? Map<String, DynamicObject?>)?["s"]??.id as? Int == 3)
    #expect((row["seats"] as? Map<String, DynamicObject?>)?.freeze()["s"]??.isFrozen == true)
    try realm.write {
      row["numbers"] = [7]
      row["ranks"] = ["b": 2]
      row["members"] = nil
    }
    #expect(Set(groups.numbers) == [7] && groups.ranks["b"] == 2 && groups.members.count == 0)
  }

  @Test func equalContent() throws {
    let realm = try realm { $0.skipsEqualWrites = true }
    let groups = try realm.write {
      realm.create(
        CreatingGroups.self,
        value: [
          "id": 1, "numbers": [1, 2], "ranks": ["a": 1, "b": 0],
          "notes": ["n": nil, "t": "a longer text"] as [String: Any?],
          "seats": ["s": ["id": 3]],
        ] as [String: Any])
    }
    let seated = try #require(realm.object(ofType: CreatingKeyed.self, forPrimaryKey: 3))
    func write() throws {
      try realm.write {
        groups.numbers.insert(1)
        groups.ranks["a"] = 1
        groups.notes["n"] = .some(nil)
        groups.notes["t"] = "a longer text"
        groups.seats["s"] = seated
        let numbers = MutableSet<Int>()
        numbers.insert(objectsIn: [2, 1])
        groups.numbers = numbers
        let ranks = Map<String, Double>()
        ranks["b"] = 0
        ranks["a"] = 1
        groups.ranks = ranks
        groups.members.removeAll()
        realm.create(
          CreatingGroups.self,
          value: ["id": 1, "notes": ["t": "a longer text", "n": nil] as [String: Any?]] as [String: Any],
          update: .all)
      }
    }
    let before = realm.freeze()
    try write()
    #expect(realm.freeze() == before, "no new version")
    try realm.write {
      groups.ranks["b"] = -0.0
      groups.ranks["a"] = 2
    }
    #expect(groups.ranks["b"]?.sign == .minus && groups.ranks["a"] == 2)
  }
}
