import Foundation

/// The bytes that a program without a database would log of a write.
struct RecordEncoder {
  private(set) var bytes: [UInt8] = []

  mutating func encode(_ person: PlainPerson) {
    bytes.removeAll(keepingCapacity: true)
    append(person.id)
    append(person.name)
    append(person.age)
    append(person.score)
    append(person.city)
    append(person.created.timeIntervalSinceReferenceDate)
    append(person.active)
    append(person.best?.id ?? -1)
  }

  mutating func encode(age: Int, ofPersonWithID id: Int) {
    bytes.removeAll(keepingCapacity: true)
    append(id)
    append(age)
  }

  private mutating func append<Value: BitwiseCopyable>(_ value: Value) {
    withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
  }

  private mutating func append(_ text: String) {
    append(UInt32(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }
}
