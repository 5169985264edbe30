import AccessorPathEngine
public import CAccessorPath

public enum Reuse {
  final class Probe {}
  /// The reference-count word of an object with exactly one strong reference and no weak or unowned ones.
  @usableFromInline package static let uniqueWord: UInt64 = learn().0
  /// What one more strong reference adds to it.
  @usableFromInline package static let strongOne: UInt64 = learn().1
  @inline(never) static func learn() -> (UInt64, UInt64) {
    // In C: the optimiser would put a probe that does not escape on the stack, and pair a retain with its release.
    let probe = Unmanaged.passRetained(Probe())
    var one: UInt64 = 0
    var two: UInt64 = 0
    firn_learn_count_words(probe.toOpaque(), &one, &two)
    probe.release()
    return (one, two &- one)
  }
}

public final class Realm {
  package let root: UnsafeMutableRawPointer
  package let context: UnsafeMutableRawPointer
  public let table: TableState
  package let rows: Int
  package init(root: UnsafeMutableRawPointer, rows: Int, owner: UInt64, isFrozen: Bool) {
    self.root = root
    self.rows = rows
    context = makeContext(owner: owner, root: root)
    table = TableState(context: context, isFrozen: isFrozen)
  }
  public convenience init(rows: Int, best: (Int) -> Int) {
    self.init(root: buildTable(rows: rows, best: best), rows: rows, owner: firn_thread_pointer(), isFrozen: false)
  }
  public func freeze() -> Realm { Realm(root: root, rows: rows, owner: 0, isFrozen: true) }
  public func object<T: Object>(_: T.Type, _ key: Int) -> T { unsafeDowncast(T._make(table, UInt64(key)), to: T.self) }
  public func objects<T: Object>(_: T.Type, reuse: Bool = true) -> Results<T> { Results(realm: self, reuse: reuse) }
  public func beginWrite() { context.storeBytes(of: 7, toByteOffset: 16, as: UInt64.self) }
  public func commitWrite() { context.storeBytes(of: .max, toByteOffset: 16, as: UInt64.self) }
  public func advance() {
    context.storeBytes(of: context.load(fromByteOffset: 8, as: UInt64.self) + 1, toByteOffset: 8, as: UInt64.self)
  }
  public var liveCount: Int { table.liveCount }
}

public struct Results<Element: Object>: Sequence {
  let realm: Realm
  let reuse: Bool
  public func makeIterator() -> ResultsIterator<Element> { ResultsIterator(realm, reuse: reuse) }
  public var underestimatedCount: Int { realm.rows }
}

public struct ResultsIterator<Element: Object>: IteratorProtocol {
  @usableFromInline let holder: AccessorHolder  // owns the accessor; every `next` reads it, so it lives
  @usableFromInline var rows: UInt64  // bits not yet delivered of the current mask word
  @usableFromInline var firstSlot: UInt32  // slot of bit 0 of `rows`
  @usableFromInline var firstKey: UInt64  // key of bit 0 (dense clusters; sparse ones take the slow step)
  @usableFromInline var cluster: UnsafeRawPointer
  @usableFromInline var epoch: UInt64
  @usableFromInline let unique: UInt64  // .max where the class may not be reused
  @usableFromInline let uniqueTwice: UInt64
  @usableFromInline var nextKey: UInt64 = 0
  @usableFromInline let table: TableState
  @usableFromInline let end: UInt64
  @usableFromInline let root: UnsafeRawPointer

  init(_ realm: Realm, reuse: Bool) {
    table = realm.table
    end = UInt64(realm.rows)
    root = UnsafeRawPointer(realm.root)
    cluster = root
    rows = 0
    firstSlot = 0
    firstKey = 0
    epoch = realm.context.load(fromByteOffset: 8, as: UInt64.self)
    holder = AccessorHolder()
    unique = reuse ? Reuse.uniqueWord : .max
    uniqueTwice = Reuse.uniqueWord &+ Reuse.strongOne
  }

  @inlinable @inline(__always)
  public mutating func next() -> Element? {
    if _slowPath(rows == 0) { if !step() { return nil } }
    let bit = UInt32(truncatingIfNeeded: rows.trailingZeroBitCount)
    rows &= rows &- 1
    var pointer = holder.pointer
    if _fastPath(firn_load_acquire(pointer + 8) == unique) {
      // Nobody else holds it, so this thread alone may touch the count: a plain store retains for the caller.
      firn_store_relaxed(pointer + 8, uniqueTwice)
    } else {
      pointer = renew()
    }
    let element = Unmanaged<Element>.fromOpaque(pointer).takeRetainedValue()
    element._cluster = cluster
    element._slot = firstSlot &+ bit
    element._key = firstKey &+ UInt64(bit)
    element._epoch = epoch
    return element
  }
  /// Next mask word with live rows.
  @usableFromInline @inline(never) mutating func step() -> Bool {
    while nextKey < end {
      cluster = Row.cluster(root, nextKey)
      firstKey = nextKey
      firstSlot = UInt32(truncatingIfNeeded: nextKey & 255)
      rows = cluster.load(fromByteOffset: 48 + Int(firstSlot >> 6) << 3, as: UInt64.self)
      nextKey += 64
      if rows != 0 { return true }
    }
    return false
  }
  @usableFromInline @inline(never) func renew() -> UnsafeMutableRawPointer {
    // The real thing: the escaped accessor's list entry gets its own key now (home thread, under the list's lock).
    holder.replace(with: Element._make(table, firstKey))
    _ = Unmanaged<AnyObject>.fromOpaque(holder.pointer).retain()
    return holder.pointer
  }
}

extension Realm {
  @inline(never) public func _listBenchmark(_ p: Object, _ n: Int) -> Int {
    let o = Unmanaged.passUnretained(p).toOpaque()
    let old = p._listIndex
    let t = p._table.unsafelyUnwrapped
    var i = 0
    while i < n {
      p._listIndex = t.register(o, key: 5)
      t.unregister(p)
      i += 1
    }
    p._listIndex = old
    return t.liveCount
  }
}

/// Owns the accessor an iterator hands out. A stored reference in the iterator itself would not do: nothing reads it, so
/// the optimiser releases it at once (seen in release).
@usableFromInline final class AccessorHolder {
  @usableFromInline @exclusivity(unchecked) final var pointer: UnsafeMutableRawPointer
  init() {
    pointer = Unmanaged.passRetained(Placeholder() as AnyObject).toOpaque()
    _ = Unmanaged<AnyObject>.fromOpaque(pointer).retain()
  }
  func replace(with new: Object) {
    drop()
    pointer = Unmanaged.passRetained(new).toOpaque()
  }
  func drop() {
    let old = Unmanaged<AnyObject>.fromOpaque(pointer)
    old.release()
  }
  deinit { drop() }
}
final class Placeholder {}
extension Realm { public var _words: (UInt64, UInt64) { (Reuse.uniqueWord, Reuse.strongOne) } }
