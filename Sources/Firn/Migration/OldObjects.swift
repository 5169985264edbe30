internal import FirnEngine

extension RealmInstance {
  /// The row that one of the old objects of a migration has become; nil for other objects and of other classes.
  ///
  /// Throws when the row was deleted.
  func counterpart(of object: ObjectBase, in table: TableHandle) throws -> RowKey? {
    guard let origin = object._instance, origin.store !== store, origin.store.graph === store.graph,
      object._modelName == table.model.name
    else { return nil }
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
