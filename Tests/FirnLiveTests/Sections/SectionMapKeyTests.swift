import Firn
import Foundation
import TestSupport
import Testing

private final class Priced: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var prices: Map<String, Int>
  @Persisted var next: Priced?

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Sections by the value that a map has for a key: of the object itself, and of one that links lead to.
@Suite struct SectionMapKeyTests {
  private static func naive(_ objects: [Priced], _ price: (Priced) -> Int?) -> [String] {
    var sections: [(key: Int?, ids: [Int])] = []
    // In sorting, no value and no map come first, objects behind null links last.
    for object in objects {
      if let index = sections.firstIndex(where: { $0.key == price(object) }) {
        sections[index].ids.append(object.id)
      } else {
        sections.append((price(object), [object.id]))
      }
    }
    return sections.map { "\($0.key.map { "\($0)" } ?? "nil") \($0.ids)" }
  }

  private static func text(_ sections: SectionedResults<Int?, Priced>) -> [String] {
    sections.map { "\($0.key.map { "\($0)" } ?? "nil") \($0.map(\.id))" }
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>) func areThoseOfTheValues(seed: UInt64) throws {
    try onOwnThread {
      var random = SeededRandom(seed)
      let realm = try Realm(
        configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Priced.self]))
      try realm.write {
        for id in 0..<12 { realm.create(Priced.self, value: ["id": id] as [String: Any]) }
      }
      let all = realm.objects(Priced.self)
      let faces: [(sections: SectionedResults<Int?, Priced>, order: Results<Priced>, price: (Priced) -> Int?)] = [
        (all.sectioned(by: \.prices["a"]), all.sorted(byKeyPath: "prices['a']"), { $0.prices["a"] }),
        (
          all.sectioned(by: \.next?.prices["a"]), all.sorted(byKeyPath: "next.prices['a']"), { $0.next?.prices["a"] }
        ),
        (
          all.sectioned(by: \.next?.next?.prices["a"]), all.sorted(byKeyPath: "next.next.prices['a']"),
          { $0.next?.next?.prices["a"] }
        ),
      ]
      let tokens = faces.map { $0.sections.observe { _ in } }
      for step in 0..<40 {
        try realm.write {
          for _ in 0...random.below(3) {
            let object = all[random.below(12)]
            switch random.below(4) {
            case 0: object.next = random.chance(20) ? nil : all[random.below(12)]
            case 1: object.prices["a"] = nil
            default: object.prices[random.chance(80) ? "a" : "b"] = random.below(4)
            }
          }
        }
        realm.refresh()
        for (number, face) in faces.enumerated() {
          let expected = Self.naive(Array(face.order), face.price)
          #expect(Self.text(face.sections) == expected, "seed \(seed), step \(step), face \(number)")
          // Evaluated by itself, and not as what an observer has.
          #expect(Self.text(face.sections.freeze()) == expected, "frozen, seed \(seed), step \(step), face \(number)")
        }
      }
      for token in tokens { token.invalidate() }
    }
  }
}
