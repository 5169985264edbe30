import Firn
import Foundation
import Testing

/// The examples of the page on migrations.
@Suite struct MigratingTests {
  enum Old {
    class Flight: Object {
      @Persisted(primaryKey: true) var id: String
      @Persisted var to: String

      override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class Person: Object {
      @Persisted var first: String
      @Persisted var last: String

      override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
  }

  // Two classes of one name are in no default schema.
  enum New {
    class Flight: Object {
      @Persisted(primaryKey: true) var id: String
      @Persisted var gate = "unknown"  // new: nothing else is to be done
      @Persisted var destination: String  // was called 'to'

      override class var renamedProperties: [String: String] { ["to": "destination"] }
    }

    class Person: Object {
      @Persisted var name: String

      override class var renamedProperties: [String: String] { ["fullName": "name"] }
    }

    class Book: Object {
      @Persisted var title: String

      override class var removedProperties: Set<String> { ["name"] }
      override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
  }

  private func backUp() async throws {}

  @Test func aFileIsMigrated() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("firn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("app.firn")
    let old = try await RealmStore.open(
      Realm.Configuration(fileURL: url, schemaVersion: 1, objectTypes: [Old.Flight.self, Old.Person.self]))
    try await old.write { realm in
      realm.create(Old.Flight.self, value: ["id": "LH400", "to": "Boston"])
      realm.create(Old.Person.self, value: ["first": "Grace", "last": "Hopper"])
    }
    try await old.close()

    do {
      let configuration = Realm.Configuration(fileURL: url, schemaVersion: 2)
      #expect(configuration.schemaVersion == 2)
    }
    var configuration = Realm.Configuration(fileURL: url, objectTypes: [New.Flight.self, New.Person.self])
    configuration.schemaVersion = 3
    configuration.migrationBlock = { migration, oldVersion in
      if oldVersion < 3 {
        migration.enumerateObjects(ofType: "Person") { old, new in
          guard let old, let new else { return }
          new["name"] = "\(old["first"] as? String ?? "") \(old["last"] as? String ?? "")"
        }
      }
    }
    let plan = try Realm.planMigration(for: configuration)
    print(plan)  // From schema version 2 to 3: …
    if plan.rewritesFile { try await backUp() }
    #expect(plan.description.hasPrefix("From schema version 1 to 3:"))
    let store = try await RealmStore.open(configuration)
    #expect(store.lastOpenReport?.migratedFrom == 1)
    let flight = store.freeze().objects(New.Flight.self).first
    #expect(flight?.destination == "Boston" && flight?.gate == "unknown")
    #expect(store.freeze().objects(New.Person.self).first?.name == "Grace Hopper")
    try await store.close()
  }
}
