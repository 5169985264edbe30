import FirnEngine
import Foundation
import Testing

@testable import Firn

private class Coin: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var value: Int
  @Persisted var owners: List<String>
}

/// A realm is invalidated while other threads read what it gave out.
@Suite struct ConcurrencyInvalidatingTests {
  @Test func readersElsewhereGoOn() throws {
    let configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Coin.self])
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      try realm.write {
        for id in 0..<50 {
          realm.create(Coin.self, value: ["id": id, "value": 1, "owners": ["a", "b"]] as [String: Any])
        }
      }
      let all = Unchecked(realm.objects(Coin.self))
      let coins = Unchecked(Array(realm.objects(Coin.self)))
      let lists = Unchecked(coins.value.map(\.owners))
      let isOver = Lock(false)
      let readers = (0..<2).map { _ in
        JoinedThread {
          while !isOver.withLock({ $0 }) {
            if all.value.count != 50 || all.value.where({ $0.value >= 1 }).count != 50 {
              Issue.record("Results lost objects.")
            }
            for coin in coins.value where coin.value < 1 { Issue.record("An object lost its value.") }
            for list in lists.value where ![0, 2].contains(list.count) { Issue.record("A list is torn: \(list)") }
            for coin in all.value where coin.owners.count == 1 { Issue.record("A list is torn.") }
          }
        }
      }
      for round in 0..<100 {
        realm.invalidate()
        try realm.write { realm.object(ofType: Coin.self, forPrimaryKey: round % 50)?.value += 1 }
      }
      isOver.withLock { $0 = true }
      for reader in readers { reader.join() }
      #expect(coins.value.allSatisfy(\.isInvalidated) && lists.value.allSatisfy(\.isInvalidated))
      #expect(all.value.sum(of: \.value) == 150)
    }
  }

  /// The version that a realm showed is let go when it is invalidated, and others read the newest instead.
  @Test func theVersionIsLetGo() throws {
    let configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Coin.self])
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.create(Coin.self, value: ["id": 0, "value": 0]) }
      let graph = realm.instance.store.graph
      for round in 1...3 {
        try onOwnThread {
          let other = try Realm(configuration: configuration)
          try other.write { other.objects(Coin.self)[0].value = round }
        }
        let coins = Unchecked(realm.objects(Coin.self))
        func held() -> [UInt64] { graph.heldVersions.filter { $0.holders > 0 }.map(\.number) }
        #expect(held() == [realm.instance.version?.number] && held() != [graph.head])
        realm.invalidate()
        #expect(held() == [graph.head], "round \(round)")
        #expect(try onOwnThread { coins.value.map(\.value) } == [round], "round \(round)")
      }
    }
  }
}
