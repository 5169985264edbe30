import FirnEngine
import Foundation
import Testing

@testable import Firn

@Suite struct LimitTests {
  @Test func windowsAreLazyLiveAndStayFilled() throws {
    try onOwnThread {
      let realm = try makeResultsRealm(dogs: 2000)
      let dogs = realm.objects(ResultsDog.self)
      let all = Array(dogs.map(\.id))
      #expect(dogs.limit(3).map(\.id) == Array(all.prefix(3)))
      #expect(dogs.limit(0).isEmpty && dogs.limit(0).first == nil)
      #expect(dogs.limit(.max, offset: .max).isEmpty)
      #expect(dogs.limit(.max, offset: 1990).count == 10)
      #expect(dogs.limit(5, offset: 2000).isEmpty)
      // A step behind a window concerns what is in it.
      #expect(dogs.limit(10).sorted(by: \.id, ascending: false).map(\.id) == all.prefix(10).reversed())
      #expect(dogs.limit(10).where { $0.id > all[4] }.map(\.id) == Array(all[5..<10]))
      #expect(dogs.limit(10, offset: 5).limit(3, offset: 2).map(\.id) == Array(all[7..<10]))
      let oldest = dogs.sorted(by: [SortDescriptor(keyPath: \ResultsDog.age, ascending: false), "id"]).limit(4)
      let expected = dogs.sorted { ($0.age, -$0.id) > ($1.age, -$1.id) }.prefix(4).map(\.id)
      #expect(oldest.map(\.id) == expected)
      let frozen = oldest.freeze()
      let kept = oldest.first
      try realm.write { realm.delete(dogs.where { $0.id == expected[1] }) }
      #expect(oldest.count == 4 && oldest.first == kept && !oldest.map(\.id).contains(expected[1]))
      #expect(frozen.map(\.id) == expected)
      try realm.write {
        dogs[1500].age = 1000
        #expect(oldest.first == dogs[1500] && oldest.count == 4)
      }
      #expect(oldest.first == dogs[1500])
    }
  }

  @Test func aWindowWithoutSortEndsTheScan() throws {
    try onOwnThread {
      let dogs = try makeResultsRealm(dogs: 20_000).objects(ResultsDog.self)
      let few = dogs.where { $0.age >= 0 }.limit(10)
      #expect(few.count == 10)
      #expect(few.core.work.scannedClusters == 1)
    }
  }

  @Test func observersHearOfWhatComesIntoAWindow() throws {
    try onOwnThread {
      let realm = try makeResultsRealm(dogs: 50)
      let dogs = realm.objects(ResultsDog.self)
      let first = dogs.sorted(by: \.id).limit(5)
      var heard: [String] = []
      let token = first.observe { change in
        if case .update(let rows, let deletions, let insertions, let modifications) = change {
          heard.append("\(rows.count) -\(deletions) +\(insertions) ~\(modifications)")
        }
      }
      try realm.write { realm.delete(dogs.sorted(by: \.id)[2]) }
      realm.refresh()
      try realm.write { realm.delete(dogs.sorted(by: \.id)[20]) }
      realm.refresh()
      try realm.write { first[4].age += 1 }
      realm.refresh()
      #expect(heard == ["5 -[2] +[4] ~[]", "5 -[] +[] ~[4]"])
      token.invalidate()
    }
  }

  @Test func windowsOfValues() throws {
    try onOwnThread {
      let realm = try Realm(
        configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [LimitOwner.self]))
      let owner = try realm.write { realm.create(LimitOwner.self, value: ["numbers": [5, 3, 9, 1]]) }
      let least = owner.numbers.sorted().limit(2)
      #expect(Array(least) == [1, 3])
      try realm.write { owner.numbers.append(2) }
      #expect(Array(least) == [1, 2])
    }
  }
}

final class LimitOwner: Object {
  @Persisted var numbers: List<Int>
}

@Suite struct SortingByMapValueTests {
  @Test func absentAndNilValuesComeFirst() throws {
    try onOwnThread {
      let realm = try Realm(
        configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [PricedItem.self]))
      let given: [[String: Int]] = [["a": 3], ["b": 9], ["a": 1, "b": 2], ["a": 2, "b": 1]]
      try realm.write { for prices in given { realm.create(PricedItem.self, value: ["prices": prices]) } }
      let items = realm.objects(PricedItem.self)
      func order(_ path: String, ascending: Bool = true) -> [Int] {
        items.sorted(byKeyPath: path, ascending: ascending).map { item in
          given.firstIndex { $0 == Dictionary(uniqueKeysWithValues: item.prices.map { ($0.key, $0.value) }) } ?? -1
        }
      }
      #expect(order("prices['a']") == [1, 2, 3, 0])
      #expect(order("prices[\"a\"]", ascending: false) == [0, 3, 2, 1])
      #expect(order("prices[b]") == [0, 3, 2, 1])
      #expect(items.sorted(byKeyPath: "prices['a']").core.queryPlan.description.contains("prices['a']"))
      let sorted = items.sorted(byKeyPath: "prices['a']", ascending: false, nilsLast: true)
      try realm.write { items[1].prices["a"] = 10 }
      #expect(sorted.first?.isSameObject(as: items[1]) == true)
    }
  }
}

final class PricedItem: Object {
  @Persisted var prices: Map<String, Int>
}
