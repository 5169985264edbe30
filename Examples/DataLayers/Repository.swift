import Firn
import Foundation

// The generic repository that many projects have, and conveniences around it.

protocol Repository {
  associatedtype Entity: Object
  func all(sortedBy keyPath: String?, ascending: Bool) throws -> [Entity]
  func find(_ isIncluded: ((Query<Entity>) -> Query<Bool>)) throws -> Results<Entity>
  func save(_ entities: [Entity]) throws
  func update(_ body: () throws -> Void) throws
  func remove(_ entity: Entity) throws
}

final class RealmRepository<Entity: Object>: Repository {
  private let configuration: Realm.Configuration
  private lazy var realm: Realm = try! Realm(configuration: configuration)

  init(_ configuration: Realm.Configuration) { self.configuration = configuration }

  func all(sortedBy keyPath: String? = nil, ascending: Bool = true) throws -> [Entity] {
    var results = realm.objects(Entity.self)
    if let keyPath { results = results.sorted(byKeyPath: keyPath, ascending: ascending) }
    return results.toArray()
  }

  func find(_ isIncluded: ((Query<Entity>) -> Query<Bool>)) throws -> Results<Entity> {
    realm.objects(Entity.self).where(isIncluded)
  }

  func first<Key>(_ key: Key) -> Entity? { realm.object(ofType: Entity.self, forPrimaryKey: key) }

  func save(_ entities: [Entity]) throws {
    try realm.safeWrite { realm.add(entities, update: .modified) }
  }

  func update(_ body: () throws -> Void) throws { try realm.safeWrite(body) }

  func remove(_ entity: Entity) throws {
    try realm.safeWrite { realm.delete(entity) }
  }

  func removeAll() throws {
    try realm.safeWrite { realm.delete(realm.objects(Entity.self)) }
  }
}

extension Realm {
  /// Writes in the transaction that is open, or in one of its own.
  func safeWrite(_ body: () throws -> Void) throws {
    if isInWriteTransaction { try body() } else { try write(body) }
  }
}

extension Results {
  func toArray() -> [Element] { map { $0 } }
}

extension RealmCollection {
  func toArray<T>(_ type: T.Type) -> [T] { compactMap { $0 as? T } }
}
