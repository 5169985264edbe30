import Testing

@testable import Firn

@Suite struct SortingTests {
  @Test func sortingIsStableAndNullComesFirst() throws {
    let dogs = try makeResultsRealm(dogs: 200).objects(ResultsDog.self)
    let expected = Array(dogs).sorted { a, b in
      (a.weight ?? -1, a.id) < (b.weight ?? -1, b.id)
    }
    #expect(dogs.sorted(by: \.weight).map(\.id) == expected.map(\.id))
    let descending = Array(dogs).sorted { a, b in
      (-(a.weight ?? -1), a.id) < (-(b.weight ?? -1), b.id)
    }
    #expect(dogs.sorted(byKeyPath: "weight", ascending: false).map(\.id) == descending.map(\.id))
  }

  @Test func severalDescriptors() throws {
    let dogs = try makeResultsRealm(dogs: 200).objects(ResultsDog.self)
    let expected = Array(dogs).sorted { ($0.name, -$0.age, $0.id) < ($1.name, -$1.age, $1.id) }.map(\.id)
    let descriptors: [SortDescriptor] = ["name", SortDescriptor(keyPath: \ResultsDog.age, ascending: false)]
    #expect(dogs.sorted(by: descriptors).map(\.id) == expected)
    #expect(dogs.sorted(by: \.age, ascending: false).sorted(by: \.name).map(\.id) == expected)
    #expect(dogs.sorted(by: [SortDescriptor]()).map(\.id) == Array(0..<200))
  }

  @Test func sortingThroughLinks() throws {
    let realm = try makeResultsRealm(dogs: 20)
    let dogs = realm.objects(ResultsDog.self)
    try realm.write { for dog in dogs where dog.id % 4 != 0 { dog.friend = dogs[19 - dog.id] } }
    let expected = Array(dogs).sorted { a, b in
      ((a.friend?.age ?? 1000), a.id) < ((b.friend?.age ?? 1000), b.id)
    }
    #expect(dogs.sorted(byKeyPath: "friend.age").map(\.id) == expected.map(\.id))
    #expect(dogs.sorted(by: \.friend?.age).map(\.id) == expected.map(\.id))
  }

  @Test func sortedAndFilteredKeepEachOther() throws {
    let dogs = try makeResultsRealm(dogs: 100).objects(ResultsDog.self)
    let expected = Array(dogs).filter { $0.age > 5 }.sorted { ($0.name, $0.id) < ($1.name, $1.id) }.map(\.id)
    #expect(dogs.sorted(by: \.name).where { $0.age > 5 }.map(\.id) == expected)
    #expect(dogs.where { $0.age > 5 }.sorted(by: \.name).map(\.id) == expected)
  }

  @Test func descriptors() {
    let descriptor: SortDescriptor = "friend.name"
    #expect(descriptor.ascending && descriptor.keyPath == "friend.name")
    #expect(!descriptor.reversed().ascending)
    #expect(descriptor.description == "SortDescriptor(keyPath: friend.name, direction: ascending)")
    #expect(SortDescriptor(keyPath: \ResultsDog.friend?.name) == descriptor)
  }
}
