internal import Synchronization

extension List: _Persistable {
  public static func _default() -> List<Element> { List() }

  public static var _shape: _PropertyShape {
    var shape = Element._elementShape
    shape.isArray = true
    return shape
  }

  /// The instance kept in the accessor, pointed at the accessor's row.
  @inlinable
  public static func _read(_ object: ObjectBase, _ slot: UInt64) -> List<Element> {
    if _slowPath(!PropertySlot.isLive(slot)) { return _shared(object, slot) }
    let cache = Unmanaged.passUnretained(object).toOpaque() + PropertySlot.cacheOffset(slot)
    let kept = cache.assumingMemoryBound(to: List<Element>?.self)
    if let list = kept.pointee, list._key == object._key, list._context != nil { return list }
    return _repointed(object, slot)
  }

  @usableFromInline
  static func _repointed(_ object: ObjectBase, _ slot: UInt64) -> List<Element> {
    let cache = Unmanaged.passUnretained(object).toOpaque() + PropertySlot.cacheOffset(slot)
    let kept = cache.assumingMemoryBound(to: List<Element>?.self)
    if kept.pointee != nil, isKnownUniquelyReferenced(&kept.pointee), let list = kept.pointee {
      list._bind(object, slot)
      return list
    }
    let list = _fresh(object, slot)
    kept.pointee = list
    return list
  }

  @usableFromInline
  static func _fresh(_ object: ObjectBase, _ slot: UInt64) -> List<Element> {
    let list = List()
    list._bind(object, slot)
    return list
  }

  public static func _readAway(_ object: ObjectBase, _ slot: UInt64) -> List<Element> {
    let instance = object._instance.unsafelyUnwrapped
    if let trace = instance.trace {
      trace.note(PropertySlot.column(slot))
      return List()
    }
    return instance.owner == nil ? _shared(object, slot) : _fresh(object, slot)
  }

  /// The instance kept in an accessor that has no home thread. Whoever comes first sets it, and it stays.
  @usableFromInline
  static func _shared(_ object: ObjectBase, _ slot: UInt64) -> List<Element> {
    let cache = Unmanaged.passUnretained(object).toOpaque() + PropertySlot.cacheOffset(slot)
    let word = cache.assumingMemoryBound(to: Atomic<UInt>.self)
    if let address = UnsafeRawPointer(bitPattern: word.pointee.load(ordering: .acquiring)) {
      let list = Unmanaged<List<Element>>.fromOpaque(address).takeUnretainedValue()
      return list._key == object._key && list._context != nil ? list : _fresh(object, slot)
    }
    let list = _fresh(object, slot)
    let address = UInt(bitPattern: Unmanaged.passRetained(list).toOpaque())
    let (isKept, other) = word.pointee.compareExchange(
      expected: 0, desired: address, ordering: .acquiringAndReleasing)
    if isKept { return list }
    Unmanaged.passUnretained(list).release()
    guard let winner = UnsafeRawPointer(bitPattern: other) else { return list }
    return Unmanaged<List<Element>>.fromOpaque(winner).takeUnretainedValue()
  }

  public static func _set(_ value: List<Element>, on object: ObjectBase, _ slot: UInt64) {
    _fresh(object, slot)._replaceAll(with: value)
  }

  public static func _insert(_ value: List<Element>, into row: _NewRow, _ column: Int) {}

  /// Makes the list of an object that was added managed, and stores its elements.
  public static func _setAfterInsert(_ value: List<Element>, on object: ObjectBase, _ slot: UInt64) {
    let elements = value._elements
    value._elements = []
    value._bind(object, slot)
    if !elements.isEmpty { value.append(objectsIn: elements) }
  }

  public static func _assigning(_ new: List<Element>, over old: List<Element>?) -> List<Element> {
    let list = old ?? List()
    list._replaceAll(with: new)
    return list
  }
}
