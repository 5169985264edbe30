import Firn
import Testing

@MainActor @Suite struct MixedValuesTests {
  class Event: Object {
    @Persisted var subject: AnyRealmValue
    @Persisted var details: Map<String, AnyRealmValue>
  }

  @Test func storing() throws {
    let realm = try makeRealm(Event.self)
    let event = Event()
    try realm.write {
      realm.add(event)
      event.subject = .string("gate closed")
      event.details["gate"] = .int(22)
      event.details["history"] = .fromArray([.int(20), .string("22")])
    }
    #expect(event.subject.stringValue == "gate closed" && event.subject.intValue == nil)
    #expect(event.details["gate"] == .int(22))
    #expect(event.details["history"]?.listValue.map { Array($0) } == [.int(20), .string("22")])
  }
}
