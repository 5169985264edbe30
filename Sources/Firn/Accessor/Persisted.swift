/// Declares a property of a model class that is stored in the realm.
///
///     class Flight: Object {
///         @Persisted(primaryKey: true) var id: String
///         @Persisted(indexed: true) var status: Status
///         @Persisted var delay: Int?
///     }
///
/// Works in classes derived from ``Object`` only. A property without an initial value starts with the default of its
/// type; an initial value is evaluated for each new object. An initialiser may assign to properties declared without
/// arguments before it calls `super.init()`.
///
/// Objects that are read from a realm are made without running the initialisers of their class, so nothing is evaluated
/// for them. A class with stored properties of its own besides the persisted ones is an exception: its `init()` runs, and
/// the initial values are evaluated and dropped.
///
/// Reading is possible from any thread, at its fastest on the thread that the realm belongs to. Writing a property of a
/// managed object needs a write transaction on the realm's thread, queue or actor.
@propertyWrapper
public struct Persisted<Value: _Persistable> {
  /// The value of an unmanaged object. In a managed one, what the accessor caches: the last target of a link, a list.
  @usableFromInline package var value: Value?
  /// See `PropertySlot`.
  @usableFromInline package var slot: UInt64

  /// A property that starts with the default of its type: zero, empty, nil, or the first case.
  @inlinable @inline(__always)
  public init() {
    value = nil
    slot = 0
  }

  /// A property with an initial value, or one that an initialiser assigns to before `super.init()`.
  ///
  /// A collection is copied, as it is by an assignment later on.
  @inlinable @inline(__always)
  public init(wrappedValue: Value) {
    value = Value._initial(wrappedValue)
    slot = 0
  }

  /// A property that may have an index.
  ///
  /// - Parameter indexed: Keeps a hash index, so that equality is found without a scan. The index of an
  ///   ``AnyRealmValue`` is an ordered one, which finds everything but numbers.
  @inlinable @inline(__always)
  public init(indexed: Bool) where Value.PersistedType: _Indexable {
    value = nil
    slot = indexed ? PropertySlot.declaredIndexed : 0
  }

  /// A property with an initial value that may have an index.
  @inlinable @inline(__always)
  public init(wrappedValue: Value, indexed: Bool) where Value.PersistedType: _Indexable {
    self.init(wrappedValue: wrappedValue)
    if indexed { slot |= PropertySlot.declaredIndexed }
  }

  /// A property with an index.
  ///
  ///     @Persisted(index: .ordered) var departure: Date
  ///     @Persisted(index: .unique) var email: String
  ///
  /// ``ObjectBase/indexes()`` declares indexes of several properties, and of properties behind links.
  @inlinable @inline(__always)
  public init(index: PropertyIndex) where Value.PersistedType: _Orderable {
    value = nil
    slot = PropertySlot.declared(index)
  }

  /// A property with an initial value and an index.
  @inlinable @inline(__always)
  public init(wrappedValue: Value, index: PropertyIndex) where Value.PersistedType: _Orderable {
    self.init(wrappedValue: wrappedValue)
    slot |= PropertySlot.declared(index)
  }

  /// A property that may be the primary key.
  ///
  /// - Parameter primaryKey: Makes the value unique in the class and the way to look objects up.
  @inlinable @inline(__always)
  public init(primaryKey: Bool) where Value.PersistedType: _PrimaryKey {
    value = nil
    slot = primaryKey ? PropertySlot.declaredPrimaryKey : 0
  }

  /// A property with an initial value that may be the primary key.
  @inlinable @inline(__always)
  public init(wrappedValue: Value, primaryKey: Bool) where Value.PersistedType: _PrimaryKey {
    self.init(wrappedValue: wrappedValue)
    if primaryKey { slot |= PropertySlot.declaredPrimaryKey }
  }

  @available(*, unavailable, message: "@Persisted can be used only in classes derived from Object.")
  public var wrappedValue: Value {
    get { fatalError("@Persisted can be used only in classes derived from Object.") }
    set { fatalError("@Persisted can be used only in classes derived from Object.") }
  }

  @inlinable
  public static subscript<EnclosingSelf: ObjectBase>(
    _enclosingInstance object: EnclosingSelf,
    wrapped _: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storage: ReferenceWritableKeyPath<EnclosingSelf, Self>
  ) -> Value {
    @inline(__always) get {
      // The key path must not leave this function, or it is instantiated at every read.
      let slot = object[keyPath: storage].slot
      if _fastPath(PropertySlot.isLive(slot)) {
        let epoch = object._context.unsafelyUnwrapped.load(fromByteOffset: RealmContext.epochOffset, as: UInt64.self)
        if _slowPath(!object._isHome || object._epoch != epoch) { return object._readSlowly(slot) }
        return Value._read(object, slot)
      }
      // Frozen: resolved when the accessor was made.
      if PropertySlot.isManaged(slot) { return Value._read(object, slot) }
      if let value = object[keyPath: storage].value { return value }
      if _slowPath(slot & PropertySlot.lostDefault == PropertySlot.lostDefault) {
        let twin = unsafeDowncast(object._makeTwin(), to: EnclosingSelf.self)
        object[keyPath: storage].value = twin[keyPath: storage].value
        object[keyPath: storage].slot = twin[keyPath: storage].slot
        if let value = object[keyPath: storage].value { return value }
      }
      let value = Value._default()
      object[keyPath: storage].value = value
      return value
    }
    @inline(__always) set {
      let slot = object[keyPath: storage].slot
      if !PropertySlot.isManaged(slot) {
        object[keyPath: storage].value = Value._assigning(newValue, over: object[keyPath: storage].value)
        return
      }
      if _fastPath(object._ownsCell(slot)),
        Value._store(
          newValue, UnsafeMutableRawPointer(mutating: object._cluster.unsafelyUnwrapped), Int(object._slot), slot,
          object._context.unsafelyUnwrapped.load(fromByteOffset: RealmContext.writeVersionOffset, as: UInt64.self))
      {
        return
      }
      Value._set(newValue, on: object, slot)
    }
  }
}
