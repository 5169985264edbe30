import Firn
import Foundation
import TestSupport
import Testing

private final class Jar: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var label: String
  @Persisted var sizes: List<Int>
  @Persisted var lid: Lid?

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class Lid: EmbeddedObject {
  @Persisted var color: String
}

/// Inside a write transaction, what is thawed belongs to the realm that writes.
@Suite struct ThawingWhileWritingTests {
  private static func configuration() -> Realm.Configuration {
    Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Jar.self, Lid.self])
  }

  private static func fill(_ realm: Realm) {
    realm.create(
      Jar.self, value: ["id": 1, "label": "a", "sizes": [1], "lid": ["color": "red"]] as [String: Any])
  }

  /// Thaws everything in a transaction and writes it.
  private static func change(_ frozen: Frozen<Jar>, _ all: Frozen<Results<Jar>>, in realm: Realm) throws {
    let new = realm.create(Jar.self, value: ["id": 2])
    let thawed = try #require(frozen.thaw())
    #expect(thawed.realm == realm && thawed.isSameObject(as: realm.object(ofType: Jar.self, forPrimaryKey: 1)))
    thawed.label += "b"
    try frozen.withValue { jar in
      let object = try #require(jar.thaw())
      object.label += "c"
      try #require(realm.thaw(jar)).label += "d"
      try #require(jar.sizes.thaw()).append(2)
      try #require(jar.lid?.thaw()).color = "blue"
      #expect(jar.realm?.thaw() == realm)
    }
    let results = try #require(all.thaw())
    #expect(results.count == 2 && results.contains(new) && results.realm == realm)
    results[0].label += "e"
  }

  private static func check(_ realm: Realm) throws {
    let jar = try #require(realm.object(ofType: Jar.self, forPrimaryKey: 1))
    #expect(jar.label == "abcde" && Array(jar.sizes) == [1, 2] && jar.lid?.color == "blue")
  }

  @Test func blocksOfStores() async throws {
    let store = try await RealmStore.open(Self.configuration())
    try await store.write { Self.fill($0) }
    let frozen = try #require(store.freeze().objects(Jar.self).first.map { try Frozen($0) })
    let all = try Frozen(store.freeze().objects(Jar.self))
    try await store.write { realm in try Self.change(frozen, all, in: realm) }
    try Self.check(store.freeze().realm)
    // Afterwards it is a realm of its own again.
    let after = try #require(frozen.thaw())
    #expect(after.realm?.isInWriteTransaction == false && after.label == "abcde")
  }

  @Test func realmsOfTasks() async throws {
    let realm = try opened(Self.configuration())
    try realm.write { Self.fill(realm) }
    let frozen = try Frozen(realm.objects(Jar.self)[0])
    let all = try Frozen(realm.objects(Jar.self))
    try realm.write { try Self.change(frozen, all, in: realm) }
    try Self.check(realm)
  }

  @Test func realmsOfThreads() throws {
    try onOwnThread {
      let realm = try Realm(configuration: Self.configuration())
      try realm.write { Self.fill(realm) }
      let frozen = try Frozen(realm.objects(Jar.self)[0])
      let all = try Frozen(realm.objects(Jar.self))
      realm.beginWrite()
      try Self.change(frozen, all, in: realm)
      // Another thread does not write, and gets a realm of its own.
      try onOwnThread { #expect(frozen.thaw()?.label == "a") }
      try realm.commitWrite()
      try Self.check(realm)
    }
  }
}
