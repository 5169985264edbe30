public import FirnEngine

/// The base class of models.
///
///     class Airport: Object {
///         @Persisted(primaryKey: true) var code: String
///         @Persisted var city: String
///     }
///
/// An object is unmanaged until it is added to a ``Realm``. A managed object is a live view of a stored row: reading a
/// property reads the realm's current version, and writing one needs a write transaction. It may be read from any
/// thread, at its fastest on its realm's own; on other threads it shows the last committed version.
///
/// An object whose row was deleted stays readable: `isInvalidated` is true, properties return their last values, links to
/// rows that are gone are nil, and writing traps.
open class Object: ObjectBase, _PersistableInsideOptional {
  /// Links are stored as links.
  public typealias PersistedType = Object

  public required init() { super.init() }
}

extension ObjectBase {
  /// The realm that manages the object; nil for an unmanaged object, and for one that was deleted.
  public final var realm: Realm? {
    guard let instance = _instance, !_isGone else { return nil }
    return Realm(instance)
  }

  /// What ``isInvalidated`` says unless it is overridden.
  final var _isGone: Bool {
    guard let table = _table else { return false }
    if table.isFrozen, RealmContext.isReleased(table.context) { return true }
    if table.accessors.lastValues(of: self) != nil { return true }
    return _instance.unsafelyUnwrapped.read { !$0.contains(RowKey(_key), in: table.table) }
  }

  /// Whether the object belongs to a frozen realm, and so never changes.
  public final var isFrozen: Bool { _instance?.isFrozen ?? false }

  /// Starts the write of one property.
  @usableFromInline @inline(never)
  final func _beginMutation(_ slot: UInt64) -> _Cell {
    let instance = _instance.unsafelyUnwrapped
    let table = _table.unsafelyUnwrapped
    if instance.isFrozen {
      fatalError("Attempting to modify a frozen object of class '\(table.model.name)'. Change what its thaw() returns.")
    }
    let writer = instance.requireWriter(
      WriteAttempt(property: table.model.properties[PropertySlot.column(slot)].name, of: table.model))
    if _lastValues != nil {
      fatalError(
        "Object has been deleted or invalidated. (class '\(table.model.name)', property "
          + "'\(table.model.properties[PropertySlot.column(slot)].name)') Ask isInvalidated before writing.")
    }
    // The next write of this accessor may take the short way.
    if _isHome, _epoch != table.context.load(fromByteOffset: RealmContext.epochOffset, as: UInt64.self) { _resolve() }
    let column = PropertySlot.column(slot)
    if table.layout.columns[column].isPrimaryKey {
      fatalError(
        "Primary key can't be changed after an object is inserted. "
          + "(class '\(table.model.name)', property '\(table.model.properties[column].name)')")
    }
    return _Cell(writer: writer, table: table.table, key: RowKey(_key), column: ColumnID(column))
  }
}

// MARK: - Links

extension _PersistableInsideOptional where Self: ObjectBase {
  public static var _optionalShape: _PropertyShape {
    var shape = _PropertyShape(.object, target: Self.self)
    shape.isOptional = true
    return shape
  }

  @inlinable @inline(__always)
  public static func _readOptional(_ object: ObjectBase, _ slot: UInt64) -> Self? {
    let target = IntLeaf.value(
      Cluster.leaf(object._cluster.unsafelyUnwrapped, at: PropertySlot.leafOffset(slot)), Int(object._slot))
    if target == 0 { return nil }
    guard let accessor = object._target(target, slot) else { return nil }
    return unsafeDowncast(accessor.takeRetainedValue(), to: Self.self)
  }

  public static func _readOptionalAway(_ object: ObjectBase, _ slot: UInt64) -> Self? {
    var missing: Int64 = 0
    while true {
      let row = object._beginAwayRead(slot)
      guard let cluster = row.cluster else {
        return object._instance.unsafelyUnwrapped.store.schema.tracingObject(
          of: Self.self, object._instance.unsafelyUnwrapped) as? Self
      }
      let target = IntLeaf.value(Cluster.leaf(cluster, at: PropertySlot.leafOffset(slot)), row.slot)
      object._endAwayRead(row)
      if target == 0 { return nil }
      if let found = object._awayTarget(target, PropertySlot.column(slot)) {
        return unsafeDowncast(found, to: Self.self)
      }
      // The realm may have advanced to a version in which the link leads elsewhere.
      if target == missing { return nil }
      missing = target
    }
  }

  public static func _storeOptional(
    _ value: Self?, _ cluster: UnsafeMutableRawPointer, _ row: Int, _ slot: UInt64, _ version: UInt64
  ) -> Bool { false }

  public static func _setOptional(_ value: Self?, on object: ObjectBase, _ slot: UInt64) {
    let cell = object._beginMutation(slot)
    object._instance.unsafelyUnwrapped.setLink(value, cell)
  }

  public static func _insertOptional(_ value: Self?, into row: _NewRow, _ column: Int) {
    row.inserter.pointee.setLink(ColumnID(column), nil)
  }

  public static func _setOptionalAfterInsert(_ value: Self?, on object: ObjectBase, _ slot: UInt64) {
    if let value { _setOptional(value, on: object, slot) }
  }
}

extension ObjectBase {
  /// The accessor of a link's target, retained: the one used last if it stands for the same row or nobody else can see
  /// it, else a new one. Only at home or frozen.
  @usableFromInline @inline(never)
  final func _target(_ raw: Int64, _ slot: UInt64) -> Unmanaged<ObjectBase>? {
    let key = UInt64(truncatingIfNeeded: raw &- 1)
    if _slowPath(!PropertySlot.isLive(slot)) { return _newTarget(key, slot, nil) }
    let cache = Unmanaged.passUnretained(self).toOpaque() + PropertySlot.cacheOffset(slot)
    guard let last = cache.load(as: UnsafeMutableRawPointer?.self) else { return _newTarget(key, slot, cache) }
    // Neither the table nor the target is retained: atomic operations would keep the reads of the next rows waiting.
    let target = Unmanaged<ObjectBase>.fromOpaque(last)
    let isFound = target._withUnsafeGuaranteedRef { target in
      if target._lastValues != nil { return false }
      if target._key == key {
        _ = Unmanaged.passRetained(target)
        return true
      }
      guard target._isLinked, AccessorReuse.isUnobserved(last, AccessorReuse.uniqueWord) else { return false }
      let context = _context.unsafelyUnwrapped
      let root = context.load(fromByteOffset: RealmContext.rootOffset, as: UnsafeRawPointer.self)
      guard let location = Directory.locate(VersionRoot.table(root, Int(target._tableIndex)), key) else { return false }
      target._unretainedTable.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.accessors.willMove(target) }
      AccessorReuse.retainUnobserved(last, AccessorReuse.sharedWord)
      target._cluster = location.cluster
      target._slot = UInt32(truncatingIfNeeded: location.slot)
      target._key = key
      target._epoch = context.load(fromByteOffset: RealmContext.epochOffset, as: UInt64.self)
      return true
    }
    return isFound ? target : _newTarget(key, slot, cache)
  }

  /// A new accessor of a link's target; nil for null. Only at home or frozen.
  final func _freshTarget(_ slot: UInt64) -> ObjectBase? {
    let target = IntLeaf.value(
      Cluster.leaf(_cluster.unsafelyUnwrapped, at: PropertySlot.leafOffset(slot)), Int(_slot))
    if target == 0 { return nil }
    return _newTarget(UInt64(truncatingIfNeeded: target &- 1), slot, nil)?.takeRetainedValue()
  }

  private final func _newTarget(
    _ key: UInt64, _ slot: UInt64, _ cache: UnsafeMutableRawPointer?
  ) -> Unmanaged<ObjectBase>? {
    let instance = _instance.unsafelyUnwrapped
    let table = instance.handle(Int(_table.unsafelyUnwrapped.layout.columns[PropertySlot.column(slot)].target))
    let root = instance.rootForReading
    // The target of a deleted row may be gone itself.
    guard let location = Directory.locate(VersionRoot.table(root, table.layout.index), key) else { return nil }
    let target = table.make(RowKey(key), at: location, table.canReuse && cache != nil ? .linked : .keyed)
    let reference = Unmanaged.passRetained(target)
    guard let cache else { return reference }
    let old = cache.load(as: UnsafeMutableRawPointer?.self)
    cache.storeBytes(of: reference.retain().toOpaque(), as: UnsafeMutableRawPointer?.self)
    if let old {
      let old = Unmanaged<ObjectBase>.fromOpaque(old)
      // It stays at its row from now on.
      old._withUnsafeGuaranteedRef { $0._table.unsafelyUnwrapped.accessors.settle($0) }
      old.release()
    }
    return reference
  }

  /// The accessor of a link's target for a thread that is not at home; nil when it is gone.
  ///
  /// - Parameter inOwnClass: Whether it is of the class that the link leads to, if the process has that, when this object is
  ///   a ``DynamicObject``.
  final func _awayTarget(_ raw: Int64, _ column: Int, inOwnClass: Bool = false) -> ObjectBase? {
    let instance = _instance.unsafelyUnwrapped
    let owner = _table.unsafelyUnwrapped
    let target = Int(owner.layout.columns[column].target)
    let isKnown = target < instance.store.schema.models.count
    let table = instance.handle(inOwnClass && isKnown ? target : owner.targetNumber(of: column))
    let key = RowKey(UInt64(truncatingIfNeeded: raw - 1))
    if instance.isFrozen || instance.isHomeForReading {
      return instance.read { $0.contains(key, in: table.table) } ? table.accessor(key) : nil
    }
    return table.accessorAway { $0.contains(key, in: table.table) ? key : nil }
  }
}
