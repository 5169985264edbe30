internal import FirnEngine

/// Writes the values of an unmanaged object into an existing row of the same primary key.
struct ObjectUpdate {
  let instance: RealmInstance
  let handle: TableHandle
  let policy: Realm.UpdatePolicy

  /// The object becomes an accessor of the row.
  func apply(_ object: ObjectBase, to key: RowKey) -> RowKey {
    let address = Unmanaged.passUnretained(object).toOpaque()
    var values: [(Int, Any)] = []
    for (column, property) in handle.model.properties.enumerated() where !property.isPrimaryKey {
      values.append((column, property.wrapper.value(at: address + property.offset, of: object)))
    }
    for (column, property) in handle.model.properties.enumerated() {
      _ = property.wrapper.promote(at: address + property.offset, slot: handle.slot(column))
    }
    handle.bind(object, key, at: nil, .keyed)
    for (column, value) in values {
      let property = handle.model.properties[column]
      property.wrapper.assign(value, to: object, slot: handle.slot(column), onlyIfDifferent: policy == .modified)
    }
    return key
  }
}
