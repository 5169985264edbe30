import Firn
import Foundation
import Testing

/// Conditions on what is inside of ``AnyRealmValue``, and aggregates over it.
@Suite struct AnyRealmValueQueryTests {
  private static var values: [AnyRealmValue] {
    [
      .fromArray([.int(1), .string("a"), .fromDictionary(["k": .double(2.5), "l": .fromArray([.int(7)])])]),
      .fromDictionary(["k": .int(3), "n": .none, "#any": .string("literal")]), .fromArray([.double(1)]), .int(1), .none,
      .fromArray([]), .fromDictionary([:]), .fromDictionary(["k": .fromArray([.int(1), .int(2)])]),
    ]
  }

  fileprivate static func filled() throws -> (Realm, Results<MixedOwner>) {
    let realm = try mixedRealm()
    try realm.write { for (id, value) in values.enumerated() { realm.add(MixedOwner(id, value)) } }
    return (realm, realm.objects(MixedOwner.self))
  }

  @Test func stepsLeadToElementsAndValues() throws {
    try onOwnThread {
      let (_, all) = try Self.filled()
      func ids(_ condition: (Query<MixedOwner>) -> Query<Bool>) -> [Int] { all.where(condition).map(\.id) }
      #expect(ids { $0.value[0] == .int(1) } == [0, 2])
      #expect(ids { $0.value[1] == .string("a") } == [0])
      #expect(ids { $0.value[-1] == .none } == Array(0...7))
      #expect(ids { $0.value["k"] == .int(3) } == [1])
      #expect(ids { $0.value["k"] > .int(2) } == [1])
      #expect(ids { $0.value[2]["k"] < .int(3) } == [0])
      #expect(ids { $0.value[2]["l"][0] == .int(7) } == [0])
      // Where a step leads nowhere there is null.
      #expect(ids { $0.value["k"] == .none } == [0, 2, 3, 4, 5, 6])
      #expect(ids { $0.value["k"] != .int(3) } == [0, 2, 3, 4, 5, 6, 7])
      #expect(ids { $0.value["n"] == .none } == Array(0...7))
      #expect(ids { $0.value["k"] <= .none } == [0, 2, 3, 4, 5, 6])
      #expect(ids { $0.value["k"] < .int(9) } == [1])
      // Any element or value.
      #expect(ids { $0.value.any == .int(1) } == [0, 2])
      #expect(ids { $0.value.any == .string("literal") } == [1])
      #expect(ids { $0.value.any["k"] == .double(2.5) } == [0])
      #expect(ids { $0.value.any.any == .int(2) } == [7])
      #expect(ids { $0.value["k"].any == .int(2) } == [7])
      #expect(ids { $0.value.any == .none } == [1])
      #expect(ids { $0.value["#any"] == .string("literal") } == [1])
      #expect(ids { $0.value["k"].in([.int(3), .double(9)]) } == [1])
      #expect(ids { !($0.value[0] == .int(1)) } == [1, 3, 4, 5, 6, 7])
      #expect(ids { $0.value[0] == .int(1) || $0.value == .int(1) } == [0, 2, 3])
    }
  }

  @Test func collectionsCompareByContent() throws {
    try onOwnThread {
      let (realm, all) = try Self.filled()
      func ids(_ condition: (Query<MixedOwner>) -> Query<Bool>) -> [Int] { all.where(condition).map(\.id) }
      #expect(ids { $0.value == .fromArray([]) } == [5])
      #expect(ids { $0.value == .fromDictionary([:]) } == [6])
      #expect(ids { $0.value == .fromArray([.int(1)]) } == [2])
      #expect(ids { $0.value != .fromArray([.int(1)]) } == [0, 1, 3, 4, 5, 6, 7])
      #expect(ids { $0.value == .fromDictionary(["k": .fromArray([.int(1), .int(2)])]) } == [7])
      #expect(ids { $0.value["k"] == .fromArray([.double(1), .int(2)]) } == [7])
      #expect(ids { $0.value[2]["l"] == .fromArray([.int(7)]) } == [0])
      #expect(ids { $0.value.in([.fromArray([]), .int(1)]) } == [3, 5])
      #expect(ids { $0.value > .fromArray([]) } == [])
      for id in Self.values.indices where Self.values[id].listValue != nil || Self.values[id].dictionaryValue != nil {
        #expect(ids { $0.value == Self.values[id] } == [id])
      }
      // A managed collection is a constant like another.
      let managed = try #require(realm.object(ofType: MixedOwner.self, forPrimaryKey: 7)?.value)
      #expect(ids { $0.value == managed } == [7])
    }
  }

  @Test func liveResultsSeeChangesAtAnyDepth() throws {
    try onOwnThread {
      let (realm, all) = try Self.filled()
      let results = all.where { $0.value[2]["l"].any == .int(8) }
      var counts: [Int] = []
      let token = results.observe { change in
        switch change {
        case .initial(let results), .update(let results, _, _, _): counts.append(results.count)
        case .error: Issue.record("an error")
        }
      }
      realm.refresh()
      let list = try #require(all[0].value.listValue?[2].dictionaryValue?["l"]?.listValue)
      #expect(results.isEmpty)
      try realm.write {
        list.append(.int(8))
        // Inside the transaction, too.
        #expect(results.map(\.id) == [0])
        list.removeLast()
        #expect(results.isEmpty)
        list.append(.int(8))
      }
      realm.refresh()
      try realm.write { list[1] = .int(9) }
      realm.refresh()
      #expect(results.isEmpty)
      #expect(counts == [0, 1, 0])
      withExtendedLifetime(token) {}
    }
  }

  @Test func collectionsSortBehindEverythingElse() throws {
    try onOwnThread {
      let (_, all) = try Self.filled()
      let ids = Array(all.sorted(by: [SortDescriptor(keyPath: "value"), SortDescriptor(keyPath: "id")]).map(\.id))
      #expect(ids == [4, 3, 0, 2, 5, 1, 6, 7])
    }
  }

  @Test func aggregatesGoByTheOrderOfKinds() throws {
    try onOwnThread {
      let (realm, owner) = try mixedOwner()
      let values: [AnyRealmValue] = [
        .int(3), .double(1.5), .none, .string("x"), .double(.nan), .float(0.25), .decimal128(10), .bool(true),
      ]
      try realm.write { owner.list.append(objectsIn: values) }
      #expect(owner.list.max() == .string("x"))
      #expect(owner.list.min() == .bool(true))
      #expect(owner.list.sum() == .decimal128(14.75))
      let average: AnyRealmValue? = owner.list.average()
      #expect(average == .decimal128(3.6875))
      #expect(List<AnyRealmValue>().min() == nil)
      try realm.write {
        for (id, value) in values.enumerated() { realm.add(MixedOwner(10 + id, value)) }
      }
      let all = realm.objects(MixedOwner.self)
      #expect(all.max(of: \.value) == .string("x"))
      #expect(all.min(of: \.value) == .bool(true))
      #expect(all.sum(of: \.value) == .decimal128(14.75))
      #expect(all.average(of: \.value) == .decimal128(3.6875))
      try realm.write { owner.value = .object(MixedDog(1)) }
      #expect(all.max(of: \.value)?.object(MixedDog.self)?.id == 1)
    }
  }

  @Test func comparingWithAColumnInsideTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (_, all) = try AnyRealmValueQueryTests.filled()
      _ = all.where { $0.value[0] == $0.other }.count
    }
    #expect(trapSaid("can only be compared with a constant", result))
  }
}
