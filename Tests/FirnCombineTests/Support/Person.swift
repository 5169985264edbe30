import FirnCombine
import FirnEngine
import FirnReactive
import Foundation

@testable import Firn

final class Address: EmbeddedObject {
  @Persisted var city: String
}

final class Person: Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var age: Int
  @Persisted var address: Address?
  @Persisted var friends: List<Person>
  @Persisted var tags: MutableSet<String>
  @Persisted var scores: Map<String, Int>
  @Persisted(originProperty: "friends") var befriendedBy: LinkingObjects<Person>
}

final class Card: Projection<Person> {
  @Projected(\Person.name) var title
  @Projected(\Person.address?.city) var place
}

/// A database of persons in memory, and the realm of the calling thread.
struct People {
  let configuration: Realm.Configuration
  let realm: Realm

  static func configuration() -> Realm.Configuration {
    Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Person.self, Address.self])
  }

  init(_ count: Int = 0, _ configuration: Realm.Configuration = configuration()) throws {
    self.configuration = configuration
    realm = try Realm(configuration: configuration)
    try add(0..<count)
  }

  var all: Results<Person> { realm.objects(Person.self) }

  subscript(id: Int) -> Person { realm.object(ofType: Person.self, forPrimaryKey: id).unsafelyUnwrapped }

  func add(_ ids: Range<Int>) throws {
    try write { realm in for id in ids { realm.create(Person.self, value: ["id": id, "age": id]) } }
  }

  /// Commits, and delivers to who observes in this realm.
  func write(_ body: (Realm) throws -> Void) throws {
    try realm.write { try body(realm) }
    realm.refresh()
  }

  /// What is open beside this realm.
  var store: Store { realm.instance.store }
  var viewCount: Int { realm.instance.notifications?.stage.viewCount ?? 0 }
  var observerCount: Int { realm.instance.notifications?.observerCount ?? 0 }
  var heldVersionCount: Int { store.graph.heldVersions.count }
}
