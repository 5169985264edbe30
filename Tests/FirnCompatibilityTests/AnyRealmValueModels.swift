import Firn
import Foundation
import Testing

class MixedDog: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String

  convenience init(_ id: Int, _ name: String = "") {
    self.init()
    self.id = id
    self.name = name
  }
}

class MixedOwner: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var value: AnyRealmValue
  @Persisted var other: AnyRealmValue = .int(7)
  @Persisted var list: List<AnyRealmValue>
  @Persisted var set: MutableSet<AnyRealmValue>
  @Persisted var map: Map<String, AnyRealmValue>
  @Persisted var link: MixedOwner?

  convenience init(_ id: Int, _ value: AnyRealmValue = .none) {
    self.init()
    self.id = id
    self.value = value
  }
}

/// Is in no schema of these tests.
class MixedStranger: Object {
  @Persisted var name: String
}

func mixedConfiguration() -> Realm.Configuration {
  Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [MixedDog.self, MixedOwner.self])
}

func mixedRealm() throws -> Realm { try Realm(configuration: mixedConfiguration()) }

/// A realm with one object, which is in it.
func mixedOwner(_ value: AnyRealmValue = .none) throws -> (Realm, MixedOwner) {
  let realm = try mixedRealm()
  let owner = MixedOwner(1, value)
  try realm.write { realm.add(owner) }
  return (realm, owner)
}
