import Firn
import Foundation
import Testing

final class AddingNode: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var text: String
  @Persisted var link: AddingNode?
  @Persisted var list: List<AddingNode>
  @Persisted var set: MutableSet<AddingNode>
  @Persisted var map: Map<String, AddingNode?>
  @Persisted var mixed: AnyRealmValue
  @Persisted var loose: AddingLeaf?
  @Persisted var part: AddingPart?

  convenience init(_ id: Int, _ text: String = "") {
    self.init()
    self.id = id
    self.text = text
  }
}

final class AddingLeaf: Object {
  @Persisted var text: String
}

final class AddingPart: EmbeddedObject {
  @Persisted var node: AddingNode?
}

/// A class of which other classes' links must not lead to subclasses.
class AddingBase: Object {
  @Persisted var text: String
  @Persisted var next: AddingBase?
}

final class AddingDerived: AddingBase {
  @Persisted var more: Int
}

class AddingBasePart: EmbeddedObject {
  @Persisted var text: String
}

final class AddingDerivedPart: AddingBasePart {}

final class AddingOwner: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var base: AddingBase?
  @Persisted var part: AddingBasePart?
  @Persisted var parts: List<AddingBasePart>
}

private func addingRealm() throws -> Realm {
  try Realm(
    configuration: Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString,
      objectTypes: [
        AddingNode.self, AddingLeaf.self, AddingPart.self, AddingBase.self, AddingDerived.self, AddingBasePart.self,
        AddingDerivedPart.self, AddingOwner.self,
      ]))
}

/// What `add` does.
@Suite struct AddRuleTests {
  /// Nodes 0 to 6, of which the first leads to the others, each by another kind of property, and these to 7 and back.
  private func graph(_ text: String) -> [AddingNode] {
    let nodes = (0..<8).map { AddingNode($0, text) }
    nodes[0].link = nodes[1]
    nodes[0].list.append(objectsIn: [nodes[2], nodes[2]])
    nodes[0].set.insert(nodes[3])
    nodes[0].map["k"] = nodes[4]
    nodes[0].mixed = .object(nodes[5])
    nodes[0].part = AddingPart()
    nodes[0].part?.node = nodes[6]
    nodes[0].loose = AddingLeaf(value: [text])
    for node in nodes[1..<7] {
      node.link = nodes[7]
      node.list.append(nodes[0])
    }
    return nodes
  }

  @Test func everythingReachableIsAddedOnce() throws {
    let realm = try addingRealm()
    let nodes = graph("first")
    let (list, set, map, leaf) = (nodes[0].list, nodes[0].set, nodes[0].map, nodes[0].loose)
    try realm.write { realm.add(nodes[0]) }
    #expect(nodes.allSatisfy { $0.realm == realm } && leaf?.realm == realm && nodes[0].part?.realm == realm)
    #expect(realm.objects(AddingNode.self).count == 8 && realm.objects(AddingLeaf.self).count == 1)
    #expect(nodes[0].list === list && nodes[0].set === set && nodes[0].map === map)
    #expect(leaf?.isSameObject(as: nodes[0].loose) == true)
    #expect(list.realm == realm && set.realm == realm && map.realm == realm)
    #expect(list.map(\.id) == [2, 2] && set.map(\.id) == [3] && map["k"]??.id == 4)
    #expect(nodes[0].mixed.object(AddingNode.self)?.id == 5 && nodes[0].part?.node?.id == 6)
    #expect(nodes[1..<7].allSatisfy { $0.link?.id == 7 && $0.list.first?.isSameObject(as: nodes[0]) == true })
    try realm.write { realm.add(nodes) }
    #expect(realm.objects(AddingNode.self).count == 8, "what is managed already is left alone")
    try realm.write { realm.add(nodes[0], update: .all) }
    #expect(list.map(\.id) == [2, 2])
  }

  @Test(arguments: [Realm.UpdatePolicy.modified, .all]) func thePolicyGoesForWhatIsReachable(policy: Realm.UpdatePolicy)
    throws
  {
    let realm = try addingRealm()
    let (old, new) = (graph("first"), graph("second"))
    try realm.write { realm.add(old[0]) }
    let readers = Array(realm.objects(AddingNode.self).sorted(by: \.id))
    try realm.write { realm.add(new[0], update: policy) }
    #expect(realm.objects(AddingNode.self).count == 8)
    #expect(readers.allSatisfy { $0.text == "second" } && old.allSatisfy { $0.text == "second" })
    #expect(zip(new, old).allSatisfy { $0.isSameObject(as: $1) && $0 == $1 }, "the instances are accessors of the rows")
    #expect(old[0].list.map(\.id) == [2, 2] && old[0].set.map(\.id) == [3] && old[0].map.keys == ["k"])
    #expect(realm.objects(AddingLeaf.self).map(\.text) == ["first", "second"], "without a key there is a new row")
    #expect(old[0].loose?.text == "second")
  }

  @Test func assigningAddsToo() throws {
    let realm = try addingRealm()
    let node = AddingNode(1)
    try realm.write {
      realm.add(node)
      let (linked, listed, chosen, mapped) = (AddingNode(2), AddingNode(3), AddingNode(4), AddingNode(5))
      linked.link = AddingNode(6)
      node.link = linked
      node.list.append(listed)
      node.set.insert(chosen)
      node.map["k"] = mapped
      #expect([linked, listed, chosen, mapped].allSatisfy { $0.realm == realm })
    }
    #expect(realm.objects(AddingNode.self).map(\.id).sorted() == [1, 2, 3, 4, 5, 6])
  }

  @Test func whatIsUnmanagedStaysSoAndIsReadAnywhere() throws {
    let nodes = graph("plain")
    #expect(nodes[0].realm == nil && nodes[0].list.realm == nil && nodes[0].part?.realm == nil)
    let box = AddingBox(nodes[0])
    try onOwnThread {
      #expect(box.node.link?.link?.id == 7 && box.node.map["k"]??.id == 4)
      box.node.text = "changed elsewhere"
      box.node.list.removeAll()
    }
    #expect(nodes[0].text == "changed elsewhere" && nodes[0].list.isEmpty)
    for node in nodes { node.list.removeAll() }
  }
}

/// Carries an unmanaged object, which one thread at a time uses.
private final class AddingBox: @unchecked Sendable {
  let node: AddingNode

  init(_ node: AddingNode) { self.node = node }
}

@Suite struct AddTrapTests {
  @Test func objectsOfClassesThatTheRealmDoesNotHave() async {
    let added = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try addingRealm()
      try realm.write { realm.add(CreatingNamed()) }
    }
    #expect(trapSaid("'CreatingNamed' is not managed by the Realm", added))
    #expect(trapSaid("objectTypes", added))
    let created = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try addingRealm()
      try realm.write { realm.create(CreatingNamed.self) }
    }
    #expect(trapSaid("'CreatingNamed' is not managed by the Realm", created))
  }

  @Test func keysThatExistAmongAssignedObjects() async {
    let link = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try addingRealm()
      let node = AddingNode(1)
      try realm.write {
        realm.add(node)
        node.link = AddingNode(1)
      }
    }
    #expect(trapSaid("existing primary key value '1'", link))
    let element = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try addingRealm()
      let node = AddingNode(1)
      try realm.write {
        realm.add(node)
        node.list.append(AddingNode(1))
      }
    }
    #expect(trapSaid("existing primary key value '1'", element))
  }

  @Test func linksToSubclasses() async {
    let assigned = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try addingRealm()
      let base = AddingBase()
      try realm.write {
        realm.add(base)
        base.next = AddingDerived()
      }
    }
    #expect(trapSaid("type 'AddingDerived' cannot be linked to by property 'AddingBase.next'", assigned))
    #expect(trapSaid("of type 'AddingBase'", assigned))
    let managed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try addingRealm()
      let (base, derived) = (AddingBase(), AddingDerived())
      try realm.write {
        realm.add([base, derived])
        base.next = derived
      }
    }
    #expect(trapSaid("type 'AddingDerived' cannot be linked to by property 'AddingBase.next'", managed))
    let added = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try addingRealm()
      let owner = AddingOwner()
      owner.base = AddingDerived()
      try realm.write { realm.add(owner) }
    }
    #expect(trapSaid("type 'AddingDerived' cannot be linked to by property 'AddingOwner.base'", added))
  }

  @Test func embeddedObjectsOfSubclasses() async {
    let added = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try addingRealm()
      let owner = AddingOwner()
      owner.part = AddingDerivedPart()
      try realm.write { realm.add(owner) }
    }
    #expect(trapSaid("type 'AddingDerivedPart' cannot be linked to by property 'AddingOwner.part'", added))
    let updated = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try addingRealm()
      let (owner, other) = (AddingOwner(), AddingOwner())
      owner.part = AddingBasePart()
      other.part = AddingDerivedPart()
      try realm.write {
        realm.add(owner)
        realm.add(other, update: .modified)
      }
    }
    #expect(trapSaid("type 'AddingDerivedPart' cannot be linked to by property 'AddingOwner.part'", updated))
    let listed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try addingRealm()
      let (owner, other) = (AddingOwner(), AddingOwner())
      owner.parts.append(AddingBasePart())
      other.parts.append(AddingDerivedPart())
      try realm.write {
        realm.add(owner)
        realm.add(other, update: .all)
      }
    }
    #expect(trapSaid("type 'AddingDerivedPart' cannot be linked to by property 'AddingOwner.parts'", listed))
  }
}
