import Firn
import Foundation
import Testing

private class Shelf: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var books: List<Book>
  @Persisted var prices: List<Int>
  @Persisted var labels: MutableSet<String>
}

private class Book: Object {
  @Persisted var title: String
  @Persisted var pages: Int
  @Persisted(originProperty: "books") var shelves: LinkingObjects<Shelf>
}

private func makeShelf() throws -> (Realm, Shelf) {
  let realm = try Realm(
    configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [Shelf.self, Book.self]))
  let shelf = try realm.write {
    realm.create(
      Shelf.self,
      value: [
        "name": "top", "books": [["B", 30], ["A", 10], ["C", 20]], "prices": [3, 1, 2], "labels": ["old", "new"],
      ] as [String: Any])
  }
  return (realm, shelf)
}

/// What a collection and its wrapped form answer alike.
private func compare<C: RealmCollection>(_ collection: C, _ any: AnyRealmCollection<C.Element>)
where C.Element == Book {
  #expect(any.map(\.title) == collection.map(\.title))
  #expect(any.count == collection.count && any.isEmpty == collection.isEmpty)
  #expect(any.first?.title == collection.first?.title && any.last?.title == collection.last?.title)
  #expect(any[1].title == collection[1].title)
  #expect(any.index(of: collection[1]) == 1 && any.contains(collection[0]))
  #expect(any.where { $0.pages > 10 }.count == 2 && any.index(matching: { $0.title == "C" }) == 2)
  #expect(any.sorted(by: \.pages).map(\.title) == ["A", "C", "B"])
  #expect(any.sorted(byKeyPath: "title", ascending: false).first?.title == "C")
  #expect(any.distinct(by: [\.title]).count == 3)
  #expect(any.max(of: \.pages) == 30 && any.sum(ofProperty: "pages") == 60 as Int)
  #expect(any.value(forKey: "title") as? [String] == collection.map(\.title))
  #expect(any.value(forKeyPath: "@max.pages") as? Int == 30)
  #expect(any.description == collection.description)
  #expect(any.realm == collection.realm && !any.isInvalidated && !any.isFrozen)
  #expect(any == AnyRealmCollection(collection) && AnyRealmCollection(any) == any)
  let frozen = any.freeze()
  #expect(frozen.isFrozen && frozen.count == 3 && frozen != any && frozen.thaw()?.isFrozen == false)
}

struct AnyRealmCollectionTests {
  @Test func everyKindIsForwarded() throws {
    try onOwnThread {
      let (realm, shelf) = try makeShelf()
      let books = realm.objects(Book.self)
      compare(books, AnyRealmCollection(books))
      compare(shelf.books, AnyRealmCollection(shelf.books))
      let shelves = AnyRealmCollection(shelf.books[0].shelves)
      #expect(shelves.map(\.name) == ["top"])
      let prices = AnyRealmCollection(shelf.prices)
      #expect(prices.min() == 1 && prices.max() == 3 && prices.sum() == 6 && prices.average() == 2.0)
      #expect(prices.sorted().map { $0 } == [1, 2, 3])
      let labels = AnyRealmCollection(shelf.labels)
      #expect(Set(labels) == ["old", "new"] && labels.contains("old") && !labels.contains("x"))
      // One type for them all.
      let all: [AnyRealmCollection<Int>] = [prices, AnyRealmCollection(shelf.prices.sorted())]
      #expect(all.map { Array($0) } == [[3, 1, 2], [1, 2, 3]] && all[0] != all[1])
    }
  }

  @Test func unmanagedOnesAreForwarded() {
    let list = List<Int>()
    list.append(objectsIn: [2, 1])
    let any = AnyRealmCollection(list)
    #expect(Array(any) == [2, 1] && any.realm == nil && any.index(of: 1) == 1)
  }

  @Test func changesArriveWithTheWrappedCollection() throws {
    try onOwnThread {
      let (realm, shelf) = try makeShelf()
      var calls: [String] = []
      let token = AnyRealmCollection(shelf.books).observe { change in
        switch change {
        case .initial(let books): calls.append("initial \(books.count)")
        case .update(let books, let deletions, let insertions, let modifications):
          calls.append("\(Array(books.map(\.title))) \(deletions) \(insertions) \(modifications)")
        case .error: calls.append("error")
        }
      }
      realm.refresh()
      try realm.write {
        shelf.books[1].pages = 11
        shelf.books.remove(at: 0)
      }
      realm.refresh()
      #expect(calls == ["initial 3", #"["A", "C"] [0] [] [1]"#])
      withExtendedLifetime(token) {}
    }
  }

  @Test func elementsAreEncodedAndSet() throws {
    try onOwnThread {
      let (realm, shelf) = try makeShelf()
      let prices = try JSONEncoder().encode(AnyRealmCollection(shelf.prices))
      #expect(String(decoding: prices, as: UTF8.self) == "[3,1,2]")
      try realm.write { AnyRealmCollection(shelf.books).setValue(5, forKey: "pages") }
      #expect(shelf.books.map(\.pages) == [5, 5, 5])
    }
  }

  @Test func aRealmFreezesCollections() throws {
    try onOwnThread {
      let (realm, shelf) = try makeShelf()
      let (books, results) = (realm.freeze(shelf.books), realm.freeze(realm.objects(Book.self)))
      try realm.write { realm.deleteAll() }
      #expect(books.count == 3 && results.count == 3 && books.isFrozen)
    }
  }

  @Test func aTokenOfNothingIsInert() {
    let token = NotificationToken()
    #expect(!token.invalidate())
  }
}
