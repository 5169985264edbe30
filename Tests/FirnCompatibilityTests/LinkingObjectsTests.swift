import Firn
import Foundation
import Testing

final class LinkingPerson: Object {
  @Persisted var name: String
  @Persisted var age: Int
  @Persisted var favourite: LinkingDog?
  @Persisted var dogs: List<LinkingDog>
}

final class LinkingDog: Object {
  @Persisted var name: String
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<LinkingPerson>
  @Persisted(originProperty: "favourite") var fans: LinkingObjects<LinkingPerson>
  @Persisted var friend: LinkingDog?
  @Persisted(originProperty: "friend") var befriended: LinkingObjects<LinkingDog>
}

private final class LinkingWithoutOrigin: Object {
  @Persisted var name: String
  @Persisted var owners: LinkingObjects<LinkingPerson>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class LinkingToNothing: Object {
  @Persisted var name: String
  @Persisted(originProperty: "cats") var owners: LinkingObjects<LinkingPerson>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class LinkingToScalar: Object {
  @Persisted var name: String
  @Persisted(originProperty: "age") var owners: LinkingObjects<LinkingPerson>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class LinkingToOther: Object {
  @Persisted var name: String
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<LinkingPerson>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private let linkingTypes: [ObjectBase.Type] = [LinkingPerson.self, LinkingDog.self]

private func linkingRealm() throws -> Realm { try Realm(configuration: relationsConfiguration(linkingTypes)) }

private func person(_ name: String, _ age: Int, _ dogs: [LinkingDog] = []) -> LinkingPerson {
  let person = LinkingPerson()
  person.name = name
  person.age = age
  person.dogs.append(objectsIn: dogs)
  return person
}

private func names(_ people: some Sequence<LinkingPerson>) -> [String] { people.map(\.name).sorted() }

/// Section 15 of the reference.
@Suite struct LinkingObjectsTests {
  @Test func showsEveryLinkOnce() throws {
    let realm = try linkingRealm()
    let dog = LinkingDog()
    let other = LinkingDog()
    try realm.write {
      realm.add([person("a", 1, [dog, other]), person("b", 2, [dog, dog]), person("c", 3, [other]), person("d", 4)])
    }
    #expect(names(dog.owners) == ["a", "b", "b"], "a list that holds the object twice gives its owner twice")
    #expect(dog.owners.count == 3 && !dog.owners.isEmpty && dog.fans.isEmpty)
    #expect(names(other.owners) == ["a", "c"])
    try realm.write {
      let people = realm.objects(LinkingPerson.self)
      people[2].favourite = dog
      #expect(names(dog.fans) == ["c"], "follows writes inside the transaction")
      people[3].favourite = dog
      people[2].favourite = nil
      people[1].dogs.remove(at: 0)
    }
    #expect(names(dog.fans) == ["d"] && names(dog.owners) == ["a", "b"])
    try realm.write { dog.friend = dog }
    #expect(dog.befriended.first?.isSameObject(as: dog) == true, "a link may lead to the object itself")
    try realm.write { realm.delete(realm.objects(LinkingPerson.self).where { $0.name == "a" }) }
    #expect(names(dog.owners) == ["b"])
  }

  @Test func isEmptyForUnmanagedObjects() {
    let dog = LinkingDog()
    _ = person("a", 1, [dog])
    #expect(dog.owners.count == 0 && dog.owners.isEmpty && dog.owners.first == nil && dog.owners.last == nil)
    #expect(dog.owners.realm == nil && !dog.owners.isInvalidated && !dog.owners.isFrozen)
    #expect(Array(dog.owners).isEmpty && dog.owners.index(of: LinkingPerson()) == nil)
    let legacy = LinkingObjects(fromType: LinkingPerson.self, property: "dogs")
    #expect(legacy.isEmpty)
  }

  @Test func isACollection() throws {
    let realm = try linkingRealm()
    let dog = LinkingDog()
    let stray = person("z", 100)
    try realm.write {
      for index in 0..<40 { realm.add(person("p\(index)", index, [dog])) }
      realm.add(stray)
    }
    let owners = dog.owners
    #expect(owners.count == 40 && owners.realm == realm)
    #expect(owners[7].isSameObject(as: Array(owners)[7]))
    #expect(owners.first?.isSameObject(as: owners[0]) == true && owners.last?.isSameObject(as: owners[39]) == true)
    #expect(owners.index(of: owners[11]) == 11 && owners.index(of: stray) == nil)
    #expect(owners.where { $0.age > 35 }.count == 4)
    #expect(owners.index(matching: { $0.age == 5 }) == owners.index(of: owners.where { $0.age == 5 }[0]))
    #expect(owners.sorted(byKeyPath: "age", ascending: false).first?.age == 39)
    #expect(owners.sorted(by: \.age).map(\.age) == Array(0..<40))
    #expect(owners.where { $0.age < 10 }.sorted(byKeyPath: "age").last?.age == 9)
    #expect((owners.max(ofProperty: "age") as Int?) == 39 && (owners.min(ofProperty: "age") as Int?) == 0)
    #expect((owners.sum(ofProperty: "age") as Int) == 780 && (owners.average(ofProperty: "age") as Double?) == 19.5)
    #expect((owners.value(forKey: "age") as? [Int])?.reduce(0, +) == 780)
    #expect(owners.objects(at: [0, 39]).count == 2)
    #expect(owners[1..<3].count == 2)
    #expect(owners.description.hasPrefix("LinkingObjects<LinkingPerson> <0x"))
    #expect(owners != dog.owners, "each read gives a value of its own")
    let copy = owners
    #expect(owners == copy)
  }

  @Test func keepsElementsWhileIterating() throws {
    let realm = try linkingRealm()
    let dog = LinkingDog()
    try realm.write { for index in 0..<10 { realm.add(person("p\(index)", index, [dog])) } }
    var visited = 0
    try realm.write {
      for owner in dog.owners {
        owner.dogs.removeAll()
        visited += 1
      }
    }
    #expect(visited == 10 && dog.owners.isEmpty)
  }

  @Test func isNoPropertyOfTheSchema() throws {
    let realm = try linkingRealm()
    let schema = realm.schema["LinkingDog"]
    #expect(schema?.properties.map(\.name) == ["name", "friend"])
    let text = schema?.description ?? ""
    #expect(text.contains("type = linking objects;") && text.contains("linkOriginPropertyName = dogs;"))
    #expect(text.contains("objectClassName = LinkingPerson;"))
    // Positional values skip it, and dictionaries that name it are not read there.
    let dog = LinkingDog(value: ["rex"])
    #expect(dog.name == "rex" && !dog.description.contains("owners"))
    try realm.write {
      realm.create(LinkingDog.self, value: ["name": "max", "owners": [1, 2]] as [String: Any])
      realm.add(dog)
    }
    #expect((dog["owners"] as? LinkingObjects<LinkingPerson>)?.count == 0)
    #expect(dog.value(forKey: "fans") is LinkingObjects<LinkingPerson>)
  }

  @Test func freezesAndThaws() throws {
    let realm = try linkingRealm()
    let dog = LinkingDog()
    try realm.write { realm.add(person("a", 1, [dog])) }
    let frozen = dog.owners.freeze()
    let frozenDog = dog.freeze()
    try realm.write { realm.add(person("b", 2, [dog])) }
    #expect(frozen.isFrozen && frozen.count == 1 && frozen[0].name == "a" && frozen[0].isFrozen)
    #expect(frozenDog.owners.count == 1 && frozenDog.owners.isFrozen)
    #expect(frozen.thaw()?.count == 2)
    #expect(dog.owners.thaw()?.count == 2, "a live collection returns itself")
    try realm.write { realm.delete(dog) }
    #expect(frozen.count == 1 && frozen.thaw() == nil)
  }

  @Test func readsFromAnyThread() throws {
    let realm = try linkingRealm()
    let dog = LinkingDog()
    try realm.write { for index in 0..<20 { realm.add(person("p\(index)", index, [dog])) } }
    nonisolated(unsafe) let owners = dog.owners
    nonisolated(unsafe) let shared = dog
    try onOwnThread {
      #expect(owners.count == 20 && owners[3].name == "p3" && Array(owners).count == 20)
      #expect(shared.owners.where { $0.age < 5 }.count == 5)
      #expect(shared.owners.first?.name == "p0")
    }
  }

  @Test func endsWithItsObject() throws {
    let realm = try linkingRealm()
    let dog = LinkingDog()
    try realm.write { realm.add(person("a", 1, [dog])) }
    let owners = dog.owners
    #expect(!owners.isInvalidated)
    try realm.write { realm.delete(dog) }
    #expect(owners.isInvalidated && owners.isEmpty && owners.realm == nil && dog.owners.isEmpty)
  }

  @Test func observersFollowExactly() throws {
    try onOwnThread {
      let realm = try linkingRealm()
      let dog = LinkingDog()
      dog.name = "rex"
      let other = LinkingDog()
      try realm.write { realm.add([person("a", 1, [dog]), person("b", 2, [dog, dog]), person("c", 3, [other])]) }
      let people = realm.objects(LinkingPerson.self)
      let follower = RelationsFollower<LinkingObjects<LinkingPerson>>()
      let token = dog.owners.observe { follower.take($0) }
      let sorted = RelationsFollower<Results<LinkingPerson>>()
      let sortedResults = dog.owners.where { $0.age > 1 }.sorted(byKeyPath: "age", ascending: false)
      let sortedToken = sortedResults.observe { sorted.take($0) }
      realm.refresh()
      #expect(follower.initialCount == 1 && follower.rows.count == 3 && sorted.rows.count == 2)

      try realm.write { people[2].dogs.append(dog) }
      realm.refresh()
      #expect(follower.calls.last == .init([], [3], []), "a new link is an insertion")
      #expect(sorted.agrees(with: sortedResults))
      try realm.write { people[0].age = 10 }
      realm.refresh()
      #expect(follower.calls.last == .init([], [], [0]), "a written object is modified")
      try realm.write { people[1].age = 9 }
      realm.refresh()
      #expect(follower.calls.last == .init([], [], [1, 2]), "once for each link")
      let calls = follower.calls.count
      try realm.write {
        realm.add(person("d", 4, [other]))
        other.name = "max"
      }
      realm.refresh()
      // The object at position 3 also has `other` in its list, so what happened there counts as part of it.
      #expect(follower.calls.count == calls + 1 && follower.calls.last == .init([], [], [3]))
      try realm.write { people[1].dogs.remove(at: 0) }
      realm.refresh()
      #expect(follower.calls.last == .init([2], [], [1]))
      try realm.write { realm.delete(people[0]) }
      realm.refresh()
      #expect(follower.calls.last == .init([0], [], []))
      #expect(follower.agrees(with: dog.owners) && sorted.agrees(with: sortedResults))
      try realm.write { realm.delete(dog) }
      realm.refresh()
      #expect(follower.rows.isEmpty && follower.calls.last == .init([0, 1], [], []))
      let last = follower.calls.count
      try realm.write { people[0].age = 77 }
      realm.refresh()
      #expect(follower.calls.count == last, "nothing follows the deletion")
      token.invalidate()
      sortedToken.invalidate()
    }
  }

  @Test func originsMayBeSetsAndMaps() throws {
    try onOwnThread {
      let realm = try SetsAndMaps.realm()
      let (item, other) = (SetsItem(1), SetsItem(2))
      try realm.write { realm.add([item, other]) }
      let owners = try (0..<2).map { try SetsAndMaps.setOwner(realm, id: $0) }
      let keyed = try (0..<2).map { try SetsAndMaps.mapOwner(realm, id: $0) }
      let sets = RelationsFollower<LinkingObjects<SetsOwner>>()
      let maps = RelationsFollower<LinkingObjects<MapsOwner>>()
      let tokens = [item.sets.observe { sets.take($0) }, item.maps.observe { maps.take($0) }]
      realm.refresh()
      func told(_ change: () -> Void) throws -> [RelationsFollower<LinkingObjects<SetsOwner>>.Call?] {
        let (before, mapsBefore) = (sets.calls.count, maps.calls.count)
        try realm.write { change() }
        realm.refresh()
        #expect(sets.agrees(with: item.sets) && maps.agrees(with: item.maps))
        let map = maps.calls.count > mapsBefore ? maps.calls.last : nil
        return [
          sets.calls.count > before ? sets.calls.last : nil,
          map.map { .init($0.deletions, $0.insertions, $0.modifications) },
        ]
      }
      #expect(
        try told {
          owners[1].items.insert(item)
          owners[1].items.insert(item)
        } == [.init([], [0], []), nil], "a set holds it once")
      #expect(
        try told {
          keyed[0].items["a"] = item
          keyed[0].items["b"] = item
          keyed[1].items["a"] = other
        } == [nil, .init([], [0, 1], [])], "a map for each of its keys")
      #expect(item.maps.map(\.id) == [0, 0] && item.sets.map(\.id) == [1])
      #expect(try told { owners[0].items.formUnion(owners[1].items) } == [.init([], [0], []), nil])
      #expect(try told { keyed[1].items["a"] = item } == [nil, .init([], [2], [])])
      #expect(try told { keyed[0].items["b"] = other } == [nil, .init([1], [], [0])])
      #expect(
        try told { owners[1].items.subtract(owners[0].items) } == [.init([1], [], []), nil], "set operations count")
      #expect(try told { keyed[0].items.removeAll() } == [nil, .init([0], [], [])])
      #expect(try told { realm.delete(owners[0]) } == [.init([0], [], []), nil])
      #expect(try told { realm.delete(item) } == [nil, .init([0], [], [])], "nothing links to what is gone")
      for token in tokens { token.invalidate() }
    }
  }

  @Test func observersHearOfTheKeyPathsTheyName() throws {
    try onOwnThread {
      let realm = try linkingRealm()
      let dog = LinkingDog()
      try realm.write { realm.add(person("a", 1, [dog])) }
      let byName = RelationsFollower<LinkingObjects<LinkingPerson>>()
      let byPath = RelationsFollower<LinkingObjects<LinkingPerson>>()
      let tokens = [
        dog.owners.observe(keyPaths: ["name"]) { byName.take($0) },
        dog.owners.observe(keyPaths: [\.age]) { byPath.take($0) },
      ]
      realm.refresh()
      try realm.write { realm.objects(LinkingPerson.self)[0].age = 2 }
      realm.refresh()
      #expect(byName.calls.isEmpty && byPath.calls.count == 1)
      try realm.write { realm.add(person("b", 1, [dog])) }
      realm.refresh()
      #expect(byName.calls.count == 1 && byPath.calls.count == 2, "membership counts always")
      for token in tokens { token.invalidate() }
    }
  }

  @Test func keyPathsMayLeadToAndThroughBacklinks() throws {
    try onOwnThread {
      let realm = try linkingRealm()
      let (dog, friend) = (LinkingDog(), LinkingDog())
      dog.friend = friend
      let owner = person("a", 1, [dog])
      try realm.write { realm.add([owner, person("b", 2)]) }
      let other = realm.objects(LinkingPerson.self)[1]
      var calls: [String] = []
      func observe(_ dog: LinkingDog, _ keyPaths: [String], _ mark: String) -> NotificationToken {
        dog.observe(keyPaths: keyPaths) { (change: ObjectChange<LinkingDog>) in
          guard case .change(_, let properties) = change else { return }
          calls.append(mark + ":" + properties.map(\.name).joined(separator: ","))
        }
      }
      let members = RelationsFollower<Results<LinkingDog>>()
      let tokens = [
        observe(dog, [], "all"), observe(dog, ["owners"], "owners"), observe(dog, ["owners.age"], "age"),
        observe(dog, ["name", "fans"], "fans"), observe(friend, ["befriended.owners.name"], "deep"),
        realm.objects(LinkingDog.self).observe(keyPaths: ["owners.age"]) { members.take($0) },
        dog.observe(keyPaths: [\LinkingDog.owners]) { (change: ObjectChange<LinkingDog>) in
          if case .change(_, let properties) = change { calls.append("typed:" + properties[0].name) }
        },
      ]
      realm.refresh()
      func told(_ write: () -> Void) throws -> Set<String> {
        calls = []
        try realm.write { write() }
        realm.refresh()
        return Set(calls)
      }
      // Found in the order of rows: the dog first, then its friend.
      let place = realm.objects(LinkingDog.self).index(of: dog)
      #expect(try told { owner.age = 2 } == ["age:owners"], "a property behind a backlink")
      #expect(members.calls.last == .init([], [], [place ?? -1]))
      #expect(try told { owner.name = "c" } == ["deep:befriended"])
      #expect(
        try told { other.dogs.append(dog) } == ["owners:owners", "age:owners", "deep:befriended", "typed:owners"],
        "a new link")
      #expect(members.calls.last == .init([], [], [place ?? -1]))
      #expect(
        try told {
          dog.name = "x"
          other.favourite = dog
        } == ["all:name", "fans:name,fans"], "backlinks come last, and only when they are named")
      #expect(
        try told { realm.delete(other) }
          == ["owners:owners", "age:owners", "deep:befriended", "fans:fans", "typed:owners"])
      for token in tokens { token.invalidate() }
    }
  }

  @Test func observersFollowRandomWrites() throws {
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    print("observers of linking objects: seed \(seed)")
    try onOwnThread {
      var random = RelationsRandom(seed)
      let realm = try linkingRealm()
      let dog = LinkingDog()
      let other = LinkingDog()
      try realm.write { realm.add([dog, other]) }
      let lists = RelationsFollower<LinkingObjects<LinkingPerson>>()
      let links = RelationsFollower<LinkingObjects<LinkingPerson>>()
      let tokens = [dog.owners.observe { lists.take($0) }, dog.fans.observe { links.take($0) }]
      let people = realm.objects(LinkingPerson.self)
      for step in 0..<300 {
        try realm.write {
          for _ in 0..<random.below(4) {
            let someone = people.isEmpty ? nil : people[random.below(people.count)]
            switch random.below(8) {
            case 0, 1: realm.add(person("p\(step)", step, random.below(2) == 0 ? [dog] : []))
            case 2: if let someone { realm.delete(someone) }
            case 3: someone?.favourite = [dog, other, nil][random.below(3)]
            case 4: someone?.dogs.append(random.below(3) == 0 ? other : dog)
            case 5: if let someone, !someone.dogs.isEmpty { someone.dogs.remove(at: random.below(someone.dogs.count)) }
            case 6: someone?.dogs.removeAll()
            default: someone?.age += 1
            }
          }
        }
        // Some commits are delivered together.
        if random.below(3) > 0 { realm.refresh() }
        if step % 10 == 9 {
          realm.refresh()
          #expect(lists.agrees(with: dog.owners) && links.agrees(with: dog.fans), "seed \(seed), step \(step)")
          let expected = people.flatMap { person in
            person.dogs.filter { $0.isSameObject(as: dog) }.map { _ in person }
          }
          #expect(names(dog.owners) == names(expected), "seed \(seed), step \(step)")
        }
      }
      for token in tokens { token.invalidate() }
    }
  }

  @Test func schemaErrorsNameBothProperties() {
    #expect(
      openingFails(
        linkingTypes + [LinkingWithoutOrigin.self],
        naming: ["LinkingWithoutOrigin.owners", "must set the origin property name"]))
    #expect(
      openingFails(
        linkingTypes + [LinkingToNothing.self],
        naming: ["'LinkingPerson.cats'", "'LinkingToNothing.owners'", "does not exist"]))
    #expect(
      openingFails(
        linkingTypes + [LinkingToScalar.self],
        naming: ["'LinkingPerson.age'", "'LinkingToScalar.owners'", "is not a link"]))
    #expect(
      openingFails(
        linkingTypes + [LinkingToOther.self],
        naming: ["'LinkingPerson.dogs'", "'LinkingToOther.owners'", "links to type 'LinkingDog'"]))
  }

  @Test func assigningTraps() async {
    let unmanaged = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let dog = LinkingDog()
      dog.owners = LinkingObjects(fromType: LinkingPerson.self, property: "dogs")
    }
    #expect(trapSaid("read-only", unmanaged))
    let managed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try linkingRealm()
      let dog = LinkingDog()
      try realm.write {
        realm.add(dog)
        dog.owners = dog.fans
      }
    }
    #expect(trapSaid("read-only", managed))
    let byName = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      LinkingDog().setValue([LinkingPerson](), forKey: "owners")
    }
    #expect(trapSaid("read-only", byName))
    let beyond = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = LinkingDog().owners[0]
    }
    #expect(trapSaid("out of bounds", beyond))
  }
}

/// SplitMix64.
struct RelationsRandom {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z &>> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z &>> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((z ^ (z &>> 31)) % UInt64(bound))
  }
}
