internal import CFirn
internal import FirnEngine

/// The live accessors of one class in one realm, so that those of a deleted row can be given its last values.
///
/// Accessors are listed by key in a hash table. Accessors that an iterator or a link points from row to row stand in a
/// short list of their own, without key, so that moving them costs nothing.
///
/// State              guarded by
/// everything here    the spin lock
///
/// The lists hold plain addresses. An accessor leaves them in its deinit, so an address found under the lock is valid,
/// but must not be retained.
final class LiveAccessors: @unchecked Sendable {
  static let unregistered: UInt32 = .max
  private static let keyed: UInt32 = .max - 1
  // Below: the position in the list of moving accessors.

  private struct Entry {
    var object: UnsafeMutableRawPointer?
    var key: UInt64
  }

  private let lock = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
  private var entries: UnsafeMutablePointer<Entry>
  private var mask = 15
  private var keyedCount = 0
  private var moving: UnsafeMutablePointer<UnsafeMutableRawPointer>
  private var movingCount = 0
  private var movingCapacity = 8
  private let wereMadeAway = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)

  init() {
    lock.initialize(to: 0)
    wereMadeAway.initialize(to: 0)
    entries = .allocate(capacity: 16)
    entries.initialize(repeating: Entry(object: nil, key: 0), count: 16)
    moving = .allocate(capacity: 8)
  }

  deinit {
    lock.deallocate()
    wereMadeAway.deallocate()
    entries.deallocate()
    moving.deallocate()
  }

  private static func address(_ object: ObjectBase) -> UnsafeMutableRawPointer {
    Unmanaged.passUnretained(object).toOpaque()
  }

  private static func withObject<Result>(_ address: UnsafeMutableRawPointer, _ body: (ObjectBase) -> Result) -> Result {
    Unmanaged<ObjectBase>.fromOpaque(address)._withUnsafeGuaranteedRef(body)
  }

  @inline(__always)
  private func home(_ key: UInt64) -> Int { Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) &>> 20) & mask }

  /// Lists an accessor of the row `_key`.
  @inline(__always)
  func insert(_ object: ObjectBase) {
    firn_spin_lock(lock)
    insertLocked(Self.address(object), object._key)
    object._registration = Self.keyed
    firn_spin_unlock(lock)
  }

  /// Notes that an accessor was listed, perhaps by another thread and of a row that the running transaction has deleted
  /// already.
  func noteMadeAway() { firn_atomic_store_relaxed(wereMadeAway, 1) }

  /// Whether that was noted since the last look. The caller has waited for the readers that may have noted it.
  func takeWereMadeAway() -> Bool {
    if firn_atomic_load_relaxed(wereMadeAway) == 0 { return false }
    firn_atomic_store_relaxed(wereMadeAway, 0)
    return true
  }

  /// Lists an accessor that will be pointed at other rows.
  func insertMoving(_ object: ObjectBase) {
    firn_spin_lock(lock)
    if movingCount == movingCapacity {
      let larger = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: movingCapacity * 2)
      larger.moveInitialize(from: moving, count: movingCount)
      moving.deallocate()
      moving = larger
      movingCapacity *= 2
    }
    moving[movingCount] = Self.address(object)
    object._registration = UInt32(movingCount)
    movingCount += 1
    firn_spin_unlock(lock)
  }

  /// Lists an accessor by its key from now on: it stays at its row.
  func settle(_ object: ObjectBase) {
    firn_spin_lock(lock)
    if object._registration != Self.keyed {
      removeMovingLocked(object)
      insertLocked(Self.address(object), object._key)
      object._registration = Self.keyed
    }
    firn_spin_unlock(lock)
  }

  @inline(__always)
  func remove(_ object: ObjectBase) {
    firn_spin_lock(lock)
    if object._registration == Self.keyed { removeKeyedLocked(object) } else { removeMovingLocked(object) }
    firn_spin_unlock(lock)
  }

  @inline(__always)
  private func insertLocked(_ object: UnsafeMutableRawPointer, _ key: UInt64) {
    if _slowPath(keyedCount &* 4 > mask &* 3) { grow() }
    var index = home(key)
    while entries[index].object != nil { index = (index &+ 1) & mask }
    entries[index] = Entry(object: object, key: key)
    keyedCount &+= 1
  }

  private func grow() {
    let old = entries
    let oldCount = mask + 1
    mask = oldCount * 2 - 1
    entries = .allocate(capacity: oldCount * 2)
    entries.initialize(repeating: Entry(object: nil, key: 0), count: oldCount * 2)
    for index in 0..<oldCount {
      guard let object = old[index].object else { continue }
      var place = home(old[index].key)
      while entries[place].object != nil { place = (place &+ 1) & mask }
      entries[place] = Entry(object: object, key: old[index].key)
    }
    old.deallocate()
  }

  @inline(__always)
  private func removeKeyedLocked(_ object: ObjectBase) {
    let address = Self.address(object)
    var hole = home(object._key)
    while entries[hole].object != address { hole = (hole &+ 1) & mask }
    keyedCount &-= 1
    // Entries behind the hole move up if that does not put them before their home.
    var index = hole
    while true {
      index = (index &+ 1) & mask
      guard entries[index].object != nil else { break }
      if (index &- home(entries[index].key)) & mask >= (index &- hole) & mask {
        entries[hole] = entries[index]
        hole = index
      }
    }
    entries[hole].object = nil
  }

  private func removeMovingLocked(_ object: ObjectBase) {
    let index = Int(object._registration)
    movingCount -= 1
    let last = moving[movingCount]
    moving[index] = last
    Self.withObject(last) { $0._registration = UInt32(index) }
  }

  /// Gives every listed accessor of `key` a copy of its row.
  func setLastValues(of key: UInt64, make: () -> UnsafeMutableRawPointer) {
    firn_spin_lock(lock)
    var index = home(key)
    while let address = entries[index].object {
      if entries[index].key == key { Self.withObject(address) { Self.setLastValues($0, make) } }
      index = (index &+ 1) & mask
    }
    for index in 0..<movingCount {
      Self.withObject(moving[index]) { if $0._key == key { Self.setLastValues($0, make) } }
    }
    firn_spin_unlock(lock)
  }

  /// Gives every listed accessor for whose key `make` returns a copy that copy.
  func setLastValues(make: (_ key: UInt64) -> UnsafeMutableRawPointer?) {
    firn_spin_lock(lock)
    if keyedCount > 0 {
      for index in 0...mask {
        guard let address = entries[index].object else { continue }
        Self.withObject(address) { Self.setLastValues($0, make) }
      }
    }
    for index in 0..<movingCount { Self.withObject(moving[index]) { Self.setLastValues($0, make) } }
    firn_spin_unlock(lock)
  }

  private static func setLastValues(_ object: ObjectBase, _ make: (UInt64) -> UnsafeMutableRawPointer?) {
    if object._lastValues == nil { object._lastValues = make(object._key) }
  }

  private static func setLastValues(_ object: ObjectBase, _ make: () -> UnsafeMutableRawPointer) {
    if object._lastValues == nil { object._lastValues = make() }
  }

  /// The last values of an accessor, read under the lock.
  func lastValues(of object: ObjectBase) -> UnsafeMutableRawPointer? {
    firn_spin_lock(lock)
    defer { firn_spin_unlock(lock) }
    return object._lastValues
  }

  var count: Int {
    firn_spin_lock(lock)
    defer { firn_spin_unlock(lock) }
    return keyedCount + movingCount
  }
}
