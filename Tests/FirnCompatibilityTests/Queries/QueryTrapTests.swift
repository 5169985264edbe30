import Firn
import Foundation
import Testing

/// Queries that mean nothing end the process, with a sentence.
@Suite struct QueryTrapTests {
  private static func all() throws -> Results<QueryAll> { try QueryWorld(count: 1).all }

  @Test func pathsThatLeadNowhere() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try QueryTrapTests.all().where { $0.int.max == 1 }
    }
    #expect(trapSaid("is not a link or collection and can only appear at the end of a keypath", result))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try QueryTrapTests.all().where { $0.childMap["k"].name == "x" }
    }
    #expect(trapSaid("Cannot apply key path to Map subscripts", result))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try QueryTrapTests.all().where { $0.ints == $0.ints }
    }
    #expect(trapSaid("Comparing two collection columns is not permitted", result))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try QueryTrapTests.all().where { $0.children.isOut }
    }
    #expect(trapSaid("must use aggregate operations", result))
  }

  @Test func subqueriesWithoutOneCollection() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try QueryTrapTests.all().where { ($0.int == 1).count > 0 }
    }
    #expect(trapSaid("must contain a keypath starting with a collection", result))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try QueryTrapTests.all().where { ($0.children.age == 1 && $0.any["k"] == .int(1)).count > 0 }
    }
    #expect(trapSaid("Subqueries do not support", result))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try QueryTrapTests.all().where { ($0.children.age == 1 && $0.childSet.age == 1).count > 0 }
    }
    #expect(trapSaid("one collection", result))
  }

  @Test func constantsOfOtherPlaces() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let other = try QueryWorld(count: 1)
      let child = other.children[0]
      _ = try QueryTrapTests.all().where { $0.child == child }
    }
    #expect(trapSaid("Object must be from the Realm being queried", result))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = List<Int>().where { $0 == 1 }
    }
    #expect(trapSaid("may only be called on", result))
  }
}
