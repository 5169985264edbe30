import Foundation
import Testing

@testable import Firn
@testable import FirnEngine

/// Whoever asks again and again, or for much at once, pays no more because there is an index.
@Suite struct IndexCostTests {
  final class Part: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(index: .ordered) var number: Int
    @Persisted var weight: Int
    @Persisted var box: Box?

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    override class func indexes() -> [Index] { [Index(\Part.box?.label)] }
  }

  final class Box: Object {
    @Persisted var label: String

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  private func makeRealm(parts count: Int) throws -> Realm {
    let realm = try Realm(
      configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Part.self, Box.self]))
    try realm.write {
      let box = realm.create(Box.self, value: ["label": "a"])
      for id in 0..<count {
        realm.create(Part.self, value: ["id": id, "number": id, "weight": id, "box": box] as [String: Any])
      }
    }
    return realm
  }

  @Test func firstRowsThatAreFoundByTests() throws {
    let realm = try makeRealm(parts: 6_000)
    let parts = realm.objects(Part.self).where { $0.weight >= 300 }.sorted(by: \.number)
    for _ in 0..<200 { #expect(parts.first?.id == 300) }
    #expect((301..<700).contains(parts.core.work.testedRows), "\(parts.core.work)")
    // The planner gives up testing when the first match lies far behind.
    let last = realm.objects(Part.self).where { $0.weight >= 5_999 }.sorted(by: \.number)
    #expect(last.first?.id == 5_999)
    #expect((1..<700).contains(last.core.work.testedRows), "\(last.core.work)")
  }

  @Test func lastRowsOfManyRanges() throws {
    let realm = try makeRealm(parts: 6_000)
    let parts = realm.objects(Part.self).where { $0.number.in(0..<20) }.sorted(by: \.number)
    for _ in 0..<200 { #expect(parts.last?.id == 19 && parts[3].id == 3) }
    #expect(parts.core.work.lookups < 200, "\(parts.core.work)")
  }

  /// What is written changes an index that the query does not read in all rows.
  @Test func indexesOfOtherQueriesAreLeft() throws {
    let realm = try makeRealm(parts: 2_000)
    let parts = realm.objects(Part.self)
    let late = parts.where { $0.number > 1_990 }
    let worst = parts.sorted(by: \.number, ascending: false)
    let box = try #require(realm.objects(Box.self).first)
    try realm.write {
      let writer = try #require(realm.instance.writer)
      let before = writer.orderedWork.builtRows
      for step in 0..<20 {
        box.label = "\(step)"
        #expect(late.count == 9 && worst.first?.id == 1_999)
      }
      #expect(writer.orderedWork.builtRows == before)
      #expect(parts.where { $0.box.label == "19" }.count == 2_000)
    }
  }

  @Test(arguments: ["==", "!="])
  func longChains(operation: String) throws {
    let parts = try makeRealm(parts: 50).objects(Part.self)
    let joint = operation == "==" ? " OR " : " AND "
    let format = (0..<10_000).map { "number \(operation) \($0 * 2)" }.joined(separator: joint)
    let filtered = parts.filter(format)
    let duration = ContinuousClock().measure { #expect(filtered.count == 25) }
    // Some 0.5 seconds, and a minute when every part is joined with all before it.
    #expect(duration < .seconds(15))
  }
}
