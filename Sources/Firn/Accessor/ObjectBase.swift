public import CFirn
public import FirnEngine

/// What ``Object`` has in common with other kinds of model classes.
///
/// A managed instance is an *accessor*: a reference to a row of a realm. Several accessors may stand for one row.
///
/// State                      written by                               read by
/// _context, _key, _isLinked, whoever makes the accessor; an iterator  everybody
/// _unretainedTable           or link that nobody else shares it with
/// _cluster, _slot, _epoch    home thread; frozen: at creation         home thread; frozen: everybody
/// _lastValues                the realm while it advances, under the   home thread; others under that lock
///                            lock of the table's accessors
open class ObjectBase: CustomStringConvertible {
  /// The context of the realm: raw memory, see `RealmContext`. Nil when unmanaged.
  @exclusivity(unchecked) @usableFromInline package final var _context: UnsafeRawPointer?
  /// The cluster and slot of the row, valid while `_epoch` is the context's.
  @exclusivity(unchecked) @usableFromInline package final var _cluster: UnsafeRawPointer?
  @exclusivity(unchecked) @usableFromInline package final var _epoch: UInt64 = 0
  @exclusivity(unchecked) @usableFromInline package final var _key: UInt64 = 0
  @exclusivity(unchecked) @usableFromInline package final var _slot: UInt32 = 0
  /// The position of the table in the schema.
  @exclusivity(unchecked) final var _tableIndex: UInt32 = 0
  /// How the accessor is listed with its table: see `LiveAccessors`.
  @exclusivity(unchecked) final var _registration = LiveAccessors.unregistered
  /// Whether it was made for a link, which may point it at another row.
  @exclusivity(unchecked) final var _isLinked = false
  /// Keeps the realm open.
  @exclusivity(unchecked) final var _reader: RealmReader?
  /// What all accessors of one class in one realm share; the realm owns it. Read like this, it is not retained.
  @exclusivity(unchecked) @usableFromInline package final var _unretainedTable: Unmanaged<TableHandle>?
  /// A `RowCopy` once the row is gone.
  @exclusivity(unchecked) final var _lastValues: UnsafeMutableRawPointer?

  /// Makes an unmanaged object.
  ///
  /// A subclass may add code, but must be creatable without arguments. What it adds runs for new objects, and need not
  /// run for objects that are read from a realm: see ``Persisted``.
  public required init() {}

  deinit {
    guard let table = _unretainedTable else {
      return HeldReferences.of(type(of: self)).release(from: Unmanaged.passUnretained(self).toOpaque())
    }
    // The realm, which the object still holds, keeps it.
    table._withUnsafeGuaranteedRef { table in
      // Live accessors are listed as long as they live.
      if !table.isFrozen { table.accessors.remove(self) }
      if let values = _lastValues { RowCopy.free(values) }
      table.cachedLinks.release(from: Unmanaged.passUnretained(self).toOpaque())
    }
  }

  @inlinable @inline(__always)
  package final var _table: TableHandle? {
    get { _unretainedTable?._withUnsafeGuaranteedRef { $0 } }
    set { _unretainedTable = newValue.map { Unmanaged.passUnretained($0) } }
  }

  /// Whether the object was managed and is not any more: its row was deleted.
  open var isInvalidated: Bool {
    if let context = _context, _slowPath(RealmContext.isTracked(context)) { _noteExistence() }
    return _isGone
  }

  /// Whether another object equals this one, as `==` has it; false for anything but an object.
  ///
  /// `==` calls this, so a class that overrides it says what its objects are equal by. It has to override ``hash(into:)``
  /// then, too.
  open func isEqual(_ object: Any?) -> Bool { (object as? ObjectBase).map { Self._isEqual(self, $0) } ?? false }

  /// Hashes the primary key if the class has one, the row of a frozen object, else the identity.
  open func hash(into hasher: inout Hasher) { _hash(into: &hasher) }

  /// The value of a property by name, in stored form: enumerations as raw values, custom types as what is stored for
  /// them; nil for a null.
  ///
  /// Integers of a fixed width and `Float` come as an `NSNumber`, from which a cast gets any numeric type that has the
  /// value: of an `Int8`, `as? Int8` and `as? Int` alike. `Int`, `Double` and `Bool` come as they are.
  ///
  /// Setting takes the forms of ``Realm/create(_:value:update:)``. Unknown names and values that the property cannot hold
  /// trap, and so does setting a property of a managed object where assigning it would.
  open subscript(key: String) -> Any? {
    get { value(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// The name of the class in the schema: the unqualified class name.
  open class func className() -> String { _realmObjectName() ?? _typeName(self, qualified: false) }

  /// Another name for the class in the schema. Nil, as long as it is not overridden, for the name of the class.
  open class func _realmObjectName() -> String? { nil }

  /// Whether objects of the class belong to others: false but for ``EmbeddedObject``.
  public class func isEmbedded() -> Bool { false }

  /// The name of the primary key; nil when the class has none. A class overrides it only where the declaration,
  /// `@Persisted(primaryKey: true)`, cannot say it.
  ///
  /// Naming a property that is not persisted, or whose type cannot be a key, makes opening a realm throw.
  open class func primaryKey() -> String? { DeclaredProperties.of(self).primaryKey }

  /// Indexes of several properties, of properties behind links, and of combinations that are unique.
  ///
  ///     override class func indexes() -> [Index] {
  ///       [Index(\Flight.status, \Flight.departure), Index(\Flight.from?.city), .unique(\Flight.number)]
  ///     }
  ///
  /// A subclass that overrides it adds those of its superclass if it wants them. Indexes may come and go from one opening to
  /// the next: they are not stored. A key path that leads to no persisted property, or through a collection, makes opening a
  /// realm throw.
  open class func indexes() -> [Index] { [] }

  /// Names of properties with an index of their own, in the order of their declaration, without those of ``indexes()``.
  /// A class that overrides it names properties to be indexed besides those that are declared as indexed.
  open class func indexedProperties() -> [String] { DeclaredProperties.of(self).indexed }

  /// Names of persisted properties that the schema leaves out. They must not be used on managed objects. Properties
  /// without `@Persisted` need not be named: they are never stored.
  open class func ignoredProperties() -> [String] { [] }

  /// The names under which properties are stored, by their names in Swift. Properties that are not in it are stored under
  /// their own names. Key paths, dictionaries and descriptions use the names in Swift all the same.
  ///
  /// Naming a property that is not persisted, or one stored name twice, makes opening a realm throw.
  open class func propertiesMapping() -> [String: String] { [:] }

  /// Whether schemas that are not listed in ``Realm/Configuration/objectTypes`` leave the class out; like
  /// ``shouldIncludeInDefaultSchema()``, the other way round.
  open class func _realmIgnoreClass() -> Bool { false }

  /// Properties that had another name, or were stored under one: the Swift name of the property by the name under which
  /// files have it; empty unless it is overridden.
  ///
  ///     override class var renamedProperties: [String: String] { ["fullName": "name"] }
  ///
  /// Opening a file that has the old name and not the new one renames the property, with its values, when
  /// ``Realm/Configuration/schemaVersion`` was raised; no block is needed for that. The entry may stay for ever, and for
  /// files of any age.
  open class var renamedProperties: [String: String] { [:] }

  /// Names of properties that the class had in earlier versions, as files have them, and has no longer; empty unless it
  /// is overridden. None of them is a property of today under another name.
  ///
  ///     override class var removedProperties: Set<String> { ["name"] }
  ///
  /// A file whose last program had a property that the class lacks, while the class has a new one of the same type, is
  /// not opened unless the schema version is raised: a rename that nobody declared would lose the values. An entry here
  /// says that it is none. The values stay in the file until ``Realm/Configuration/schemaVersion`` is raised.
  open class var removedProperties: Set<String> { [] }

  /// Whether one accessor may stand for several rows, one after the other; true unless it is overridden. Asked once.
  ///
  /// Iterators and links point the accessor that they handed out last at the next row when no strong, weak or unowned
  /// reference to it is left, which saves an allocation per object. This shows only in a `deinit`: it runs once for an
  /// accessor that stood for many rows, after the last of them. A class whose `deinit` has to run for each object that
  /// was read returns false. Classes with stored properties that are not persisted are never reused.
  open class var reusesAccessors: Bool { true }

  /// What the object holds, property by property, links and lists followed to a depth of five.
  ///
  /// - Complexity: reads everything that it prints: at most a hundred elements of each list.
  open var description: String { _descriptionText }

  /// The value of one of its properties as its Swift type, or as the kind of object has it.
  func _value(of property: ClassModel.Property) -> Any {
    property.wrapper.read(at: Unmanaged.passUnretained(self).toOpaque() + property.offset, of: self)
  }

  /// Whether the class belongs to the schema of a realm whose configuration lists no object types.
  open class func shouldIncludeInDefaultSchema() -> Bool { true }
}

extension ObjectBase {
  /// Whether the calling thread is the one the realm is bound to.
  @inlinable @inline(__always)
  final var _isHome: Bool {
    // As numbers: optional pointers are compared in two steps.
    UInt(bitPattern: firn_thread_pointer()) == _context.unsafelyUnwrapped.load(as: UInt.self)
  }

  /// Whether reads of the realm are tracked.
  @inlinable @inline(__always)
  final var _isTracked: Bool { _context.unsafelyUnwrapped.load(as: UInt.self) == RealmContext.trackedOwner }

  /// Reads a property when the cached cluster cannot be used: after the realm moved on, on another thread, or where reads
  /// are tracked.
  @inlinable @inline(never)
  final func _readSlowly<Value: _Persistable>(_ slot: UInt64) -> Value {
    if _isHome {
      _resolve()
      return Value._read(self, slot)
    }
    if _slowPath(_isTracked), _trackRead(slot) { return Value._read(self, slot) }
    return Value._readAway(self, slot)
  }

  /// An object with the declared initial values.
  @usableFromInline @inline(never)
  final func _makeTwin() -> ObjectBase { type(of: self).init() }

  /// Finds the row again, at home, to read a property. False on another thread.
  final func _resolveAtHome(_ slot: UInt64) -> Bool {
    if _isTracked { return _trackRead(slot) }
    guard _isHome else { return false }
    _resolve()
    return true
  }

  /// Points the cache at the row in the version that the realm shows now. Only at home.
  @usableFromInline @inline(never)
  package final func _resolve() {
    let context = _context.unsafelyUnwrapped
    let table = _table.unsafelyUnwrapped
    let root = context.load(fromByteOffset: RealmContext.rootOffset, as: UnsafeRawPointer.self)
    if let values = _lastValues {
      table.checkInvalidatedRead()
      _cluster = UnsafeRawPointer(values)
      _slot = 0
    } else if let location = Directory.locate(VersionRoot.table(root, table.layout.index), _key) {
      _cluster = location.cluster
      _slot = UInt32(truncatingIfNeeded: location.slot)
    } else {
      _cluster = UnsafeRawPointer(table.lastValues(of: self))
      _slot = 0
    }
    _epoch = context.load(fromByteOffset: RealmContext.epochOffset, as: UInt64.self)
  }

  /// Whether the cell may be stored to directly: at home, in a transaction that owns the cluster. The write is noted then.
  @inlinable @inline(__always)
  final func _ownsCell(_ slot: UInt64) -> Bool {
    if PropertySlot.needsWriter(slot) { return false }
    if _slowPath(!_isHome) { return false }
    let context = _context.unsafelyUnwrapped
    let version = context.load(fromByteOffset: RealmContext.writeVersionOffset, as: UInt64.self)
    if _slowPath(_epoch != context.load(fromByteOffset: RealmContext.epochOffset, as: UInt64.self)) {
      if version == .max { return false }
      _resolve()
    }
    let cluster = _cluster.unsafelyUnwrapped
    // Also false for the copy of a row that is gone, which was born in no version.
    if _slowPath(cluster.blockBirth != version) { return false }
    let dirty = cluster.load(fromByteOffset: Cluster.dirtyOffset, as: UnsafeMutableRawPointer?.self)
    guard let record = dirty else { return false }
    let column = PropertySlot.column(slot)
    if DirtyRecord.isMarked(record, column: column, slot: Int(_slot)) { return true }
    if _slowPath(DirtyRecord.logs(record)) { return false }
    DirtyRecord.mark(record, column: column, slot: Int(_slot))
    return true
  }
}
