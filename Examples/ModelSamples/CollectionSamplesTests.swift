import Firn
import Foundation
import Testing

/// Calls of collections, with every label and default.
@Suite struct CollectionSamplesTests {
  private func makeRealm() throws -> Realm {
    try Realm(configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString))
  }

  @Test func lists() throws {
    let realm = try makeRealm()
    let person = Person(firstName: "Ada", age: 36)
    try realm.write {
      realm.add(person)
      let dogs = person.dogs
      dogs.append(Dog(value: ["name": "Rex", "weight": 3]))
      dogs.append(objectsIn: [Dog(value: ["name": "Bo"]), Dog(value: ["name": "Cleo"])])
      dogs.insert(Dog(value: ["name": "Ash"]), at: 0)
      dogs.insert(contentsOf: [dogs[1], dogs[2]], at: 1)
      #expect(dogs.map(\.name) == ["Ash", "Rex", "Bo", "Rex", "Bo", "Cleo"])
      dogs.remove(at: 1)
      dogs.removeFirst()
      dogs.removeLast()
      dogs.removeSubrange(0..<1)
      dogs.removeSubrange(...0)
      dogs.replaceSubrange(0..., with: [dogs[0], dogs[0]])
      dogs.replace(index: 0, object: Dog(value: ["name": "Dot", "weight": 1.5]))
      dogs.move(from: 0, to: 1)
      dogs.swapAt(0, 1)
      dogs[1] = Dog(value: ["name": "Eli", "weight": 2])
      dogs.move(fromOffsets: IndexSet([0]), toOffset: 2)
      #expect(dogs.map(\.name) == ["Eli", "Dot"] && dogs.count == 2 && !dogs.isEmpty)
      person.dogs.sort { $0.name < $1.name }
      person.dogs = dogs
    }
    let dogs = person.dogs
    #expect(dogs.first?.name == "Dot" && dogs.last?.name == "Eli" && dogs[0...1].count == 2)
    #expect(dogs.index(of: dogs[1]) == 1 && dogs.contains(dogs[0]) && dogs.index(matching: { $0.name == "Eli" }) == 1)
    #expect(dogs.where { $0.weight > 1.5 }.count == 1)
    #expect(dogs.sorted(by: \.name, ascending: false).first?.name == "Eli")
    #expect(dogs.sorted(byKeyPath: "weight").first?.name == "Dot")
    #expect(dogs.sum(of: \.weight) == 3.5 && dogs.min(of: \.weight) == 1.5)
    #expect(dogs.max(ofProperty: "weight") == Decimal128(2) && dogs.average(ofProperty: "weight") == 1.75)
    try realm.write {
      dogs.remove(atOffsets: IndexSet(integer: 0))
      realm.delete(dogs)
    }
    #expect(person.dogs.isEmpty)
  }

  @Test func setsAndMaps() throws {
    let realm = try makeRealm()
    let (person, other) = (Person(firstName: "Ada", age: 36), Person(firstName: "Grace", age: 40))
    try realm.write {
      realm.add([person, other])
      person.nicknames.insert("countess")
      person.nicknames.insert(objectsIn: ["lovelace", "byron"])
      other.nicknames.insert(objectsIn: ["byron", "amazing"])
      #expect(person.nicknames.intersects(other.nicknames) && !person.nicknames.isSubset(of: other.nicknames))
      person.nicknames.formIntersection(other.nicknames)
      person.nicknames.formUnion(other.nicknames)
      person.nicknames.subtract(other.nicknames)
      person.nicknames.remove("countess")
      person.nicknames.removeAll()
      person.scores["chess"] = 3
      person.scores.updateValue(4, forKey: "go")
      person.scores.merge([(key: "go", value: 2), (key: "whist", value: 1)]) { $0 + $1 }
      person.scores.merge(other.scores) { current, _ in current }
      person.scores.removeObject(for: "chess")
    }
    #expect(person.nicknames.isEmpty && person.scores.keys == ["go", "whist"] && person.scores.values == [6, 1])
    #expect(person.scores.max() == 6 && person.scores.sum() == 7 && person.scores.contains { key, _ in key == "go" })
    #expect(person.scores.map(\.key) == ["go", "whist"] && person.scores["bridge"] == nil)
    var text = ""
    for (key, value) in person.scores.asKeyValueSequence() { text += "\(key)\(value)" }
    #expect(text == "go6whist1")
    try realm.write {
      person.scores["go"] = nil
      person.keepers["weekdays"] = Dog(value: ["name": "Rex"])
      person.keepers["weekend"] = .some(nil)
    }
    #expect(person.keepers.where { $0.name == "Rex" }.count == 1)
    #expect(person.keepers.sorted(by: \.name, ascending: true).count == 2)
    try realm.write { realm.delete(person.keepers) }
    #expect(person.keepers.count == 2 && realm.objects(Dog.self).isEmpty)
  }

  @Test func observing() throws {
    let realm = try makeRealm()
    let person = Person(firstName: "Ada", age: 36)
    try realm.write { realm.add(person) }
    let queue = DispatchQueue(label: "observers")
    let tokens: [NotificationToken] = [
      person.dogs.observe(on: queue) { (changes: RealmCollectionChange<List<Dog>>) in
        switch changes {
        case .initial(let dogs): _ = dogs.count
        case .update(_, let deletions, let insertions, let modifications): _ = (deletions, insertions, modifications)
        case .error(let error): print(error)
        }
      },
      person.dogs.observe(keyPaths: ["name"], on: queue) { _ in },
      person.dogs.observe(keyPaths: [\Dog.name], on: queue) { _ in },
      person.scores.observe(on: queue) { (changes: RealmMapChange<Map<String, Int>>) in
        if case .update(_, deletions: let gone, insertions: let new, modifications: let changed) = changes {
          print(gone, new, changed)
        }
      },
      person.nicknames.observe(on: queue) { _ in },
      person.observe(keyPaths: [\Person.age], on: queue) { (change: ObjectChange<Person>) in
        switch change {
        case .change(let person, let properties): print(person.age, properties.map(\.name))
        case .deleted: break
        case .error(let error): print(error)
        }
      },
      realm.objects(Person.self).where { $0.age > 30 }.observe(on: queue) { _ in },
    ]
    for token in tokens { token.invalidate() }
  }
}
