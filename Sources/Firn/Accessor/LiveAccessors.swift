internal import CFirn
internal import FirnEngine

/// The live accessors of one class in one realm, so that those of a deleted row can be given its last values.
///
/// Accessors are listed by key in a hash table, so that those of deleted rows are found without a look at the others.
/// Accessors that an iterator or a link points from row to row stand in a list of their own, without key, so that moving
/// them costs nothing. Iterators have one each. Those of links, of which there may be as many as of accessors, are listed
/// by their key from the first deletion after their last move to their next move, so that no deletion meets them twice.
/// When a row has many accessors, the later ones stand apart: in the table each would have to pass all before.
///
/// State              guarded by
/// everything here    the spin lock
///
/// The lists hold plain addresses. An accessor leaves them in its deinit, so an address found under the lock is valid,
/// but must not be retained.
final class LiveAccessors: @unchecked Sendable {
  static let unregistered: UInt32 = .max
  private static let keyed: UInt32 = .max - 1
  /// Listed by key, too, but in `crowded`.
  private static let apart: UInt32 = .max - 2
  // Below: the position in the list of moving accessors.

  private struct Entry {
    var object: UnsafeMutableRawPointer?
    var key: UInt64
  }

  private let lock = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
  private var entries: UnsafeMutablePointer<Entry>
  private var mask = 15
  private var keyedCount = 0
  private var crowded = CrowdedAccessors()
  private var moving: UnsafeMutablePointer<UnsafeMutableRawPointer>
  private var movingCount = 0
  private var movingCapacity = 8
  /// How many accessors and deleted rows were looked at because of deletions.
  private(set) var examinedCount = 0
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
    insertLocked(object)
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
    insertMovingLocked(object)
    firn_spin_unlock(lock)
  }

  private func insertMovingLocked(_ object: ObjectBase) {
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
  }

  /// Called before a link points an accessor at another row.
  @inline(__always)
  func willMove(_ object: ObjectBase) {
    if _slowPath(object._registration >= Self.apart) { unsettle(object) }
  }

  @inline(never)
  private func unsettle(_ object: ObjectBase) {
    firn_spin_lock(lock)
    switch object._registration {
    case Self.keyed:
      removeKeyedLocked(object)
      insertMovingLocked(object)
    case Self.apart:
      crowded.remove(Self.address(object), object._key)
      insertMovingLocked(object)
    default: break
    }
    firn_spin_unlock(lock)
  }

  /// Lists those accessors by key that links have moved since this was done last.
  private func settleLinkedLocked() {
    var index = movingCount - 1
    while index >= 0 {
      Self.withObject(moving[index]) { object in
        examinedCount &+= 1
        if !object._isLinked { return }
        // The last one, which has been looked at, takes its place.
        removeMovingLocked(object)
        insertLocked(object)
      }
      index -= 1
    }
  }

  /// Lists an accessor by its key from now on: it stays at its row.
  func settle(_ object: ObjectBase) {
    firn_spin_lock(lock)
    if object._registration < Self.apart {
      removeMovingLocked(object)
      insertLocked(object)
    }
    firn_spin_unlock(lock)
  }

  @inline(__always)
  func remove(_ object: ObjectBase) {
    firn_spin_lock(lock)
    if object._registration == Self.keyed { removeKeyedLocked(object) } else { removeUnusualLocked(object) }
    firn_spin_unlock(lock)
  }

  @inline(never)
  private func removeUnusualLocked(_ object: ObjectBase) {
    if object._registration == Self.apart {
      crowded.remove(Self.address(object), object._key)
    } else {
      removeMovingLocked(object)
    }
  }

  @inline(__always)
  private func insertLocked(_ object: ObjectBase) {
    if _slowPath(keyedCount &* 4 > mask &* 3) { grow() }
    let key = object._key
    let start = home(key)
    var index = start
    while entries[index].object != nil { index = (index &+ 1) & mask }
    if _slowPath((index &- start) & mask > Self.longRun), isCrowded(key, from: start) { return insertApart(object) }
    entries[index] = Entry(object: Self.address(object), key: key)
    keyedCount &+= 1
    object._registration = Self.keyed
  }

  /// More entries than this between the home of a key and its position make it worth a look whether they are of one row.
  private static var longRun: Int { 32 }
  /// More accessors of a row than this are not in the table, if there is a long run.
  private static var crowd: Int { 8 }

  @inline(never)
  private func isCrowded(_ key: UInt64, from start: Int) -> Bool {
    examinedCount &+= 1
    var count = 0
    var index = start
    while entries[index].object != nil, count < Self.crowd {
      if entries[index].key == key { count += 1 }
      index = (index &+ 1) & mask
    }
    return count == Self.crowd
  }

  @inline(never)
  private func insertApart(_ object: ObjectBase) {
    crowded.insert(Self.address(object), object._key)
    object._registration = Self.apart
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
    settleLinkedLocked()
    setLastValuesLocked(of: key, make)
    setLastValuesOfMovingLocked { $0 == key ? make() : nil }
    firn_spin_unlock(lock)
  }

  /// Gives every listed accessor of rows that are about to be deleted a copy of its row.
  ///
  /// - Complexity: O(keys + iterators), besides links that moved.
  func setLastValues(of keys: [RowKey], in contents: GraphContents, _ table: TableID) {
    func copy(_ key: RowKey) -> UnsafeMutableRawPointer? {
      contents.locate(key, in: table).map { RowCopy.make($0, in: contents, table: table) }
    }
    firn_spin_lock(lock)
    settleLinkedLocked()
    for key in keys { setLastValuesLocked(of: key.rawValue) { copy(key) } }
    if movingCount > 0, keys.count == 1 {
      setLastValuesOfMovingLocked { $0 == keys[0].rawValue ? copy(keys[0]) : nil }
    } else if movingCount > 0 {
      let deleted = Set(keys)
      setLastValuesOfMovingLocked { deleted.contains(RowKey($0)) ? copy(RowKey($0)) : nil }
    }
    firn_spin_unlock(lock)
  }

  /// Gives every listed accessor of a row that `old` has and `new` has not a copy of its row.
  ///
  /// - Parameter deletionCount: How many rows were deleted in between, if that is known.
  /// - Complexity: O(rows deleted), besides links that moved and clusters that differ; less where there are fewer
  ///   accessors.
  func setLastValues(from old: GraphContents, to new: GraphContents, _ table: TableID, deletionCount: Int?) {
    firn_spin_lock(lock)
    settleLinkedLocked()
    if mask < max(Self.fewEntries, deletionCount ?? 0) {
      for index in 0...mask {
        guard let address = entries[index].object else { continue }
        setLastValuesLocked(of: address, from: old, to: new, table)
      }
      for address in crowded.all { setLastValuesLocked(of: address, from: old, to: new, table) }
    } else {
      old.forEachRow(missingIn: new, table) { location in
        setLastValuesLocked(of: location.key.rawValue) { RowCopy.make(location, in: old, table: table) }
      }
    }
    // Those of iterators.
    for index in 0..<movingCount { setLastValuesLocked(of: moving[index], from: old, to: new, table) }
    firn_spin_unlock(lock)
  }

  /// Gives every listed accessor a copy of its row, as if all rows were deleted.
  ///
  /// - Complexity: O(accessors).
  func setLastValuesOfAll(in contents: GraphContents, _ table: TableID) {
    func copy(_ key: UInt64) -> UnsafeMutableRawPointer? {
      contents.locate(RowKey(key), in: table).map { RowCopy.make($0, in: contents, table: table) }
    }
    firn_spin_lock(lock)
    for index in 0...mask {
      guard let address = entries[index].object else { continue }
      Self.withObject(address) { if $0._lastValues == nil { $0._lastValues = copy($0._key) } }
    }
    for address in crowded.all {
      Self.withObject(address) { if $0._lastValues == nil { $0._lastValues = copy($0._key) } }
    }
    setLastValuesOfMovingLocked(copy)
    firn_spin_unlock(lock)
  }

  /// With fewer entries than this it is cheaper to look at each than to look for deleted rows.
  private static var fewEntries: Int { 64 }

  @inline(__always)
  private func setLastValuesLocked(of key: UInt64, _ make: () -> UnsafeMutableRawPointer?) {
    examinedCount &+= 1
    var index = home(key)
    while let address = entries[index].object {
      if entries[index].key == key {
        Self.withObject(address) { if $0._lastValues == nil { $0._lastValues = make() } }
      }
      index = (index &+ 1) & mask
    }
    if _slowPath(crowded.count > 0) {
      for address in crowded[key] {
        Self.withObject(address) { if $0._lastValues == nil { $0._lastValues = make() } }
      }
    }
  }

  /// - Parameter make: The copy for a key, or nil if its row stays.
  private func setLastValuesOfMovingLocked(_ make: (UInt64) -> UnsafeMutableRawPointer?) {
    for index in 0..<movingCount {
      examinedCount &+= 1
      Self.withObject(moving[index]) { if $0._lastValues == nil { $0._lastValues = make($0._key) } }
    }
  }

  private func setLastValuesLocked(
    of address: UnsafeMutableRawPointer, from old: GraphContents, to new: GraphContents, _ table: TableID
  ) {
    examinedCount &+= 1
    Self.withObject(address) { object in
      let key = RowKey(object._key)
      guard object._lastValues == nil, !new.contains(key, in: table), let location = old.locate(key, in: table) else {
        return
      }
      object._lastValues = RowCopy.make(location, in: old, table: table)
    }
  }

  /// The last values of an accessor, read under the lock.
  func lastValues(of object: ObjectBase) -> UnsafeMutableRawPointer? {
    firn_spin_lock(lock)
    defer { firn_spin_unlock(lock) }
    return object._lastValues
  }

  /// The most entries of the table that stand side by side.
  var longestRun: Int {
    firn_spin_lock(lock)
    defer { firn_spin_unlock(lock) }
    var (longest, run) = (0, 0)
    for index in 0...mask {
      run = entries[index].object == nil ? 0 : run + 1
      longest = max(longest, run)
    }
    return longest
  }

  var count: Int {
    firn_spin_lock(lock)
    defer { firn_spin_unlock(lock) }
    return keyedCount + crowded.count + movingCount
  }
}
