import Foundation

/// The model as a plain class.
///
/// Sendable because all access is under the mutex of its store, or, where a workload reads without the store as a
/// user would, from one thread while nobody writes.
final class PlainPerson: @unchecked Sendable {
  let id: Int
  var name: String
  var age: Int
  var score: Double
  var city: String
  var created: Date
  var active: Bool
  var best: PlainPerson?
  /// Where the store's list of all persons has this one.
  var position = 0

  init(_ record: PersonRecord) {
    id = record.id
    name = record.name
    age = record.age
    score = record.score
    city = record.city
    created = record.created
    active = record.active
  }

  /// Everything but the link.
  init(copying other: PlainPerson) {
    id = other.id
    name = other.name
    age = other.age
    score = other.score
    city = other.city
    created = other.created
    active = other.active
    position = other.position
  }
}

/// Two persons are the same if they are one object.
extension PlainPerson: Hashable {
  static func == (left: PlainPerson, right: PlainPerson) -> Bool {
    left === right
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
