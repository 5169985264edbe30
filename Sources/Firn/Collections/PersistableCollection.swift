internal import FirnEngine
internal import Synchronization

/// A collection as a property has it. Not to be conformed to directly: ``List``, ``MutableSet`` and ``Map`` conform.
///
/// An accessor keeps one instance, which is pointed at the accessor's row. A property's instance never changes: assigning
/// copies the content.
public protocol _PersistableCollection: CollectionBase, _Persistable {
  /// Makes an empty unmanaged collection.
  init()
  /// Puts the content of another collection in place of all, unless both are the same.
  func _replaceAll(with other: Self)
  /// Makes the collection of an object that was added managed, and stores what it held.
  func _becomeManaged(_ object: ObjectBase, _ slot: UInt64)
}

extension RealmCollectionValue {
  /// What is wrong with the type of elements, as the end of a sentence about a property; nil when nothing is.
  static var _elementProblem: String? {
    if _isProjection { return "holds projections, which cannot be stored. Let it hold the objects." }
    // Collections start without elements, so that none is made from nothing.
    return (self as? any _Persistable.Type)?._declarationProblem(hasInitialValue: true, isOptional: false)
  }
}

extension _PersistableCollection {
  /// Traps: conditions compare collections with elements.
  public var _constant: _Constant { CollectionComparison.trap() }

  public static func _default() -> Self { Self() }

  /// The instance kept in the accessor, pointed at the accessor's row.
  @inlinable
  public static func _read(_ object: ObjectBase, _ slot: UInt64) -> Self {
    if _slowPath(!PropertySlot.isLive(slot)) { return _shared(object, slot) }
    let cache = Unmanaged.passUnretained(object).toOpaque() + PropertySlot.cacheOffset(slot)
    let kept = cache.assumingMemoryBound(to: Self?.self)
    if let collection = kept.pointee, collection._key == object._key, collection._context != nil { return collection }
    return _repointed(object, slot)
  }

  @usableFromInline
  static func _repointed(_ object: ObjectBase, _ slot: UInt64) -> Self {
    let cache = Unmanaged.passUnretained(object).toOpaque() + PropertySlot.cacheOffset(slot)
    // As with accessors: a weak or unowned reference must not see another row's collection.
    if let kept = cache.load(as: UnsafeMutableRawPointer?.self),
      AccessorReuse.isUnobserved(kept, AccessorReuse.uniqueWord)
    {
      let collection = Unmanaged<Self>.fromOpaque(kept).takeUnretainedValue()
      collection._bind(object, slot)
      return collection
    }
    let collection = _fresh(object, slot)
    cache.assumingMemoryBound(to: Self?.self).pointee = collection
    return collection
  }

  @usableFromInline
  static func _fresh(_ object: ObjectBase, _ slot: UInt64) -> Self {
    let collection = Self()
    collection._bind(object, slot)
    return collection
  }

  public static func _readAway(_ object: ObjectBase, _ slot: UInt64) -> Self {
    let instance = object._instance.unsafelyUnwrapped
    if let trace = instance.trace {
      trace.note(PropertySlot.column(slot), of: object, isCollection: true)
      return _fresh(object, slot)
    }
    return instance.owner == nil ? _shared(object, slot) : _fresh(object, slot)
  }

  /// The instance kept in an accessor that has no home thread. Whoever comes first sets it, and it stays.
  @usableFromInline
  static func _shared(_ object: ObjectBase, _ slot: UInt64) -> Self {
    let cache = Unmanaged.passUnretained(object).toOpaque() + PropertySlot.cacheOffset(slot)
    let word = cache.assumingMemoryBound(to: Atomic<UInt>.self)
    if let address = UnsafeRawPointer(bitPattern: word.pointee.load(ordering: .acquiring)) {
      let collection = Unmanaged<Self>.fromOpaque(address).takeUnretainedValue()
      return collection._key == object._key && collection._context != nil ? collection : _fresh(object, slot)
    }
    let collection = _fresh(object, slot)
    let address = UInt(bitPattern: Unmanaged.passRetained(collection).toOpaque())
    let (isKept, other) = word.pointee.compareExchange(
      expected: 0, desired: address, ordering: .acquiringAndReleasing)
    if isKept { return collection }
    Unmanaged.passUnretained(collection).release()
    guard let winner = UnsafeRawPointer(bitPattern: other) else { return collection }
    return Unmanaged<Self>.fromOpaque(winner).takeUnretainedValue()
  }

  public static func _set(_ value: Self, on object: ObjectBase, _ slot: UInt64) {
    _fresh(object, slot)._replaceAll(with: value)
  }

  public static func _insert(_ value: Self, into row: _NewRow, _ column: Int) {}

  public static func _setAfterInsert(_ value: Self, on object: ObjectBase, _ slot: UInt64) {
    value._becomeManaged(object, slot)
  }

  public static func _initial(_ value: Self) -> Self { _assigning(value, over: nil) }

  public static func _assigning(_ new: Self, over old: Self?) -> Self {
    let collection = old ?? Self()
    collection._replaceAll(with: new)
    return collection
  }

  /// The same collection in another realm of the store.
  func _inRealm(_ instance: RealmInstance) -> Self {
    let place = _place(in: instance)
    let collection = Self()
    collection._bind(instance, place.table, _key, place.slot)
    return collection
  }

  /// The same collection as its realm has it, which may have been invalidated meanwhile.
  func _renewed() -> Self {
    guard let instance = _instance, _isStale else { return self }
    return _inRealm(instance)
  }

  func _frozen() -> Self {
    guard let instance = _instance else { _trapForUnmanaged() }
    return instance.isFrozen ? self : _inRealm(instance.frozen())
  }

  func _thawed() -> Self? {
    guard let instance = _instance else { _trapForUnmanaged() }
    if !instance.isFrozen { return self }
    let collection = _inRealm(Realm(instance).thaw().instance)
    return collection.isInvalidated ? nil : collection
  }
}
