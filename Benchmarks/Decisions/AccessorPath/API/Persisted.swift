public import AccessorPathEngine
public import CAccessorPath

public protocol _Persistable {
  static var _default: Self { get }
  static var _isLink: Bool { get }
  static func _load(_ cluster: UnsafeRawPointer, _ slot: UInt64, _ row: Int) -> Self
  /// In place, cluster and leaf owned, dirty bit set. False: the slow path has to widen.
  static func _store(_ value: Self, _ cluster: UnsafeMutableRawPointer, _ slot: UInt64, _ row: Int) -> Bool
  /// Non-nil only for links: see `Object._target`.
  static func _read(_ object: Object, _ slot: UInt64) -> Self
}
extension _Persistable {
  @inlinable public static var _isLink: Bool { false }
  @inlinable @inline(__always)
  public static func _read(_ object: Object, _ slot: UInt64) -> Self {
    _load(object._cluster.unsafelyUnwrapped, slot, Int(object._slot))
  }
}
extension Int: _Persistable {
  @inlinable public static var _default: Int { 0 }
  @inlinable @inline(__always)
  public static func _load(_ cluster: UnsafeRawPointer, _ slot: UInt64, _ row: Int) -> Int {
    Row.int(Row.leaf(cluster, slot), row)
  }
  @inlinable @inline(__always)
  public static func _store(_ v: Int, _ cluster: UnsafeMutableRawPointer, _ slot: UInt64, _ row: Int) -> Bool {
    Row.storeInt(UnsafeMutableRawPointer(mutating: Row.leaf(cluster, slot)), row, v)
  }
}
extension Double: _Persistable {
  @inlinable public static var _default: Double { 0 }
  @inlinable @inline(__always)
  public static func _load(_ cluster: UnsafeRawPointer, _ slot: UInt64, _ row: Int) -> Double {
    Row.double(Row.leaf(cluster, slot), row)
  }
  @inlinable @inline(__always)
  public static func _store(_ v: Double, _ cluster: UnsafeMutableRawPointer, _ slot: UInt64, _ row: Int) -> Bool {
    UnsafeMutableRawPointer(mutating: Row.leaf(cluster, slot)).storeBytes(
      of: v, toByteOffset: 16 &+ row &<< 3, as: Double.self)
    return true
  }
}
extension Bool: _Persistable {
  @inlinable public static var _default: Bool { false }
  @inlinable @inline(__always)
  public static func _load(_ cluster: UnsafeRawPointer, _ slot: UInt64, _ row: Int) -> Bool {
    Row.bit(cluster, Int(slot & 0xffff), row)
  }
  @inlinable @inline(__always)
  public static func _store(_ v: Bool, _ cluster: UnsafeMutableRawPointer, _ slot: UInt64, _ row: Int) -> Bool { false }
}
extension String: _Persistable {
  @inlinable public static var _default: String { "" }
  @inlinable @inline(__always)
  public static func _load(_ cluster: UnsafeRawPointer, _ slot: UInt64, _ row: Int) -> String {
    Row.string(Row.leaf(cluster, slot), row)
  }
  @inlinable @inline(__always)
  public static func _store(_ v: String, _ cluster: UnsafeMutableRawPointer, _ slot: UInt64, _ row: Int) -> Bool {
    false
  }
}
/// What may stand inside an Optional.
public protocol _OptionalPersistable: _Persistable {}
extension Int: _OptionalPersistable {}
extension Double: _OptionalPersistable {}
extension String: _OptionalPersistable {}
/// One conditional conformance serves scalars and links: the wrapped type decides, statically.
public protocol _PersistableInOptional {
  static func _loadOptional(_ cluster: UnsafeRawPointer, _ slot: UInt64, _ row: Int) -> Self?
  static func _readOptional(_ object: Object, _ slot: UInt64) -> Self?
  static var _isLinkInOptional: Bool { get }
}
extension _PersistableInOptional where Self: _OptionalPersistable {
  @inlinable public static var _isLinkInOptional: Bool { false }
  @inlinable @inline(__always)
  public static func _loadOptional(_ cluster: UnsafeRawPointer, _ slot: UInt64, _ row: Int) -> Self? {
    Row.bit(cluster, Int(slot &>> 16 & 0xffff), row) ? nil : _load(cluster, slot, row)
  }
  @inlinable @inline(__always)
  public static func _readOptional(_ object: Object, _ slot: UInt64) -> Self? {
    _loadOptional(object._cluster.unsafelyUnwrapped, slot, Int(object._slot))
  }
}
extension Int: _PersistableInOptional {}
extension Double: _PersistableInOptional {}
extension String: _PersistableInOptional {}
extension Object: _PersistableInOptional {}
extension _PersistableInOptional where Self: Object {
  @inlinable public static var _isLinkInOptional: Bool { true }
  @inlinable @inline(__always)
  public static func _loadOptional(_ cluster: UnsafeRawPointer, _ slot: UInt64, _ row: Int) -> Self? {
    fatalError("links resolve through the object")
  }
  @inlinable @inline(__always)
  public static func _readOptional(_ object: Object, _ slot: UInt64) -> Self? {
    let raw = Int._load(object._cluster.unsafelyUnwrapped, slot, Int(object._slot))
    guard let target = object._target(raw, slot, Self.self) else { return nil }
    return unsafeDowncast(target.takeRetainedValue(), to: Self.self)
  }
}
extension Optional: _Persistable where Wrapped: _PersistableInOptional {
  @inlinable public static var _default: Wrapped? { nil }
  @inlinable public static var _isLink: Bool { Wrapped._isLinkInOptional }
  @inlinable @inline(__always)
  public static func _load(_ cluster: UnsafeRawPointer, _ slot: UInt64, _ row: Int) -> Wrapped? {
    Wrapped._loadOptional(cluster, slot, row)
  }
  @inlinable @inline(__always)
  public static func _read(_ object: Object, _ slot: UInt64) -> Wrapped? { Wrapped._readOptional(object, slot) }
  @inlinable @inline(__always)
  public static func _store(_ v: Wrapped?, _ cluster: UnsafeMutableRawPointer, _ slot: UInt64, _ row: Int) -> Bool {
    false
  }
}

@propertyWrapper
public struct Persisted<Value: _Persistable> {
  @usableFromInline var value: Value?
  @usableFromInline var slot: UInt64

  @inlinable @inline(__always)
  public init(wrappedValue: @autoclosure () -> Value) {
    value = firn_making_accessor() ? nil : wrappedValue()
    slot = 0
  }
  @inlinable @inline(__always)
  public init() {
    value = firn_making_accessor() ? nil : Value._default
    slot = 0
  }
  @available(*, unavailable) public var wrappedValue: Value {
    get { fatalError() }
    set { fatalError() }
  }

  @inlinable
  public static subscript<E: Object>(
    _enclosingInstance o: E, wrapped w: ReferenceWritableKeyPath<E, Value>,
    storage s: ReferenceWritableKeyPath<E, Self>
  ) -> Value {
    @inline(__always) get {
      let slot = o[keyPath: s].slot
      if _fastPath(Int64(bitPattern: slot) > 0) {  // live
        let context = o._context.unsafelyUnwrapped
        if _slowPath(firn_thread_pointer() != context.load(as: UInt64.self)) {
          return o._readSlowly(slot, as: Value.self)
        }
        if _slowPath(o._epoch != context.load(fromByteOffset: 8, as: UInt64.self)) {
          return o._readSlowly(slot, as: Value.self)
        }
        return Value._read(o, slot)
      }
      if slot != 0 { return Value._read(o, slot) }  // frozen: resolved when it was made
      if let v = o[keyPath: s].value { return v }
      // The key path must not leave the getter, or it is instantiated on every read (17 ns instead of 1.7).
      let v = unsafeDowncast(o._twin(), to: E.self)[keyPath: s].value.unsafelyUnwrapped
      o[keyPath: s].value = v
      return v
    }
    @inline(__always) set {
      let slot = o[keyPath: s].slot
      if slot == 0 {
        o[keyPath: s].value = newValue
        return
      }
      if _fastPath(o._ownsForWriting(slot)),
        Value._store(newValue, UnsafeMutableRawPointer(mutating: o._cluster.unsafelyUnwrapped), slot, Int(o._slot))
      {
        return
      }
      o._writeSlowly(slot, newValue)
    }
  }
}
extension Persisted: AnyPersisted, SlotOffset {
  static var isLink: Bool { Value._isLink }
  static var offset: Int { MemoryLayout<Self>.offset(of: \.slot)! }
}

extension Object {
  /// An unmanaged object that an accessor's initialiser made before `Object.init` cleared the flag has no defaults. A
  /// twin made now has: no flag is set.
  @usableFromInline @inline(never) final func _twin() -> Object { type(of: self).init() }

  @usableFromInline @inline(__always) final func _ownsForWriting(_ slot: UInt64) -> Bool {
    let context = _context.unsafelyUnwrapped
    if _slowPath(firn_thread_pointer() != context.load(as: UInt64.self)) { return false }
    if _slowPath(_epoch != context.load(fromByteOffset: 8, as: UInt64.self)) { return false }
    let cluster = _cluster.unsafelyUnwrapped
    let version = context.load(fromByteOffset: 16, as: UInt64.self)
    if _slowPath(cluster.load(as: UInt64.self) != version) { return false }
    if _slowPath(Row.leaf(cluster, slot).load(as: UInt64.self) != version) { return false }
    let dirty = cluster.load(fromByteOffset: 32, as: UnsafeRawPointer.self)
    return Row.bit(dirty, Int(slot &>> 32 & 0xffff) &<< 5, Int(_slot))
  }
  @inlinable @inline(never) final func _writeSlowly<V: _Persistable>(_ slot: UInt64, _ value: V) {
    _prepareWrite(slot)
    if !V._store(value, UnsafeMutableRawPointer(mutating: _cluster.unsafelyUnwrapped), slot, Int(_slot)) {
      fatalError("prototype: widen")
    }
  }
}
