internal import FirnEngine

extension RealmInstance {
  /// What a denied deletion throws.
  func error(_ denied: DeletionDenied) -> Realm.Error {
    func name(_ table: TableID, _ key: RowKey, _ primaryKey: Value?) -> String {
      let name = store.schema.models[table.index].name
      return primaryKey.map { "'\(name)' with primary key '\($0.text)'" } ?? "'\(name)' in row \(key.rawValue)"
    }
    let property = store.schema.tables[denied.table.index].columns[denied.column.index].name
    return Realm.Error(
      .deletionDenied,
      "The object \(name(denied.table, denied.key, denied.primaryKey)) cannot be deleted: its property '\(property)' "
        + "has the delete rule .deny and leads to the object "
        + "\(name(denied.target, denied.targetKey, denied.targetPrimaryKey)). Delete that one too, or clear the "
        + "property first.")
  }

  /// Copies rows for their live accessors before a rule or an owner deletes them.
  func prepareDeletion(of keys: [RowKey], in table: TableID, _ writer: Writer) {
    bumpEpoch()
    keepLastValues(of: keys, in: table, writer.contents)
  }
}
