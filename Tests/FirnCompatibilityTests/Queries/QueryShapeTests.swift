import Firn
import Foundation
import TestSupport
import Testing

private final class Leaf: Object {
  @Persisted var number: Int
  @Persisted var name: String
  @Persisted var twigs: List<Leaf>

  override static func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Conditions that a loop builds, in all shapes, on a stack as small as those of tasks.
@Suite struct QueryShapeTests {
  private static func realm() throws -> Realm {
    let realm = try Realm(
      configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Leaf.self]))
    try realm.write {
      for number in 0..<10 { realm.create(Leaf.self, value: ["number": number, "name": "n\(number)"]) }
    }
    return realm
  }

  /// Conditions on the numbers 1 to `count`, joined in a shape.
  private static func joined(
    _ count: Int, _ shape: String, _ leaf: Query<Leaf>, _ join: (Query<Bool>, Query<Bool>) -> Query<Bool>
  ) -> Query<Bool> {
    func condition(_ number: Int) -> Query<Bool> { leaf.number == number }
    switch shape {
    case "left": return (2...count).reduce(condition(1)) { join($0, condition($1)) }
    case "right": return (1..<count).reversed().reduce(condition(count)) { join(condition($1), $0) }
    case "both":
      return (2...count).reduce(condition(1)) { $1 % 2 == 0 ? join($0, condition($1)) : join(condition($1), $0) }
    default:
      var parts = (1...count).map(condition)
      while parts.count > 1 {
        parts = stride(from: 0, to: parts.count, by: 2).map { place in
          place + 1 < parts.count ? join(parts[place], parts[place + 1]) : parts[place]
        }
      }
      return parts[0]
    }
  }

  @Test(arguments: ["left", "right", "both", "balanced"]) func chainsOfAnyShape(shape: String) throws {
    try onOwnThread(stackByteCount: 512 << 10) {
      let realm = try Self.realm()
      for count in [2, 3, 300, 100_000] {
        let some = realm.objects(Leaf.self).where { Self.joined(count, shape, $0, ||) }
        #expect(some.count == min(count, 9), "\(count)")
        let none = realm.objects(Leaf.self).where { Self.joined(count, shape, $0, &&) }
        #expect(none.isEmpty, "\(count)")
        let others = realm.objects(Leaf.self).where { !Self.joined(count, shape, $0, ||) }
        #expect(others.count == 10 - min(count, 9), "\(count)")
      }
    }
  }

  @Test func chainsAreObserved() throws {
    try onOwnThread(stackByteCount: 512 << 10) {
      let realm = try Self.realm()
      let some = realm.objects(Leaf.self).where { Self.joined(10_000, "right", $0, ||) }
      var counts: [Int] = []
      let token = some.observe { change in
        if case .update(let leaves, _, _, _) = change { counts.append(leaves.count) }
      }
      realm.refresh()
      try realm.write { realm.create(Leaf.self, value: ["number": 9_999]) }
      try realm.write { realm.create(Leaf.self, value: ["number": 20_000]) }
      realm.refresh()
      #expect(counts == [10])
      token.invalidate()
    }
  }

  @Test func textsShowTheShape() {
    let leaf = Query<Leaf>._constructForTesting()
    let (a, b, c) = (leaf.number == 1, leaf.number == 2, leaf.number == 3)
    #expect((a && (b && c))._constructPredicate().0 == "((number == %@) && ((number == %@) && (number == %@)))")
    #expect((a && b && c)._constructPredicate().0 == "(((number == %@) && (number == %@)) && (number == %@))")
    #expect((a || (b && c))._constructPredicate().0 == "((number == %@) || ((number == %@) && (number == %@)))")
    #expect(Self.joined(100_000, "right", leaf, ||)._constructPredicate().1.count == 100_000)
  }

  @Test func ninetyNineLevelsAreEvaluated() throws {
    try onOwnThread(stackByteCount: 512 << 10) {
      let realm = try Self.realm()
      let found = realm.objects(Leaf.self).where { leaf in
        (1..<99).reduce(leaf.number == 0) { $1 % 2 == 0 ? $0 && leaf.name != "x" : $0 || leaf.number == $1 }
      }
      // Zero and the odd ones.
      #expect(found.count == 6)
      let negated = realm.objects(Leaf.self).where { leaf in
        (0..<99).reduce(leaf.number == 0) { condition, _ in !condition }
      }
      #expect(negated.count == 9)
    }
  }

  @Test func deeperOnesAreRefused() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Self.realm().objects(Leaf.self).where { leaf in
        (1..<10_000).reduce(leaf.number == 0) { $1 % 2 == 0 ? $0 && leaf.name != "x" : $0 || leaf.number == $1 }
      }
    }
    #expect(trapSaid("more than 100 conditions", result))
    let negated = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Self.realm().objects(Leaf.self).where { leaf in
        (0..<9_999).reduce(leaf.number == 0) { query, _ in !query }
      }
    }
    #expect(trapSaid("more than 100 conditions", negated))
    let nested = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Self.realm().objects(Leaf.self).where { leaf in
        (0..<9_999).reduce(leaf.number == 0) { query, _ in (query && leaf.twigs.number == 1).count > 0 }
      }
    }
    #expect(trapSaid("Fatal error", nested))
  }
}
