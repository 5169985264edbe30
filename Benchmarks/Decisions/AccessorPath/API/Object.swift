public import AccessorPathEngine
public import CAccessorPath
@_spi(Reflection) import Swift

/// What all accessors of one table in one realm share; the one strong reference an accessor holds.
public final class TableState {
  @exclusivity(unchecked) package final let context: UnsafeMutableRawPointer
  @exclusivity(unchecked) package final let isFrozen: Bool
  // lock @0, count @8, capacity @16, entries @24: raw memory, so that no access is checked
  @exclusivity(unchecked) package final let live: UnsafeMutableRawPointer
  @exclusivity(unchecked) package final var pokes: [ObjectIdentifier: UnsafeMutableRawPointer] = [:]

  package init(context: UnsafeMutableRawPointer, isFrozen: Bool) {
    self.context = context
    self.isFrozen = isFrozen
    live = .allocate(byteCount: 64, alignment: 64)
    live.initializeMemory(as: UInt64.self, repeating: 0, count: 8)
    live.storeBytes(of: 64, toByteOffset: 16, as: Int.self)
    live.storeBytes(
      of: .allocate(byteCount: 16 * 64, alignment: 16), toByteOffset: 24, as: UnsafeMutableRawPointer.self)
  }
  package var liveCount: Int { live.load(fromByteOffset: 8, as: Int.self) }

  @inline(__always)
  package final func register(_ object: UnsafeMutableRawPointer, key: UInt64) -> UInt32 {
    firn_lock(live)
    let n = live.load(fromByteOffset: 8, as: Int.self)
    if _slowPath(n == live.load(fromByteOffset: 16, as: Int.self)) { grow() }
    let e = live.load(fromByteOffset: 24, as: UnsafeMutableRawPointer.self) + n &<< 4
    e.storeBytes(of: object, as: UnsafeMutableRawPointer.self)
    e.storeBytes(of: key, toByteOffset: 8, as: UInt64.self)
    live.storeBytes(of: n &+ 1, toByteOffset: 8, as: Int.self)
    firn_unlock(live)
    return UInt32(truncatingIfNeeded: n)
  }
  @inline(never) final func grow() {
    let n = live.load(fromByteOffset: 16, as: Int.self)
    let old = live.load(fromByteOffset: 24, as: UnsafeMutableRawPointer.self)
    let new = UnsafeMutableRawPointer.allocate(byteCount: n * 32, alignment: 16)
    new.copyMemory(from: old, byteCount: n * 16)
    old.deallocate()
    live.storeBytes(of: n * 2, toByteOffset: 16, as: Int.self)
    live.storeBytes(of: new, toByteOffset: 24, as: UnsafeMutableRawPointer.self)
  }
  @inline(__always)
  package final func unregister(_ object: Object) {
    firn_lock(live)
    let i = Int(object._listIndex)
    let last = live.load(fromByteOffset: 8, as: Int.self) &- 1
    let entries = live.load(fromByteOffset: 24, as: UnsafeMutableRawPointer.self)
    if i != last {
      let moved = (entries + last &<< 4).load(as: (UnsafeMutableRawPointer, UInt64).self)
      (entries + i &<< 4).storeBytes(of: moved, as: (UnsafeMutableRawPointer, UInt64).self)
      // by offset: the moved accessor may be inside its own deinit, where it waits for this lock; never retain it
      (moved.0 + ObjectLayout.listIndex).storeBytes(of: UInt32(truncatingIfNeeded: i), as: UInt32.self)
    }
    live.storeBytes(of: last, toByteOffset: 8, as: Int.self)
    firn_unlock(live)
  }
}

enum ObjectLayout {
  // header 16, then the fields in declaration order; checked at start-up through _forEachField in the real thing
  static let listIndex = 16 + 8 + 8 + 8 + 8 + 4
}

open class Object {
  @exclusivity(unchecked) public final var _context: UnsafeRawPointer? = nil  // 16
  @exclusivity(unchecked) public final var _cluster: UnsafeRawPointer? = nil  // 24
  @exclusivity(unchecked) public final var _epoch: UInt64 = 0  // 32
  @exclusivity(unchecked) public final var _key: UInt64 = 0  // 40
  @exclusivity(unchecked) public final var _slot: UInt32 = 0  // 48
  @exclusivity(unchecked) public final var _listIndex: UInt32 = .max  // 52
  @exclusivity(unchecked) public final var _table: TableState? = nil  // 56

  public required init() { if _slowPath(firn_making_accessor()) { firn_set_making_accessor(0) } }
  deinit { if _listIndex != .max, let table = _table { table.unregister(self) } }

  /// Home thread, stale cache. Elsewhere: the walk under the lock, done by the caller.
  @usableFromInline @inline(never) final func _refresh() {
    let context = _context.unsafelyUnwrapped
    _cluster = Row.cluster(context.load(fromByteOffset: 24, as: UnsafeRawPointer.self), _key)
    _slot = UInt32(truncatingIfNeeded: _key & 255)
    _epoch = context.load(fromByteOffset: 8, as: UInt64.self)
  }
  @usableFromInline @inline(__always) final var _isHome: Bool {
    firn_thread_pointer() == _context.unsafelyUnwrapped.load(as: UInt64.self)
  }

  @inlinable @inline(never) final func _readSlowly<V: _Persistable>(_ slot: UInt64, as: V.Type) -> V {
    if _isHomeSlow {
      _refresh()
      return V._load(_cluster.unsafelyUnwrapped, slot, Int(_slot))
    }
    return _readAway(slot, as: V.self)
  }
  @usableFromInline final var _isHomeSlow: Bool { _isHome }

  /// (a) under the realm's lock
  @inlinable @inline(never) final func _readAway<V: _Persistable>(_ slot: UInt64, as: V.Type) -> V {
    let context = UnsafeMutableRawPointer(mutating: _context.unsafelyUnwrapped)
    firn_lock(context + 64)
    let cluster = Row.cluster(context.load(fromByteOffset: 24, as: UnsafeRawPointer.self), _key)
    let value = V._load(cluster, slot, Int(_key & 255))
    firn_unlock(context + 64)
    return value
  }
  /// (b) through the thread's hazard line
  @inlinable @inline(never) public final func _readHazard<V: _Persistable>(_ slot: UInt64, as: V.Type) -> V {
    let context = _context.unsafelyUnwrapped
    let line = UnsafeMutableRawPointer(firn_hazard()!)
    firn_store_seq(line, UInt64(UInt(bitPattern: context)))
    let root = UnsafeRawPointer(bitPattern: UInt(firn_load_acquire(context + 24))).unsafelyUnwrapped
    let value = V._load(Row.cluster(root, _key), slot, Int(_key & 255))
    firn_store_release(line, 0)
    return value
  }
  @inlinable public final func _readLocked<V: _Persistable>(_ slot: UInt64, as: V.Type) -> V {
    _readAway(slot, as: V.self)
  }

  /// Prototype of the write slow path: own the cluster and the leaf, set the dirty bit.
  @usableFromInline @inline(never) final func _prepareWrite(_ slot: UInt64) {
    guard _isHome else { fatalError("Realm accessed from incorrect thread.") }
    let context = _context.unsafelyUnwrapped
    let version = context.load(fromByteOffset: 16, as: UInt64.self)
    guard version != .max else { fatalError("Attempting to modify object outside of a write transaction.") }
    if _epoch != context.load(fromByteOffset: 8, as: UInt64.self) { _refresh() }
    let cluster = UnsafeMutableRawPointer(mutating: _cluster.unsafelyUnwrapped)
    cluster.storeBytes(of: version, as: UInt64.self)
    UnsafeMutableRawPointer(mutating: Row.leaf(cluster, slot)).storeBytes(of: version, as: UInt64.self)
    let dirty = cluster.load(fromByteOffset: 32, as: UnsafeMutableRawPointer.self)
    let word = dirty + Int(slot &>> 32 & 0xffff) &<< 5 + Int(_slot &>> 6) &<< 3
    word.storeBytes(of: word.load(as: UInt64.self) | 1 << UInt64(_slot & 63), as: UInt64.self)
  }
  /// A target accessor for a link: the one used last if it is the same row or provably unobserved, else a new one.
  @usableFromInline @inline(never) final func _target(_ raw: Int, _ slot: UInt64, _ type: Object.Type) -> Unmanaged<
    Object
  >? {
    if raw == 0 { return nil }
    let key = UInt64(truncatingIfNeeded: raw &- 1)
    let cache = Unmanaged.passUnretained(self).toOpaque() + Int(slot &>> 16 & 0xffff)
    if let last = cache.load(as: UnsafeMutableRawPointer?.self) {
      let target = Unmanaged<Object>.fromOpaque(last)
      let isSame = target._withUnsafeGuaranteedRef { $0._key == key }
      if isSame { return target.retain() }
      if firn_load_acquire(last + 8) == Reuse.uniqueWord {
        firn_store_relaxed(last + 8, Reuse.uniqueWord &+ Reuse.strongOne)
        let context = _context.unsafelyUnwrapped
        let root = context.load(fromByteOffset: 24, as: UnsafeRawPointer.self)
        let cluster = Row.cluster(root, key)
        // Rows are mostly followed in order: fetch what the next ones will need. Slack slots read as 0.
        let leaf = Row.leaf(_cluster.unsafelyUnwrapped, slot)
        let row = Int(_slot)
        let far = Row.int(leaf, min(row &+ 6, 255))
        if far != 0 { firn_prefetch(Row.cluster(root, UInt64(truncatingIfNeeded: far &- 1)) + 64) }
        target._withUnsafeGuaranteedRef {
          $0._cluster = cluster
          $0._slot = UInt32(truncatingIfNeeded: key & 255)
          $0._key = key
          $0._epoch = context.load(fromByteOffset: 8, as: UInt64.self)
        }
        return target
      }
    }
    let new = Unmanaged.passRetained(type._make(_table.unsafelyUnwrapped, key)).retain()
    if let old = cache.load(as: UnsafeMutableRawPointer?.self) { Unmanaged<Object>.fromOpaque(old).release() }
    cache.storeBytes(of: new.toOpaque(), as: UnsafeMutableRawPointer.self)
    return new
  }

  /// Makes an accessor: no default value is evaluated, then the slots are poked.
  package final class func _make(_ table: TableState, _ key: UInt64) -> Object {
    firn_set_making_accessor(1)
    let o = self.init()
    firn_set_making_accessor(0)
    let p = Unmanaged.passUnretained(o).toOpaque()
    var poke = table.pokesOf(self)
    while true {  // pairs (byte offset, slot), offset 0 ends
      let offset = poke.load(as: Int.self)
      if offset == 0 { break }
      (p + offset).storeBytes(of: poke.load(fromByteOffset: 8, as: UInt64.self), as: UInt64.self)
      poke += 16
    }
    let context = UnsafeRawPointer(table.context)
    o._context = context
    o._cluster = Row.cluster(context.load(fromByteOffset: 24, as: UnsafeRawPointer.self), key)
    o._epoch = context.load(fromByteOffset: 8, as: UInt64.self)
    o._key = key
    o._slot = UInt32(truncatingIfNeeded: key & 255)
    o._table = table
    if !table.isFrozen { o._listIndex = table.register(p, key: key) }
    return o
  }
}

/// Offsets of the prototype's only table.
nonisolated(unsafe) public var columns: [String: (leaf: UInt64, mask: UInt64, column: UInt64)] = [
  "_id": (80, 0, 0), "_age": (88, 0, 1), "_score": (96, 0, 2), "_name": (104, 0, 3), "_city": (112, 0, 4),
  "_opt": (120, 192, 5), "_best": (128, 0, 6), "_active": (160, 0, 7),
]

protocol AnyPersisted { static var isLink: Bool { get } }

extension TableState {
  @inline(__always) package final func pokesOf(_ type: Object.Type) -> UnsafeMutableRawPointer {
    // prototype: one class per table; the real thing keeps the pointer in the table state
    if let p = lastPokes, lastType == ObjectIdentifier(type) { return p }
    return findPokes(type)
  }
  var lastPokes: UnsafeMutableRawPointer? { live.load(fromByteOffset: 40, as: UnsafeMutableRawPointer?.self) }
  var lastType: ObjectIdentifier { live.load(fromByteOffset: 48, as: ObjectIdentifier.self) }
  @inline(never) final func findPokes(_ type: Object.Type) -> UnsafeMutableRawPointer {
    var list: [(Int, UInt64)] = []
    _ = _forEachField(of: type, options: _EachFieldOptions(rawValue: 1)) { n, off, ty, _ in
      // `.some(nil)` is all zero, `nil` of `Person??` is not: the link cache starts as the former.
      if let p = ty as? any AnyPersisted.Type, p.isLink { list.append((off, 0)) }
      if let p = ty as? any AnyPersisted.Type, let c = columns[String(cString: n)] {
        let mask = p.isLink ? UInt64(off) : c.mask
        list.append((off + p.slotOffset, c.leaf | mask << 16 | c.column << 32 | (self.isFrozen ? 0x8001 : 1) << 48))
      }
      return true
    }
    let p = UnsafeMutableRawPointer.allocate(byteCount: 16 * (list.count + 1), alignment: 8)
    for (i, e) in list.enumerated() {
      p.storeBytes(of: e.0, toByteOffset: 16 * i, as: Int.self)
      p.storeBytes(of: e.1, toByteOffset: 16 * i + 8, as: UInt64.self)
    }
    p.storeBytes(of: 0, toByteOffset: 16 * list.count, as: Int.self)
    live.storeBytes(of: p, toByteOffset: 40, as: UnsafeMutableRawPointer.self)
    live.storeBytes(of: ObjectIdentifier(type), toByteOffset: 48, as: ObjectIdentifier.self)
    return p
  }
}
extension AnyPersisted { static var slotOffset: Int { _slotOffset(self) } }
func _slotOffset<P: AnyPersisted>(_: P.Type) -> Int { (P.self as! any SlotOffset.Type).offset }
protocol SlotOffset { static var offset: Int { get } }
