import Firn
import Foundation
import Testing

/// Conditions on single values: null, enumerations, custom types, texts, links.
@Suite struct QueryValueTests {
  private let world: QueryWorld

  init() throws { world = try QueryWorld() }

  @Test func nullOfNumbersAndDates() {
    world.check({ $0.intOpt == nil }, { $0.intOpt == nil })
    world.check({ $0.intOpt != nil }, { $0.intOpt != nil })
    world.check({ $0.intOpt != 5 }, { $0.intOpt != 5 })
    world.check({ $0.intOpt < nil || $0.intOpt > nil }, { _ in false }, isTrivial: true)
    world.check({ $0.intOpt <= nil }, { $0.intOpt == nil })
    world.check({ $0.intOpt >= nil }, { $0.intOpt == nil })
    world.check({ $0.intOpt < 2 }, { $0.intOpt.map { $0 < 2 } ?? false })
    world.check({ $0.dateOpt <= QueryValues.dates[1] }, { $0.dateOpt.map { $0 <= QueryValues.dates[1] } ?? false })
    world.check({ $0.dateOpt >= nil }, { $0.dateOpt == nil })
    world.check({ $0.doubleOpt.in([nil, 2]) }, { $0.doubleOpt == nil || $0.doubleOpt == 2 })
    world.check({ $0.boolOpt == nil }, { $0.boolOpt == nil })
    world.check({ $0.boolOpt != true }, { $0.boolOpt != true })
    world.check({ $0.intOpt.contains(0...5) }, { $0.intOpt.map { (0...5).contains($0) } ?? false })
    world.check({ $0.intOpt.contains(0..<5) }, { $0.intOpt.map { (0..<5).contains($0) } ?? false })
  }

  /// Texts of the class itself: nil is below all.
  @Test func nullOfTexts() {
    world.check({ $0.stringOpt > nil }, { $0.stringOpt != nil })
    world.check({ $0.stringOpt >= nil }, { _ in true }, isTrivial: true)
    world.check({ $0.stringOpt < nil }, { _ in false }, isTrivial: true)
    world.check({ $0.stringOpt <= nil }, { $0.stringOpt == nil })
    world.check({ $0.stringOpt < "b" }, { $0.stringOpt.map { Self.precedes($0, "b") } ?? true })
    world.check({ $0.stringOpt <= "ab" }, { $0.stringOpt.map { !Self.precedes("ab", $0) } ?? true })
    world.check({ $0.stringOpt > "b" }, { $0.stringOpt.map { Self.precedes("b", $0) } ?? false })
    world.check({ $0.stringOpt >= "b" }, { $0.stringOpt.map { !Self.precedes($0, "b") } ?? false })
    // Behind links nil is in no order.
    world.check({ $0.child.note < "b" }, { $0.child?.note.map { Self.precedes($0, "b") } ?? false })
    world.check({ $0.child.note > nil }, { _ in false }, isTrivial: true)
    world.check({ $0.child.note <= nil }, { $0.child?.note == nil })
    world.check({ $0.child.name >= "b" }, { $0.child.map { !Self.precedes($0.name, "b") } ?? false })
    world.check({ $0.string.contains("a"..."b") }, { !Self.precedes($0.string, "a") && !Self.precedes("b", $0.string) })
    world.check(
      { $0.stringOpt.contains("a"..<"b") },
      {
        $0.stringOpt.map { !Self.precedes($0, "a") && Self.precedes($0, "b") } ?? false
      })
  }

  private static func precedes(_ lhs: String, _ rhs: String) -> Bool {
    lhs.utf8.lexicographicallyPrecedes(rhs.utf8)
  }

  @Test func nullLinksOnTheWay() {
    world.check({ $0.child.age == 5 }, { $0.child?.age == 5 })
    world.check({ $0.child.age != 5 }, { $0.child?.age != 5 })
    world.check({ $0.child.weight == nil }, { $0.child?.weight == nil })
    world.check({ $0.child.friend.friend == nil }, { $0.child?.friend?.friend == nil })
    world.check({ $0.place.city == nil }, { $0.place?.city == nil })
    world.check({ $0.place.city != "Oslo" }, { $0.place?.city != "Oslo" })
    world.check({ $0.place == nil }, { $0.place == nil })
    // A Bool by itself is one that is true or false.
    let hubs = world.all.where { $0.place.isHub }
    #expect(hubs.map(\.id) == world.all.filter { $0.place?.isHub == true }.map(\.id))
    let others = world.all.where { !$0.place.isHub }
    #expect(others.map(\.id) == world.all.filter { $0.place?.isHub == false }.map(\.id))
  }

  @Test func storedForms() {
    world.check({ $0.colour == .green }, { $0.colour == .green })
    world.check({ $0.colour.rawValue.contains("r") }, { $0.colour.rawValue.contains("r") })
    world.check({ $0.colourOpt.rawValue == nil }, { $0.colourOpt == nil })
    world.check({ $0.colourOpt == .green }, { $0.colourOpt == .green })
    world.check({ $0.colourOpt.in([nil, .red]) }, { $0.colourOpt == nil || $0.colourOpt == .red })
    world.check({ $0.level > .low }, { $0.level > .low })
    world.check({ $0.level.contains(.middle ... .high) }, { $0.level >= .middle })
    world.check({ $0.levelOpt.rawValue < 9 }, { $0.levelOpt.map { $0.rawValue < 9 } ?? false })
    world.check({ $0.level.persistableValue.in([1, 9]) }, { $0.level != .middle })
    world.check({ $0.code == QueryCode(5) }, { $0.code == QueryCode(5) })
    world.check({ $0.code > QueryCode(1) }, { $0.code.number > 1 })
    world.check({ $0.code.contains(QueryCode(0)...QueryCode(2)) }, { (0...2).contains($0.code.number) })
    world.check({ $0.code.persistableValue <= 1 }, { $0.code.number <= 1 })
    world.check({ $0.codeOpt == nil }, { $0.codeOpt == nil })
    world.check({ $0.codeOpt != QueryCode(5) }, { $0.codeOpt != QueryCode(5) })
    world.check({ $0.codeOpt.persistableValue < 2 }, { $0.codeOpt.map { $0.number < 2 } ?? false })
    world.check({ $0.tag.starts(with: QueryTag("a")) }, { $0.tag.text.hasPrefix("a") })
    world.check({ $0.tag.persistableValue.ends(with: "b") }, { $0.tag.text.hasSuffix("b") })
    world.check({ $0.colours.rawValue.contains("red") }, { $0.colours.contains(.red) })
    world.check({ $0.levelOpts.rawValue.max > 4 }, { $0.levelOpts.contains { $0.map { $0 > .low } ?? false } })
    world.check({ $0.levelSet.rawValue.contains(1...5) }, { !$0.levelSet.isEmpty && !$0.levelSet.contains(.high) })
    world.check({ $0.levelMap.rawValue["a"] > 1 }, { $0.levelMap["a"].map { $0 > .low } ?? false })
    world.check({ $0.codes.persistableValue.sum > 3 }, { $0.codes.map(\.number).reduce(0, +) > 3 })
    world.check({ $0.codeMap.persistableValue.values == 5 }, { $0.codeMap.values.contains(QueryCode(5)) })
    world.check({ $0.ints.persistableValue == 5 }, { $0.ints.contains(5) })
  }

  @Test func textsOfTwoProperties() {
    func contains(_ lhs: String, _ rhs: String) -> Bool {
      !rhs.isEmpty && Data(lhs.utf8).range(of: Data(rhs.utf8)) != nil
    }
    world.check({ $0.string.contains($0.stringOther) }, { contains($0.string, $0.stringOther) })
    world.check({ $0.string.contains($0.stringOpt) }, { contains($0.string, $0.stringOpt ?? "") })
    world.check(
      { $0.string.starts(with: $0.stringOther) },
      {
        !$0.stringOther.isEmpty && Data($0.string.utf8).starts(with: $0.stringOther.utf8)
      })
    world.check(
      { $0.string.ends(with: $0.stringOther) },
      {
        !$0.stringOther.isEmpty && $0.string.utf8.reversed().starts(with: $0.stringOther.utf8.reversed())
      })
    world.check({ $0.string.equals($0.stringOther) }, { $0.string == $0.stringOther })
    world.check(
      { $0.string.equals($0.stringOther, options: .caseInsensitive) },
      {
        $0.string.lowercased() == $0.stringOther.lowercased()
      })
    world.check({ $0.string.notEquals($0.stringOpt) }, { $0.string != $0.stringOpt })
    world.check(
      { $0.string.like($0.stringOther) },
      {
        $0.string == $0.stringOther || ($0.stringOther == "a*b" && $0.string == "ab")
      })
    world.check(
      { $0.string.starts(with: $0.child.name) },
      { object in
        object.child.map { !$0.name.isEmpty && Data(object.string.utf8).starts(with: $0.name.utf8) } ?? false
      })
    world.check({ $0.string < $0.stringOther }, { Self.precedes($0.string, $0.stringOther) })
    world.check(
      { $0.data.contains($0.dataOpt) },
      { object in
        object.dataOpt.map { !$0.isEmpty && object.data.range(of: $0) != nil } ?? false
      })
  }

  @Test func textsAndConstants() {
    world.check({ $0.string.contains("\0") }, { $0.string.utf8.contains(0) })
    world.check({ $0.string.contains("") }, { _ in false }, isTrivial: true)
    world.check({ $0.stringOpt.contains(nil) }, { _ in false }, isTrivial: true)
    world.check({ $0.stringOpt.like(nil) }, { $0.stringOpt == nil })
    world.check({ $0.stringOpt.like("*") }, { $0.stringOpt != nil })
    world.check({ $0.stringOpt.notEquals("AB", options: .caseInsensitive) }, { $0.stringOpt?.lowercased() != "ab" })
    world.check({ $0.stringOpt.equals(nil, options: .caseInsensitive) }, { $0.stringOpt == nil })
    world.check({ $0.data.starts(with: Data("a".utf8)) }, { $0.data.first == UInt8(ascii: "a") })
    world.check({ $0.data > Data("b".utf8) }, { Data("b".utf8).lexicographicallyPrecedes($0.data) })
    world.check(
      { $0.strings.contains("a"..."b") },
      { object in
        !object.strings.isEmpty && object.strings.allSatisfy { !Self.precedes($0, "a") && !Self.precedes("b", $0) }
      })
    world.check(
      { $0.stringOpts.contains("a"..<"b") },
      { object in
        let texts = object.stringOpts.compactMap { $0 }
        return !texts.isEmpty && texts.allSatisfy { !Self.precedes($0, "a") && Self.precedes($0, "b") }
      })
    world.check({ $0.strings.contains("") }, { $0.strings.contains("") })
    world.check({ $0.children.name.like("?") }, { $0.children.contains { $0.name.unicodeScalars.count == 1 } })
    world.check({ $0.child.name.equals("AB", options: .caseInsensitive) }, { $0.child?.name.lowercased() == "ab" })
  }

  @Test func objects() throws {
    for child in world.children {
      world.check({ $0.child == child }, { $0.child == child }, isTrivial: true)
      world.check({ $0.child != child }, { $0.child != child }, isTrivial: true)
      world.check({ $0.child.friend == child }, { $0.child?.friend == child }, isTrivial: true)
    }
    let some = [world.children[0], world.children[5], nil]
    world.check({ $0.child.in(some) }, { some.contains($0.child) })
    world.check({ $0.child == QueryChild() }, { _ in false }, isTrivial: true)
    world.check({ $0.child != QueryChild() }, { _ in true }, isTrivial: true)
    world.check({ $0.child == $0.child.friend }, { $0.child == $0.child?.friend })
    let me = world.all[3]
    world.check({ $0 == me }, { $0.id == 3 })
    world.check({ $0 != me }, { $0.id != 3 })
    world.check({ $0.in([me, world.all[5]]) }, { [3, 5].contains($0.id) })
    let place = try #require(world.all.compactMap(\.place).first)
    world.check({ $0.place == place }, { $0.place?.isSameObject(as: place) ?? false })
    let friends = world.children.where { $0.friend == world.children[2] }
    let realm = world.realm
    let gone = world.children[2]
    try realm.write { realm.delete(gone) }
    #expect(friends.isEmpty)
    world.check({ $0.child == gone }, { _ in false }, isTrivial: true)
  }

  @Test func membersOfCustomTypes() {
    let constant = QueryCoordinate(2, "x")
    world.check({ $0.coordinate == constant }, { $0.coordinate == constant })
    world.check({ $0.coordinate != constant }, { $0.coordinate != constant })
    world.check({ $0.coordinateOpt == constant }, { $0.coordinateOpt == constant })
    world.check({ $0.coordinateOpt != constant }, { $0.coordinateOpt != constant })
    world.check({ $0.coordinateOpt == nil }, { $0.coordinateOpt == nil })
    world.check({ $0.coordinateOpt != nil }, { $0.coordinateOpt != nil })
    world.check({ $0.coordinate == $0.coordinate }, { _ in true }, isTrivial: true)
    world.check({ $0.coordinate.persistableValue.latitude > 1 }, { $0.coordinate.latitude > 1 })
    world.check(
      { $0.coordinate.in([constant, QueryCoordinate(0)]) },
      {
        [constant, QueryCoordinate(0)].contains($0.coordinate)
      })
    world.check({ $0.coordinates == constant }, { $0.coordinates.contains(constant) })
    world.check({ $0.coordinates.contains(constant) }, { $0.coordinates.contains(constant) })
    // Some elements, and none that is equal.
    world.check({ $0.coordinates != constant }, { !$0.coordinates.isEmpty && !$0.coordinates.contains(constant) })
    world.check(
      { $0.coordinates.containsAny(in: [constant, QueryCoordinate(0)]) },
      {
        $0.coordinates.contains { [constant, QueryCoordinate(0)].contains($0) }
      })
    world.check({ $0.coordinates.count == 2 }, { $0.coordinates.count == 2 })
  }
}
