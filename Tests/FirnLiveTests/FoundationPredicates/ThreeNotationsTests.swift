import Firn
import Foundation
import TestSupport
import Testing

/// The same random condition as a typed query, as a text and as a predicate of Foundation finds the same objects, and
/// those that Foundation itself finds.
@Suite struct ThreeNotationsTests {
  @Test(arguments: 0..<8)
  func findTheSame(round: Int) throws {
    try onOwnThread {
      var random = SeededRandom.printed("three notations \(round)")
      let realm = try Hounds.realm()
      let all = realm.objects(Hound.self)
      for _ in 0..<10 {
        try realm.write {
          for _ in 0..<40 { Hounds.change(realm, &random, countMax: 25, texts: HoundCondition.texts) }
        }
        for _ in 0..<12 {
          let condition = HoundCondition.random(&random, depth: 3)
          let predicate = condition.predicate
          let expected = FoundationPredicateTests.naive(predicate, realm)
          let found = all.where(predicate)
          #expect(found.map(\.id) == expected, "\(condition)")
          #expect(found.freeze().map(\.id) == expected, "\(condition)")
          #expect(all.where(condition.typed).map(\.id) == expected, "typed: \(condition)")
          let parsed = try all.filter(parsing: condition.text, arguments: condition.arguments)
          #expect(parsed.map(\.id) == expected, "text: \(condition)")
        }
      }
    }
  }
}
