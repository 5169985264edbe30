import Firn
import Foundation
import Testing

final class EarlyStreet: EmbeddedObject {
  @Persisted var name: String

  convenience init(unused: Int) { self.init() }
  init(name: String) {
    self.name = name
    super.init()
  }
  required init() { super.init() }
}

class EarlyPerson: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var nickname: String?
  @Persisted var age = 30
  @Persisted var tags: List<String>
  @Persisted var scores = Map<String, Int>()
  @Persisted var friend: EarlyPerson?
  @Persisted var street: EarlyStreet?
  @Persisted var anything: AnyRealmValue
  @Persisted var born: Date

  init(name: String, age: Int?, tags: List<String>, friend: EarlyPerson? = nil) {
    self.name = name
    nickname = name.isEmpty ? nil : String(name.prefix(1))
    if let age { self.age = age }
    self.tags = tags
    self.friend = friend
    street = EarlyStreet(name: "Main")
    anything = .int(5)
    born = Date(timeIntervalSince1970: 0)
    super.init()
    id = 1
  }

  init(checking name: String) throws {
    self.name = name
    if name.isEmpty { throw CancellationError() }
    super.init()
  }

  init?(maybe name: String) {
    self.name = name
    if name.isEmpty { return nil }
    super.init()
  }

  required init() { super.init() }
}

final class EarlyPilot: EarlyPerson {
  @Persisted var rank: String
  @Persisted var hours: Int

  init(rank: String) {
    self.rank = rank
    hours = 100
    super.init(name: "Amelia", age: 39, tags: List<String>())
  }

  required init() {
    rank = "first officer"
    super.init()
  }
}

/// A field of its own, which the initialiser sets, so that accessors are made by it.
final class EarlyNamed: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  let label: String

  init(name: String) {
    self.name = name
    label = "label of \(name)"
    super.init()
  }

  required init() {
    name = "nobody"
    label = "read"
    super.init()
  }
}

@Suite struct EarlyAssignmentTests {
  private let configuration = Realm.Configuration(
    inMemoryIdentifier: UUID().uuidString,
    objectTypes: [EarlyPerson.self, EarlyPilot.self, EarlyNamed.self, EarlyStreet.self])

  private func tags(_ values: String...) -> List<String> {
    let list = List<String>()
    list.append(objectsIn: values)
    return list
  }

  private func check(_ person: EarlyPerson) {
    #expect(person.name == "Ada" && person.nickname == "A" && person.age == 36 && person.id == 1)
    #expect(Array(person.tags) == ["a", "b"] && person.scores.isEmpty && person.street?.name == "Main")
    #expect(person.anything == .int(5) && person.born == Date(timeIntervalSince1970: 0))
  }

  @Test func propertiesAreAssignedBeforeTheSuperclassIsInitialised() throws {
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      let friend = EarlyPerson(name: "", age: nil, tags: tags())
      friend.id = 2
      #expect(friend.age == 30 && friend.nickname == nil && friend.name == "")
      let person = EarlyPerson(name: "Ada", age: 36, tags: tags("a", "b"), friend: friend)
      check(person)
      #expect(person.friend === friend)
      try realm.write { realm.add(person) }
      check(person)
      let accessor = try #require(realm.object(ofType: EarlyPerson.self, forPrimaryKey: 1))
      check(accessor)
      #expect(accessor !== person && accessor.friend?.age == 30 && accessor.friend?.nickname == nil)
      // Links to what is managed already.
      let third = EarlyPerson(name: "Eve", age: 1, tags: tags(), friend: accessor)
      third.id = 3
      try realm.write { realm.add(third) }
      #expect(third.friend?.name == "Ada" && realm.objects(EarlyPerson.self).count == 3)
      check(accessor.freeze())
    }
  }

  @Test func collectionsAreCopiedAsByLaterAssignments() throws {
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      let list = tags("x")
      let first = EarlyPerson(name: "One", age: 1, tags: list)
      let second = EarlyPerson(name: "Two", age: 2, tags: list)
      second.id = 2
      list.append("later")
      second.tags.append("y")
      #expect(Array(first.tags) == ["x"] && Array(second.tags) == ["x", "y"])
      try realm.write {
        realm.add([first, second])
        let third = EarlyPerson(name: "Three", age: 3, tags: first.tags)
        third.id = 3
        realm.add(third)
        first.tags.append("z")
        #expect(Array(third.tags) == ["x"] && Array(first.tags) == ["x", "z"] && Array(second.tags) == ["x", "y"])
      }
    }
  }

  @Test func subclassesAssignTheirOwn() throws {
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      let pilot = EarlyPilot(rank: "captain")
      #expect(pilot.rank == "captain" && pilot.hours == 100 && pilot.name == "Amelia" && pilot.age == 39)
      #expect(EarlyPilot().rank == "first officer" && EarlyPilot().hours == 0)
      try realm.write {
        realm.add(pilot)
        #expect(realm.create(EarlyPilot.self, value: ["id": 2]).rank == "first officer")
      }
      let ranks = realm.objects(EarlyPilot.self).sorted(by: \.id).map(\.rank)
      #expect(Array(ranks) == ["captain", "first officer"])
    }
  }

  @Test func initialisersMayFailAfterAnAssignment() throws {
    #expect(throws: CancellationError.self) { _ = try EarlyPerson(checking: "") }
    #expect(try EarlyPerson(checking: "Ada").name == "Ada")
    #expect(EarlyPerson(maybe: "") == nil)
    #expect(EarlyPerson(maybe: "Ada")?.name == "Ada")
  }

  @Test func aClassWithAFieldOfItsOwnReadsWhatIsStored() throws {
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(EarlyNamed(name: "Ada")) }
      let accessor = try #require(realm.object(ofType: EarlyNamed.self, forPrimaryKey: 0))
      #expect(accessor.name == "Ada" && accessor.label == "read")
      #expect(EarlyNamed().name == "nobody")
    }
  }
}
