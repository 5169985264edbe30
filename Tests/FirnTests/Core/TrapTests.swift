import Firn
import Foundation
import Testing

private final class Box: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var label: String
}

private final class Loose: Object {
  @Persisted var label: String
}

private final class Stranger: Object {
  @Persisted var label: String
}

private final class Numbers: Object {
  @Persisted var int = 1
  @Persisted var bool = true
  @Persisted var double = 1.5

  /// A managed object after transactions in which its own properties were written.
  static func afterCommits() throws -> Numbers {
    let realm = try Realm(
      configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Numbers.self]))
    let numbers = Numbers()
    try realm.write { realm.add(numbers) }
    try realm.write { (numbers.int, numbers.bool, numbers.double) = (2, false, 2.5) }
    return numbers
  }
}

private func openRealm() throws -> Realm {
  try Realm(
    configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Box.self, Loose.self]))
}

private func addBox(to realm: Realm) throws -> Box {
  let box = Box()
  try realm.write { realm.add(box) }
  return box
}

/// Whether a process that was meant to trap said why.
private func said(_ text: String, _ result: ExitTest.Result?) -> Bool {
  guard let result else { return false }
  return String(decoding: result.standardErrorContent, as: UTF8.self).contains(text)
}

/// Programming mistakes end the process with a sentence that names the rule.
struct TrapTests {
  @Test func writingOutsideOfATransaction() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try addBox(to: openRealm()).label = "x"
    }
    #expect(said("outside of a write transaction", result) && said("property 'label'", result))
  }

  /// Values that accessors store by themselves: not into what was committed.
  @Test func writingNumbersAfterACommit() async {
    let int = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread { try Numbers.afterCommits().int = 3 }
    }
    #expect(said("outside of a write transaction", int) && said("property 'int'", int))
    let bool = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread { try Numbers.afterCommits().bool = true }
    }
    #expect(said("outside of a write transaction", bool) && said("property 'bool'", bool))
    let double = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread { try Numbers.afterCommits().double = 3 }
    }
    #expect(said("outside of a write transaction", double) && said("property 'double'", double))
  }

  @Test func writingToAFileThatIsReadOnly() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let files = try TemporaryStore([Box.self])
      var configuration = files.configuration
      let writable = configuration
      try onOwnThread { _ = try addBox(to: Realm(configuration: writable)) }
      configuration.readOnly = true
      let readable = configuration
      try onOwnThread { try Realm(configuration: readable).beginWrite() }
    }
    #expect(said("transactions on read-only Realms", result))
  }

  @Test func addingOutsideOfATransaction() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try openRealm().add(Box())
    }
    #expect(said("in a write transaction", result))
  }

  @Test func deletingOutsideOfATransaction() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try openRealm()
      realm.delete(try addBox(to: realm))
    }
    #expect(said("in a write transaction", result))
  }

  @Test func nestedTransactions() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try openRealm()
      try realm.write { try realm.write {} }
    }
    #expect(said("already in a write transaction", result))
  }

  @Test func committingWithoutTransaction() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread { try openRealm().commitWrite() }
    }
    #expect(said("non-existing write transaction", result))
  }

  @Test func cancellingWithoutTransaction() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread { try openRealm().cancelWrite() }
    }
    #expect(said("non-existing write transaction", result))
  }

  @Test func writingOnAnotherThread() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread {
        let realm = Unchecked(try openRealm())
        try onOwnThread { try realm.value.write {} }
      }
    }
    #expect(said("incorrect thread", result))
  }

  @Test func assigningOnAnotherThread() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread {
        let realm = try openRealm()
        let box = Unchecked(try addBox(to: realm))
        try realm.write { try onOwnThread { box.value.label = "x" } }
      }
    }
    #expect(said("incorrect thread", result))
  }

  @Test func readingWhatOnlyTheTransactionSees() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread {
        let realm = try openRealm()
        try realm.write {
          let box = Box()
          realm.add(box)
          let away = Unchecked(box)
          try onOwnThread { _ = away.value.label }
        }
      }
    }
    #expect(said("class 'Box'", result) && said("has not been committed", result))
  }

  @Test func writingFrozenObjects() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try openRealm()
      let box = try addBox(to: realm).freeze()
      try realm.write { box.label = "x" }
    }
    #expect(said("frozen object of class 'Box'", result))
  }

  @Test func writingFrozenRealms() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try openRealm().freeze().write {}
    }
    #expect(said("frozen Realm", result))
  }

  @Test func writingDeletedObjects() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try openRealm()
      let box = try addBox(to: realm)
      try realm.write {
        realm.delete(box)
        box.label = "x"
      }
    }
    #expect(said("deleted or invalidated", result))
  }

  @Test func changingAPrimaryKey() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try openRealm()
      let box = try addBox(to: realm)
      try realm.write { box.id = 0 }
    }
    #expect(said("Primary key can't be changed", result) && said("property 'id'", result))
  }

  @Test func duplicateKeys() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try openRealm()
      _ = try addBox(to: realm)
      _ = try addBox(to: realm)
    }
    #expect(said("existing primary key value '0'", result) && said("'Box'", result))
  }

  @Test func objectsOfAnotherRealm() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let box = try addBox(to: openRealm())
      let realm = try openRealm()
      try realm.write { realm.add(box) }
    }
    #expect(said("already managed by another Realm", result))
  }

  @Test func deletingObjectsOfAnotherRealm() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let box = try addBox(to: openRealm())
      try openRealm().delete(box)
    }
    #expect(said("Can only delete an object from the Realm it belongs to", result))
  }

  @Test func addingDeletedObjects() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try openRealm()
      let box = try addBox(to: realm)
      try realm.write {
        realm.delete(box)
        realm.add(box)
      }
    }
    #expect(said("deleted or invalidated", result))
  }

  @Test func keysOfAWrongType() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try openRealm().object(ofType: Box.self, forPrimaryKey: "one")
    }
    #expect(said("primary key of 'Box'", result))
  }

  @Test func lookingUpWithoutPrimaryKey() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try openRealm().object(ofType: Loose.self, forPrimaryKey: "one")
    }
    #expect(said("'Loose' does not have a primary key", result))
  }

  @Test func updatingWithoutPrimaryKey() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try openRealm()
      try realm.write { realm.add(Loose(), update: .modified) }
    }
    #expect(said("'Loose' does not have a primary key and can not be updated", result))
  }

  @Test func classesOutsideOfTheSchema() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try openRealm().objects(Stranger.self)
    }
    #expect(said("'Stranger' is not managed by the Realm", result))
  }

  @Test func freezingUnmanagedObjects() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { _ = Box().freeze() }
    #expect(said("Unmanaged objects cannot be frozen", result))
  }

  @Test func freezingWhatTheTransactionAdded() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try openRealm()
      try realm.write {
        let box = Box()
        realm.add(box)
        _ = box.freeze()
      }
    }
    #expect(said("same write transaction", result))
  }
}
