internal import CFirn
internal import FirnEngine

/// The rows that an iterator visits, and the accessor that it hands out.
///
/// Rows come from clusters of a held version, from keys, or from words of keys copied at the start (inside a write
/// transaction, which changes clusters in place). They are located in the version that the realm shows when they are
/// handed out.
///
/// Away from the realm's thread rows come from a version held by the walk, and every element is an accessor of its own.
final class RowWalk: ElementWalk {
  /// The rows `key + k` for the bits k of `rows`.
  struct Word {
    var key: UInt64
    var rows: UInt64
  }

  private let instance: RealmInstance
  private let table: TableHandle
  /// Keeps what is read lazily alive.
  private let version: Version?
  private let isDirect: Bool
  private let tableIndex: Int
  private let mayReuse: Bool

  @exclusivity(unchecked) private var clusters: ClusterCursor?
  private let scan: PredicateScan?
  @exclusivity(unchecked) private var mask = SIMD4<UInt64>.zero
  @exclusivity(unchecked) private var maskBase: UInt64 = 0
  @exclusivity(unchecked) private var nextMaskWord = 4

  @exclusivity(unchecked) private var keys: [UInt64] = []
  @exclusivity(unchecked) private var nextKey = 0
  @exclusivity(unchecked) private var words: [Word] = []
  @exclusivity(unchecked) private var nextWord = 0

  /// Found, but not handed out yet.
  @exclusivity(unchecked) private var pending = Word(key: 0, rows: 0)

  /// Clusters of the next keys, found together so that the look-ups overlap; valid for `batchEpoch`.
  private let batch = UnsafeMutablePointer<UnsafeRawPointer?>.allocate(capacity: RowWalk.batchCapacity)
  @exclusivity(unchecked) private var batchStart = 0
  @exclusivity(unchecked) private var batchEnd = 0
  @exclusivity(unchecked) private var batchEpoch: UInt64 = 0
  private static let batchCapacity = 16

  private init(
    _ core: ResultsCore, version: Version?, clusters: ClusterCursor?, scan: PredicateScan?, isDirect: Bool
  ) {
    instance = core.instance
    table = core.table
    self.version = version
    self.clusters = clusters
    self.scan = scan
    self.isDirect = isDirect
    tableIndex = table.layout.index
    mayReuse = isDirect && table.canReuse
    super.init(context: UnsafeRawPointer(instance.context), isOfValues: false)
  }

  deinit {
    batch.deallocate()
    guard accessor != Self.noAccessor else { return }
    // Whoever still holds it keeps it at its row.
    if !AccessorReuse.isUnobserved(accessor, AccessorReuse.uniqueWord) { settle() }
    Unmanaged<ObjectBase>.fromOpaque(accessor).release()
  }

  /// A walk over the clusters of a version, or over those rows of it that match.
  static func over(
    _ core: ResultsCore, _ version: Version, _ contents: GraphContents, _ predicate: CompiledPredicate?, isDirect: Bool
  ) -> RowWalk {
    RowWalk(
      core, version: version, clusters: ClusterCursor(contents.tableRoot(core.table.table)),
      scan: predicate.map { PredicateScan($0, contents) }, isDirect: isDirect)
  }

  static func over(_ core: ResultsCore, _ version: Version?, keys: [UInt64], isDirect: Bool) -> RowWalk {
    let walk = RowWalk(core, version: version, clusters: nil, scan: nil, isDirect: isDirect)
    walk.keys = keys
    return walk
  }

  /// A walk over the rows that a transaction sees now.
  static func over(_ core: ResultsCore, _ writer: Writer, isDirect: Bool) -> RowWalk {
    let walk = RowWalk(core, version: nil, clusters: nil, scan: nil, isDirect: isDirect)
    var clusters = ClusterCursor(writer.contents.tableRoot(core.table.table))
    while let cluster = clusters.next() {
      walk.append(cluster, UnsafeRawPointer(Cluster.live(cluster)).loadUnaligned(as: SIMD4<UInt64>.self))
    }
    return walk
  }

  // MARK: Finding rows

  /// The table in the version that the realm shows now.
  @inline(__always)
  private var tableRoot: UnsafeRawPointer {
    VersionRoot.table(
      context.load(fromByteOffset: RealmContext.rootOffset, as: UnsafeRawPointer.self), tableIndex)
  }

  private func append(_ cluster: UnsafeRawPointer, _ mask: SIMD4<UInt64>) {
    let base = Cluster.base(cluster)
    let offsets = Cluster.offsets(cluster)
    for index in 0..<4 {
      var bits = mask[index]
      guard let offsets else {
        if bits != 0 { words.append(Word(key: base &+ UInt64(index &* 64), rows: bits)) }
        continue
      }
      while bits != 0 {
        let slot = index &* 64 &+ bits.trailingZeroBitCount
        bits &= bits &- 1
        let key = base &+ UInt64(offsets[slot])
        if words.count > nextWord, words[words.count - 1].key == key & ~63 {
          words[words.count - 1].rows |= 1 &<< (key & 63)
        } else {
          words.append(Word(key: key & ~63, rows: 1 &<< (key & 63)))
        }
      }
    }
  }

  /// The next rows of the source. False at the end.
  private func findPending() -> Bool {
    while true {
      if nextMaskWord < 4 {
        let rows = mask[nextMaskWord]
        let key = maskBase &+ UInt64(nextMaskWord &* 64)
        nextMaskWord &+= 1
        if rows == 0 { continue }
        pending = Word(key: key, rows: rows)
        return true
      }
      if nextWord < words.count {
        pending = words[nextWord]
        nextWord &+= 1
        return true
      }
      if nextKey < keys.count {
        takeKeys()
        return true
      }
      guard let cluster = clusters?.next() else { return false }
      let live = UnsafeRawPointer(Cluster.live(cluster)).loadUnaligned(as: SIMD4<UInt64>.self)
      let selected = scan.map { $0.evaluate(cluster) } ?? live
      if Cluster.offsets(cluster) == nil {
        mask = selected
        maskBase = Cluster.base(cluster)
        nextMaskWord = 0
      } else {
        words.removeAll(keepingCapacity: true)
        nextWord = 0
        append(cluster, selected)
      }
    }
  }

  /// Neighbours in the order that are neighbours by key come together.
  private func takeKeys() {
    keys.withUnsafeBufferPointer { keys in
      let first = keys[nextKey] & ~63
      var last = keys[nextKey] & 63
      var rows: UInt64 = 1 &<< last
      nextKey &+= 1
      while nextKey < keys.count, keys[nextKey] & ~63 == first, keys[nextKey] & 63 > last {
        last = keys[nextKey] & 63
        rows |= 1 &<< last
        nextKey &+= 1
      }
      pending = Word(key: first, rows: rows)
    }
  }

  override func refill(_ cursor: inout RowCursor) -> Bool {
    if cursor.rows != 0 {
      // The realm moved on, or copied clusters.
      pending = Word(key: cursor.firstKey, rows: cursor.rows)
      cursor.rows = 0
    }
    let epoch = context.load(fromByteOffset: RealmContext.epochOffset, as: UInt64.self)
    if epoch != cursor.epoch {
      cursor.epoch = epoch
      cursor.uniqueWord = mayReuse ? AccessorReuse.uniqueWord : .max
      dropAccessorOfDeletedRow()
    }
    if pending.rows == 0, isDirect, nextKey < keys.count, takeKey(&cursor) { return true }
    while pending.rows != 0 || findPending() {
      if !isDirect {
        if takePlain(takePendingKey()) { return false }
        continue
      }
      let root = tableRoot
      let cluster = Directory.cluster(root, of: pending.key)
      if let cluster, Cluster.offsets(cluster) == nil,
        Cluster.live(cluster)[Int(truncatingIfNeeded: pending.key &>> 6 & 3)] & pending.rows == pending.rows,
        Int(truncatingIfNeeded: pending.key & 255) &+ 64 &- pending.rows.leadingZeroBitCount
          <= Cluster.slotCount(cluster)
      {
        cursor.cluster = cluster
        cursor.firstKey = pending.key
        cursor.firstSlot = UInt32(truncatingIfNeeded: pending.key & 255)
        cursor.rows = pending.rows
        pending.rows = 0
        return true
      }
      let key = takePendingKey()
      if let location = Directory.locate(root, key) {
        cursor.cluster = location.cluster
        cursor.firstKey = key
        cursor.firstSlot = UInt32(truncatingIfNeeded: location.slot)
        cursor.rows = 1
        return true
      }
      if takeDeleted(key) { return false }
    }
    return false
  }

  /// Takes one row by key. False, with nothing taken, when it is not found in the ordinary way.
  @inline(__always)
  private func takeKey(_ cursor: inout RowCursor) -> Bool {
    if nextKey >= batchEnd || cursor.epoch != batchEpoch { findBatch(cursor.epoch) }
    guard let cluster = batch[nextKey &- batchStart] else { return false }
    let (key, next) = keys.withUnsafeBufferPointer { keys in
      (keys[nextKey], nextKey &+ 1 < keys.count ? keys[nextKey &+ 1] : .max)
    }
    // A neighbour follows: they are taken together.
    if next & ~63 == key & ~63, next > key { return false }
    guard let slot = Cluster.slot(cluster, of: key) else { return false }
    nextKey &+= 1
    cursor.cluster = cluster
    cursor.firstKey = key
    cursor.firstSlot = UInt32(truncatingIfNeeded: slot)
    cursor.rows = 1
    return true
  }

  private func findBatch(_ epoch: UInt64) {
    let root = tableRoot
    batchStart = nextKey
    batchEnd = min(nextKey &+ Self.batchCapacity, keys.count)
    batchEpoch = epoch
    keys.withUnsafeBufferPointer { keys in
      var index = batchStart
      while index < batchEnd {
        let cluster = Directory.cluster(root, of: keys[index])
        batch[index &- batchStart] = cluster
        if let cluster {
          firn_prefetch(cluster)
          firn_prefetch(cluster + 64)
        }
        index &+= 1
      }
    }
  }

  private func takePendingKey() -> UInt64 {
    let bit = UInt64(truncatingIfNeeded: pending.rows.trailingZeroBitCount)
    pending.rows &= pending.rows &- 1
    return pending.key &+ bit
  }

  // MARK: Accessors

  override func renew(_ cursor: inout RowCursor, _ bit: UInt64) -> UnsafeMutableRawPointer {
    if accessor != Self.noAccessor {
      settle()
      Unmanaged<ObjectBase>.fromOpaque(accessor).release()
    }
    let location = RowLocation(
      cluster: cursor.cluster, slot: Int(cursor.firstSlot) &+ Int(truncatingIfNeeded: bit))
    let new = Unmanaged.passRetained(
      table.make(RowKey(cursor.firstKey &+ bit), at: location, mayReuse ? .moving : .keyed))
    accessor = new.retain().toOpaque()
    return accessor
  }

  private func settle() {
    if !table.isFrozen {
      Unmanaged<ObjectBase>.fromOpaque(accessor)._withUnsafeGuaranteedRef { table.accessors.settle($0) }
    }
  }

  /// An accessor with last values stays with its row.
  private func dropAccessorOfDeletedRow() {
    guard accessor != Self.noAccessor else { return }
    let object = Unmanaged<ObjectBase>.fromOpaque(accessor)
    if object._withUnsafeGuaranteedRef({ $0._lastValues != nil }) {
      settle()
      object.release()
      accessor = Self.noAccessor
    }
  }

  /// Makes an accessor for a thread that is not at home.
  private func takePlain(_ key: UInt64) -> Bool {
    if instance.isWritingHere {
      guard instance.read({ $0.contains(RowKey(key), in: table.table) }) else { return takeDeleted(key) }
      other = table.make(RowKey(key), at: nil, .keyed)
      return true
    }
    let object = table.make(RowKey(key), at: nil, .keyed)
    // Listed first: a realm that moves over the deletion from now on gives it its last values.
    if !instance.read({ $0.contains(RowKey(key), in: table.table) }) { giveLastValues(key) }
    other = object
    return true
  }

  /// Makes an accessor of a row that was deleted since the walk began. False when nobody knows its values.
  private func takeDeleted(_ key: UInt64) -> Bool {
    let object = table.make(RowKey(key), at: nil, .keyed)
    giveLastValues(key)
    guard object._lastValues != nil else { return false }
    other = object
    return true
  }

  private func giveLastValues(_ key: UInt64) {
    (version ?? instance.version)?.withContents { contents in
      guard let location = contents.locate(RowKey(key), in: table.table) else { return }
      table.accessors.setLastValues(of: key) { RowCopy.make(location, in: contents, table: table.table) }
    }
  }
}
