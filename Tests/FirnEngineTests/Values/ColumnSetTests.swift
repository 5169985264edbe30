import TestSupport
import Testing

@testable import FirnEngine

/// Sets of columns against sets of numbers, in all words of the former.
@Suite struct ColumnSetTests {
  private static func numbers(_ random: inout SeededRandom) -> Set<Int> {
    let edges = [0, 1, 62, 63, 64, 65, 127, 128, 190, 191, 192, 193, 254, 255]
    return Set((0..<random.below(12)).map { _ in random.chance(50) ? edges[random.below(14)] : random.below(256) })
  }

  private static func set(_ numbers: some Sequence<Int>) -> ColumnSet { ColumnSet(numbers.map { ColumnID($0) }) }

  private func check(_ set: ColumnSet, _ numbers: Set<Int>) {
    #expect(set.isEmpty == numbers.isEmpty && set.count == numbers.count, "\(numbers)")
    #expect((0..<ColumnSet.capacity).allSatisfy { set.contains(ColumnID($0)) == numbers.contains($0) }, "\(numbers)")
    var found: [Int] = []
    set.forEachColumn { found.append($0.index) }
    #expect(found == numbers.sorted())
    #expect(set == Self.set(numbers.sorted()) && set.hashValue == Self.set(numbers.sorted()).hashValue)
  }

  @Test func setsAgreeWithTheModel() {
    var random = SeededRandom.printed("column sets")
    for _ in 0..<400 {
      var (one, other) = (Self.numbers(&random), Self.numbers(&random))
      if random.chance(20) { other = one }
      // Often they differ in a single column.
      if random.chance(50) { other.formSymmetricDifference([random.below(256)]) }
      var set = Self.set(one)
      #expect((set == Self.set(other)) == (one == other), "\(one), \(other)")
      #expect(set.isDisjoint(with: Self.set(other)) == one.isDisjoint(with: other), "\(one), \(other)")
      var (union, intersection) = (set, set)
      union.formUnion(Self.set(other))
      check(union, one.union(other))
      intersection.formIntersection(Self.set(other))
      check(intersection, one.intersection(other))
      let number = random.chance(50) ? random.below(256) : one.first ?? 0
      set.remove(ColumnID(number))
      one.remove(number)
      check(set, one)
    }
  }
}
