import Firn
import Foundation
import Testing

/// Aggregates in conditions.
@Suite struct QueryAggregateTests {
  private let world: QueryWorld

  init() throws { world = try QueryWorld() }

  private func average(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  @Test func sumsAndAverages() {
    for value in QueryValues.ints {
      world.check({ $0.ints.sum == value }, { $0.ints.reduce(0, +) == value }, isTrivial: true)
      world.check({ $0.ints.sum > value }, { $0.ints.reduce(0, +) > value })
      world.check(
        { $0.ints.avg > value }, { average($0.ints.map { Double($0) }).map { $0 > Double(value) } ?? false },
        isTrivial: true)
      world.check({ $0.intMap.sum <= value }, { $0.intMap.values.reduce(0, +) <= value })
      world.check(
        { $0.intOpts.sum == value }, { $0.intOpts.compactMap { $0 }.reduce(0, +) == value }, isTrivial: true)
      world.check({ $0.codes.sum > QueryCode(value) }, { $0.codes.map(\.number).reduce(0, +) > value })
    }
    for value in QueryValues.doubles {
      world.check({ $0.doubles.sum >= value }, { $0.doubles.reduce(0, +) >= value })
      world.check(
        { $0.doubles.avg < value }, { average(Array($0.doubles)).map { $0 < value } ?? false }, isTrivial: true)
      let decimal = Decimal128(value: value)
      world.check({ $0.decimals.sum > decimal }, { $0.decimals.map(\.double).reduce(0, +) > value })
      world.check(
        { $0.decimals.avg > decimal }, { average($0.decimals.map(\.double)).map { $0 > value } ?? false },
        isTrivial: true)
    }
  }

  @Test func ofNothing() {
    world.check({ $0.intOpts.max == nil }, { $0.intOpts.allSatisfy { $0 == nil } })
    world.check({ $0.intOpts.min != nil }, { $0.intOpts.contains { $0 != nil } })
    world.check({ $0.intOpts.avg == nil }, { $0.intOpts.allSatisfy { $0 == nil } })
    world.check({ $0.children.weight.max == nil }, { $0.children.allSatisfy { $0.weight == nil } })
    world.check({ $0.children.age.sum == 0 }, { $0.children.map(\.age).reduce(0, +) == 0 })
    world.check({ $0.ints.max < 100 }, { !$0.ints.isEmpty })
    world.check({ $0.doubleOptMap.max == nil }, { $0.doubleOptMap.values.allSatisfy { $0 == nil } })
  }

  @Test func ofProperties() {
    world.check({ $0.children.age.max == 7 }, { $0.children.map(\.age).max() == 7 })
    world.check({ $0.children.age.min < 0 }, { ($0.children.map(\.age).min() ?? 0) < 0 })
    world.check({ $0.children.age.sum > 6 }, { $0.children.map(\.age).reduce(0, +) > 6 })
    world.check({ $0.children.weight.avg > 1 }, { average($0.children.compactMap(\.weight)).map { $0 > 1 } ?? false })
    world.check({ $0.children.price.sum > 2 }, { $0.children.map(\.price.double).reduce(0, +) > 2 })
    let date = QueryValues.dates[1]
    world.check({ $0.children.born.max > date }, { $0.children.map(\.born).max().map { $0 > date } ?? false })
    world.check({ $0.childSet.age.max == 5 }, { $0.childSet.map(\.age).max() == 5 })
    world.check({ $0.children.friend.age.max == 7 }, { $0.children.compactMap { $0.friend?.age }.max() == 7 })
    world.check({ $0.child.friends.age.max == 7 }, { $0.child?.friends.map(\.age).max() == 7 })
    world.check({ $0.childMap.values.age.max == 7 }, { $0.childMap.values.compactMap { $0?.age }.max() == 7 })
    world.check({ $0.children.level.max == .high }, { $0.children.map(\.level).max() == .high })
    world.check({ $0.place.doors.min > 0 }, { $0.place?.doors.min().map { $0 > 0 } ?? false })
    // Elements of elements: for some of them.
    world.check({ $0.children.friends.count == 2 }, { $0.children.contains { $0.friends.count == 2 } })
    world.check({ $0.children.scores.max > 2 }, { $0.children.contains { ($0.scores.max() ?? 0) > 2 } })
  }

  @Test func againstColumns() {
    world.check({ $0.ints.max > $0.other }, { object in object.ints.max().map { $0 > object.other } ?? false })
    world.check({ $0.ints.count == $0.other }, { $0.ints.count == $0.other })
    world.check({ $0.other < $0.ints.sum }, { $0.other < $0.ints.reduce(0, +) })
    world.check(
      { $0.children.age.min <= $0.int },
      { object in object.children.map(\.age).min().map { $0 <= object.int } ?? false })
  }

  @Test func inRangesAndLists() {
    world.check({ $0.ints.count.in([1, 3]) }, { [1, 3].contains($0.ints.count) })
    world.check({ $0.ints.count.contains(1...2) }, { (1...2).contains($0.ints.count) })
    world.check({ $0.ints.max.in([5, 7]) }, { $0.ints.max().map { [5, 7].contains($0) } ?? false })
    world.check({ $0.ints.max.contains(1..<7) }, { $0.ints.max().map { (1..<7).contains($0) } ?? false })
    world.check(
      { $0.children.age.max.contains(1...5) }, { $0.children.map(\.age).max().map { (1...5).contains($0) } ?? false })
  }
}

extension Decimal128 {
  fileprivate var double: Double { Double(description) ?? .nan }
}
