import Firn
import Foundation
import Testing

/// Counts of the elements that satisfy a condition.
@Suite struct QuerySubqueryTests {
  private let world: QueryWorld

  init() throws { world = try QueryWorld() }

  @Test func counts() {
    for count in 0..<3 {
      world.check({ ($0.children.age > 1).count == count }, { $0.children.filter { $0.age > 1 }.count == count })
      world.check({ ($0.children.age > 1).count != count }, { $0.children.filter { $0.age > 1 }.count != count })
      world.check({ ($0.children.age > 1).count > count }, { $0.children.filter { $0.age > 1 }.count > count })
      world.check(
        { ($0.children.age > 1).count <= count }, { $0.children.filter { $0.age > 1 }.count <= count })
    }
    world.check({ ($0.children.age > 1).count >= 0 }, { _ in true }, isTrivial: true)
    world.check(
      { ($0.children.age > 1).count.contains(1...2) }, { (1...2).contains($0.children.filter { $0.age > 1 }.count) })
  }

  @Test func allUsesAreOneElement() {
    world.check(
      { ($0.children.age > 1 && $0.children.isOut == true).count > 0 },
      { $0.children.contains { $0.age > 1 && $0.isOut } })
    world.check(
      { ($0.children.age > 1 || $0.children.note == nil).count == 2 },
      { $0.children.filter { $0.age > 1 || $0.note == nil }.count == 2 })
    world.check({ (!($0.children.age > 1)).count > 0 }, { $0.children.contains { !($0.age > 1) } })
    world.check({ $0.children.isOut.count == 1 }, { $0.children.filter(\.isOut).count == 1 })
    world.check(
      { (!$0.children.isOut && $0.children.age.in([1, 7])).count > 0 },
      { $0.children.contains { !$0.isOut && [1, 7].contains($0.age) } })
    world.check(
      { ($0.children.age.contains(1..<6)).count > 0 }, { $0.children.contains { (1..<6).contains($0.age) } })
    world.check(
      { ($0.children.age < $0.children.id).count == 1 }, { $0.children.filter { $0.age < $0.id }.count == 1 })
  }

  @Test func otherCollections() {
    world.check({ ($0.childSet.age > 1).count == 1 }, { $0.childSet.filter { $0.age > 1 }.count == 1 })
    world.check(
      { ($0.childMap.values.age > 1).count > 0 }, { $0.childMap.values.contains { ($0?.age ?? 0) > 1 } })
    world.check({ ($0.places.isHub == true).count == 1 }, { $0.places.filter(\.isHub).count == 1 })
    world.check(
      { ($0.child.friends.age > 1).count == 1 },
      { $0.child.map { $0.friends.filter { $0.age > 1 }.count == 1 } ?? false })
    let parents = world.children.where { ($0.parents.int > 1 && $0.parents.bool == true).count > 7 }
    #expect(
      parents.map(\.id) == world.children.filter { $0.parents.filter { $0.int > 1 && $0.bool }.count > 7 }.map(\.id))
    #expect(!parents.isEmpty && parents.count < world.children.count)
  }

  @Test func collectionsOfElements() {
    world.check({ ($0.children.scores == 1).count == 1 }, { $0.children.filter { $0.scores.contains(1) }.count == 1 })
    world.check(
      { ($0.children.scores.contains(1)).count == 1 }, { $0.children.filter { $0.scores.contains(1) }.count == 1 })
    world.check(
      { ($0.children.scores.count > 1).count == 1 }, { $0.children.filter { $0.scores.count > 1 }.count == 1 })
    world.check(
      { ($0.children.friends.age == 5).count > 0 }, { $0.children.contains { $0.friends.contains { $0.age == 5 } } })
    world.check(
      { ($0.children.friend.age > 1).count == 1 }, { $0.children.filter { ($0.friend?.age ?? 0) > 1 }.count == 1 })
    let someone = world.children[3]
    world.check({ ($0.children == someone).count > 0 }, { $0.children.contains(someone) })
    world.check({ ($0.children.contains(someone)).count > 0 }, { $0.children.contains(someone) })
    world.check(
      { ($0.children.friends.contains(someone)).count > 0 }, { $0.children.contains { $0.friends.contains(someone) } })
  }

  @Test func nested() {
    let found = world.children.where { ($0.friends.age > 0 && ($0.friends.isOut == true).count > 0).count > 0 }
    // The inner collection is one of the element.
    let expected = world.children.filter { $0.friends.contains { $0.age > 0 && $0.friends.contains { $0.isOut } } }
    #expect(found.map(\.id) == expected.map(\.id))
    #expect(!expected.isEmpty && expected.count < world.children.count)
  }

  /// Properties beside those of the collection are looked for in the element.
  @Test func otherPropertiesAreThoseOfTheElement() {
    let found = world.children.where { ($0.friends.age == $0.age).count > 0 }
    #expect(found.map(\.id) == world.children.filter { !$0.friends.isEmpty }.map(\.id))
    let named = world.children.where { ($0.friends.age > 0 && $0.name == "a").count > 0 }
    #expect(named.map(\.id) == world.children.filter { $0.friends.contains { $0.age > 0 && $0.name == "a" } }.map(\.id))
  }
}
