import Firn
import Foundation
import Testing

private final class Town: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var people: Int
}

private final class Dweller: Object {
  @Persisted var name: String
  @Persisted var age: Int?
  @Persisted(indexed: true) var tag: String?
  @Persisted var picture: Data
  @Persisted var home: Town?
  @Persisted var friend: Dweller?
}

private final class Optionals: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var int: Int?
  @Persisted var bool: Bool?
  @Persisted var double: Double?
  @Persisted var date: Date?
  @Persisted var uuid: UUID?
  @Persisted var text: String?
  @Persisted(indexed: true) var word: String?
  @Persisted var data: Data?

  /// Some of the values, each combination once in 256.
  convenience init(_ id: Int) {
    self.init()
    self.id = id
    if id & 1 != 0 { int = id }
    if id & 2 != 0 { bool = id & 1 == 0 }
    if id & 4 != 0 { double = Double(id) }
    if id & 8 != 0 { date = Date(timeIntervalSinceReferenceDate: Double(id)) }
    if id & 16 != 0 { uuid = UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(id & 255))) }
    if id & 32 != 0 { text = "text \(id)" }
    if id & 64 != 0 { word = "word \(id)" }
    if id & 128 != 0 { data = Data([1, UInt8(id & 255)]) }
  }

  var all: [AnyHashable?] { [int, bool, double, date, uuid, text, word, data] }
}

/// Deleted objects keep their last values.
struct DeletionTests {
  private let configuration = Realm.Configuration(
    inMemoryIdentifier: UUID().uuidString, objectTypes: [Town.self, Dweller.self])

  private static func dweller() -> Dweller {
    let dweller = Dweller()
    dweller.name = "A name that does not fit into a small string"
    dweller.age = 36
    dweller.tag = "tag"
    dweller.picture = Data(repeating: 3, count: 4000)
    let town = Town()
    town.name = "Oslo"
    dweller.home = town
    let friend = Dweller()
    friend.name = "Friend"
    dweller.friend = friend
    return dweller
  }

  private static func expectLastValues(_ dweller: Dweller) {
    #expect(dweller.isInvalidated)
    #expect(dweller.realm == nil)
    #expect(dweller.name == "A name that does not fit into a small string")
    #expect(dweller.age == 36)
    #expect(dweller.tag == "tag")
    #expect(dweller.picture == Data(repeating: 3, count: 4000))
    #expect(dweller.home?.name == "Oslo")
  }

  @Test func inTheSameThread() throws {
    let configuration = configuration
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      let dweller = Self.dweller()
      try realm.write { realm.add(dweller) }
      let friend = try #require(dweller.friend)
      try realm.write {
        realm.delete(dweller)
        Self.expectLastValues(dweller)
        #expect(dweller.friend?.name == "Friend")
        realm.delete(friend)
        #expect(dweller.friend == nil)
      }
      Self.expectLastValues(dweller)
      #expect(dweller.friend == nil)
      #expect(friend.name == "Friend")
      #expect(dweller.description == "[invalid object]")
      #expect(dweller == dweller)
      #expect(!dweller.isFrozen)
      try realm.write { realm.delete(dweller) }
    }
  }

  @Test func afterAnotherRealmDeleted() throws {
    let configuration = configuration
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      let dweller = Self.dweller()
      try realm.write { realm.add(dweller) }
      // Never read before the row is gone.
      let unread = Self.dweller()
      unread.home = dweller.home
      try realm.write { realm.add(unread) }
      try onOwnThread {
        let other = try Realm(configuration: configuration)
        try other.write { other.deleteAll() }
      }
      #expect(!dweller.isInvalidated)
      #expect(dweller.age == 36)
      realm.refresh()
      #expect(dweller.isInvalidated)
      #expect(dweller.tag == "tag")
      #expect(dweller.age == 36)
      #expect(dweller.home == nil)
      #expect(unread.isInvalidated)
      #expect(unread.picture.count == 4000)
      #expect(unread.name == dweller.name)
    }
  }

  @Test func fromAnotherThread() throws {
    let configuration = configuration
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      let dweller = Self.dweller()
      try realm.write { realm.add(dweller) }
      let away = Unchecked(dweller)
      try realm.write {
        realm.delete(dweller)
        // Others see what is committed.
        try onOwnThread {
          #expect(away.value.name == "A name that does not fit into a small string")
          #expect(away.value.home?.people == 0)
        }
      }
      try onOwnThread { Self.expectLastValues(away.value) }
    }
  }

  @Test func deletedInATransactionThatIsCancelled() throws {
    let configuration = configuration
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      let dweller = Self.dweller()
      try realm.write { realm.add(dweller) }
      let town = try #require(dweller.home)
      realm.beginWrite()
      realm.delete(town)
      #expect(dweller.home == nil)
      realm.cancelWrite()
      #expect(town.isInvalidated)
      #expect(town.name == "Oslo")
      #expect(dweller.home?.name == "Oslo")
      #expect(realm.object(ofType: Town.self, forPrimaryKey: "Oslo")?.isInvalidated == false)
    }
  }

  @Test func accessorsMadeElsewhereWhileTheRowGoes() throws {
    let configuration = configuration
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      let town = Town()
      town.name = "Oslo"
      town.people = 7
      try realm.write { realm.add(town) }
      let away = Unchecked(realm)
      var found: Unchecked<Town?> = Unchecked(nil)
      try realm.write {
        realm.delete(town)
        found = try onOwnThread { Unchecked(away.value.object(ofType: Town.self, forPrimaryKey: "Oslo")) }
      }
      #expect(found.value?.people == 7)
      #expect(found.value?.isInvalidated == true)
      let late = found
      try onOwnThread { #expect(late.value?.name == "Oslo") }
    }
  }

  @Test func readersRaceWithDeletions() throws {
    let configuration = configuration
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      let away = Unchecked(realm)
      for round in 0..<50 {
        let town = Town()
        town.name = "Town \(round)"
        town.people = round
        try realm.write { realm.add(town) }
        let shared = Unchecked(town)
        let started = DispatchSemaphore(value: 0)
        let reader = JoinedThread {
          started.signal()
          for _ in 0..<200 {
            #expect(shared.value.people == round)
            if let other = away.value.object(ofType: Town.self, forPrimaryKey: "Town \(round)") {
              #expect(other.people == round)
            }
          }
        }
        started.wait()
        try realm.write { realm.delete(town) }
        reader.join()
      }
    }
  }

  @Test func trapsWhenAsked() async {
    await #expect(processExitsWith: .failure) {
      let configuration = try trapping()
      let realm = try Realm(configuration: configuration)
      let town = Town()
      try realm.write { realm.add(town) }
      try realm.write { realm.delete(town) }
      _ = town.name
    }
  }

  /// Whether a value was null is kept with it, for every row of a cluster and every type.
  @Test func nullsOfADeletedObjectStayNull() throws {
    try onOwnThread {
      let realm = try Realm(
        configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Optionals.self]))
      var objects: [Optionals] = []
      try realm.write {
        for id in 0..<600 {
          objects.append(Optionals(id))
          realm.add(objects[id])
        }
      }
      try realm.write {
        for object in objects.shuffled() where object.id % 3 != 0 { realm.delete(object) }
      }
      for (id, object) in objects.enumerated() {
        #expect(object.isInvalidated == (id % 3 != 0))
        #expect(object.all == Optionals(id).all, "object \(id)")
      }
    }
  }
}

private func trapping() throws -> Realm.Configuration {
  var configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Town.self])
  configuration.invalidatedReads = .trap
  return configuration
}
