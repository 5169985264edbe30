import Firn
import Foundation
import Testing

enum PathColor: String, PersistableEnum {
  case red, green
}

final class PathOwner: Object {
  @Persisted var title: String
  @Persisted var item: PathItem?
  @Persisted var items: List<PathItem>
  @Persisted var itemSet: MutableSet<PathItem>
  @Persisted var itemMap: Map<String, PathItem?>
  @Persisted var part: PathPart?
  @Persisted var parts: List<PathPart>
  @Persisted var partMap: Map<String, PathPart?>
  @Persisted var words: List<String>
  @Persisted var numbers: List<Int?>
  @Persisted var colors: MutableSet<PathColor>
  @Persisted var anything: Map<String, AnyRealmValue>
}

final class PathItem: Object {
  @Persisted var name: String
  @Persisted var color: PathColor = .red
  @Persisted var count: Int
  @Persisted var part: PathPart?
  @Persisted var next: List<PathItem>
  @Persisted(originProperty: "items") var owners: LinkingObjects<PathOwner>
}

final class PathPart: EmbeddedObject {
  @Persisted var size: Int
  @Persisted var item: PathItem?
}

/// Key paths as code instead of text.
@Suite struct TypedKeyPathTests {
  private func realm() throws -> Realm {
    try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [PathOwner.self, PathItem.self, PathPart.self]))
  }

  @Test func propertiesAndLinks() {
    #expect(_name(for: \PathOwner.title) == "title")
    #expect(_name(for: \PathOwner.item) == "item")
    #expect(_name(for: \PathOwner.item?.name) == "item.name")
    #expect(_name(for: \PathOwner.item?.part?.item?.color) == "item.part.item.color")
    #expect(_name(for: \PathOwner.part?.size) == "part.size")
    #expect(_name(for: \PathOwner.self).isEmpty && _name(for: \PathOwner.realm).isEmpty)
  }

  @Test func throughCollections() {
    #expect(_name(for: \PathOwner.items) == "items")
    #expect(_name(for: \PathOwner.items[0]) == "items")
    #expect(_name(for: \PathOwner.items[0].name) == "items.name")
    #expect(_name(for: \PathOwner.items[7].color) == "items.color")
    #expect(_name(for: \PathOwner.items.first?.name) == "items.name")
    #expect(_name(for: \PathOwner.items.last?.next[3].next[1].count) == "items.next.next.count")
    #expect(_name(for: \PathOwner.itemSet[0].name) == "itemSet.name")
    #expect(_name(for: \PathOwner.itemSet.first?.part?.size) == "itemSet.part.size")
    #expect(_name(for: \PathOwner.parts[0].item?.name) == "parts.item.name")
    #expect(_name(for: \PathOwner.items.count) == "items" && _name(for: \PathOwner.title.count) == "title")
  }

  @Test func aKeyPathIntoAValueObservesTheProperty() throws {
    try onOwnThread {
      let realm = try realm()
      let owner = try realm.write { realm.create(PathOwner.self, value: ["items": [["name": "a"]]]) }
      var names: [String] = []
      let token = owner.observe(keyPaths: [\PathOwner.items.count, \PathOwner.title.count]) { change in
        if case .change(_, let properties) = change { names += properties.map(\.name) }
      }
      realm.refresh()
      for write in [{ owner.items.append(PathItem()) }, { owner.title = "x" }, { owner.items[0].name = "b" }] {
        try realm.write(write)
        realm.refresh()
      }
      #expect(names == ["items", "title"])
      token.invalidate()
    }
  }

  @Test func throughMapsAndBacklinks() {
    #expect(_name(for: \PathOwner.itemMap[""]) == "itemMap")
    #expect(_name(for: \PathOwner.itemMap[""]??.name) == "itemMap.name")
    #expect(_name(for: \PathOwner.itemMap["any"]??.next[0].part?.size) == "itemMap.next.part.size")
    #expect(_name(for: \PathOwner.partMap[""]??.size) == "partMap.size")
    #expect(_name(for: \PathItem.owners) == "owners")
    #expect(_name(for: \PathItem.owners[0].title) == "owners.title")
    #expect(_name(for: \PathItem.owners.first?.items[0].name) == "owners.items.name")
  }

  @Test func collectionsOfValuesEndAPath() {
    #expect(_name(for: \PathOwner.words[0]) == "words")
    #expect(_name(for: \PathOwner.words[0].count) == "words")
    #expect(_name(for: \PathOwner.numbers[0]) == "numbers")
    #expect(_name(for: \PathOwner.colors[0]) == "colors")
    #expect(_name(for: \PathOwner.anything["x"]) == "anything")
  }

  @Test func objectsAreObservedThroughCollections() throws {
    try onOwnThread {
      let realm = try realm()
      let owner = try realm.write {
        realm.create(
          PathOwner.self,
          value: ["items": [["name": "a"]], "itemMap": ["k": ["name": "m"]], "parts": [["size": 1]]])
      }
      var calls: [String] = []
      func observe(_ keyPath: PartialKeyPath<PathOwner>, _ mark: String) -> NotificationToken {
        owner.observe(keyPaths: [keyPath]) { change in
          guard case .change(_, let properties) = change else { return }
          calls.append(mark + ":" + properties.map(\.name).joined(separator: ","))
        }
      }
      let tokens = [
        observe(\.items[0].name, "list"), observe(\.itemMap[""]??.name, "map"), observe(\.parts[0].size, "parts"),
      ]
      realm.refresh()
      func told(_ write: () -> Void) throws -> [String] {
        calls = []
        try realm.write(write)
        realm.refresh()
        return calls
      }
      #expect(try told { owner.items[0].name = "b" } == ["list:items"])
      #expect(try told { owner.itemMap["k"]??.name = "n" } == ["map:itemMap"])
      #expect(try told { owner.parts[0].size = 2 } == ["parts:parts"])
      #expect(try told { owner.items[0].count = 2 } == [], "another property")
      #expect(try told { owner.itemMap["k"]??.count = 2 } == [], "another property")
      #expect(try told { owner.items.append(PathItem()) } == ["list:items"])
      for token in tokens { token.invalidate() }
    }
  }

  @Test func resultsAreObservedThroughBacklinks() throws {
    try onOwnThread {
      let realm = try realm()
      let owner = try realm.write { realm.create(PathOwner.self, value: ["items": [["name": "a"]]]) }
      var modified = 0
      let token = realm.objects(PathItem.self).observe(keyPaths: [\.owners[0].title]) { change in
        if case .update(_, _, _, let modifications) = change { modified += modifications.count }
      }
      realm.refresh()
      try realm.write { owner.title = "x" }
      realm.refresh()
      #expect(modified == 1)
      try realm.write { owner.words.append("x") }
      realm.refresh()
      #expect(modified == 1)
      token.invalidate()
    }
  }

  @Test func aPositionOutOfBoundsTrapsStill() async {
    await #expect(processExitsWith: .failure) {
      let realm = try Realm(
        configuration: Realm.Configuration(
          inMemoryIdentifier: "bounds", objectTypes: [PathOwner.self, PathItem.self, PathPart.self]))
      let owner = try realm.write { realm.create(PathOwner.self) }
      _ = owner[keyPath: \PathOwner.items[0].name]
    }
  }
}
