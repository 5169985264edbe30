import Firn
import Foundation
import Testing

/// Counts how often a default is made.
struct ChecklistValue: CustomPersistable {
  typealias PersistedType = Int
  static let made = CreatingCalls()
  let number: Int

  init(persistedValue: Int) {
    number = persistedValue
    Self.made.add("\(persistedValue)")
  }
  var persistableValue: Int { number }
}

final class ChecklistItem: Object {
  @Persisted var name: String
  @Persisted var value: ChecklistValue
  @Persisted var token: UUID
  @Persisted var serial: ObjectId
  @Persisted var date: Date
}

/// Rules of the checklist that the suites of the sections do not show.
@Suite struct BehaviourChecklistTests {
  private static func realm() throws -> Realm {
    try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [ChecklistItem.self]))
  }

  @Test func undeclaredDefaultsAreMadeWhenTheyAreFirstRead() throws {
    let (first, second) = (ChecklistItem(), ChecklistItem())
    let before = ChecklistValue.made.texts.count
    _ = (ChecklistItem(), ChecklistItem())
    #expect(ChecklistValue.made.texts.count == before, "not with the object")
    #expect(first.value.number == 0 && first.value.number == 0)
    #expect(ChecklistValue.made.texts.count == before + 1, "once for an object")
    #expect(first.token == first.token && first.serial == first.serial && first.date == first.date, "and kept")
    #expect(first.token != second.token && first.serial != second.serial, "afresh for each object")
    let realm = try Self.realm()
    let (token, serial, date) = (first.token, first.serial, first.date)
    try realm.write { realm.add([first, second]) }
    #expect(first.token == token && first.serial == serial && first.date == date, "also when it becomes managed")
    #expect(second.token == second.token && realm.objects(ChecklistItem.self).last?.token == second.token)
  }

  @Test func assigningTheSameIsAChangeAndInsertingAndDeletingIsNone() throws {
    try onOwnThread {
      let realm = try Self.realm()
      let item = try realm.write { realm.create(ChecklistItem.self) }
      var calls: [String] = []
      let token = realm.objects(ChecklistItem.self).observe { change in
        if case .update(_, let deletions, let insertions, let modifications) = change {
          calls.append("\(deletions)\(insertions)\(modifications)")
        }
      }
      realm.refresh()
      try realm.write { item.name = item.name }
      realm.refresh()
      #expect(calls == ["[][][0]"])
      try realm.write {
        let other = realm.create(ChecklistItem.self)
        other.name = "short-lived"
        realm.delete(other)
      }
      realm.refresh()
      #expect(calls.count == 1, "nothing is left of it")
      token.invalidate()
    }
  }

  @Test func whatWasAddedInACancelledTransactionIsGone() throws {
    let realm = try Self.realm()
    let item = ChecklistItem(value: ["name": "kept"])
    struct Refused: Error {}
    #expect(throws: Refused.self) {
      try realm.write {
        realm.add(item)
        throw Refused()
      }
    }
    #expect(item.isInvalidated && item.name == "kept" && realm.isEmpty, "invalidated, not unmanaged again")
  }
}
