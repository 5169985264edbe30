import Firn
import Foundation

extension FirnTrials {
  static func addProperty(_ stage: Stage) throws -> Trial {
    try migrate(stage, Migrated.Added.Person.self, version: 0) { realm in
      let person = realm.object(ofType: Migrated.Added.Person.self, forPrimaryKey: 7)
      try expect(person?.nick, "unknown", "the new property")
    }
  }

  static func renameProperty(_ stage: Stage) throws -> Trial {
    let name = stage.dataset.record(at: 7).name
    return try migrate(stage, Migrated.Renamed.Person.self, version: 1) { realm in
      try expect(
        realm.object(ofType: Migrated.Renamed.Person.self, forPrimaryKey: 7)?.fullName, name, "the renamed property")
    }
  }

  static func migrateByBlock(_ stage: Stage) throws -> Trial {
    let count = stage.dataset.count
    let name = stage.dataset.record(at: 7).name
    let block: MigrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, new in
        if let old, let new { new["nick"] = "\(old["name"] as? String ?? "")!" }
      }
    }
    return try migrate(stage, Migrated.Added.Person.self, version: 1, per: count, block) { realm in
      try expect(
        realm.object(ofType: Migrated.Added.Person.self, forPrimaryKey: 7)?.nick, "\(name)!", "the computed property")
    }
  }

  static func indexAges(_ stage: Stage) throws -> Trial {
    try addedByIndex(
      migrate(stage, Migrated.OrderedByAge.Person.self, version: 0) { realm in
        let persons = realm.objects(Migrated.OrderedByAge.Person.self)
        try expect(persons.where { $0.age.contains(30...35) }.count, stage.dataset.countOfAges(30...35), "persons")
      })
  }

  static func indexNames(_ stage: Stage) throws -> Trial {
    let name = stage.dataset.record(at: 7).name
    return try addedByIndex(
      migrate(stage, Migrated.OrderedByName.Person.self, version: 0) { realm in
        let persons = realm.objects(Migrated.OrderedByName.Person.self)
        try expect(persons.where { $0.name == name }.first?.name, name, "a person by name")
      })
  }

  /// What the opening costs above that without the index.
  private static func addedByIndex(_ trial: @escaping Trial) -> Trial {
    {
      var sample = try trial()
      sample.value -= sample.asides[0].value
      return sample
    }
  }

  /// Opens a copy of the files with other models, and one more with those that wrote them.
  private static func migrate(
    _ stage: Stage, _ type: Object.Type, version: UInt64, per count: Int = 1, _ block: MigrationBlock? = nil,
    _ check: @escaping (FrozenRealm) throws -> Void
  ) throws -> Trial {
    let source = try stage.sharedFirnFolder()
    return {
      let plainFolder = try source.copy()
      let plain = FirnFileFixture.configuration(in: plainFolder, .everyCommit)
      var store: RealmStore?
      let opening = try nanoseconds(per: count) { store = try waitFor { try await RealmStore.open(plain) } }
      store = nil
      let folder = try source.copy()
      var changed = FirnFileFixture.configuration(in: folder, .everyCommit)
      changed.objectTypes = [type]
      changed.schemaVersion = version
      changed.migrationBlock = block
      let configuration = changed
      var sample = try sample(per: count) { store = try waitFor { try await RealmStore.open(configuration) } }
      if let store { try check(store.freeze()) }
      store = nil
      sample.asides = [.init(label: Migrations.plainLabel, value: opening, unit: .nanoseconds)]
      withExtendedLifetime((plainFolder, folder)) {}
      return sample
    }
  }
}
