internal import FirnEngine

/// What an object is, as long as it lives: an instance, or a row, which may have many accessors.
enum ObjectIdentity: Hashable {
  case unmanaged(ObjectIdentifier)
  case row(ObjectIdentifier, TableID, RowKey)

  init(_ object: ObjectBase) {
    if let instance = object._instance, let table = object._table {
      self = .row(ObjectIdentifier(instance), table.table, RowKey(object._key))
    } else {
      self = .unmanaged(ObjectIdentifier(object))
    }
  }
}
