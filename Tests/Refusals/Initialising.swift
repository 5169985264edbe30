// Code that must not compile: Scripts/check-refusals. What the compiler has to say of a line is in a comment at its end.
import Firn

class Passenger: Object {
  @Persisted(primaryKey: true) var id: String
  @Persisted(indexed: true) var city: String
  @Persisted(originProperty: "passenger") var seats: LinkingObjects<Seat>
  @Persisted var name: String
  @Persisted var age = 30

  init(id: String, name: String) {
    self.name = name
    age = 31
    self.id = id  // refused: 'self' used in property access 'id' before 'super.init' call
    city = "DEN"  // refused: 'self' used in property access 'city' before 'super.init' call
    print(self.name)  // refused: 'self' used in property access 'name' before 'super.init' call
    super.init()
    self.id = id
  }

  required init() { super.init() }
}

class Seat: Object {
  @Persisted var passenger: Passenger?
}
