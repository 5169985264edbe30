internal import FirnEngine

extension RealmInstance {
  /// Whether a realm is the other one of the two of a migration.
  func isCounterpart(_ other: RealmInstance?) -> Bool {
    guard let other else { return false }
    return other.store !== store && other.store.graph === store.graph
  }

  /// The row that one of the old objects of a migration has become; nil for other objects and of other classes.
  ///
  /// Throws when the row was deleted.
  func counterpart(of object: ObjectBase, in table: TableHandle) throws -> RowKey? {
    guard isCounterpart(object._instance), object._modelName == table.model.name else { return nil }
    let key = RowKey(object._key)
    if !read({ $0.contains(key, in: table.table) }) {
      throw InvalidValue.deleted(object, expected: table.model.name)
    }
    return key
  }

  /// The same for places that cannot throw. Traps when the row was deleted.
  func linkableCounterpart(of object: ObjectBase, in table: TableHandle) -> RowKey? {
    do {
      return try counterpart(of: object, in: table)
    } catch {
      fatalError("An old '\(table.model.name)' was put into a list, but the migration has deleted the new one.")
    }
  }
}
