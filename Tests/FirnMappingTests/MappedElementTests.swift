import Firn
import FirnMapping
import Foundation
import Testing

final class MapShelf: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var numbers: List<StructureAsInteger>
  @Persisted var kinds: List<EnumerationAsInteger32?>
  @Persisted var weights: List<StructureAsDouble>
  @Persisted var titles: List<ClassAsText>
  @Persisted var places: List<StructureAsJSON>
  @Persisted var maybePlaces: List<StructureAsJSON?>
  @Persisted var placeSet: MutableSet<StructureAsJSON>
  @Persisted var numberSet: MutableSet<StructureAsInteger>
  @Persisted var named: Map<String, StructureAsJSON>
  @Persisted var odd: List<MapOdd>
}

/// Mapped types as elements of collections.
@Suite struct MappedElementTests {
  private func realm() throws -> Realm {
    try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [MapShelf.self]))
  }

  @Test func elements() throws {
    let realm = try realm()
    let shelf = MapShelf()
    shelf.places.append(StructureAsJSON(name: "a"))
    #expect(shelf.places.index(of: StructureAsJSON(name: "a")) == 0)
    try realm.write {
      realm.add(shelf)
      shelf.places.append(objectsIn: [StructureAsJSON(name: "b"), StructureAsJSON(name: "c")])
      shelf.maybePlaces.append(objectsIn: [StructureAsJSON(name: "b"), nil])
      shelf.kinds.append(objectsIn: [.second, nil])
      shelf.placeSet.insert(objectsIn: [
        StructureAsJSON(name: "x"), StructureAsJSON(name: "x"), StructureAsJSON(name: "y"),
      ])
      shelf.named["k"] = StructureAsJSON(name: "v")
      shelf.places[0] = StructureAsJSON(name: "d")
    }
    #expect(shelf.places.map(\.name) == ["d", "b", "c"] && shelf.places.index(of: StructureAsJSON(name: "c")) == 2)
    #expect(shelf.maybePlaces.map { $0?.name } == ["b", nil] && Array(shelf.kinds) == [.second, nil])
    #expect(shelf.placeSet.count == 2 && shelf.placeSet.contains(StructureAsJSON(name: "y")))
    #expect(!shelf.placeSet.contains(StructureAsJSON(name: "z")) && shelf.named["k"]?.name == "v")
    #expect(shelf.freeze().places.map(\.name) == ["d", "b", "c"])
    try realm.write {
      shelf.placeSet.remove(StructureAsJSON(name: "y"))
      shelf.places.remove(at: 1)
    }
    #expect(shelf.placeSet.count == 1 && shelf.places.map(\.name) == ["d", "c"])
  }

  @Test func byName() throws {
    let realm = try realm()
    try realm.write {
      let shelf = realm.create(MapShelf.self, value: ["places": [StructureAsJSON(name: "a")]])
      #expect(shelf.places.map(\.name) == ["a"])
      let stored = try #require(shelf.value(forKey: "places") as? List<StructureAsJSON>)
      #expect((stored.value(forKey: "self") as? [Data])?.count == 1, "in stored form")
    }
  }

  @Test func whatCannotBeStored() throws {
    let realm = try realm()
    let error = #expect(throws: Realm.Error.self) {
      try realm.write { realm.create(MapShelf.self).odd.append(MapOdd(1)) }
    }
    #expect(error?.localizedDescription.contains("An element cannot be stored") == true)
    #expect(realm.isEmpty)
  }
}
