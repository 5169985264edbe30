import Firn
import Foundation
import Testing

final class IdentifiedItem: Object, ObjectKeyIdentifiable {
  @Persisted var name = ""
  @Persisted var part: IdentifiedPart?
}

/// Conforms in an extension.
final class IdentifiedPart: EmbeddedObject {
  @Persisted var size: Int
}

extension IdentifiedPart: ObjectKeyIdentifiable {}

/// The usual form in apps: a key of another name.
class IdentifiedGroup: Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var items: List<IdentifiedItem>
}

/// Has an `id` of its own.
final class IdentifiedUser: Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) var id: ObjectId
}

final class IdentifiedSubgroup: IdentifiedGroup {}

/// As a view or a generic repository takes them.
private func identifiers<Items: RandomAccessCollection>(of items: Items) -> [Items.Element.ID]
where Items.Element: Identifiable { items.map(\.id) }

@Suite struct ObjectKeyIdentifiableTests {
  private func realm() throws -> Realm {
    try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString,
        objectTypes: [
          IdentifiedItem.self, IdentifiedPart.self, IdentifiedGroup.self, IdentifiedUser.self, IdentifiedSubgroup.self,
        ]))
  }

  @Test func accessorsOfARowHaveOneIdentifier() throws {
    let realm = try realm()
    try realm.write {
      for name in ["a", "b", "c"] { realm.create(IdentifiedItem.self, value: ["name": name]) }
    }
    let items = realm.objects(IdentifiedItem.self)
    let first: UInt64 = try #require(items.first).id
    #expect(items[0].id == first && items[0].freeze().id == first)
    #expect(Set(identifiers(of: items)).count == 3)
    #expect(identifiers(of: items) == identifiers(of: items.freeze()))

    // By sorting and in a write, too.
    let third = try #require(items.sorted(byKeyPath: "name", ascending: false).first)
    try realm.write { third.name = "0" }
    #expect(items.sorted(byKeyPath: "name").first?.id == third.id)
  }

  @Test func unmanagedObjectsAreIdentifiedByInstance() {
    let first = IdentifiedItem(value: ["name": "a"])
    let second = IdentifiedItem(value: ["name": "a"])
    let id = first.id
    first.name = "b"
    #expect(first.id == id && first.id != second.id)
  }

  @Test func aDeletedObjectKeepsItsIdentifier() throws {
    let realm = try realm()
    let item = try realm.write { realm.create(IdentifiedItem.self, value: ["name": "a"]) }
    let id = item.id
    try realm.write { realm.delete(item) }
    #expect(item.id == id)
  }

  @Test func embeddedObjectsAndSubclasses() throws {
    let realm = try realm()
    try realm.write {
      let item = realm.create(IdentifiedItem.self, value: ["part": ["size": 1]])
      #expect(item.part?.id == realm.objects(IdentifiedItem.self)[0].part?.id)
      let group = realm.create(IdentifiedSubgroup.self, value: ["items": [item]])
      #expect(group.id == realm.objects(IdentifiedSubgroup.self)[0].id)
      #expect(group.items[0].id == item.id)
    }
  }

  @Test func anIdentifierOfTheClassStays() throws {
    let user = IdentifiedUser()
    let id: ObjectId = user.id
    let realm = try realm()
    try realm.write { realm.add(user) }
    #expect(realm.object(ofType: IdentifiedUser.self, forPrimaryKey: id)?.id as ObjectId? == id)
  }

  @Test func generalCodeSeesIdentifiers() throws {
    func id<T: ObjectKeyIdentifiable>(_ value: T) -> UInt64 { value.id }
    let item = IdentifiedItem()
    #expect(id(item) == item.id)
    let any: any ObjectKeyIdentifiable = item
    #expect(any.id == item.id)
  }
}
