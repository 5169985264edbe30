public import CFirn
public import FirnEngine

/// What a ``List``, ``MutableSet`` or ``Map`` is apart from its elements: unmanaged, or a reference to the collection that
/// a property of a row holds.
///
/// State                       written by                                read by
/// _context … _target,         whoever makes it managed; an accessor     everybody
/// _generation                 that nobody else shares it with
/// _cluster, _slot, _epoch     home thread; frozen: at creation          home thread; frozen: everybody
public class CollectionBase {
  /// The context of the realm; nil when unmanaged.
  @exclusivity(unchecked) @usableFromInline package final var _context: UnsafeRawPointer?
  @exclusivity(unchecked) @usableFromInline package final var _cluster: UnsafeRawPointer?
  @exclusivity(unchecked) @usableFromInline package final var _slot = 0
  @exclusivity(unchecked) @usableFromInline package final var _epoch: UInt64 = 0
  @exclusivity(unchecked) @usableFromInline package final var _key: UInt64 = 0
  /// The slot word of the property.
  @exclusivity(unchecked) @usableFromInline package final var _property: UInt64 = 0
  /// That of the realm when the collection was made; a later one invalidates it.
  @exclusivity(unchecked) final var _generation: UInt64 = 0
  /// Keeps the realm open.
  @exclusivity(unchecked) final var _instance: RealmInstance?
  /// The table of the row that holds the collection; the realm owns it.
  @exclusivity(unchecked) @usableFromInline package final unowned(unsafe) var _table: TableHandle?
  /// The table of the objects in the collection; nil for other elements.
  @exclusivity(unchecked) @usableFromInline package final unowned(unsafe) var _target: TableHandle?

  init() {}

  /// Whether its objects are ``DynamicObject``.
  var _hasDynamicElements: Bool { false }

  /// Makes the collection stand for a property of a row.
  @usableFromInline
  package final func _bind(_ object: ObjectBase, _ slot: UInt64) {
    let instance = object._instance.unsafelyUnwrapped
    let table = object._table.unsafelyUnwrapped
    _bind(instance, table, object._key, slot)
    // The object may be invalidated while its row exists.
    if _isHome || _isAtTrackedHome, object._lastValues != nil { _generation = .max }
  }

  final func _bind(_ instance: RealmInstance, _ table: TableHandle, _ key: UInt64, _ slot: UInt64) {
    _context = UnsafeRawPointer(instance.context)
    _instance = instance
    _table = table
    _key = key
    _property = slot
    let column = table.layout.columns[PropertySlot.column(slot)]
    // Mixed elements lead anywhere: they only need to know the realm.
    _target =
      column.type == .link
      ? instance.handle(Int(column.target), isDynamic: _hasDynamicElements) : column.type == .mixed ? table : nil
    _epoch = 0
    // Where reads are tracked it differs from that of the realm, so that `_mayRead` looks closer.
    _generation = RealmContext.generation(instance.context) & ~RealmContext.trackedGeneration
    if instance.isFrozen { _resolve() }
  }

  /// The accessor that an iteration over objects hands out, where it may be reused.
  final func _elementMover<Element>(_ type: Element.Type) -> MovingAccessor? {
    // Mixed elements may be objects of any class.
    type == AnyRealmValue.self ? nil : _target.flatMap { MovingAccessor($0) }
  }

  final var _column: ColumnID { ColumnID(PropertySlot.column(_property)) }

  /// Whether the calling thread may use the cached cluster: it is the realm's, or the realm is frozen.
  @inlinable @inline(__always)
  final var _isHome: Bool {
    firn_thread_pointer() == _context.unsafelyUnwrapped.load(as: UnsafeMutableRawPointer?.self)
  }

  /// Points the cache at the row in the version that the realm shows now.
  @usableFromInline @inline(never)
  final func _resolve() {
    let context = _context.unsafelyUnwrapped
    let root = context.load(fromByteOffset: RealmContext.rootOffset, as: UnsafeRawPointer.self)
    if !_isStale, let location = Directory.locate(VersionRoot.table(root, _table.unsafelyUnwrapped.layout.index), _key)
    {
      _cluster = location.cluster
      _slot = location.slot
    } else {
      _cluster = nil
    }
    _epoch = context.load(fromByteOffset: RealmContext.epochOffset, as: UInt64.self)
  }

  /// The root of the stored collection at home; nil when it is empty or the row is gone.
  @inlinable @inline(__always)
  final var _homeRoot: UnsafeRawPointer? {
    if _slowPath(
      _epoch != _context.unsafelyUnwrapped.load(fromByteOffset: RealmContext.epochOffset, as: UInt64.self))
    {
      _resolve()
    }
    guard let cluster = _cluster else { return nil }
    return FixedLeaf.load(
      Cluster.leaf(cluster, at: PropertySlot.leafOffset(_property)), _slot, as: UnsafeRawPointer?.self)
  }

  /// Calls `body` with the root of the collection that the calling thread may see.
  @inlinable @inline(__always)
  final func _withRoot<Result>(_ body: (UnsafeRawPointer?) -> Result) -> Result {
    if _fastPath(_isHome) { return body(_homeRoot) }
    return _withRootAway(body)
  }

  @usableFromInline @inline(never)
  final func _withRootAway<Result>(_ body: (UnsafeRawPointer?) -> Result) -> Result {
    if _slowPath(_generation != RealmContext.generation(_context.unsafelyUnwrapped)) {
      if !_mayReadTracked { return body(nil) }
      if _isAtTrackedHome { return body(_homeRoot) }
    }
    let table = _table.unsafelyUnwrapped
    return _instance.unsafelyUnwrapped.read { contents in
      body(contents.listRoot(table.layout.columns[_column.index], of: RowKey(_key), in: table.table))
    }
  }

  /// Whether the realm was invalidated since the collection was made.
  final var _isStale: Bool {
    let generation = RealmContext.generation(_context.unsafelyUnwrapped)
    return _slowPath(_generation != generation) && _generation | RealmContext.trackedGeneration != generation
  }

  // MARK: Where it belongs

  /// What messages call a collection of this kind.
  class var _kindName: String { "Collection" }

  /// The realm that manages the collection; nil for an unmanaged one, and once its object was deleted.
  public final var realm: Realm? {
    guard let instance = _instance, !isInvalidated else { return nil }
    return Realm(instance)
  }

  /// Whether the collection was managed and is not any more: its object was deleted, or its realm invalidated. It is
  /// empty then.
  public final var isInvalidated: Bool {
    guard let instance = _instance, let table = _table else { return false }
    if !_mayRead || (instance.isFrozen && instance.isReleased) { return true }
    return instance.read { !$0.contains(RowKey(_key), in: table.table) }
  }

  /// Whether the collection belongs to a frozen realm, and so never changes.
  public final var isFrozen: Bool { _instance?.isFrozen ?? false }

  /// Whether both stand for the same property of the same row of the same realm.
  final func _isSameCollection(_ other: CollectionBase) -> Bool {
    guard let instance = _instance, instance === other._instance else { return self === other }
    return _table?.layout === other._table?.layout && _key == other._key && _column == other._column
  }

  /// The key by which the collection holds an object; nil when it cannot: the object is unmanaged, or of another class.
  ///
  /// Traps for a deleted object and for one of another realm.
  @usableFromInline
  final func _storedKey(of object: ObjectBase) -> UInt64? {
    _isOfRealm(object) && object._table?.layout === _target?.layout ? object._key : nil
  }

  /// Whether an object is managed by the collection's realm. Traps for a deleted object and for one of another realm.
  @usableFromInline
  final func _isOfRealm(_ object: ObjectBase) -> Bool {
    RealmInstance.isManaged(object, lookedForIn: _instance)
  }

  /// The property of the row in another realm of the store: table and slot word.
  final func _place(in instance: RealmInstance) -> (table: TableHandle, slot: UInt64) {
    let table = instance.handle(_table.unsafelyUnwrapped.number)
    return (table, table.slot(_column.index))
  }

  /// Which collection this is; nil for an unmanaged one.
  final var _owner: (table: TableHandle, key: RowKey, column: ColumnID)? {
    guard _instance != nil, let table = _table else { return nil }
    return (table, RowKey(_key), _column)
  }

  // MARK: Changing

  final var _propertyName: String {
    let table = _table.unsafelyUnwrapped
    return "class '\(table.model.name)', property '\(table.model.properties[_column.index].name)'"
  }

  /// The writer of the running transaction; traps where the collection cannot be changed.
  @usableFromInline
  final func _beginMutation() -> _ElementTarget {
    let instance = _instance.unsafelyUnwrapped
    let table = _table.unsafelyUnwrapped
    if instance.isFrozen {
      fatalError("Attempting to modify a frozen \(Self._kindName). (\(_propertyName)) Change what its thaw() returns.")
    }
    let writer = instance.requireWriter(WriteAttempt(collection: Self._kindName, _propertyName))
    // A fresh cache tells that the row exists.
    let isKnown =
      _isHome && _cluster != nil
      && _epoch == _context.unsafelyUnwrapped.load(fromByteOffset: RealmContext.epochOffset, as: UInt64.self)
    if _isStale {
      fatalError("\(Self._kindName) has been invalidated: its realm was. Read the property again. (\(_propertyName))")
    }
    if !isKnown, !writer.contents.contains(RowKey(_key), in: table.table) {
      fatalError("\(Self._kindName) has been invalidated: its object was deleted. (\(_propertyName))")
    }
    return _ElementTarget(writer: writer, instance: instance, table: _target)
  }
}
