internal import Firn

/// What the models were before, and how a store gets from there to here.
///
///     version    models
///     0          the first ones: flights have `changed`, and their route is put together from links
///     2          `changed` is called `newsTime`, flights store their route, boards name their plan
///     3          airports have a place instead of `latitude` and `longitude`
enum BoardMigration {
  static let schemaVersion: UInt64 = 3

  /// Gives flights their route, and airports their place. The new name and the plan come by themselves.
  static let block: MigrationBlock = { migration, oldVersion in
    if oldVersion < 2 { addRoutes(migration) }
    if oldVersion < 3 { addPlaces(migration) }
  }

  private static func addRoutes(_ migration: Migration) {
    migration.enumerateObjects(ofType: "Flight") { old, new in
      guard let old, let new else { return }
      func code(_ link: String) -> String? { (old[link] as? MigrationObject)?["code"] as? String }
      new["route"] = Flight.route(
        code("airline") ?? "??", old["number"] as? Int ?? 0, code("origin") ?? "???", code("destination") ?? "???")
    }
  }

  private static func addPlaces(_ migration: Migration) {
    migration.enumerateObjects(ofType: "Airport") { old, new in
      guard let old, let new else { return }
      new["location"] = ["coordinates": [old["longitude"], old["latitude"]]]
    }
  }

  /// Throws unless the file has what an older version of the board wrote: nothing that the migration would drop.
  static func check(_ plan: MigrationPlan) throws {
    let isOlderBoard = plan.changes.allSatisfy { change in
      switch change.kind {
      case .classAdded, .propertyAdded, .propertyRenamed, .indexAdded, .indexRemoved: true
      case .propertyRemoved: ["'Airport.latitude'", "'Airport.longitude'"].contains { change.description.contains($0) }
      default: false
      }
    }
    if isOlderBoard { return }
    throw Realm.Error(.schemaMismatch, userInfo: [NSLocalizedDescriptionKey: plan.description])
  }
}
