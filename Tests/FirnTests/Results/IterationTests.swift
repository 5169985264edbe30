import Foundation
import Testing

@testable import Firn

@Suite struct IterationTests {
  private final class Weak { weak var dog: ResultsDog? }

  @Test func keptObjectsStayAtTheirRows() throws {
    try onOwnThread {
      let dogs = try makeResultsRealm(dogs: 600).objects(ResultsDog.self)
      for results in [dogs, dogs.where { $0.age > 3 }, dogs.sorted(by: \.age), dogs.where { $0.breed == "breed 1" }] {
        var kept: [ResultsDog] = []
        var ids: [Int] = []
        for dog in results {
          kept.append(dog)
          ids.append(dog.id)
        }
        #expect(kept.map(\.id) == ids)
        #expect(Set(kept.map { ObjectIdentifier($0) }).count == ids.count)
      }
    }
  }

  @Test func everyOtherObjectKept() throws {
    try onOwnThread {
      let dogs = try makeResultsRealm(dogs: 600).objects(ResultsDog.self)
      var kept: [ResultsDog] = []
      for dog in dogs where dog.id % 2 == 0 { kept.append(dog) }
      #expect(kept.map(\.id) == (0..<300).map { $0 * 2 })
    }
  }

  @Test func weakReferencesNeverSeeAnotherRow() throws {
    try onOwnThread {
      let dogs = try makeResultsRealm(dogs: 100).objects(ResultsDog.self)
      let weak = Weak()
      var last = -1
      for dog in dogs {
        if let seen = weak.dog { #expect(seen.id == last || seen.id == dog.id) }
        weak.dog = dog
        last = dog.id
      }
    }
  }

  @Test func closuresKeepTheirObject() throws {
    try onOwnThread {
      let dogs = try makeResultsRealm(dogs: 100).objects(ResultsDog.self)
      var closures: [() -> Int] = []
      for dog in dogs { closures.append { dog.id } }
      #expect(closures.map { $0() } == Array(0..<100))
    }
  }

  @Test func writingWhileIterating() throws {
    try onOwnThread {
      let realm = try makeResultsRealm(dogs: 1000)
      let dogs = realm.objects(ResultsDog.self)
      try realm.write { for dog in dogs { dog.age = dog.id + 5 } }
      #expect(dogs.map(\.age) == (0..<1000).map { $0 + 5 })
      let matching = dogs.where { $0.age < 600 }
      try realm.write { for dog in matching { dog.age += 10_000 } }
      #expect(matching.isEmpty)
      #expect(dogs.where { $0.age >= 10_000 }.count == 595)
    }
  }

  @Test func addedObjectsAreNotVisited() throws {
    try onOwnThread {
      let realm = try makeResultsRealm(dogs: 300)
      let dogs = realm.objects(ResultsDog.self)
      try realm.write {
        var count = 0
        for dog in dogs {
          realm.add(ResultsDog(id: dog.id + 1000, name: dog.name))
          count += 1
        }
        #expect(count == 300)
      }
      #expect(dogs.count == 600)
    }
  }

  @Test func deletedObjectsAreVisitedAsInvalidated() throws {
    try onOwnThread {
      let realm = try makeResultsRealm(dogs: 300)
      let dogs = realm.objects(ResultsDog.self)
      try realm.write {
        var ids: [Int] = []
        var invalid = 0
        for dog in dogs {
          ids.append(dog.id)
          if dog.isInvalidated { invalid += 1 }
          if dog.id == 100 { realm.delete(dogs.where { $0.id > 100 && $0.id <= 150 }) }
        }
        #expect(ids == Array(0..<300))
        #expect(invalid == 50)
      }
      #expect(dogs.count == 250)
    }
  }

  @Test func deletingEachObjectOfTheLoop() throws {
    try onOwnThread {
      let realm = try makeResultsRealm(dogs: 300)
      let dogs = realm.objects(ResultsDog.self)
      try realm.write { for dog in dogs where dog.id % 3 == 0 { realm.delete(dog) } }
      #expect(dogs.count == 200)
      var last: ResultsDog?
      try realm.write {
        for dog in dogs {
          last = dog
          realm.delete(dog)
        }
      }
      #expect(dogs.isEmpty)
      #expect(last?.id == 299)
    }
  }

  @Test func aTransactionForEachElement() throws {
    try onOwnThread {
      let realm = try makeResultsRealm(dogs: 70)
      let dogs = realm.objects(ResultsDog.self)
      var ids: [Int] = []
      for dog in dogs {
        ids.append(dog.id)
        try realm.write {
          if dog.id % 2 == 0 { realm.delete(dog) } else { dog.age = 1000 }
        }
      }
      #expect(ids == Array(0..<70))
      #expect(dogs.map(\.id) == (0..<35).map { $0 * 2 + 1 })
      #expect(dogs.allSatisfy { $0.age == 1000 })
    }
  }

  @Test func sparseTables() throws {
    try onOwnThread {
      let realm = try makeResultsRealm(dogs: 3000)
      let dogs = realm.objects(ResultsDog.self)
      try realm.write { for dog in dogs where dog.id % 97 != 0 { realm.delete(dog) } }
      let expected = (0..<3000).filter { $0 % 97 == 0 }
      #expect(dogs.map(\.id) == expected)
      #expect(dogs.where { $0.id >= 0 }.map(\.id) == expected)
      try realm.write { for dog in dogs { dog.age = dog.id } }
      #expect(dogs.map(\.age) == expected)
    }
  }

  @Test func linksOfAReusedObject() throws {
    try onOwnThread {
      let realm = try makeResultsRealm(dogs: 200)
      let dogs = realm.objects(ResultsDog.self)
      try realm.write { for dog in dogs { dog.friend = dogs[(dog.id * 31 + 7) % 200] } }
      var friends: [ResultsDog] = []
      for dog in dogs {
        #expect(dog.friend?.id == (dog.id * 31 + 7) % 200)
        if dog.id % 3 == 0, let friend = dog.friend { friends.append(friend) }
      }
      #expect(friends.map(\.id) == (0..<200).filter { $0 % 3 == 0 }.map { ($0 * 31 + 7) % 200 })
    }
  }
}
