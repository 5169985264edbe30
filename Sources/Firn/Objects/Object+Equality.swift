internal import FirnEngine

extension ObjectBase: Hashable {
  /// Whether two objects are the same, or accessors of one row.
  ///
  /// Accessors of one row are equal when their class has a primary key and both are of the same realm, and when both are
  /// frozen at the same version. Without primary key, unmanaged, or deleted, an object equals itself only. See
  /// ``Object/isSameObject(as:)`` for a comparison that does not look at the class.
  public static func == (lhs: ObjectBase, rhs: ObjectBase) -> Bool { lhs.isEqual(rhs) }

  /// What ``isEqual(_:)`` says unless it is overridden.
  static func _isEqual(_ lhs: ObjectBase, _ rhs: ObjectBase) -> Bool {
    if lhs === rhs { return true }
    guard let table = lhs._table, rhs._table != nil, lhs._key == rhs._key else { return false }
    guard table.layout.primaryKey != nil || (lhs.isFrozen && rhs.isFrozen) else { return false }
    return lhs._isSameRow(as: rhs) && !lhs._isGone && !rhs._isGone
  }

  /// What ``hash(into:)`` does unless it is overridden.
  final func _hash(into hasher: inout Hasher) {
    let model = _model
    if let column = model.primaryKey,
      let key = Unwrapping.persisted(model.properties[column].read(self)) as? any Hashable
    {
      return key.hash(into: &hasher)
    }
    if isFrozen { hasher.combine(_key) } else { hasher.combine(ObjectIdentifier(self)) }
  }

  /// Whether both are managed, by the same realm, and stand for the same row.
  final func _isSameRow(as other: ObjectBase) -> Bool {
    guard let instance = _instance, let otherInstance = other._instance, let table = _table,
      let otherTable = other._table
    else { return false }
    return _key == other._key && table.table == otherTable.table && Realm(instance) == Realm(otherInstance)
  }
}

extension Object {
  /// Whether both stand for the same row of the same realm, whether or not the class has a primary key. An unmanaged
  /// object is the same as itself only, and nothing is the same as nil.
  public final func isSameObject(as object: Object?) -> Bool {
    guard let object else { return false }
    return self === object || _isSameRow(as: object)
  }
}
