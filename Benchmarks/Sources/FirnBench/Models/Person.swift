import Firn
import Foundation

/// The model of the table of peers.
class Person: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var age: Int
  @Persisted var score: Double
  @Persisted(indexed: true) var city: String
  @Persisted var created: Date
  @Persisted var active: Bool
  @Persisted var best: Person?

  convenience init(_ record: PersonRecord) {
    self.init()
    id = record.id
    name = record.name
    age = record.age
    score = record.score
    city = record.city
    created = record.created
    active = record.active
  }
}
