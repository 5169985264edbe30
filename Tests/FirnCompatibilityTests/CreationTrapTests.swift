import Firn
import Foundation
import Testing

/// Wrong values end the process with a sentence that names class, property and value.
@Suite struct CreationTrapTests {
  @Test func tooManyValues() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try creatingRealm()
      try realm.write { realm.create(CreatingNamed.self, value: ["a", 2] as [Any]) }
    }
    #expect(trapSaid("more values (2) than properties (1)", result))
  }

  @Test func nothingAtAll() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try creatingRealm()
      try realm.write { realm.create(CreatingNamed.self, value: NSNull()) }
    }
    #expect(trapSaid("Must provide a non-nil value", result))
  }

  @Test func missingNames() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try creatingRealm()
      try realm.write { realm.create(CreatingLoose.self, value: CreatingNamed()) }
    }
    #expect(trapSaid("Invalid value 'CreatingNamed'", result) && trapSaid("missing key 'twin'", result))
  }

  @Test func notEnumerable() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try creatingRealm()
      try realm.write { realm.create(CreatingLoose.self, value: ["numbers": 3]) }
    }
    #expect(trapSaid("value is not enumerable", result) && trapSaid("'CreatingLoose.numbers'", result))
  }

  @Test func collectionsOfAnotherType() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try creatingRealm()
      try realm.write { realm.create(CreatingLoose.self, value: ["numbers": List<String>()]) }
    }
    #expect(trapSaid("does not match expected type 'int'", result))
  }

  @Test func nilElementsOfObjectLists() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try creatingRealm()
      try realm.write { realm.create(CreatingKeyed.self, value: ["id": 1, "parts": [NSNull()]] as [String: Any]) }
    }
    #expect(trapSaid("for 'CreatingKeyed' array property 'CreatingKeyed.parts'", result))
  }

  @Test func wrongTypes() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try creatingRealm()
      try realm.write { realm.create(CreatingScalars.self, value: ["maybeInt": "one"]) }
    }
    #expect(trapSaid("Invalid value 'one' of type 'String' for 'int?' property 'CreatingScalars.maybeInt'", result))
  }

  @Test func deletedObjects() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try creatingRealm()
      try realm.write {
        let object = realm.create(CreatingNamed.self)
        realm.delete(object)
        realm.create(CreatingNamed.self, value: object)
      }
    }
    #expect(trapSaid("Object has been deleted or invalidated", result))
  }

  @Test func copyingAKeyedObjectOntoItself() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try creatingRealm()
      try realm.write { realm.create(CreatingKeyed.self, value: realm.create(CreatingKeyed.self)) }
    }
    #expect(trapSaid("existing primary key value '0'", result))
  }

  @Test func policiesWithoutKey() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try creatingRealm()
      try realm.write { realm.create(CreatingNamed.self, value: ["a"], update: .modified) }
    }
    #expect(trapSaid("'CreatingNamed' does not have a primary key and can not be updated", result))
  }

  @Test func initialisers() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CreatingScalars(value: ["flag": "yes"])
    }
    #expect(trapSaid("Invalid value 'yes' of type 'String' for 'bool' property 'CreatingScalars.flag'", result))
  }

  @Test func outsideOfATransaction() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try creatingRealm().create(CreatingNamed.self, json: #"{"name": "a"}"#)
    }
    #expect(trapSaid("in a write transaction", result))
  }
}
