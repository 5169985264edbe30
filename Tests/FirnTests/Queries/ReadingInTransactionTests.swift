import Firn
import Foundation
import Testing

final class TransactionShelf: Object {
  @Persisted(indexed: true) var room: String
  @Persisted var rank: Int
  @Persisted(originProperty: "shelf") var books: LinkingObjects<TransactionBook>
}

final class TransactionBook: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var copies: Int
  @Persisted(indexed: true) var title: String
  @Persisted(indexed: true) var isLent: Bool
  @Persisted var pages: Int
  @Persisted var note: String?
  @Persisted var shelf: TransactionShelf?
}

/// Everything that is read in a transaction shows what it has written so far, however it is read.
@Suite struct ReadingInTransactionTests {
  private struct Library {
    let realm: Realm
    var random: SeededRandom
    var nextID = 0
    // Kept all the time, so that they hold evaluations of before.
    let bookResults: Results<TransactionBook>
    let byRank: Results<TransactionBook>
    let manyPages: Results<TransactionBook>

    init(seed: UInt64) throws {
      realm = try Realm(
        configuration: Realm.Configuration(
          inMemoryIdentifier: UUID().uuidString, objectTypes: [TransactionShelf.self, TransactionBook.self]))
      random = SeededRandom(seed)
      bookResults = realm.objects(TransactionBook.self)
      byRank = bookResults.sorted(byKeyPath: "shelf.rank")
      manyPages = bookResults.where { $0.pages > 5 }.sorted(byKeyPath: "pages")
    }

    var books: [TransactionBook] { Array(bookResults) }
    var shelves: [TransactionShelf] { Array(realm.objects(TransactionShelf.self)) }

    mutating func change() {
      let (book, shelf) = (books.randomElement(using: &random), shelves.randomElement(using: &random))
      let number = random.below(10)
      switch random.below(9) {
      case 0: realm.create(TransactionShelf.self, value: ["room": "room \(number % 3)", "rank": number])
      case 1, 2:
        realm.create(
          TransactionBook.self,
          value: ["id": nextID, "copies": number % 4, "title": "title \(number % 3)", "pages": number])
        nextID += 1
        books.last?.shelf = shelf
      case 3: book?.shelf = random.chance(80) ? shelf : nil
      case 4: shelf?.rank = number
      case 5:
        book?.copies = number % 4
        book?.title = "title \(number % 3)"
        book?.isLent = number < 5
      case 6: book?.pages = number
      case 7: book?.note = [nil, "", "a note"][number % 3]
      default:
        if let book, books.count > 6 { realm.delete(book) }
        if let shelf, shelves.count > 3 { realm.delete(shelf) }
      }
    }

    mutating func check() -> String? {
      let number = random.below(10)
      let books = books
      func differ(_ name: String, _ found: [TransactionBook], _ expected: [TransactionBook]) -> String? {
        found == expected ? nil : "\(name): \(found.map(\.id)), not \(expected.map(\.id))"
      }
      func agree<T: Equatable>(_ name: String, _ found: T, _ expected: T) -> String? {
        found == expected ? nil : "\(name): \(found), not \(expected)"
      }
      switch random.below(9) {
      case 0:
        let rows = bookResults.where { $0.copies == number % 4 }
        return agree("count of equal integers", rows.count, books.filter { $0.copies == number % 4 }.count)
      case 1:
        let rows = bookResults.where { $0.title == "title \(number % 4)" }
        return agree("count of equal texts", rows.count, books.filter { $0.title == "title \(number % 4)" }.count)
      case 2:
        return agree("count of Bools", bookResults.where { $0.isLent == true }.count, books.filter(\.isLent).count)
      case 3:
        for shelf in shelves {
          let expected = books.filter { $0.shelf?.isSameObject(as: shelf) == true }
          if let mistake = agree("count of backlinks", shelf.books.count, expected.count)
            ?? agree("first backlink", shelf.books.first?.id, expected.first?.id)
            ?? agree("last backlink", shelf.books.last?.id, expected.last?.id)
            ?? agree("place of a backlink", expected.last.flatMap { shelf.books.index(of: $0) }, expected.indices.last)
            ?? differ("backlinks", Array(shelf.books), expected)
          {
            return mistake
          }
        }
        return nil
      case 4:
        let expected = books.enumerated().sorted {
          // Who has no shelf comes last.
          let (left, right) = ($0.element.shelf?.rank ?? .max, $1.element.shelf?.rank ?? .max)
          return left == right ? $0.offset < $1.offset : left < right
        }
        return differ("order behind a link", Array(byRank), expected.map(\.element))
      case 5:
        let rows = bookResults.where { $0.pages > number }.sorted(byKeyPath: "pages", ascending: false)
        let most = books.filter { $0.pages > number }.map(\.pages).max()
        return agree("first of a sorted query", rows.first?.pages, most)
      case 6:
        let rows = bookResults.where { $0.pages > number }.sorted(byKeyPath: "pages")
        return agree("first of a sorted query", rows.first?.pages, books.map(\.pages).filter { $0 > number }.min())
      case 7:
        return agree("kept query", manyPages.map(\.pages), books.map(\.pages).filter { $0 > 5 }.sorted())
      default:
        let present = bookResults.where { $0.note.notEquals(nil, options: .caseInsensitive) }
        let absent = bookResults.where { $0.note.equals(nil, options: .caseInsensitive) }
        return differ("texts", Array(present), books.filter { $0.note != nil })
          ?? differ("no texts", Array(absent), books.filter { $0.note == nil })
      }
    }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func agreesWithTheObjects(seed: UInt64) throws {
    print("ReadingInTransaction seed \(seed)")
    try onOwnThread {
      var library = try Library(seed: seed)
      for transaction in 0..<12 {
        library.realm.beginWrite()
        for step in 0..<40 {
          library.change()
          let mistake = library.check()
          #expect(mistake == nil, "seed \(seed), transaction \(transaction), step \(step)")
        }
        if library.random.chance(20) { library.realm.cancelWrite() } else { try library.realm.commitWrite() }
        for _ in 0..<5 {
          let mistake = library.check()
          #expect(mistake == nil, "seed \(seed), after transaction \(transaction)")
        }
      }
    }
  }
}
