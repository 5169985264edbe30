import Firn

private enum MixedValues {
  class Event: Object {
    @Persisted var subject: AnyRealmValue
    @Persisted var details: Map<String, AnyRealmValue>
  }

  static func fill(_ event: Event) -> String? {
    event.subject = .string("gate closed")
    event.details["gate"] = .int(22)
    event.details["history"] = .fromArray([.int(20), .string("22")])
    return
      event.subject.stringValue
  }
}
