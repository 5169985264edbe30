import Firn
import Foundation
import Testing

/// What a program puts in front of a realm, to put something else there in its tests.
private protocol Storage {
  func add(_ object: Object, update: Realm.UpdatePolicy)
  func create<T: Object>(_ type: T.Type, value: Any, update: Realm.UpdatePolicy) -> T
  func delete(_ object: ObjectBase)
  func deleteAll()
  @discardableResult func refresh() -> Bool
  @discardableResult func write<Result>(
    withoutNotifying tokens: [NotificationToken], _ block: () throws -> Result
  ) throws -> Result
  @available(*, noasync) func beginWrite()
  @available(*, noasync) func commitWrite(withoutNotifying tokens: [NotificationToken]) throws
  @available(*, noasync) func cancelWrite()
}

extension Realm: Storage {}

/// Functions of a realm that know where they are called, as values and as witnesses.
@Suite struct FunctionValueTests {
  private func realm() throws -> Realm {
    try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [CreatingNamed.self, EqualByName.self]))
  }

  @Test func throughAProtocol() throws {
    let realm = try realm()
    let storage: any Storage = realm
    storage.beginWrite()
    storage.add(CreatingNamed(value: ["a"]), update: .error)
    let second = storage.create(CreatingNamed.self, value: ["b"], update: .error)
    storage.delete(second)
    try storage.commitWrite(withoutNotifying: [])
    #expect(realm.objects(CreatingNamed.self).map(\.name) == ["a"])
    storage.beginWrite()
    storage.deleteAll()
    storage.cancelWrite()
    try storage.write(withoutNotifying: []) { _ = storage.create(CreatingNamed.self, value: ["c"], update: .error) }
    #expect(realm.objects(CreatingNamed.self).count == 2 && !storage.refresh())
  }

  @Test func asValues() throws {
    let realm = try realm()
    let objects = ["a", "b"].map { CreatingNamed(value: [$0]) }
    try realm.write {
      realm.add(objects)
      objects.forEach(realm.delete)
    }
    #expect(realm.isEmpty)
  }
}
