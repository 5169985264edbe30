import Firn
import Foundation

import struct Firn.SortDescriptor

private enum Moving {
  class Dog: Object {
    @Persisted var name = ""
  }

  class Person: Object {
    // @objc dynamic var name = ""
    @Persisted var name = ""
    // let age = RealmOptional<Int>()
    @Persisted var age: Int?
    // let dogs = List<Dog>()
    @Persisted var dogs: List<Dog>
    // let owners = LinkingObjects(fromType: Person.self, property: "dogs")
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
  }

  static let order = SortDescriptor(keyPath: "name")
}
