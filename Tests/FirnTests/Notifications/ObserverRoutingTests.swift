import FirnEngine
import Foundation
import Testing

@testable import Firn
@testable import FirnReactive

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
    case queryOnList, queryOnMap, queryOnBacklinks, query, queryBehindLink
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
    case .queryOnList:
      return shelf.books.where { $0.id >= 0 }.sorted(by: \.pages).observe { if case .update = $0 { tell(id) } }
    case .queryOnMap: return shelf.byName.sorted(byKeyPath: "pages").observe { if case .update = $0 { tell(id) } }
    case .queryOnBacklinks: return book.shelves.where { $0.id >= 0 }.observe { if case .update = $0 { tell(id) } }
    case .query:
      return realm.objects(Shelf.self).where { $0.id == id }.observe { if case .update = $0 { tell(id) } }
    case .queryBehindLink:
      return realm.objects(Shelf.self).where { $0.id == id }.observe(keyPaths: ["favourite.pages"]) {
        if case .update = $0 { tell(id) }
      }
    }
  }

  private static func touch(_ kind: Kind, _ id: Int, _ realm: Realm) throws {
    let shelf = try #require(realm.object(ofType: Shelf.self, forPrimaryKey: id))
    let book = try #require(realm.object(ofType: Book.self, forPrimaryKey: id))
    switch kind {
    case .list, .listByKeyPath, .set, .map, .objectBehindLink, .queryOnList, .queryOnMap, .query, .queryBehindLink:
      book.pages += 1
    case .values, .sortedValues: shelf.codes.append(7)
    case .backlinks, .object, .queryOnBacklinks: shelf.note += 1
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
        kind == .backlinks || kind == .queryOnBacklinks
        ? realm.object(ofType: Book.self, forPrimaryKey: 3)! : realm.object(ofType: Shelf.self, forPrimaryKey: 3)!
      #expect(try visits { realm.delete(deleted) } <= 2)
      #expect(told == [3])
      tokens[700].invalidate()
      #expect(try visits { try Self.touch(kind, 700, realm) } == 0)
      tokens = []
      #expect(observers.folded == nil)
    }
  }

  /// A commit that concerns many leaves nothing to the next one.
  @Test func thoseOfTheLastCommitAreNotVisitedAgain() throws {
    try onOwnThread {
      let realm = try Self.makeRealm(100)
      var told = 0
      let lists = try (0..<100).map { id in try Self.observe(.list, id, realm) { _ in told += 1 } }
      let queries = (0..<100).map { id in
        realm.objects(Book.self).where { $0.pages >= -id }.observe { if case .update = $0 { told += 1 } }
      }
      realm.refresh()
      let observers = try #require(realm.instance.notifications)
      for _ in 0..<2 {
        observers.visitCount = 0
        try realm.write { realm.object(ofType: Book.self, forPrimaryKey: -1)?.pages += 1 }
        realm.refresh()
        #expect(observers.visitCount == 200)
        try realm.write { realm.objects(Stray.self)[0].number += 1 }
        realm.refresh()
        #expect(observers.visitCount == 200)
      }
      #expect(told == 400)
      withExtendedLifetime((lists, queries)) {}
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

  /// Queries on collections and distinct ones follow what was touched, and are not run again.
  @Test func nothingIsRunAgain() throws {
    try onOwnThread {
      let realm = try Self.makeRealm(1000)
      let books = realm.objects(Shelf.self)[0].books
      try realm.write { books.append(objectsIn: realm.objects(Book.self)) }
      let results = [
        books.where { $0.pages > 5 }, books.sorted(by: \.pages), books.distinct(by: ["pages"]),
        realm.objects(Book.self).distinct(by: ["pages"]), realm.objects(Book.self).distinct(by: ["title"]),
      ]
      var calls = 0
      var tokens = results.map { $0.observe { _ in calls += 1 } }
      // Equal queries share one view.
      tokens.append(books.where { $0.pages > 5 }.observe { _ in })
      realm.refresh()
      let observers = try #require(realm.instance.notifications)
      #expect(observers.stage.viewCount == results.count)
      func work(_ body: () throws -> Void) throws -> (visits: Int, counters: WorkCounters) {
        observers.visitCount = 0
        observers.stage.counters.reset()
        try realm.write(body)
        realm.refresh()
        return (observers.visitCount, observers.stage.counters)
      }
      #expect(try work { realm.objects(Stray.self)[0].number += 1 }.visits == 0)
      let book = try #require(realm.object(ofType: Book.self, forPrimaryKey: 7))
      for write in [{ book.pages = 9 }, { books.insert(book, at: 3) }, { books.move(from: 3, to: 900) }] {
        let (visits, counters) = try work { write() }
        #expect(visits > 0 && counters.rerunViews == 0 && counters.rebuiltViews == 0 && counters.ranks < 40)
      }
      #expect(results[0].map(\.id) == [7, 7])
      #expect(results[3].map(\.pages).sorted() == [0, 9])
      // What is very much is.
      #expect(try work { books.removeAll() }.counters.rerunViews == 3)
      #expect(calls > results.count)
      withExtendedLifetime(tokens) {}
    }
  }

  /// A property that a query on a collection does not read counts when its observer names it, or names none.
  @Test(arguments: [nil, ["title"]]) func whatAQueryDoesNotReadCounts(keyPaths: [String]?) throws {
    try onOwnThread {
      let realm = try Self.makeRealm(10)
      let (shelf, book) = (realm.objects(Shelf.self)[3], realm.objects(Book.self).where { $0.id == 3 }[0])
      var told: [[Int]] = []
      let tokens = [
        shelf.books.where { $0.id == 3 }.observe(keyPaths: keyPaths) {
          if case .update(_, _, _, let modifications) = $0 { told.append(modifications) }
        },
        book.shelves.where { $0.id == 3 }.observe(keyPaths: keyPaths.map { _ in ["note"] }) {
          if case .update(_, _, _, let modifications) = $0 { told.append(modifications) }
        },
      ]
      realm.refresh()
      // Without key paths the book counts as a part of the shelf.
      try realm.write { book.title = "new" }
      realm.refresh()
      #expect(told == (keyPaths == nil ? [[0], [0]] : [[0]]))
      told = []
      try realm.write { shelf.note += 1 }
      realm.refresh()
      #expect(told == [[0]])
      told = []
      try realm.write { book.pages += 1 }
      realm.refresh()
      #expect(told == (keyPaths == nil ? [[0], [0]] : []))
      withExtendedLifetime(tokens) {}
    }
  }

  /// What an observer reads of its results is not looked for again.
  @Test func readingInCallsEvaluatesNothing() throws {
    try onOwnThread {
      let realm = try Self.makeRealm(1000)
      let results = realm.objects(Book.self).where { $0.pages > 0 }.sorted(by: \.pages)
      var seen: [[Int]] = []
      let token = results.observe { _ in
        let first = results.first.flatMap { results.index(of: $0) }
        seen.append([results.count, results.first?.id ?? -9, results.last?.id ?? -9, first ?? -9])
        if results.count > 1 { seen.append(results.map(\.id) + [results[1].id]) }
      }
      realm.refresh()
      try realm.write { realm.object(ofType: Book.self, forPrimaryKey: 7)?.pages = 3 }
      realm.refresh()
      try realm.write { realm.object(ofType: Book.self, forPrimaryKey: 5)?.pages = 2 }
      realm.refresh()
      #expect(seen == [[0, -9, -9, -9], [1, 7, 7, 0], [2, 5, 7, 0], [5, 7, 7]])
      #expect(results.core.work.testedRows == 0 && results.core.work.scannedClusters == 0)
      // The same query by another name, and a transaction.
      let again = realm.objects(Book.self).where { $0.pages > 0 }.sorted(by: \.pages)
      #expect(again.count == 2 && again.core.work.scannedClusters == 0)
      try realm.write {
        realm.object(ofType: Book.self, forPrimaryKey: 9)?.pages = 1
        #expect(results.count == 3 && results.first?.id == 9)
      }
      #expect(results.count == 3 && results.first?.id == 9)
      token.invalidate()
      try realm.write { realm.object(ofType: Book.self, forPrimaryKey: 9)?.pages = 0 }
      #expect(results.count == 2 && results.core.work.scannedClusters > 0)
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
