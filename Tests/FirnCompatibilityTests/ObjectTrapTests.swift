import Firn
import Foundation
import Testing

/// Mistakes with objects end the process with a sentence that names the rule.
@Suite struct ObjectTrapTests {
  @Test func deletingUnmanagedObjects() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try creatingRealm().delete(CreatingNamed())
    }
    // Before the transaction is asked for.
    #expect(trapSaid("Can only delete an object from the Realm it belongs to", result))
  }

  @Test func deletingListsOfAnotherRealm() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, other) = (try creatingRealm(), try creatingRealm())
      let keyed = try other.write { other.create(CreatingKeyed.self) }
      try realm.write { realm.delete(keyed.parts) }
    }
    #expect(trapSaid("Can only delete objects from the Realm they belong to", result))
  }

  @Test func addingWhatAnotherRealmHas() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, other) = (try creatingRealm(), try creatingRealm())
      let keyed = try other.write { other.create(CreatingKeyed.self) }
      try realm.write { realm.add(keyed) }
    }
    #expect(trapSaid("already managed by another Realm", result))
  }

  @Test func addingFrozenObjects() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try creatingRealm()
      let keyed = try realm.write { realm.create(CreatingKeyed.self) }
      try realm.write { realm.add(keyed.freeze()) }
    }
    #expect(trapSaid("already managed by another Realm", result))
  }

  @Test func duplicatesAmongLinkedObjects() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try creatingRealm()
      try realm.write {
        realm.create(CreatingKeyed.self, value: ["id": 2])
        realm.add(CreatingKeyed(value: ["id": 1, "parent": ["id": 2]] as [String: Any]))
      }
    }
    #expect(trapSaid("existing primary key value '2'", result))
  }

  @Test func linkingToFrozenObjects() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try creatingRealm()
      let loose = try realm.write { realm.create(CreatingLoose.self) }
      try realm.write { loose.twin = loose.freeze() }
    }
    #expect(trapSaid("frozen", result))
  }

  @Test func linkingToObjectsOfAnotherRealm() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, other) = (try creatingRealm(), try creatingRealm())
      let loose = try realm.write { realm.create(CreatingLoose.self) }
      let foreign = try other.write { other.create(CreatingLoose.self) }
      try realm.write { loose.twin = foreign }
    }
    #expect(trapSaid("managed by another Realm", result))
  }

  @Test func convertingForUnmanagedObjects() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      CreatingScalars()["text"] = 3
    }
    #expect(trapSaid("Could not convert value '3' to type 'string'", result))
    #expect(trapSaid("'CreatingScalars.text'", result))
  }

  @Test func namesThatAreNoProperties() async {
    let reading = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CreatingNamed()["nane"]
    }
    #expect(trapSaid("Invalid property name 'nane' for class 'CreatingNamed'", reading))
    let writing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try creatingRealm()
      try realm.write { realm.create(CreatingNamed.self).setValue("a", forKey: "nane") }
    }
    #expect(trapSaid("Invalid property name 'nane' for class 'CreatingNamed'", writing))
  }

  @Test func primaryKeysByName() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try creatingRealm()
      try realm.write { realm.create(CreatingKeyed.self, value: ["id": 1])["id"] = 1 }
    }
    #expect(trapSaid("Primary key can't be changed", result) && trapSaid("property 'id'", result))
  }

  @Test func wrongValuesByName() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try creatingRealm()
      try realm.write { realm.create(CreatingScalars.self)["small"] = 1000 }
    }
    #expect(trapSaid("Invalid value '1000' of type 'Int' for 'int' property 'CreatingScalars.small'", result))
  }

  @Test func writingByNameOutsideOfATransaction() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try creatingRealm()
      let named = try realm.write { realm.create(CreatingNamed.self) }
      named["name"] = "a"
    }
    #expect(trapSaid("outside of a write transaction", result))
  }
}
