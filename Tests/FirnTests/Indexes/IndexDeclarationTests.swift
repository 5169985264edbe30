import FirnEngine
import Foundation
import Testing

@testable import Firn

private class Wrong: Object {
  @Persisted var name: String
  @Persisted var tags: List<String>
  @Persisted var others: List<Wrong>
  @Persisted(originProperty: "others") var origins: LinkingObjects<Wrong>
  @Persisted var next: Wrong?
  @Persisted(index: .ordered) var code: Int

  nonisolated(unsafe) static var declared: [Index] = []

  override class func indexes() -> [Index] { declared }
  override static func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class Stranger: Object {
  @Persisted var name: String

  override static func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class Base: Object {
  @Persisted var name: String
  @Persisted var number: Int

  override class func indexes() -> [Index] { [Index(\Base.name)] }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class Derived: Base {
  @Persisted var extra: Int

  override class func indexes() -> [Index] { super.indexes() + [Index(\Derived.extra, \Derived.number)] }
}

@Suite(.serialized) struct IndexDeclarationTests {
  private func open(_ types: [ObjectBase.Type]) throws -> Realm {
    try Realm(configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: types))
  }

  private func names(_ realm: Realm, _ type: ObjectBase.Type) -> [String] {
    let table = realm.instance.store.schema.index(of: type)
    return realm.instance.store.graph.layout.orderedIndexes.filter { $0.table.index == table }.map(\.name)
  }

  @Test func indexesAreDeclaredByKeyPaths() throws {
    let realm = try open(Indexed.types)
    #expect(
      names(realm, Indexed.Flight.self) == [
        "departure", "delay", "status, departure", "from.city", "from.position.latitude, delay", "from, departure",
      ])
    #expect(names(realm, Indexed.Airport.self) == ["city"])
    #expect(realm.schema["Flight"]?["number"]?.isIndexed == true)
    #expect(realm.schema["Flight"]?["delay"]?.isIndexed == true)
    #expect(realm.schema["Flight"]?["from"]?.isIndexed == false)
    let columns = realm.instance.store.graph.layout.tables[realm.instance.store.schema.index(named: "Flight")!]
      .descriptions
    #expect(columns.filter(\.isIndexed).map(\.name) == ["number", "status"])
    #expect(names(try open(Unindexed.types), Unindexed.Flight.self).isEmpty)
  }

  @Test func subclassesAddTheirOwn() throws {
    let realm = try open([Base.self, Derived.self])
    #expect(names(realm, Base.self) == ["name"])
    #expect(names(realm, Derived.self) == ["name", "extra, number"])
  }

  @Test func wrongDeclarationsAreRefused() throws {
    func message(_ indexes: Index...) -> String {
      Wrong.declared = indexes
      defer { Wrong.declared = [] }
      let error = #expect(throws: Realm.Error.self) { try open([Wrong.self, Stranger.self]) }
      #expect(error?.schemaProblems.allSatisfy { $0.className == "Wrong" } == true)
      return error?.localizedDescription ?? ""
    }
    #expect(message(Index(\Stranger.name)).contains("leads to no persisted property of the class"))
    #expect(message(Index(\Wrong.description)).contains("leads to no persisted property of the class"))
    #expect(message(Index(\Wrong.tags)).contains("where 'tags' is a collection"))
    #expect(
      message(Index(\Wrong.name, \Wrong.others.first?.name)).contains("'others.name', where 'others' is a collection"))
    #expect(message(Index(\Wrong.next?.origins)).contains("where 'origins' is a collection"))
    #expect(message(Index(\Wrong.next?.name.count)).contains("goes on behind the property 'next.name'"))
    #expect(message(Index(\Wrong.name, \Wrong.name)).contains("names the property 'name' twice"))
    #expect(message(Index(\Wrong.name), .unique(\Wrong.name)).contains("declares the index of 'name' twice"))
    #expect(message(.unique(\Wrong.code)).contains("declares the index of 'code' twice"))
    Wrong.declared = [Index(\Wrong.next?.next?.name, \Wrong.next, \Wrong.name)]
    #expect(names(try open([Wrong.self]), Wrong.self) == ["code", "next.next.name, next, name"])
    Wrong.declared = []
  }
}
