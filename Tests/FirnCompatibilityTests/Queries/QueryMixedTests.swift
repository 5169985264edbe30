import Firn
import Foundation
import Testing

/// Mixed values: kinds that compare, texts and data, elements of any type.
@Suite struct QueryMixedTests {
  private let world: QueryWorld

  init() throws { world = try QueryWorld() }

  /// As conditions see it: numbers by value, texts as their bytes where a text is looked for.
  private static func equal(_ value: AnyRealmValue, to constant: AnyRealmValue) -> Bool {
    if let left = number(value), let right = number(constant) { return left == right }
    if case .string(let text) = constant, case .data(let data) = value { return data == Data(text.utf8) }
    return value == constant
  }

  private static func number(_ value: AnyRealmValue) -> Double? {
    switch value {
    case .int(let value): Double(value)
    case .double(let value): value
    case .float(let value): Double(value)
    case .decimal128(let value): Double(value.description)
    default: nil
    }
  }

  private var constants: [AnyRealmValue] {
    [
      .none, .int(2), .double(2), .float(0.25), .decimal128(5), .bool(true), .string("ab"), .string(""),
      .data(Data("ab".utf8)), .date(QueryValues.dates[2]), .uuid(QueryValues.uuids[1]),
    ]
  }

  @Test func equality() {
    for constant in constants {
      world.check({ $0.any == constant }, { Self.equal($0.any, to: constant) }, isTrivial: true)
      world.check({ $0.any != constant }, { !Self.equal($0.any, to: constant) }, isTrivial: true)
      world.check({ $0.anys == constant }, { $0.anys.contains { Self.equal($0, to: constant) } }, isTrivial: true)
      world.check({ $0.anys != constant }, { $0.anys.contains { !Self.equal($0, to: constant) } }, isTrivial: true)
      world.check(
        { $0.anySet.contains(constant) }, { $0.anySet.contains { Self.equal($0, to: constant) } }, isTrivial: true)
      world.check(
        { $0.anyMap.values == constant }, { $0.anyMap.values.contains { Self.equal($0, to: constant) } },
        isTrivial: true)
      world.check(
        { $0.anyMap["a"] == constant }, { Self.equal($0.anyMap["a"] ?? .none, to: constant) }, isTrivial: true)
      world.check(
        { $0.children.any == constant }, { $0.children.contains { Self.equal($0.any, to: constant) } }, isTrivial: true)
    }
    world.check({ $0.any.in(constants) }, { object in constants.contains { Self.equal(object.any, to: $0) } })
    world.check(
      { $0.anys.containsAny(in: constants) },
      { object in object.anys.contains { value in constants.contains { Self.equal(value, to: $0) } } })
    world.check({ $0.any == .int(2) }, { Self.number($0.any) == 2 })
    world.check({ $0.any == $0.any }, { _ in true }, isTrivial: true)
  }

  @Test func order() {
    func number(_ value: AnyRealmValue, _ isIn: (Double) -> Bool) -> Bool { Self.number(value).map(isIn) ?? false }
    world.check({ $0.any > .int(1) }, { number($0.any) { $0 > 1 } })
    world.check({ $0.any <= .double(2) }, { number($0.any) { $0 <= 2 } })
    world.check({ $0.any < .decimal128(1) }, { number($0.any) { $0 < 1 } })
    world.check({ $0.any <= .none }, { $0.any == .none })
    world.check({ $0.any > .none }, { _ in false }, isTrivial: true)
    world.check(
      { $0.any > .string("a") },
      { object in
        object.any.stringValue.map { "a".utf8.lexicographicallyPrecedes($0.utf8) } ?? false
      })
    world.check(
      { $0.any > .date(QueryValues.dates[0]) }, { $0.any.dateValue.map { $0 > QueryValues.dates[0] } ?? false })
    world.check({ $0.anys > .int(1) }, { $0.anys.contains { number($0) { $0 > 1 } } })
    world.check({ $0.anys.count > 1 }, { $0.anys.count > 1 })
    world.check({ $0.anyMap["a"] > .int(1) }, { number($0.anyMap["a"] ?? .none) { $0 > 1 } }, isTrivial: true)
  }

  @Test func aggregates() {
    func sum(_ values: [AnyRealmValue]) -> Double { values.compactMap { Self.number($0) }.reduce(0, +) }
    world.check({ $0.anys.sum > .int(2) }, { sum(Array($0.anys)) > 2 })
    world.check({ $0.anys.max == .none }, { $0.anys.allSatisfy { $0 == .none } })
  }

  @Test func objectsInMixedValues() throws {
    let child = world.children[4]
    let realm = world.realm
    let owner = world.all[2]
    try realm.write {
      owner.any = .object(child)
      owner.anys.append(.object(child))
    }
    world.check({ $0.any == .object(child) }, { $0.id == 2 })
    world.check({ $0.any != .object(child) }, { $0.id != 2 })
    world.check({ $0.anys == .object(child) }, { $0.id == 2 })
    world.check({ $0.any == .object(QueryChild()) }, { _ in false }, isTrivial: true)
    world.check({ $0.any == .object(world.children[5]) }, { _ in false }, isTrivial: true)
  }

  @Test func insideOfNestedValues() throws {
    let realm = world.realm
    let first = world.all[0]
    let second = world.all[1]
    try realm.write {
      first.any = .fromDictionary(["k": .fromArray([.int(1), .string("ab")]), "#any": .int(4)])
      second.any = .fromArray([.fromDictionary(["k": .data(Data("ab".utf8))]), .int(7)])
      first.anyMap["deep"] = .fromArray([.int(1), .fromDictionary(["x": .bool(true)])])
    }
    func ids(_ query: (Query<QueryAll>) -> Query<Bool>) -> [Int] { world.all.where(query).map(\.id) }
    #expect(ids { $0.any["k"][1] == .string("ab") } == [0])
    #expect(ids { $0.any[0]["k"] == .string("ab") } == [1])
    #expect(ids { $0.any.any["k"] == .string("ab") } == [1])
    #expect(ids { $0.any.any.any == .string("ab") } == [0, 1])
    #expect(ids { $0.any["#any"] == .int(4) } == [0])
    #expect(ids { $0.anyMap["deep"][1]["x"] == .bool(true) } == [0])
    #expect(ids { $0.any["k"] == .fromArray([.int(1), .string("ab")]) } == [0])
    #expect(ids { $0.any[1] > .int(6) } == [1])
    #expect(ids { $0.any[1].in([.int(7), .none]) }.contains(1))
    #expect(ids { $0.any["k"].any.in([.int(1)]) } == [0])
  }
}
