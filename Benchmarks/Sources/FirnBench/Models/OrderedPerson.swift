import Firn

/// A person with ordered indexes.
class OrderedPerson: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted(index: .ordered) var age: Int
  @Persisted var city: String
  @Persisted var active: Bool

  convenience init(_ record: PersonRecord) {
    self.init()
    id = record.id
    name = record.name
    age = record.age
    city = record.city
    active = record.active
  }

  override class func indexes() -> [Index] {
    [Index(\OrderedPerson.city, \OrderedPerson.age), Index(\OrderedPerson.active, \OrderedPerson.name)]
  }
}
