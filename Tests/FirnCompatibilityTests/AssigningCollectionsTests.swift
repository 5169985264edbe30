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
