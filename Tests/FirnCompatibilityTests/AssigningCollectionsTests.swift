import Firn
import Foundation
import Testing

final class AssigningOwner: Object {
  @Persisted var name: String
  @Persisted var list: List<AssigningChild>
  @Persisted var set: MutableSet<AssigningChild>
  @Persisted var map: Map<String, AssigningChild?>
  @Persisted var parts: List<AssigningPart>
  @Persisted var partMap: Map<String, AssigningPart?>
}

final class AssigningChild: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var next: AssigningChild?

  convenience init(id: Int) {
    self.init()
    self.id = id
  }
}

final class AssigningPart: EmbeddedObject {
  @Persisted var number: Int
}

final class AssigningKeyedOwner: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var parts: List<AssigningPart>
  @Persisted var partMap: Map<String, AssigningPart?>
  @Persisted var child: AssigningChild?
  @Persisted var list: List<AssigningChild>
}

/// Embedded objects that are given to the collection that holds them already.
@Suite struct AssigningOwnPartsTests {
  /// Parts numbered from 1, in the list and under their numbers in the map.
  private func owner(_ count: Int) throws -> (Realm, AssigningKeyedOwner) {
    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString,
        objectTypes: [AssigningKeyedOwner.self, AssigningChild.self, AssigningPart.self]))
    let owner = AssigningKeyedOwner()
    for number in 0..<count {
      owner.parts.append(AssigningPart(value: [number + 1]))
      owner.partMap["\(number + 1)"] = AssigningPart(value: [number + 1])
    }
    try realm.write { realm.add(owner) }
    return (realm, owner)
  }

  private func check(_ owner: AssigningKeyedOwner, _ list: [Int], _ map: [String: Int]) throws {
    let realm = try #require(owner.realm)
    #expect(owner.parts.map(\.number) == list)
    #expect(owner.partMap.count == map.count)
    for (key, number) in map { #expect(owner.partMap[key]??.number == number) }
    #expect(realm.dynamicObjects("AssigningPart").count == list.count + map.count, "no part is lost, none is left")
    #expect(owner.parts.allSatisfy { !$0.isInvalidated })
  }

  @Test func byName() throws {
    let (realm, owner) = try owner(2)
    try realm.write { owner["parts"] = Array(owner.parts) + [AssigningPart(value: [9])] }
    try check(owner, [1, 2, 9], ["1": 1, "2": 2])
    try realm.write { owner["parts"] = Array(owner.parts.reversed()) }
    try check(owner, [9, 2, 1], ["1": 1, "2": 2])
    try realm.write { owner["parts"] = [owner.parts[0], owner.parts[0]] }
    try check(owner, [9, 9], ["1": 1, "2": 2])
    try realm.write { owner["partMap"] = ["1": owner.partMap["1"]!!, "3": owner.partMap["2"]!!] }
    try check(owner, [9, 9], ["1": 1, "3": 2])
    try realm.write { owner["parts"] = [AssigningPart]() }
    try check(owner, [], ["1": 1, "3": 2])
  }

  @Test(arguments: [Realm.UpdatePolicy.all, .modified]) func byCreating(policy: Realm.UpdatePolicy) throws {
    let (realm, owner) = try owner(3)
    try realm.write {
      realm.create(
        AssigningKeyedOwner.self,
        value: ["id": 0, "parts": Array(owner.parts), "partMap": ["2": owner.partMap["2"]!!]] as [String: Any],
        update: policy)
    }
    try check(owner, [1, 2, 3], ["2": 2])
    try realm.write {
      try realm.create(
        AssigningKeyedOwner.self,
        checking: ["id": 0, "parts": [owner.parts[0], ["number": 7]] as [Any]] as [String: Any], update: policy)
    }
    try check(owner, [1, 7], ["2": 2])
  }

  /// Input that may create nothing twice links to objects that it names by their keys alone.
  @Test func namedByKey() throws {
    let (realm, owner) = try owner(0)
    try realm.write {
      realm.create(AssigningChild.self, value: ["id": 5])
      try realm.create(
        AssigningKeyedOwner.self, json: #"{"id": 1, "child": {"id": 5}, "list": [{"id": 6}, {"id": 6}, {"id": 5}]}"#)
    }
    let made = try #require(realm.object(ofType: AssigningKeyedOwner.self, forPrimaryKey: 1))
    #expect(made.child?.id == 5 && made.list.map(\.id) == [6, 6, 5])
    #expect(realm.objects(AssigningChild.self).count == 2)
    // What says more of one that exists would change it, and the outer object must be new.
    for json in [#"{"id": 2, "child": {"id": 5, "next": null}}"#, #"{"id": 1}"#] {
      #expect(throws: Realm.Error.self) {
        try realm.write { try realm.create(AssigningKeyedOwner.self, json: json) }
      }
    }
    withExtendedLifetime(owner) {}
  }
}

/// Collections assigned by name: as when they are assigned to the property, unmanaged objects are added themselves.
@Suite struct AssigningCollectionsTests {
  private func owner() throws -> (Realm, AssigningOwner) {
    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString,
        objectTypes: [AssigningOwner.self, AssigningChild.self, AssigningPart.self]))
    let owner = AssigningOwner()
    try realm.write { realm.add(owner) }
    return (realm, owner)
  }

  @Test func unmanagedObjectsAreAdded() throws {
    let (realm, owner) = try owner()
    let children = (1...4).map { AssigningChild(id: $0) }
    children[0].next = AssigningChild(id: 9)
    try realm.write {
      owner["list"] = [children[0], children[1], children[0]]
      owner.setValue([children[1], children[2]], forKey: "set")
      owner["map"] = ["a": children[3], "b": nil] as [String: AssigningChild?]
    }
    #expect(children.allSatisfy { $0.realm == realm } && children[0].next?.realm == realm)
    #expect(owner.list.map(\.id) == [1, 2, 1] && owner.list[0].isSameObject(as: children[0]))
    #expect(Set(owner.set.map(\.id)) == [2, 3] && owner.map["a"]??.id == 4 && owner.map["b"] == .some(nil))
    #expect(realm.objects(AssigningChild.self).count == 5, "each once")
    try realm.write { realm.add(children) }
  }

  @Test func amongOtherForms() throws {
    let (realm, owner) = try owner()
    let (child, deep) = (AssigningChild(id: 1), AssigningChild(id: 3))
    let row = try #require(realm.dynamicObjects("AssigningOwner").first)
    try realm.write {
      owner["list"] = [["id": 2, "next": deep] as [String: Any], child, [4, child] as [Any]] as [Any]
      row["set"] = [AssigningChild(id: 5), child]
    }
    #expect(owner.list.map(\.id) == [2, 1, 4] && deep.realm == realm && child.realm == realm)
    #expect(owner.list[0].next?.isSameObject(as: deep) == true && owner.list[2].next?.isSameObject(as: child) == true)
    #expect(Set(owner.set.map(\.id)) == [1, 5])
  }

  @Test func embeddedObjects() throws {
    let (realm, owner) = try owner()
    let (part, other) = (AssigningPart(value: [1]), AssigningPart(value: [2]))
    try realm.write {
      owner["parts"] = [part]
      owner["partMap"] = ["a": other]
    }
    #expect(part.realm == realm && other.realm == realm && owner.parts[0].isSameObject(as: part))
    try realm.write { owner["parts"] = [AssigningPart(value: [3]), AssigningPart(value: [4])] }
    #expect(owner.parts.map(\.number) == [3, 4] && part.isInvalidated && !other.isInvalidated)
  }

  @Test func creatingCopies() throws {
    let (realm, _) = try owner()
    let child = AssigningChild(id: 1)
    try realm.write { realm.create(AssigningOwner.self, value: ["list": [child]]) }
    #expect(child.realm == nil && realm.objects(AssigningChild.self).count == 1)
  }

  @Test func aPrimaryKeyThatExists() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, owner) = try AssigningCollectionsTests().owner()
      try realm.write {
        realm.create(AssigningChild.self, value: [1])
        owner["list"] = [AssigningChild(id: 1)]
      }
    }
    #expect(trapSaid("existing primary key value '1'", result))
  }
}
