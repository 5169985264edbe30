import Firn

/// The code in comments about mixed values.
private enum MixedValues {
  class Sensor: Object {
    @Persisted var name: String
  }

  class Reading: Object {
    @Persisted var value: AnyRealmValue
    @Persisted var history: List<AnyRealmValue>
  }

  static func store(_ reading: Reading, _ sensor: Sensor) {
    reading.value = .int(5)
    reading.value = .object(sensor)
    reading.value = .fromArray([.string("a"), .fromArray([.int(1)])])
  }
}
