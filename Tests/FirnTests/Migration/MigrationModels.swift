import Firn
import Foundation

// Generations of the same classes. None is in the default schema.

enum Before {
  final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var first: String
    @Persisted var last: String
    @Persisted var age: Int
    @Persisted var score: Double?
    @Persisted var city: City?
    @Persisted var tags: List<String>
    @Persisted var marks: MutableSet<Int>
    @Persisted var limits: Map<String, Int>
    @Persisted var anything: AnyRealmValue

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  final class City: Object {
    @Persisted var name: String
    @Persisted var people: Int

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  static var types: [ObjectBase.Type] { [Person.self, City.self] }
}

/// The classes with more properties, and one more class.
enum Added {
  final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var first: String
    @Persisted(indexed: true) var last: String
    @Persisted var age: Int
    @Persisted var score: Double?
    @Persisted var city: City?
    @Persisted var tags: List<String>
    @Persisted var marks: MutableSet<Int>
    @Persisted var limits: Map<String, Int>
    @Persisted var anything: AnyRealmValue
    @Persisted var height = 1.75
    @Persisted(indexed: true) var nick = "none"
    @Persisted var level: Level = .middle
    @Persisted var note: String? = "new"
    @Persisted var empty: String?
    @Persisted var isActive = true
    @Persisted var born = Date(timeIntervalSinceReferenceDate: 86_400)
    @Persisted var code = Data([1, 2, 3])
    @Persisted var price = Decimal128(12)
    @Persisted var ratio: Float = 0.5
    @Persisted var mixed: AnyRealmValue = .string("m")
    @Persisted var home: City?
    @Persisted var words: List<String>
    @Persisted var dogs: List<Dog>

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  enum Level: String, PersistableEnum { case low, middle, high }

  final class City: Object {
    @Persisted var name: String
    @Persisted var people: Int

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  final class Dog: Object {
    @Persisted var name = "Rex"

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  static var types: [ObjectBase.Type] { [Person.self, City.self, Dog.self] }
}

/// The classes with other names, types and without some properties.
enum Altered {
  final class Person: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var name: String
    @Persisted var age: Int?
    @Persisted var score: Double
    @Persisted var town: City?
    @Persisted var tags: List<String?>
    @Persisted var marks: MutableSet<Int>
    @Persisted var limits: Map<String, Int?>

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
    override class var renamedProperties: [String: String] { ["city": "town"] }
  }

  final class City: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var people: Int

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  static var types: [ObjectBase.Type] { [Person.self, City.self] }
}

/// The city became embedded.
enum Embedding {
  final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var first: String
    @Persisted var city: City?

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  final class City: EmbeddedObject {
    @Persisted var name: String
    @Persisted var people: Int

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  static var types: [ObjectBase.Type] { [Person.self, City.self] }
}

/// Properties with another value in each object.
enum PerObject {
  final class City: Object {
    @Persisted var name: String
    @Persisted var people: Int
    @Persisted var token = UUID()
    @Persisted var serial = ObjectId.generate()

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  static var types: [ObjectBase.Type] { [City.self] }
}

extension TemporaryStore {
  /// A configuration of the file for other classes.
  func configuration(
    _ types: [ObjectBase.Type], version: UInt64 = 0, _ block: ThrowingMigrationBlock? = nil
  ) -> Realm.Configuration {
    var configuration = configuration
    configuration.objectTypes = types
    configuration.schemaVersion = version
    configuration.migrationBlock = block
    return configuration
  }

  /// Fills the file with people and cities of the first generation.
  func fill(_ count: Int, checkpoint: Bool = true) async throws {
    let store = try await RealmStore.open(configuration(Before.types))
    for half in [0..<count / 2, count / 2..<count] {
      try await store.write { realm in
        let cities = (0..<3).map { realm.create(Before.City.self, value: ["name": "City \($0)", "people": $0]) }
        for id in half {
          let person = realm.create(
            Before.Person.self,
            value: [
              "id": id, "first": "First \(id)", "last": "Last \(id % 7)", "age": id % 90,
              "tags": (0..<id % 3).map { "tag \($0)" }, "limits": ["a": id, "b": id + 1],
            ])
          person.score = id % 2 == 0 ? nil : Double(id) / 3
          person.city = id % 4 == 0 ? nil : cities[id % 3]
          person.marks.insert(objectsIn: [id, id + 1])
          person.anything = id % 2 == 0 ? .int(id) : AnyRealmValue.fromArray([.string("deep"), .int(id)])
        }
      }
      // One half is in the snapshot then, the other in the journal.
      if checkpoint { try await store.checkpoint() }
    }
    _ = store
  }
}
