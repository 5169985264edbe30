internal import FirnDurability
internal import FirnEngine

/// Runs a migration block on a graph that has the old and the new columns.
struct MigrationRun {
  let configuration: Realm.Configuration
  let schema: StoreSchema
  let block: ThrowingMigrationBlock

  func run(_ migrating: MigratingStore) throws {
    var configuration = configuration
    configuration.hasPrimaryKeys = false
    // The versions of a migration are none of the application's.
    configuration.maximumNumberOfActiveVersions = nil
    let graph = migrating.graph
    let tables = graph.layout.schema
    let oldModels = migrating.tables.enumerated().map { index, table in
      ClassModel(unknown: tables[index], in: tables, names: table.storedColumns.map { $0?.name })
    }
    let oldStore = Store(
      configuration: configuration, schema: StoreSchema(oldModels, tables: tables), graph: graph)
    let newStore = Store(configuration: configuration, schema: schema, graph: graph)
    let oldRealm = RealmInstance(store: oldStore, confinement: .frozen, version: migrating.before)
    let newRealm = try newStore.realm(.here())
    let migration = Migration(migrating, oldRealm: oldRealm, newRealm: newRealm)
    defer { migration.isOver = true }
    let realm = Realm(newRealm)
    realm.beginWrite()
    do {
      try block(migration, migrating.schemaVersion)
      migration.checkRenames()
      if let failure = migration.failures.first { throw failure }
      try realm.commitWrite()
    } catch {
      if realm.isInWriteTransaction { realm.cancelWrite() }
      throw error
    }
  }
}
