import Firn
import Foundation
import Testing

private final class City: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var people: Int
}

private final class Person: Object {
  @Persisted var name: String
  @Persisted var age: Int
  @Persisted var weight = 70.5
  @Persisted var nickname: String?
  @Persisted var shoes: Int?
  @Persisted var isHome: Bool
  @Persisted var small: Int8
  @Persisted var ratio: Float
  @Persisted var born = Date(timeIntervalSinceReferenceDate: 5.25)
  @Persisted var badge: UUID
  @Persisted var picture: Data
  @Persisted(indexed: true) var tag: String?
  @Persisted(indexed: true) var group: Int
  @Persisted var home: City?
  @Persisted var friend: Person?
}

struct CoreTests {
  private let configuration = Realm.Configuration(
    inMemoryIdentifier: UUID().uuidString, objectTypes: [City.self, Person.self])

  private func open() throws -> Realm { try Realm(configuration: configuration) }

  @Test func addsReadsAndWrites() throws {
    let configuration = configuration
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      let badge = UUID()
      let person = Person()
      person.name = "Ada"
      person.age = 36
      person.nickname = nil
      person.tag = "first"
      person.badge = badge
      person.picture = Data([1, 2, 3])
      person.small = -3
      person.ratio = 0.5
      try realm.write { realm.add(person) }
      #expect(person.realm == realm)
      #expect(person.name == "Ada")
      #expect(person.age == 36)
      #expect(person.weight == 70.5)
      #expect(person.nickname == nil)
      #expect(person.shoes == nil)
      #expect(!person.isHome)
      #expect(person.small == -3)
      #expect(person.ratio == 0.5)
      #expect(person.born == Date(timeIntervalSinceReferenceDate: 5.25))
      #expect(person.badge == badge)
      #expect(person.picture == Data([1, 2, 3]))
      #expect(person.tag == "first")
      #expect(person.home == nil)
      try realm.write {
        person.name = "Grace, with a name that is longer than a small string"
        person.age = 85
        person.age += 1
        person.weight = 60
        person.nickname = "Amazing"
        person.shoes = 38
        person.isHome = true
        person.tag = "second"
        person.group = 4
        person.picture = Data(repeating: 7, count: 5000)
        #expect(person.age == 86)
        #expect(person.tag == "second")
      }
      #expect(person.name == "Grace, with a name that is longer than a small string")
      #expect(person.age == 86)
      #expect(person.weight == 60)
      #expect(person.nickname == "Amazing")
      #expect(person.shoes == 38)
      #expect(person.isHome)
      #expect(person.tag == "second")
      #expect(person.group == 4)
      #expect(person.picture.count == 5000)
      try realm.write {
        person.nickname = nil
        person.shoes = nil
        person.tag = nil
      }
      #expect(person.nickname == nil)
      #expect(person.shoes == nil)
      #expect(person.tag == nil)
    }
  }

  @Test func worksFromATask() async throws {
    let realm = try open()
    let person = Person()
    person.name = "Ada"
    try realm.write {
      realm.add(person)
      person.age = 3
      #expect(person.age == 3)
      #expect(person.name == "Ada")
    }
    #expect(person.age == 3)
    try realm.write { person.age = 4 }
    #expect(person.age == 4)
  }

  @Test func linksAddAndNullify() throws {
    let configuration = configuration
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      let ada = Person()
      ada.name = "Ada"
      let grace = Person()
      grace.name = "Grace"
      grace.friend = ada
      ada.friend = grace
      let city = City()
      city.name = "London"
      ada.home = city
      try realm.write { realm.add(ada) }
      #expect(realm.objects(Person.self).count == 2)
      #expect(realm.objects(City.self).count == 1)
      #expect(grace.realm == realm)
      #expect(city.realm == realm)
      #expect(ada.friend?.name == "Grace")
      #expect(ada.friend?.friend?.name == "Ada")
      #expect(ada.home?.name == "London")
      try realm.write {
        let paris = City()
        paris.name = "Paris"
        ada.home = paris
        #expect(paris.realm == realm)
        #expect(ada.home?.name == "Paris")
      }
      #expect(ada.home?.name == "Paris")
      try realm.write { realm.delete(try #require(ada.home)) }
      #expect(ada.home == nil)
      try realm.write { ada.home = city }
      #expect(ada.home?.name == "London")
      try realm.write { ada.home = nil }
      #expect(ada.home == nil)
    }
  }

  @Test func findsByPrimaryKey() throws {
    let configuration = configuration
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      try realm.write {
        for index in 0..<1000 {
          let city = City()
          city.name = "City \(index)"
          city.people = index
          realm.add(city)
        }
        #expect(realm.object(ofType: City.self, forPrimaryKey: "City 17")?.people == 17)
      }
      for index in 0..<1000 {
        #expect(realm.object(ofType: City.self, forPrimaryKey: "City \(index)")?.people == index)
      }
      #expect(realm.object(ofType: City.self, forPrimaryKey: "Nowhere") == nil)
    }
  }

  @Test func realmsOfTwoThreadsShowTheirVersions() throws {
    let configuration = configuration
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      let ada = Person()
      ada.age = 1
      try realm.write { realm.add(ada) }
      let away = Unchecked(ada)
      let home = Unchecked(realm)
      try onOwnThread {
        let other = try Realm(configuration: configuration)
        #expect(other != home.value)
        #expect(other.objects(Person.self).count == 1)
        #expect(away.value.age == 1)
        try other.write {
          let city = City()
          city.name = "Oslo"
          other.add(city)
        }
        #expect(other.objects(City.self).count == 1)
      }
      #expect(realm.objects(City.self).count == 0)
      #expect(realm.refresh())
      #expect(realm.objects(City.self).count == 1)
      #expect(!realm.refresh())
      let oslo = try #require(realm.object(ofType: City.self, forPrimaryKey: "Oslo"))
      try onOwnThread {
        let other = try Realm(configuration: configuration)
        try other.write { other.object(ofType: City.self, forPrimaryKey: "Oslo")?.people = 5 }
      }
      #expect(oslo.people == 0)
      realm.refresh()
      #expect(oslo.people == 5)
    }
  }

  @Test func beginWriteShowsTheNewestVersion() throws {
    let configuration = configuration
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      let city = City()
      city.name = "Oslo"
      try realm.write { realm.add(city) }
      try onOwnThread {
        let other = try Realm(configuration: configuration)
        try other.write { other.object(ofType: City.self, forPrimaryKey: "Oslo")?.people = 5 }
      }
      #expect(city.people == 0)
      try realm.write {
        #expect(city.people == 5)
        city.people += 1
      }
      #expect(city.people == 6)
    }
  }

  @Test func cancelRestores() throws {
    let configuration = configuration
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      let oslo = City()
      oslo.name = "Oslo"
      try realm.write { realm.add(oslo) }
      let bergen = City()
      bergen.name = "Bergen"
      bergen.people = 3
      realm.beginWrite()
      oslo.people = 9
      realm.add(bergen)
      #expect(oslo.people == 9)
      realm.cancelWrite()
      #expect(oslo.people == 0)
      #expect(bergen.isInvalidated)
      #expect(bergen.name == "Bergen")
      #expect(bergen.people == 3)
      #expect(realm.objects(City.self).count == 1)
      try realm.write { oslo.people = 10 }
      #expect(oslo.people == 10)
      struct Failure: Error {}
      #expect(throws: Failure.self) {
        try realm.write {
          oslo.people = 11
          throw Failure()
        }
      }
      #expect(oslo.people == 10)
      #expect(!realm.isInWriteTransaction)
    }
  }

  @Test func frozenRealmsKeepTheirVersion() throws {
    let configuration = configuration
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      let oslo = City()
      oslo.name = "Oslo"
      try realm.write { realm.add(oslo) }
      let frozen = realm.freeze()
      #expect(frozen.isFrozen)
      #expect(frozen == realm.freeze())
      #expect(frozen != realm)
      try realm.write { oslo.people = 4 }
      let before = try #require(frozen.object(ofType: City.self, forPrimaryKey: "Oslo"))
      #expect(before.isFrozen)
      #expect(before.people == 0)
      #expect(oslo.people == 4)
      try realm.write { realm.deleteAll() }
      #expect(before.people == 0)
      #expect(before.name == "Oslo")
      #expect(!before.isInvalidated)
      #expect(frozen.objects(City.self).count == 1)
      #expect(realm.objects(City.self).count == 0)
      #expect(frozen.thaw() == realm)
      let away = Unchecked(before)
      try onOwnThread { #expect(away.value.name == "Oslo") }
    }
  }

  @Test func realmsAreCachedWeakly() throws {
    let configuration = configuration
    try onOwnThread {
      do {
        let realm = try Realm(configuration: configuration)
        #expect(try Realm(configuration: configuration) == realm)
        let oslo = City()
        oslo.name = "Oslo"
        try realm.write { realm.add(oslo) }
      }
      #expect(try Realm(configuration: configuration).isEmpty)
      var city: City?
      do {
        let realm = try Realm(configuration: configuration)
        let oslo = City()
        oslo.name = "Oslo"
        try realm.write { realm.add(oslo) }
        city = oslo
      }
      // An object keeps its realm open.
      #expect(try Realm(configuration: configuration).objects(City.self).count == 1)
      #expect(city?.name == "Oslo")
      city = nil
      #expect(try Realm(configuration: configuration).isEmpty)
    }
  }

  @Test func manyRowsAcrossClusters() throws {
    let configuration = configuration
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      var people: [Person] = []
      try realm.write {
        for index in 0..<2000 {
          let person = Person()
          person.age = index
          person.name = "Person \(index)"
          person.tag = index % 3 == 0 ? nil : "tag \(index % 10)"
          person.friend = people.last
          realm.add(person)
          people.append(person)
        }
      }
      for (index, person) in people.enumerated() {
        #expect(person.age == index)
        #expect(person.name == "Person \(index)")
        #expect(person.tag == (index % 3 == 0 ? nil : "tag \(index % 10)"))
        #expect(person.friend?.age == (index == 0 ? nil : index - 1))
      }
      try realm.write {
        for (index, person) in people.enumerated() where index % 2 == 0 { realm.delete(person) }
      }
      for (index, person) in people.enumerated() {
        #expect(person.isInvalidated == (index % 2 == 0))
        #expect(person.age == index)
        #expect(person.name == "Person \(index)")
        #expect(person.tag == (index % 3 == 0 ? nil : "tag \(index % 10)"))
        #expect(person.friend?.age == (index % 2 == 0 && index > 0 ? index - 1 : nil))
      }
      #expect(realm.objects(Person.self).count == 1000)
    }
  }
}
