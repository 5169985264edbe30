import Firn
import Foundation

// A model file as a RealmSwift project has it: only the import is another one.

enum Breed: String, PersistableEnum, CaseIterable {
  case unknown, beagle, terrier
}

enum Size: Int, PersistableEnum {
  case small = 1
  case large = 2
}

class Animal: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var name = ""
  @Persisted var born: Date?
}

final class Dog: Animal {
  @Persisted(indexed: true) var breed: Breed
  @Persisted var size: Size?
  @Persisted var weight: Decimal128
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>

  var isPuppy = false
}

final class Address: EmbeddedObject {
  @Persisted var street: String?
  @Persisted var city: String = "Berlin"
  @Persisted var location: Location?
}

final class Location: EmbeddedObject {
  @Persisted var latitude: Double
  @Persisted var longitude: Double
}

class Person: Object {
  @Persisted(primaryKey: true) var _id = UUID()
  @Persisted var firstName: String
  @Persisted var lastName: String?
  @Persisted var age: Int
  @Persisted var picture: Data?
  @Persisted var dogs: List<Dog>
  @Persisted var favourite: Dog?
  @Persisted var nicknames: MutableSet<String>
  @Persisted var scores: Map<String, Int>
  @Persisted var keepers: Map<String, Dog?>
  @Persisted var home: Address?
  @Persisted var addresses: List<Address>
  @Persisted var anything: AnyRealmValue
  @Persisted var notes: List<AnyRealmValue>

  @Persisted private var secret: String

  var fullName: String { [firstName, lastName ?? ""].joined(separator: " ") }

  convenience init(firstName: String, age: Int) {
    self.init()
    self.firstName = firstName
    self.age = age
  }
}

/// Declared with the class methods that older models use.
class Ticket: Object {
  @Persisted var number: Int
  @Persisted var holder: String
  @Persisted var scratch: Int

  override class func primaryKey() -> String? { "number" }
  override class func indexedProperties() -> [String] { ["holder"] }
  override class func ignoredProperties() -> [String] { ["scratch"] }
}

class Renamed: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var firstName: String

  override class func propertiesMapping() -> [String: String] { ["firstName": "first_name"] }
}
