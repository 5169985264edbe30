import Firn
import Foundation
import Testing

final class EmbAddress: EmbeddedObject {
  @Persisted var street: String
  @Persisted var number: Int?
  @Persisted var place: EmbPlace?
  @Persisted var notes: List<EmbNote>
  @Persisted(originProperty: "home") var residents: LinkingObjects<EmbPerson>
}

final class EmbNote: EmbeddedObject {
  @Persisted var text: String

  convenience init(_ text: String) {
    self.init()
    self.text = text
  }
}

final class EmbPlace: Object {
  @Persisted(primaryKey: true) var name: String
}

final class EmbPerson: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var home: EmbAddress?
  @Persisted var previous: List<EmbAddress>
}

final class EmbDirectory: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var entries: Map<String, EmbNote?>

  /// The entries in the order of their keys.
  var text: String {
    entries.keys.sorted().map { "\($0)=\(note($0)?.text ?? "-")" }.joined(separator: ",")
  }

  func note(_ key: String) -> EmbNote? { entries[key] ?? nil }
}

private final class EmbSet: Object {
  @Persisted var notes: MutableSet<EmbNote>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class EmbKeyed: EmbeddedObject {
  @Persisted(primaryKey: true) var id: Int

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class EmbLoop: EmbeddedObject {
  @Persisted var others: List<EmbLoop>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class EmbLoopA: EmbeddedObject {
  @Persisted var b: EmbLoopB?

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class EmbLoopB: EmbeddedObject {
  @Persisted var a: EmbLoopA?

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// An embedded class that links to its owner is no cycle of embedded classes.
private final class EmbBack: EmbeddedObject {
  @Persisted var owner: EmbBackOwner?

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class EmbBackOwner: Object {
  @Persisted var back: EmbBack?

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private let embTypes: [ObjectBase.Type] = [
  EmbAddress.self, EmbNote.self, EmbPlace.self, EmbPerson.self, EmbDirectory.self,
]

private func embRealm() throws -> Realm { try Realm(configuration: relationsConfiguration(embTypes)) }

private func address(_ street: String, _ notes: [String] = []) -> EmbAddress {
  let address = EmbAddress()
  address.street = street
  address.notes.append(objectsIn: notes.map { EmbNote($0) })
  return address
}

private func resident(_ id: Int, _ home: EmbAddress? = nil, _ previous: [EmbAddress] = []) -> EmbPerson {
  let person = EmbPerson()
  person.id = id
  person.home = home
  person.previous.append(objectsIn: previous)
  return person
}

/// What a person holds, as text.
private func text(_ person: EmbPerson) -> String {
  func text(_ address: EmbAddress) -> String {
    address.street + address.notes.map { "+" + $0.text }.joined()
  }
  return (person.home.map(text) ?? "-") + "|" + person.previous.map(text).joined(separator: ",")
}

/// The number of notes that exist, reached through no query on their class: their owners are all there is.
private func noteCount(_ realm: Realm) -> Int {
  realm.objects(EmbPerson.self).reduce(0) { count, person in
    count + (person.home?.notes.count ?? 0) + person.previous.reduce(0) { $0 + $1.notes.count }
  }
}

/// Section 5 of the reference, with the parts of 3 and 6 that concern embedded objects.
@Suite struct EmbeddedObjectTests {
  @Test func unmanagedOnesAreOrdinaryObjects() {
    let home = EmbAddress(value: ["street": "A", "number": 7, "notes": [["x"], ["text": "y"]]] as [String: Any])
    #expect(home.street == "A" && home.number == 7 && home.notes.map(\.text) == ["x", "y"] && home.place == nil)
    #expect(home.realm == nil && !home.isInvalidated && !home.isFrozen && home.residents.isEmpty)
    // Unmanaged owners may share one.
    let (one, two) = (resident(1, home), resident(2, home))
    #expect(one.home === two.home)
    #expect(home == home && home != address("A") && home.isSameObject(as: home) && !home.isSameObject(as: nil))
    #expect(EmbAddress.isEmbedded() && !EmbPerson.isEmbedded())
    #expect(home.description.hasPrefix("EmbAddress {\n\tstreet = A;\n\tnumber = 7;\n\tplace = (null);"))
  }

  @Test func becomeManagedWithTheirOwner() throws {
    let realm = try embRealm()
    let home = address("A", ["n"])
    let note = home.notes[0]
    let person = resident(1, home, [address("B"), address("C")])
    let notes = home.notes
    try realm.write { realm.add(person) }
    #expect(home.realm == realm && note.realm == realm && home.notes === notes, "the instances become managed")
    #expect(text(person) == "A+n|B,C")
    try realm.write {
      let later = address("D")
      person.home = later
      #expect(later.realm == realm && later.street == "D")
      person.previous.append(address("E", ["m"]))
      person.previous.insert(address("F"), at: 0)
    }
    #expect(text(person) == "D|F,B,C,E+m")
    #expect(realm.schema["EmbAddress"]?.isEmbedded == true && realm.schema["EmbPerson"]?.isEmbedded == false)
    #expect(realm.schema["EmbAddress"]?.description.hasPrefix("EmbAddress (embedded) {") == true)
  }

  @Test func linksToOrdinaryObjectsAndToTheOwner() throws {
    let realm = try embRealm()
    let home = address("A")
    home.place = EmbPlace(value: ["Rome"])
    let person = resident(1, home)
    try realm.write { realm.add(person) }
    #expect(realm.objects(EmbPlace.self).count == 1)
    #expect(home.residents.count == 1 && home.residents.first?.isSameObject(as: person) == true)
    try realm.write { person.home = nil }
    #expect(realm.objects(EmbPlace.self).count == 1, "ordinary objects stay")
  }

  @Test func goWhenTheirPlaceGoes() throws {
    let realm = try embRealm()
    let person = resident(1, address("A", ["1", "2"]), (0..<8).map { address("p\($0)", ["n"]) })
    try realm.write { realm.add(person) }
    let old = try #require(person.home)
    let oldNote = old.notes[0]
    let previous = Array(person.previous)
    #expect(noteCount(realm) == 10)
    try realm.write {
      person.home = address("B")
      #expect(old.isInvalidated && oldNote.isInvalidated, "replacing deletes at once, with what is embedded in it")
      #expect(old.street == "A" && oldNote.text == "1", "the last values stay readable")
      person.previous.remove(at: 0)
      person.previous.removeLast()
      person.previous.replace(index: 0, object: address("q"))
      person.previous[1] = address("r")
      person.previous.removeSubrange(2..<4)
    }
    #expect(previous.map(\.isInvalidated) == [true, true, true, true, true, false, false, true])
    #expect(text(person) == "B|q,r,p5+n,p6+n")
    #expect(old.realm == nil && "\(old)" == "[invalid object]" && old != person.home)
    try realm.write {
      person.previous.move(from: 0, to: 3)
      person.previous.swapAt(0, 1)
    }
    #expect(text(person) == "B|p5+n,r,p6+n,q" && !previous[5].isInvalidated, "moving keeps them")
    let kept = previous[5]
    try realm.write { person.previous.removeAll() }
    #expect(kept.isInvalidated && person.previous.isEmpty)
    let home = try #require(person.home)
    try realm.write { realm.delete(person) }
    #expect(home.isInvalidated)
  }

  @Test func canBeDeletedThemselves() throws {
    let realm = try embRealm()
    let person = resident(1, address("A"), [address("B", ["n"]), address("C"), address("D")])
    try realm.write { realm.add(person) }
    try realm.write {
      realm.delete(try #require(person.home))
      realm.delete(person.previous[0])
    }
    #expect(text(person) == "-|C,D")
    try realm.write { realm.delete(person.previous.where { $0.street == "D" }) }
    #expect(text(person) == "-|C")
    try realm.write { realm.delete(person.previous) }
    #expect(text(person) == "-|")
    try realm.write {
      person.home = address("E")
      realm.deleteAll()
    }
    #expect(realm.isEmpty)
  }

  @Test func cancellingBringsThemBack() throws {
    let realm = try embRealm()
    let person = resident(1, address("A", ["n"]), [address("B")])
    try realm.write { realm.add(person) }
    realm.beginWrite()
    person.home = nil
    person.previous.removeAll()
    let added = address("C")
    person.home = added
    realm.cancelWrite()
    #expect(text(person) == "A+n|B" && added.isInvalidated)
    // Accessors that saw the deletion keep to it; new ones see the row.
    #expect(person.home?.isInvalidated == false)
  }

  @Test func theSamePlaceMayBeAssignedAgain() throws {
    let realm = try embRealm()
    let person = resident(1, address("A"), [address("B"), address("C")])
    try realm.write { realm.add(person) }
    let (home, first) = (try #require(person.home), person.previous[0])
    try realm.write {
      person.home = home
      person.home = person.home
      person.previous[0] = first
      person.previous = person.previous
      person["home"] = home
    }
    #expect(!home.isInvalidated && !first.isInvalidated && text(person) == "A|B,C")
  }

  @Test func createMakesCopies() throws {
    let realm = try embRealm()
    let home = address("A", ["n"])
    try realm.write {
      let one = realm.create(EmbPerson.self, value: [1, home, [home, ["street": "B"], ["C", 3]]] as [Any])
      #expect(text(one) == "A+n|A+n,B,C" && one.previous[2].number == 3)
      #expect(home.realm == nil, "the object passed stays unmanaged")
      // A managed one is copied too, each time.
      let two = realm.create(
        EmbPerson.self, value: ["id": 2, "home": one.home as Any, "previous": one.previous] as [String: Any])
      #expect(text(two) == "A+n|A+n,B,C" && text(one) == "A+n|A+n,B,C")
      #expect(two.home?.isSameObject(as: one.home) == false)
      let three = realm.create(EmbPerson.self, value: EmbPerson(value: ["id": 3, "home": home] as [String: Any]))
      #expect(text(three) == "A+n|")
    }
    let other = try embRealm()
    try other.write {
      let original = try #require(realm.object(ofType: EmbPerson.self, forPrimaryKey: 1))
      let copy = other.create(EmbPerson.self, value: original)
      #expect(text(copy) == "A+n|A+n,B,C")
    }
  }

  @Test func updatingAllReplacesThem() throws {
    let realm = try embRealm()
    try realm.write { realm.add(resident(1, address("A", ["n"]), [address("B"), address("C")])) }
    let person = try #require(realm.object(ofType: EmbPerson.self, forPrimaryKey: 1))
    let (home, first) = (try #require(person.home), person.previous[0])
    try realm.write {
      realm.create(
        EmbPerson.self, value: ["id": 1, "home": ["street": "X"], "previous": [["street": "Y"]]] as [String: Any],
        update: .all)
    }
    #expect(home.isInvalidated && first.isInvalidated && text(person) == "X|Y", "nothing of the old one is kept")
    let given = address("Z", ["m"])
    let oldHome = try #require(person.home)
    try realm.write { realm.add(resident(1, given, [address("W")]), update: .all) }
    #expect(oldHome.isInvalidated && given.realm == realm && person.home?.isSameObject(as: given) == true)
    #expect(text(person) == "Z+m|W")
    try realm.write { realm.create(EmbPerson.self, value: ["id": 1, "home": NSNull()] as [String: Any], update: .all) }
    #expect(given.isInvalidated && text(person) == "-|W")
  }

  @Test func updatingModifiedChangesThemInPlace() throws {
    let realm = try embRealm()
    try realm.write { realm.add(resident(1, address("A", ["n", "o"]), [address("B"), address("C"), address("D")])) }
    let person = try #require(realm.object(ofType: EmbPerson.self, forPrimaryKey: 1))
    let (home, previous) = (try #require(person.home), Array(person.previous))
    let note = home.notes[0]
    try realm.write {
      realm.create(
        EmbPerson.self,
        value: [
          "id": 1, "home": ["number": 5, "notes": [["p"]]], "previous": [["street": "B2"], ["number": 1]],
        ] as [String: Any], update: .modified)
    }
    #expect(!home.isInvalidated && home.number == 5 && home.street == "A" && !note.isInvalidated && note.text == "p")
    #expect(text(person) == "A+p|B2,C" && previous.map(\.isInvalidated) == [false, false, true])
    let given = resident(1, address("E", ["q", "r"]), [address("F"), address("G"), address("H", ["s"])])
    let givenHome = try #require(given.home)
    try realm.write { realm.add(given, update: .modified) }
    #expect(text(person) == "E+q+r|F,G,H+s" && !home.isInvalidated && !previous[0].isInvalidated)
    #expect(givenHome.isSameObject(as: home), "the instance given becomes an accessor of the object that is there")
    try realm.write {
      let own: [String: Any] = ["id": 1, "home": home, "previous": person.previous]
      realm.create(EmbPerson.self, value: own, update: .modified)
    }
    #expect(text(person) == "E+q+r|F,G,H+s" && !home.isInvalidated, "its own content changes nothing")
    try realm.write {
      let nothing: [String: Any] = ["id": 1, "home": NSNull(), "previous": [Any]()]
      realm.create(EmbPerson.self, value: nothing, update: .modified)
    }
    #expect(home.isInvalidated && text(person) == "-|")
    try realm.write {
      realm.create(EmbPerson.self, value: ["id": 1, "home": ["I"]] as [String: Any], update: .modified)
    }
    #expect(text(person) == "I|", "one that is missing is made")
  }

  @Test func mapsOwnThemToo() throws {
    let realm = try embRealm()
    let directory = EmbDirectory()
    directory.entries["a"] = EmbNote("1")
    directory.entries["b"] = EmbNote("2")
    directory.entries["c"] = EmbNote("3")
    try realm.write { realm.add(directory) }
    let (a, b, c) = (try #require(directory.note("a")), try #require(directory.note("b")), directory.note("c"))
    try realm.write {
      directory.entries["a"] = EmbNote("4")
      directory.entries["b"] = b
      directory.entries.removeObject(for: "c")
    }
    #expect(a.isInvalidated && !b.isInvalidated && c?.isInvalidated == true && directory.text == "a=4,b=2")
    try realm.write { realm.delete(try #require(directory.note("a"))) }
    #expect(directory.text == "a=-,b=2", "the key stays without a value")
    try realm.write {
      let value: [String: Any] = ["id": 0, "entries": ["b": ["5"], "d": ["6"]]]
      realm.create(EmbDirectory.self, value: value, update: .modified)
    }
    #expect(directory.text == "b=5,d=6" && !b.isInvalidated)
    let given = EmbDirectory()
    given.entries["b"] = EmbNote("7")
    given.entries["e"] = EmbNote("8")
    try realm.write { realm.add(given, update: .modified) }
    #expect(directory.text == "b=7,e=8" && !b.isInvalidated)
    try realm.write {
      realm.create(EmbDirectory.self, value: ["id": 0, "entries": ["b": ["9"]]] as [String: Any], update: .all)
    }
    #expect(directory.text == "b=9" && b.isInvalidated)
    let last = try #require(directory.note("b"))
    try realm.write { realm.delete(directory.entries) }
    #expect(last.isInvalidated && directory.text == "b=-", "deleting the objects of a map leaves its keys")
    try realm.write { directory.entries["b"] = EmbNote("10") }
    let owned = try #require(directory.note("b"))
    try realm.write { realm.delete(directory) }
    #expect(owned.isInvalidated)
  }

  @Test func modifiedReportsWhatDiffers() throws {
    try onOwnThread {
      let realm = try embRealm()
      try realm.write { realm.add(resident(1, address("A"))) }
      let person = try #require(realm.object(ofType: EmbPerson.self, forPrimaryKey: 1))
      let home = try #require(person.home)
      var changed: [String] = []
      let token = home.observe { (change: ObjectChange<EmbAddress>) in
        switch change {
        case .change(_, let properties): changed += properties.map(\.name)
        case .deleted: changed.append("deleted")
        case .error: break
        }
      }
      try realm.write {
        realm.create(
          EmbPerson.self, value: ["id": 1, "home": ["street": "A", "number": 2]] as [String: Any], update: .modified)
      }
      realm.refresh()
      #expect(changed == ["number"])
      try realm.write { realm.delete(person) }
      realm.refresh()
      #expect(changed == ["number", "deleted"], "deletion with the owner is told")
      token.invalidate()
    }
  }

  @Test func queriesGoThroughThem() throws {
    let realm = try embRealm()
    try realm.write { for id in 0..<10 { realm.add(resident(id, address("s\(id % 3)"), [address("p\(id)")])) } }
    let people = realm.objects(EmbPerson.self)
    #expect(people.where { $0.home.street == "s1" }.count == 3)
    #expect(people.sorted(byKeyPath: "home.street").first?.home?.street == "s0")
    #expect(people[4].previous.where { $0.street == "p4" }.count == 1)
    #expect(people[4].previous.index(of: people[4].previous[0]) == 0)
  }

  @Test func equalityAndFreezing() throws {
    let realm = try embRealm()
    let person = resident(1, address("A", ["n"]))
    try realm.write { realm.add(person) }
    let other = try #require(realm.object(ofType: EmbPerson.self, forPrimaryKey: 1)?.home)
    let home = try #require(person.home)
    #expect(home.isSameObject(as: other) && home == home)
    let frozen = home.freeze()
    #expect(frozen == home.freeze() && frozen.isFrozen && frozen.notes[0].isFrozen)
    try realm.write { person.home?.street = "B" }
    #expect(frozen.street == "A" && frozen.thaw()?.street == "B")
    #expect(try Frozen(person).home?.street == "B")
    try realm.write { person.home = nil }
    #expect(frozen.street == "A" && frozen.thaw() == nil)
  }

  @Test func liveInFiles() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("emb-\(UUID().uuidString).firn")
    let configuration = Realm.Configuration(fileURL: url, objectTypes: embTypes)
    defer { _ = try? Realm.deleteFiles(for: configuration) }
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      let person = resident(1, address("A", ["n"]), [address("B"), address("C")])
      try realm.write { realm.add(person) }
      try realm.write {
        person.home = address("D", ["m"])
        person.previous.move(from: 0, to: 1)
        person.previous.remove(at: 0)
      }
    }
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      let person = try #require(realm.object(ofType: EmbPerson.self, forPrimaryKey: 1))
      #expect(text(person) == "D+m|B")
      try realm.write { realm.delete(person) }
      #expect(realm.isEmpty)
    }
  }

  @Test func schemaErrors() throws {
    #expect(openingFails([EmbKeyed.self], naming: ["'EmbKeyed'", "primary key 'id'"]))
    #expect(openingFails([EmbSet.self, EmbNote.self], naming: ["'EmbSet.notes'", "'EmbNote'", "list or a map"]))
    #expect(openingFails([EmbLoop.self], naming: ["Cycles containing embedded objects", "'EmbLoop.others'"]))
    #expect(openingFails([EmbLoopA.self, EmbLoopB.self], naming: ["Cycles containing embedded objects"]))
    #expect(openingFails([EmbPerson.self, EmbPlace.self], naming: ["EmbAddress", "objectTypes"]))
    let realm = try Realm(configuration: relationsConfiguration([EmbBack.self, EmbBackOwner.self]))
    try realm.write {
      let owner = EmbBackOwner()
      realm.add(owner)
      owner.back = EmbBack()
      owner.back?.owner = owner
      realm.delete(owner)
    }
    #expect(realm.isEmpty)
  }

  @Test func aSecondOwnerTraps() async {
    let link = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try embRealm()
      let (one, two) = (resident(1, address("A")), resident(2))
      try realm.write {
        realm.add([one, two])
        two.home = one.home
      }
    }
    #expect(trapSaid("existing managed embedded object", link) && trapSaid("EmbAddress", link))
    let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try embRealm()
      let person = resident(1, address("A"))
      try realm.write {
        realm.add(person)
        if let home = person.home { person.previous.append(home) }
      }
    }
    #expect(trapSaid("existing managed embedded object", list))
    let shared = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try embRealm()
      let home = address("A")
      try realm.write { realm.add([resident(1, home), resident(2, home)]) }
    }
    #expect(trapSaid("existing managed embedded object", shared))
    let element = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try embRealm()
      let person = resident(1, nil, [address("A"), address("B")])
      try realm.write {
        realm.add(person)
        person.previous[0] = person.previous[1]
      }
    }
    #expect(trapSaid("existing managed embedded object", element))
  }

  @Test func freezingAnUnmanagedOneTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = EmbAddress().freeze()
    }
    #expect(trapSaid("Unmanaged objects cannot be frozen", result))
    #expect(EmbAddress().thaw() == nil)
  }
}
