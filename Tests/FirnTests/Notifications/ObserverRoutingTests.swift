import Foundation
import Testing

@testable import Firn

private final class Shelf: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var books: List<Book>
  @Persisted var byName: Map<String, Book?>
  @Persisted var distinctBooks: MutableSet<Book>
  @Persisted var codes: List<Int>
  @Persisted var favourite: Book?
  @Persisted var note: Int
}

private final class Book: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var pages: Int
  @Persisted var title: String
  @Persisted(originProperty: "books") var shelves: LinkingObjects<Shelf>
}

private final class Stray: Object {
  @Persisted var number: Int
}

/// Observers are looked for by what a commit touched: how many others there are makes no difference.
@Suite struct ObserverRoutingTests {
  enum Kind: CaseIterable {
    case list, listByKeyPath, set, map, values, sortedValues, backlinks, object, objectBehindLink
  }

  /// Shelf and book of each number belong together; one more book is on no shelf, and one on all.
  private static func makeRealm(_ count: Int) throws -> Realm {
    let realm = try Realm(
      configuration: .init(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [Shelf.self, Book.self, Stray.self]))
    try realm.write {
      let hub = realm.create(Book.self, value: ["id": -1])
      realm.create(Book.self, value: ["id": -2])
      realm.create(Stray.self)
      for id in 0..<count {
        let book = realm.create(Book.self, value: ["id": id])
        let shelf = realm.create(Shelf.self, value: ["id": id, "codes": [1, 2]])
        shelf.books.append(objectsIn: [book, hub])
        shelf.byName["own"] = book
        shelf.distinctBooks.insert(book)
        shelf.favourite = book
      }
    }
    return realm
  }

  private static func observe(
    _ kind: Kind, _ id: Int, _ realm: Realm, _ tell: @escaping (Int) -> Void
  ) throws -> NotificationToken {
    let shelf = try #require(realm.object(ofType: Shelf.self, forPrimaryKey: id))
    let book = try #require(realm.object(ofType: Book.self, forPrimaryKey: id))
    switch kind {
    case .list: return shelf.books.observe { if case .update = $0 { tell(id) } }
    case .listByKeyPath: return shelf.books.observe(keyPaths: ["pages"]) { if case .update = $0 { tell(id) } }
    case .set: return shelf.distinctBooks.observe { if case .update = $0 { tell(id) } }
    case .map: return shelf.byName.observe { if case .update = $0 { tell(id) } }
    case .values: return shelf.codes.observe { if case .update = $0 { tell(id) } }
    case .sortedValues:
      return shelf.codes.sorted(ascending: false).observe { if case .update = $0 { tell(id) } }
    case .backlinks: return book.shelves.observe { if case .update = $0 { tell(id) } }
    case .object: return shelf.observe { (_: ObjectChange<Shelf>) in tell(id) }
    case .objectBehindLink:
      return shelf.observe(keyPaths: ["favourite.pages"]) { (_: ObjectChange<Shelf>) in tell(id) }
    }
  }

  private static func touch(_ kind: Kind, _ id: Int, _ realm: Realm) throws {
    let shelf = try #require(realm.object(ofType: Shelf.self, forPrimaryKey: id))
    let book = try #require(realm.object(ofType: Book.self, forPrimaryKey: id))
    switch kind {
    case .list, .listByKeyPath, .set, .map, .objectBehindLink: book.pages += 1
    case .values, .sortedValues: shelf.codes.append(7)
    case .backlinks, .object: shelf.note += 1
    }
  }

  @Test(arguments: Kind.allCases) func onlyWhatIsTouchedIsVisited(kind: Kind) throws {
    try onOwnThread {
      let count = 1000
      let realm = try Self.makeRealm(count)
      var told: [Int] = []
      var tokens = try (0..<count).map { id in try Self.observe(kind, id, realm) { told.append($0) } }
      realm.refresh()
      let observers = try #require(realm.instance.notifications)
      func visits(_ body: () throws -> Void) throws -> Int {
        observers.visitCount = 0
        told = []
        try realm.write(body)
        realm.refresh()
        return observers.visitCount
      }
      #expect(try visits { realm.objects(Stray.self)[0].number += 1 } == 0)
      #expect(try visits { realm.object(ofType: Book.self, forPrimaryKey: -2)?.pages += 1 } == 0)
      #expect(try visits { realm.create(Shelf.self, value: ["id": -1]) } == 0)
      #expect(told.isEmpty)
      #expect(try visits { try Self.touch(kind, 700, realm) } == 1)
      #expect(told == [700])
      if kind == .listByKeyPath {
        #expect(try visits { realm.object(ofType: Book.self, forPrimaryKey: 5)?.title = "x" } == 0)
      }
      // The owner goes, which touches what it held; nobody else is told.
      let deleted: Object =
        kind == .backlinks
        ? realm.object(ofType: Book.self, forPrimaryKey: 3)! : realm.object(ofType: Shelf.self, forPrimaryKey: 3)!
      #expect(try visits { realm.delete(deleted) } <= 2)
      #expect(told == [3])
      tokens[700].invalidate()
      #expect(try visits { try Self.touch(kind, 700, realm) } == 0)
      tokens = []
      #expect(observers.folded == nil)
    }
  }

  /// What very many hold is not climbed from when few of them are observed.
  @Test(arguments: [1, 100]) func hubs(observed: Int) throws {
    try onOwnThread {
      let realm = try Self.makeRealm(100)
      var told: Set<Int> = []
      let tokens = try (0..<observed).map { id in try Self.observe(.list, id, realm) { told.insert($0) } }
      realm.refresh()
      let observers = try #require(realm.instance.notifications)
      observers.visitCount = 0
      try realm.write { realm.object(ofType: Book.self, forPrimaryKey: -1)?.pages += 1 }
      realm.refresh()
      #expect(told.count == observed)
      #expect(observers.visitCount == observed)
      withExtendedLifetime(tokens) {}
    }
  }

  /// A favourite of very many, of whom few are observed, and the other way round.
  @Test(arguments: [1, 100]) func hubsBehindLinks(observed: Int) throws {
    try onOwnThread {
      let realm = try Self.makeRealm(100)
      try realm.write {
        let hub = realm.object(ofType: Book.self, forPrimaryKey: -1)
        for shelf in realm.objects(Shelf.self) { shelf.favourite = hub }
      }
      var told: Set<Int> = []
      let tokens = try (0..<observed).map { id in
        try Self.observe(.objectBehindLink, id, realm) { told.insert($0) }
      }
      realm.refresh()
      try realm.write { realm.object(ofType: Book.self, forPrimaryKey: -1)?.pages += 1 }
      realm.refresh()
      #expect(told.count == observed)
      withExtendedLifetime(tokens) {}
    }
  }

  @Test func queriesOnCollectionsLookAtWhatTheyRead() throws {
    try onOwnThread {
      let realm = try Self.makeRealm(10)
      var calls = 0
      let token = realm.objects(Shelf.self)[0].books.where { $0.pages > 0 }.observe { _ in calls += 1 }
      realm.refresh()
      let observers = try #require(realm.instance.notifications)
      observers.visitCount = 0
      try realm.write { realm.objects(Stray.self)[0].number += 1 }
      realm.refresh()
      #expect(observers.visitCount == 0 && calls == 1)
      try realm.write { realm.objects(Book.self).where { $0.id == 0 }[0].pages = 2 }
      realm.refresh()
      #expect(calls == 2)
      try realm.write { realm.objects(Shelf.self)[0].books.removeAll() }
      realm.refresh()
      #expect(calls == 3)
      withExtendedLifetime(token) {}
    }
  }
}
