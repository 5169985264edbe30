internal import FirnEngine

// Values of custom types as embedded objects: each has one of its own, which nobody sees but the custom type.

extension EmbeddedObject: _PersistedForm {}

extension _PersistedForm where Self: ObjectBase {
  public static func _customShape(_ type: any _CustomPersistable.Type) -> _PropertyShape {
    var shape = _PropertyShape(.object, target: Self.self)
    shape.isOptional = true
    shape.custom = type
    shape.nullIsDefault = true
    return shape
  }

  public static func _freshValue() -> Self { Self() }

  public static func _customRead(_ object: ObjectBase, _ slot: UInt64) -> Self? {
    object._freshTarget(slot).map { unsafeDowncast($0, to: Self.self) }
  }

  public static func _customReadAway(_ object: ObjectBase, _ slot: UInt64) -> Self? {
    let instance = object._instance.unsafelyUnwrapped
    if instance.isFrozen || instance.isWritingHere { return _readOptionalAway(object, slot) }
    // The members are read one after the other: a frozen realm holds the version that they all come from.
    let table = object._table.unsafelyUnwrapped
    let column = PropertySlot.column(slot)
    let frozen = instance.frozen()
    let stored = frozen.read { contents in
      contents.contains(RowKey(object._key), in: table.table)
        ? contents.value(ColumnID(column), of: RowKey(object._key), in: table.table) : nil
    }
    switch stored {
    case .link(let key):
      return unsafeDowncast(frozen.accessor(key, table.targetNumber(of: column)), to: Self.self)
    case nil: return _readOptionalAway(object, slot)
    default: return nil
    }
  }

  public static func _customLoadElement(_ address: UnsafeRawPointer, _ source: _ElementSource) -> Self {
    let table = source.table.unsafelyUnwrapped
    let instance = table.instance
    if instance.isFrozen || instance.isHomeForReading { return _loadElement(address, false, source) }
    let key = RowKey(address.loadUnaligned(as: UInt64.self))
    let frozen = instance.frozen()
    // One that is gone by now has its last values, which never change.
    guard frozen.read({ $0.contains(key, in: table.table) }) else { return _loadElement(address, false, source) }
    return unsafeDowncast(frozen.accessor(key, table.number), to: Self.self)
  }

  public static func _customSet(_ value: Self?, on object: ObjectBase, _ slot: UInt64) {
    let cell = object._beginMutation(slot)
    let instance = object._instance.unsafelyUnwrapped
    if cell.writer.client.skipsEqualWrites, let value, instance.holds(cell, valuesOf: value) { return }
    instance.setLink(value, cell)
  }

  public func _customHash(into hasher: inout Hasher) {
    for property in _model.properties where !property.shape.isCollection && property.shape.type != .object {
      (Unwrapping.persisted(property.read(self)) as? any Hashable)?.hash(into: &hasher)
    }
  }
}

extension RealmInstance {
  /// Whether the link in a cell leads to an embedded object with the values of an unmanaged one; false where there are more
  /// than single values.
  fileprivate func holds(_ cell: _Cell, valuesOf object: ObjectBase) -> Bool {
    let contents = cell.writer.contents
    guard object._instance == nil, case .link(let key) = contents.value(cell.column, of: cell.key, in: cell.table)
    else {
      return false
    }
    let table = handle(Int(store.graph.layout.tables[cell.table.index].columns[cell.column.index].target))
    guard object._model === table.model else { return false }
    return table.model.properties.enumerated().allSatisfy { column, property in
      if property.shape.isCollection || property.shape.type == .object || property.shape.type == .any { return false }
      let given = try? Coercion.stored(property.read(object), property, of: table.model)
      return given?.isIdentical(to: contents.value(ColumnID(column), of: key, in: table.table)) == true
    }
  }
}
