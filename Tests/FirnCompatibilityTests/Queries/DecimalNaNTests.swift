import Firn
import Foundation
import TestSupport
import Testing

private final class Quote: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var price: Decimal128
  @Persisted var other: Decimal128
  @Persisted var limit: Decimal128?
  @Persisted var list: List<Decimal128>
  @Persisted var set: MutableSet<Decimal128>
  @Persisted var map: Map<String, Decimal128?>
  @Persisted var any: AnyRealmValue
  @Persisted var double: Double
  @Persisted var next: Quote?

  override static func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A class with an ordered index of decimals.
private final class OrderedQuote: Object {
  @Persisted var price: Decimal128

  override class func indexes() -> [Index] { [Index(\OrderedQuote.price)] }
  override static func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A decimal NaN equals itself and is below all numbers, everywhere. One of a binary number equals nothing.
@Suite struct DecimalNaNTests {
  private static let nan = Decimal128("NaN")

  private static func realm() throws -> Realm {
    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [Quote.self, OrderedQuote.self]))
    try realm.write {
      for (id, price) in [Decimal128(1), nan, Decimal128(-1), nan, "-Infinity"].enumerated() {
        let quote = realm.create(Quote.self, value: ["id": id])
        (quote.price, quote.other, quote.any) = (price, price, .decimal128(price))
        quote.limit = id == 4 ? nil : price
        quote.list.append(price)
        quote.set.insert(price)
        quote.map["a"] = price
        quote.double = id == 1 ? .nan : Double(id)
        quote.next = realm.object(ofType: Quote.self, forPrimaryKey: id - 1)
        realm.create(OrderedQuote.self).price = price
      }
    }
    return realm
  }

  private func ids(_ quotes: Results<Quote>) -> [Int] { quotes.sorted(by: \.id).map(\.id) }

  @Test func typedConditionsFindIt() throws {
    try onOwnThread {
      let quotes = try Self.realm().objects(Quote.self)
      let nan = Self.nan
      #expect(ids(quotes.where { $0.price == nan }) == [1, 3])
      #expect(ids(quotes.where { $0.other == nan }) == [1, 3])
      #expect(ids(quotes.where { $0.limit == nan }) == [1, 3])
      #expect(ids(quotes.where { $0.any == .decimal128(nan) }) == [1, 3])
      #expect(ids(quotes.where { $0.price != nan }) == [0, 2, 4])
      #expect(ids(quotes.where { $0.limit != nan }) == [0, 2, 4])
      #expect(ids(quotes.where { $0.price < 0 }) == [1, 2, 3, 4])
      #expect(ids(quotes.where { $0.price <= nan }) == [1, 3])
      #expect(ids(quotes.where { $0.price < nan }).isEmpty)
      #expect(ids(quotes.where { $0.price > nan }) == [0, 2, 4])
      #expect(ids(quotes.where { $0.price >= nan }) == [0, 1, 2, 3, 4])
      #expect(ids(quotes.where { $0.price.contains(nan...(-1)) }) == [1, 2, 3, 4])
      #expect(ids(quotes.where { $0.price.in([nan, 1]) }) == [0, 1, 3])
      #expect(ids(quotes.where { $0.price.in([nan, 1, 2, 3, 4, 5, 6]) }) == [0, 1, 3])
      #expect(ids(quotes.where { $0.list.contains(nan) }) == [1, 3])
      #expect(ids(quotes.where { $0.set.contains(nan) }) == [1, 3])
      #expect(ids(quotes.where { $0.map["a"] == nan }) == [1, 3])
      #expect(ids(quotes.where { $0.next.price == nan }) == [2, 4])
      // A binary NaN differs from everything.
      #expect(ids(quotes.where { $0.double == .nan }).isEmpty)
      #expect(ids(quotes.where { $0.any == .double(.nan) }).isEmpty)
    }
  }

  @Test func textsAndColumnsFindIt() throws {
    try onOwnThread {
      let realm = try Self.realm()
      let quotes = realm.objects(Quote.self)
      for (text, expected) in [
        ("price == %@", [1, 3]), ("%@ == price", [1, 3]), ("ANY list == %@", [1, 3]), ("ANY set == %@", [1, 3]),
        ("any == %@", [1, 3]), ("price IN {%@}", [1, 3]), ("NOT price == %@", [0, 2, 4]), ("price < %@", []),
        ("next.price == %@", [2, 4]), ("NONE list != %@", [1, 3]),
      ] {
        let found = quotes.filter(NSPredicate(format: text, argumentArray: [Self.nan]))
        #expect(ids(found) == expected, "\(text)")
      }
      #expect(ids(quotes.filter("price == other")) == [0, 1, 2, 3, 4])
      #expect(ids(quotes.filter("price <= limit")) == [0, 1, 2, 3])
      #expect(ids(quotes.filter("price < next.price")) == [1, 3])
      #expect(quotes.where { $0.any == .decimal128(Self.nan) }.freeze().count == 2)
    }
  }

  @Test func orderedIndexesFindIt() throws {
    try onOwnThread {
      let realm = try Self.realm()
      let quotes = realm.objects(OrderedQuote.self)
      #expect(quotes.where { $0.price == Self.nan }.count == 2)
      #expect(quotes.where { $0.price < 0 }.count == 4)
      #expect(quotes.where { $0.price > Self.nan }.count == 3)
      #expect(quotes.where { $0.price != Self.nan }.count == 3)
      #expect(quotes.where { $0.price < 0 }.plan.description.contains("index"))
      #expect(quotes.sorted(by: \.price).map(\.price).prefix(2).allSatisfy { $0.isNaN })
      #expect(quotes.min(of: \.price) == "-Infinity")
    }
  }

  @Test func observersHearOfIt() throws {
    try onOwnThread {
      let realm = try Self.realm()
      let quotes = realm.objects(Quote.self)
      let views = [
        quotes.where { $0.price == Self.nan }, quotes.where { $0.price < 0 }, quotes.where { $0.limit == Self.nan },
        quotes.where { $0.any == .decimal128(Self.nan) }, quotes.where { $0.list.contains(Self.nan) },
        quotes.where { $0.next.price == Self.nan },
      ]
      let tokens = views.map { $0.observe { _ in } }
      realm.refresh()
      for (id, price) in [(0, Self.nan), (1, 5), (2, Self.nan), (3, -2), (4, Self.nan), (2, "Infinity")] {
        try realm.write {
          let quote = realm.object(ofType: Quote.self, forPrimaryKey: id)!
          (quote.price, quote.limit, quote.any, quote.list[0]) = (price, price, .decimal128(price), price)
        }
        realm.refresh()
        let all = quotes.map { ($0.id, $0.price, $0.limit, $0.next?.price) }
        let expected = [
          all.filter { $0.1 == Self.nan }, all.filter { $0.1 < 0 }, all.filter { $0.2 == Self.nan },
          all.filter { $0.1 == Self.nan }, all.filter { $0.1 == Self.nan }, all.filter { $0.3 == Self.nan },
        ]
        for (view, rows) in zip(views, expected) { #expect(view.map(\.id).sorted() == rows.map(\.0)) }
      }
      for token in tokens { token.invalidate() }
    }
  }

  @Test func itIsOneValueWhereverValuesAreCompared() throws {
    try onOwnThread {
      let realm = try Self.realm()
      let quotes = realm.objects(Quote.self)
      #expect(quotes.distinct(by: [\Quote.price]).count == 4)
      #expect(quotes.grouped(by: \.price).group(for: Self.nan)?.count == 2)
      #expect(quotes.sectioned(by: \.price).map(\.count) == [2, 1, 1, 1])
      #expect(quotes.sorted(by: \.price).map(\.id) == [1, 3, 4, 2, 0])
      let set = quotes[1].set
      try realm.write { set.insert(Self.nan) }
      #expect(set.count == 1 && set.contains(Self.nan))
    }
  }
}
