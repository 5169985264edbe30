import Firn
import Foundation
import Testing

/// The ways to give a condition as text.
@Suite struct StringPredicateFormTests {
  private let data: TextRows

  init() throws {
    var random = SeededRandom.printed("forms of string predicates")
    data = try TextRows(30, random: &random)
  }

  @Test func closuresAreTheStandardFilterAndTextsAreQueries() {
    let rows = data.rows
    let lazy = rows.filter { $0.number > 1 }
    let query = rows.filter("number > 1")
    let typed: Results<TextRow> = rows.filter("number > %@", 1)
    let array: [TextRow] = rows.filter { $0.number > 1 }
    #expect(type(of: query) == Results<TextRow>.self)
    #expect(Array(lazy).map(\.id) == Array(query).map(\.id) && array.count == typed.count)
    #expect(rows.index(matching: "number > 1") == rows.firstIndex { $0.number > 1 })
    #expect(rows.index(matching: "number > %@", 1) == rows.index(matching: { $0.number > 1 }))
    #expect(rows.index(matching: "number > 100") == nil)
  }

  @Test func everyCollectionTakesTexts() throws {
    let rows = data.rows
    let row = try #require(rows.filter("friends.@count > 1 AND children.@count > 0").first ?? rows.first)
    func ids(_ results: Results<TextRow>) -> [Int] { results.map(\.id) }
    #expect(ids(row.friends.filter("number > 0")) == Array(row.friends).filter { $0.number > 0 }.map(\.id))
    #expect(Set(ids(row.circle.filter("number > 0"))) == Set(Array(row.circle).filter { $0.number > 0 }.map(\.id)))
    #expect(ids(row.children.filter("number > 0")) == Array(row.children).filter { $0.number > 0 }.map(\.id))
    #expect(ids(AnyRealmCollection(rows).filter("number > 0")) == ids(rows.filter("number > 0")))
    #expect(ids(try row.friends.filter(parsing: "number > 0")) == ids(row.friends.filter("number > 0")))
    #expect(row.friends.index(matching: "number > 0") == Array(row.friends).firstIndex { $0.number > 0 })
    #expect(try row.friends.index(parsing: "number > 0") == Array(row.friends).firstIndex { $0.number > 0 })
    #expect(
      ids(rows.filter("number > 0").sorted(byKeyPath: "number").filter("flag = TRUE"))
        == ids(rows.sorted(byKeyPath: "number").filter("flag = TRUE AND number > 0")))
    let frozen = rows.freeze()
    #expect(ids(frozen.filter("number > 0")) == ids(rows.filter("number > 0")))
    #expect(
      ids(rows.distinct(by: ["number"]).filter("number > 0"))
        == Array(rows.distinct(by: ["number"])).filter { $0.number > 0 }.map(\.id))
  }

  @Test func mapsOfObjectsTakeTexts() throws {
    for row in data.rows {
      let wanted = row.roles.values.compactMap { $0 }.filter { $0.number > 0 }.map(\.id)
      #expect(row.roles.filter("number > %@", 0).compactMap { $0?.id } == wanted)
      #expect(row.roles.filter(NSPredicate(format: "number > 0")).compactMap { $0?.id } == wanted)
      #expect(try row.roles.filter(parsing: "number > $0", arguments: [0]).compactMap { $0?.id } == wanted)
    }
    #expect(throws: Realm.Error.self) { try data.rows[0].roles.filter(parsing: "numbr > 0") }
  }

  @Test func resultsAreLive() throws {
    let positive = data.rows.filter("ANY friends.number = 77")
    #expect(positive.isEmpty)
    try data.realm.write {
      data.rows[0].friends.append(data.rows[1])
      data.rows[1].number = 77
      #expect(!positive.isEmpty)
    }
    #expect(positive.index(of: data.rows[0]) != nil)
  }

  @Test @MainActor func resultsAreObserved() throws {
    var random = SeededRandom(3)
    let data = try TextRows(10, random: &random)
    let delivered = Delivered()
    let token = data.rows.filter("number = %@ AND NONE friends.number = 78", 78).observe { change in
      if case .update(_, _, let insertions, _) = change { delivered.insertions += insertions }
    }
    data.realm.refresh()
    try data.realm.write {
      data.rows[2].number = 78
      data.rows[2].friends.removeAll()
    }
    data.realm.refresh()
    #expect(delivered.insertions == [0])
    token.invalidate()
  }

  private final class Delivered {
    var insertions: [Int] = []
  }

  // MARK: NSPredicate

  @Test func predicatesOfFoundationAreLowered() {
    let rows = data.rows
    func ids(_ predicate: NSPredicate) -> [Int] { rows.filter(predicate).map(\.id) }
    func wanted(_ rule: (TextRow) -> Bool) -> [Int] { Array(rows).filter(rule).map(\.id) }
    let positive = NSPredicate(format: "number > %@", 0)
    let flagged = NSPredicate(format: "flag = %@", argumentArray: [true])
    #expect(ids(positive) == wanted { $0.number > 0 })
    #expect(ids(NSPredicate(value: true)).count == rows.count && ids(NSPredicate(value: false)).isEmpty)
    #expect(ids(NSPredicate(format: "TRUEPREDICATE", argumentArray: nil)).count == rows.count)
    let both = NSCompoundPredicate(andPredicateWithSubpredicates: [positive, flagged])
    #expect(ids(both) == wanted { $0.number > 0 && $0.flag })
    #expect(
      ids(NSCompoundPredicate(orPredicateWithSubpredicates: [positive, flagged])) == wanted { $0.number > 0 || $0.flag }
    )
    #expect(ids(NSCompoundPredicate(notPredicateWithSubpredicate: both)) == wanted { !($0.number > 0 && $0.flag) })
    #expect(ids(NSCompoundPredicate(type: .not, subpredicates: [NSPredicate(value: true)])).isEmpty)
    #expect(ids(NSCompoundPredicate(andPredicateWithSubpredicates: [])).count == rows.count)
    #expect(ids(NSCompoundPredicate(orPredicateWithSubpredicates: [])).isEmpty)
    #expect(rows.index(matching: positive) == rows.index(matching: "number > 0"))
    #expect("\(positive)" == "number > %@")
  }

  @Test func predicatesThatAreJoinedAgainAndAgainAreOneChain() {
    var chain = NSPredicate(value: true)
    for number in 0..<5_000 {
      chain = NSCompoundPredicate(andPredicateWithSubpredicates: [
        chain, NSPredicate(format: "number != %@", number + 100),
      ])
    }
    #expect(data.rows.filter(chain).count == data.rows.count)
  }

  @Test func predicatesThatAreNoneTrap() async {
    let block = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Self.someRows().filter(NSPredicate { _, _ in true })
    }
    #expect(trapSaid("Only support compound, comparison, and constant predicates", block))
    let nested = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var nested = NSPredicate(value: true)
      for level in 0..<102 {
        nested =
          level % 2 == 0
          ? NSCompoundPredicate(notPredicateWithSubpredicate: nested)
          : NSCompoundPredicate(andPredicateWithSubpredicates: [nested, NSPredicate(value: true)])
      }
      _ = try Self.someRows().filter(nested)
    }
    #expect(trapSaid("More than 100 compound predicates lie within each other", nested))
    let evaluated = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSPredicate(format: "number > 1").evaluate(with: try Self.someRows()[0])
    }
    #expect(trapSaid("cannot be evaluated with an object", evaluated))
  }

  @Test func wrongTextsTrapWithTheirPlace() async {
    let text = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Self.someRows().filter("number >")
    }
    #expect(trapSaid("Unable to parse the format string: expected a key path or a value, found the end", text))
    let name = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Self.someRows().filter(NSPredicate(format: "numbr > 1"))
    }
    #expect(trapSaid("Is 'number' meant? (at byte 0: \"▸numbr > 1\")", name))
    let argument = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Self.someRows().index(matching: "number > %@")
    }
    #expect(trapSaid("The predicate needs an argument number 1 here", argument))
  }

  private static func someRows() throws -> Results<TextRow> {
    var random = SeededRandom(1)
    return try TextRows(2, random: &random).rows
  }

  // MARK: Unmanaged

  @Test func unmanagedObjectsAreSearched() throws {
    let rows = (0..<5).map { TextRow(value: ["id": $0, "number": $0 * 2, "name": "n\($0)"] as [String: Any]) }
    let list = List<TextRow>()
    list.append(objectsIn: rows)
    #expect(list.index(matching: "number > 3") == 2)
    #expect(list.index(matching: "number = %@ OR name ENDSWITH '4'", 100) == 4)
    #expect(list.index(matching: NSPredicate(format: "number > 100")) == nil)
    #expect(try list.index(parsing: "number BETWEEN {3, 7}") == 2)
    #expect(throws: Realm.Error.self) { try list.index(parsing: "numbr = 1") }
    #expect(List<TextRow>().index(matching: "number > 3") == nil)
    rows[3].friends.append(rows[1])
    #expect(list.index(matching: "ANY friends.name = 'n1'") == 3)
  }
}
