import FirnEngine
import Foundation
import TestSupport
import Testing

@testable import Firn

/// Indexes are not in files: they come and go with the classes.
@Suite struct IndexFilesTests {
  private func fill(_ realm: Realm) throws {
    try realm.write {
      let airports = (0..<5).map { index in
        realm.create(
          Unindexed.Airport.self, value: ["city": "City \(index)", "position": ["latitude": Double(index) / 3]])
      }
      for id in 0..<400 {
        let flight = realm.create(Unindexed.Flight.self, value: ["id": id, "status": "s\(id % 7)", "number": "N\(id)"])
        flight.departure = Date(timeIntervalSinceReferenceDate: Double(id * 7919 % 400))
        flight.delay = id % 3 == 0 ? nil : id % 50
        flight.from = id % 11 == 0 ? nil : airports[id % 5]
      }
    }
    try realm.write { realm.delete(realm.objects(Unindexed.Flight.self).where { $0.status == "s3" }) }
  }

  private func check(_ realm: Realm, _ count: Int) {
    let contents = realm.instance.version!.contents
    contents.checkInvariants()
    #expect(contents.layout.orderedIndexes.count == count)
  }

  @Test(arguments: [true, false])
  func indexesMayBeAddedAndDropped(checkpoint: Bool) async throws {
    let files = try TemporaryStore(Unindexed.types)
    try autoreleasing { try fill(opened(files.configuration)) }
    if checkpoint {
      let store = try await RealmStore.open(files.configuration)
      try await store.checkpoint()
      try await store.close()
    }
    var indexed = files.configuration
    indexed.objectTypes = Indexed.types
    for round in 0..<3 {
      indexed.additionsNeedVersion = round == 2
      indexed.readOnly = round == 1
      try autoreleasing {
        let realm = try opened(indexed)
        check(realm, 7)
        if round == 1 { return }
        try realm.write {
          let flights = realm.objects(Indexed.Flight.self)
          for flight in flights where flight.id % 2 == 0 { flight.delay = round * 100 + flight.id }
          flights[3].from?.city = "Elsewhere"
          realm.objects(Indexed.Airport.self)[1].position = nil
          realm.delete(realm.objects(Indexed.Airport.self)[2])
          _ = realm.create(Indexed.Airport.self)
          realm.delete(flights[10])
        }
        check(realm, 7)
      }
    }
    try autoreleasing { check(try opened(files.configuration), 0) }
    let report = try RealmStore.verify(files.configuration)
    #expect(report.objectCounts["Flight"] == 400 - 57 - 2)
  }

  @Test func uniqueIndexesRefuseData() async throws {
    let files = try TemporaryStore(Unindexed.types)
    try autoreleasing {
      let realm = try opened(files.configuration)
      try fill(realm)
      try realm.write {
        realm.object(ofType: Unindexed.Flight.self, forPrimaryKey: 18)?.number = "N40"
        for flight in realm.objects(Unindexed.Flight.self) {
          flight.departure = Date(timeIntervalSinceReferenceDate: Double(flight.id))
        }
      }
    }
    var strict = files.configuration
    strict.objectTypes = Strict.types
    for isMigrating in [false, true] {
      if isMigrating {
        strict.schemaVersion = 1
        strict.migrationBlock = { migration, _ in
          migration.enumerateObjects(ofType: "Flight") { $1?["status"] = "moved" }
        }
      }
      let error = #expect(throws: Realm.Error.self) { try opened(strict) }
      #expect(error?.code == .duplicateValue)
      #expect(
        error?.localizedDescription
          == "Two objects of class 'Flight' have the same 'number', which has a unique index: the objects with primary keys "
          + "'18' and '40'. Give one of them another value, or set it to nil.")
    }
    // Nothing was changed.
    try autoreleasing {
      let realm = try opened(files.configuration)
      #expect(realm.objects(Unindexed.Flight.self).where { $0.status == "moved" }.isEmpty)
    }
    strict.migrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Flight") { old, new in
        if old?["id"] as? Int == 18 { new?["number"] = "other" }
      }
    }
    let realm = try opened(strict)
    check(realm, 2)
    #expect(realm.object(ofType: Strict.Flight.self, forPrimaryKey: 18)?.number == "other")
  }

  /// A journal in which two objects agree for some time, before there was an index.
  @Test func aPastViolationIsNone() throws {
    let files = try TemporaryStore(Unindexed.types)
    try autoreleasing {
      let realm = try opened(files.configuration)
      try realm.write { for id in 0..<10 { realm.create(Unindexed.Flight.self, value: ["id": id, "number": "same"]) } }
      try realm.write { for flight in realm.objects(Unindexed.Flight.self) { flight.number = "\(flight.id)" } }
    }
    var strict = files.configuration
    strict.objectTypes = Strict.types
    check(try opened(strict), 2)
  }
}
