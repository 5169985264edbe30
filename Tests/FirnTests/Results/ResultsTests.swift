import FirnEngine
import Foundation
import Testing

@testable import Firn

@Suite struct ResultsTests {
  @Test func allObjectsComeInTheOrderOfInsertion() throws {
    let realm = try makeResultsRealm(dogs: 700)
    let dogs = realm.objects(ResultsDog.self)
    #expect(dogs.count == 700)
    #expect(dogs.map(\.id) == Array(0..<700))
    #expect(dogs.first?.id == 0)
    #expect(dogs.last?.id == 699)
    #expect(dogs[300].id == 300)
    #expect(dogs[10..<13].map(\.id) == [10, 11, 12])
    #expect(dogs.objects(at: IndexSet([1, 5])).map(\.id) == [1, 5])
    #expect(dogs.index(of: dogs[42]) == 42)
    #expect(!dogs.isEmpty)
  }

  @Test func emptyResults() throws {
    let dogs = try makeResultsRealm().objects(ResultsDog.self)
    #expect(dogs.count == 0 && dogs.isEmpty && dogs.first == nil && dogs.last == nil)
    #expect(Array(dogs).isEmpty)
    #expect(dogs.where { $0.age > 1 }.sorted(by: \.age).first == nil)
    #expect(dogs.min(of: \.age) == nil)
    #expect(dogs.sum(of: \.age) == 0)
    #expect(dogs.average(of: \.age) == nil)
  }

  @Test func aConditionLeavesTheResultsThatItIsAskedOfAsTheyWere() throws {
    let realm = try makeResultsRealm(dogs: 40)
    struct Kennel { var dogs: Results<ResultsDog> }
    let kennel = Kennel(dogs: realm.objects(ResultsDog.self))
    let dogs = kennel.dogs
    let old = dogs.where { $0.age >= 10 }
    #expect(old.count < 40)
    #expect(kennel.dogs.where { $0.age == 7 }.count < 40)
    #expect(dogs.count == 40 && kennel.dogs.count == 40 && Array(kennel.dogs).count == 40)
    #expect(old.where { $0.age < 10 }.isEmpty)
    #expect(!old.isEmpty)
    // What a block keeps of the results counts as a reference to them.
    var kept: Query<ResultsDog>?
    let known = realm.objects(ResultsDog.self).where {
      kept = $0
      return $0.id == 3
    }
    #expect(known.count == 1 && kept != nil)
    // Results that have been read begin anew.
    let one = { () -> Results<ResultsDog> in
      let all = realm.objects(ResultsDog.self)
      #expect(all.index(matching: { $0.id == 5 }) == 5)
      return all
    }().where { $0.id == 3 }
    #expect(one.map(\.id) == [3])
  }

  @Test func resultsAreLive() throws {
    let realm = try makeResultsRealm(dogs: 10)
    let old = realm.objects(ResultsDog.self).where { $0.age >= 10 }
    let before = old.count
    #expect(before == (0..<10).count { $0 * 7 % 20 >= 10 })
    try realm.write { realm.add(ResultsDog(id: 100, name: "new", age: 15)) }
    #expect(old.count == before + 1)
    #expect(old.last?.id == 100)
    try realm.write { realm.object(ofType: ResultsDog.self, forPrimaryKey: 100)?.age = 1 }
    #expect(old.count == before)
  }

  @Test func insideAWriteTransactionResultsFollowAtOnce() throws {
    let realm = try makeResultsRealm(dogs: 20)
    let dogs = realm.objects(ResultsDog.self)
    let old = dogs.where { $0.age >= 10 }
    let sorted = old.sorted(by: \.age)
    let first = old.count
    try realm.write {
      realm.add(ResultsDog(id: 100, name: "new", age: 19))
      #expect(old.count == first + 1)
      #expect(sorted.last?.id == 100)
      realm.add(ResultsDog(id: 101, name: "new", age: 30))
      #expect(sorted.last?.id == 101)
      #expect(sorted.count == first + 2)
      realm.object(ofType: ResultsDog.self, forPrimaryKey: 101)?.age = 2
      #expect(old.count == first + 1)
      realm.object(ofType: ResultsDog.self, forPrimaryKey: 101)?.age = 12
      #expect(old.map(\.id).contains(101))
      realm.delete(old)
      #expect(old.count == 0)
      #expect(dogs.count == 22 - first - 2)
    }
    #expect(old.isEmpty)
  }

  @Test func cancellingBringsTheOldContentBack() throws {
    let realm = try makeResultsRealm(dogs: 20)
    let old = realm.objects(ResultsDog.self).where { $0.age >= 10 }
    let ids = Array(old.map(\.id))
    struct Stop: Error {}
    for _ in 0..<2 {
      try? realm.write {
        realm.add(ResultsDog(id: 100, name: "new", age: 19))
        #expect(old.count == ids.count + 1)
        throw Stop()
      }
      #expect(Array(old.map(\.id)) == ids)
    }
  }

  @Test func aCountAfterEachInsertExaminesEachRowOnce() throws {
    let realm = try makeResultsRealm(dogs: 1000)
    let old = realm.objects(ResultsDog.self).where { $0.age >= 10 }
    var expected = (0..<1000).count { $0 * 7 % 20 >= 10 }
    try realm.write {
      #expect(old.count == expected)
      let before = old.core.work
      for id in 1000..<2000 {
        realm.add(ResultsDog(id: id, name: "new", age: id % 20))
        if id % 20 >= 10 { expected += 1 }
        #expect(old.count == expected)
      }
      let work = old.core.work
      #expect(work.testedRows - before.testedRows <= 3 * 1000)
      #expect(work.scannedClusters - before.scannedClusters <= 8)
    }
  }

  @Test func aVersionIsEvaluatedOnce() throws {
    let realm = try makeResultsRealm(dogs: 1000)
    let old = realm.objects(ResultsDog.self).where { $0.age >= 10 }
    for _ in 0..<10 { #expect(old.count == 500) }
    #expect(old.core.work.scannedClusters == 4)
    for _ in 0..<10 { #expect(old[3].age >= 10) }
    #expect(old.core.work.scannedClusters == 8)
  }

  @Test func queriesThroughLinksFollowChangesOfTheTarget() throws {
    let realm = try makeResultsRealm(dogs: 30)
    let dogs = realm.objects(ResultsDog.self)
    try realm.write { for dog in dogs where dog.id > 0 { dog.friend = dogs[dog.id - 1] } }
    let withOldFriends = dogs.where { $0.friend.age == 99 }
    #expect(withOldFriends.isEmpty)
    try realm.write {
      #expect(withOldFriends.count == 0)
      dogs[4].age = 99
      #expect(withOldFriends.map(\.id) == [5])
      realm.delete(dogs[4])
      #expect(withOldFriends.isEmpty)
    }
  }

  /// What a transaction writes behind links is climbed from; nothing is looked for again.
  @Test func queriesThroughLinksAreFollowedInTransactions() throws {
    let realm = try makeResultsRealm(dogs: 2000)
    let dogs = realm.objects(ResultsDog.self)
    try realm.write { for dog in dogs where dog.id > 0 { dog.friend = dogs[dog.id - 1] } }
    let withOldFriends = dogs.where { $0.friend.friend.age == 99 }
    try realm.write {
      #expect(withOldFriends.count == 0)
      let before = withOldFriends.core.work
      for id in 0..<500 {
        dogs[id].age = 99
        #expect(withOldFriends.count == id + 1 && withOldFriends.last?.id == id + 2)
      }
      dogs[6].friend = nil
      #expect(withOldFriends.count == 498)
      let work = withOldFriends.core.work
      #expect(work.scannedClusters == before.scannedClusters)
      #expect(work.testedRows - before.testedRows < 2000 && work.climbedLinks - before.climbedLinks < 2000)
      // Too many to climb from: looked for again.
      for dog in dogs { dog.friend = dogs[0] }
      #expect(withOldFriends.count == 2000)
      dogs[0].age = 1
      #expect(withOldFriends.count == 0)
    }
  }

  @Test func frozenResultsNeverChange() async throws {
    let realm = try makeResultsRealm(dogs: 50)
    let live = realm.objects(ResultsDog.self).where { $0.age < 10 }.sorted(by: \.age, ascending: false)
    let frozen = live.freeze()
    let expected = Array(live.map(\.id))
    #expect(frozen.isFrozen && !live.isFrozen)
    #expect(frozen.realm?.isFrozen == true)
    try realm.write { realm.deleteAll() }
    #expect(live.isEmpty)
    #expect(Array(frozen.map(\.id)) == expected)
    #expect(frozen[1].isFrozen)
    nonisolated(unsafe) let shared = frozen
    let elsewhere = await Task.detached { Array(shared.map(\.id)) }.value
    #expect(elsewhere == expected)
    #expect(frozen.thaw()?.count == 0)
    #expect(frozen.freeze() == frozen)
  }

  @Test func resultsAreReadFromAnotherThread() throws {
    let realm = try makeResultsRealm(dogs: 600)
    let dogs = realm.objects(ResultsDog.self)
    let old = dogs.where { $0.age >= 10 }.sorted(by: \.name)
    let expected = Array(old.map(\.id))
    nonisolated(unsafe) let shared = (dogs, old)
    try onOwnThread {
      #expect(shared.0.count == 600)
      #expect(Array(shared.1.map(\.id)) == expected)
      #expect(shared.1[7].id == expected[7])
      #expect(shared.1.first?.id == expected.first)
      #expect(shared.0.sum(of: \.age) == (0..<600).reduce(0) { $0 + $1 * 7 % 20 })
      var count = 0
      for dog in shared.0 {
        #expect(dog.id == count)
        count += 1
      }
      #expect(count == 600)
    }
  }

  @Test func deletingResultsDeletesAllOfThem() throws {
    let realm = try makeResultsRealm(dogs: 100)
    let dogs = realm.objects(ResultsDog.self)
    let kept = dogs[99]
    try realm.write { realm.delete(dogs.where { $0.id >= 50 }) }
    #expect(dogs.map(\.id) == Array(0..<50))
    #expect(kept.isInvalidated && kept.id == 99)
  }

  @Test func equalityIsIdentity() throws {
    let realm = try makeResultsRealm()
    let dogs = realm.objects(ResultsDog.self)
    let copy = dogs
    #expect(dogs == copy)
    #expect(dogs != realm.objects(ResultsDog.self))
  }

  @Test func descriptionListsTheElements() throws {
    let realm = try makeResultsRealm(dogs: 120)
    let text = realm.objects(ResultsDog.self).description
    #expect(text.hasPrefix("Results<ResultsDog> <0x"))
    #expect(text.contains("> (\n\t[0] "))
    #expect(text.contains(",\n\t[99] "))
    #expect(text.hasSuffix("\n\t... 20 objects skipped.\n)"))
    #expect(realm.objects(ResultsDog.self).where { $0.id < 0 }.description.hasSuffix("> (\n\n)"))
  }

  @Test func explainSaysHow() throws {
    let realm = try makeResultsRealm(dogs: 10)
    let dogs = realm.objects(ResultsDog.self)
    #expect(dogs.explain() == "all rows of ResultsDog")
    #expect(dogs.where { $0.breed == "breed 1" }.explain() == "index breed")
    #expect(dogs.where { $0.id == 1 }.explain() == "primary key id")
    #expect(dogs.where { $0.age == 1 }.sorted(by: \.name).explain().hasSuffix("filter on age, sorted by name"))
  }

  @Test func valuesForKey() throws {
    let realm = try makeResultsRealm(dogs: 3)
    let dogs = realm.objects(ResultsDog.self)
    #expect(dogs.value(forKey: "id") as? [Int] == [0, 1, 2])
    let weights = try #require(dogs.value(forKey: "weight") as? [Any])
    #expect(weights[0] is NSNull && weights[1] as? Double == 1)
  }

  @Test func aggregates() throws {
    let realm = try makeResultsRealm(dogs: 1000)
    for results in [
      realm.objects(ResultsDog.self), realm.objects(ResultsDog.self).where { $0.age > 7 },
      realm.objects(ResultsDog.self).where { $0.breed == "breed 2" }.sorted(by: \.name),
    ] {
      let dogs = Array(results)
      #expect(results.min(of: \.age) == dogs.map(\.age).min())
      #expect(results.max(of: \.age) == dogs.map(\.age).max())
      #expect(results.sum(of: \.age) == dogs.map(\.age).reduce(0, +))
      #expect(results.max(of: \.born) == dogs.map(\.born).max())
      let weights = dogs.compactMap(\.weight)
      #expect(results.min(of: \.weight) == weights.min())
      #expect(results.sum(of: \.weight) == weights.reduce(0, +))
      let average: Double? = results.average(ofProperty: "age")
      #expect(average == Double(dogs.map(\.age).reduce(0, +)) / Double(dogs.count))
      let sum: Int = results.sum(ofProperty: "age")
      #expect(sum == results.sum(of: \.age))
    }
  }

  @Test func indexOutOfBoundsTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let dogs = try makeResultsRealm(dogs: 3).objects(ResultsDog.self)
      _ = dogs[3]
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Index 3 is out of bounds (must be less than 3)"))
  }

  @Test func unknownSortPropertyTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let dogs = try makeResultsRealm(dogs: 3).objects(ResultsDog.self)
      _ = dogs.sorted(byKeyPath: "nonsense").first
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Cannot sort on key path 'nonsense': property 'ResultsDog.nonsense' does not exist"))
  }
}
