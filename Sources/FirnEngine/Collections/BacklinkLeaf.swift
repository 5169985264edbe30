internal import CFirn

/// The sources that link to the rows of one cluster: for each of its up to 256 slots a sorted multiset of row keys.
///
///     ┌────────┬──────────┬───────┬───────────┬─────┬──────────────────┬────────────────────────────┐
///     │ header │ capacity │ trees │ unitCount │  -  │ counts           │ sources, slot by slot  free│
///     │        │ u16      │ u16   │ u32       │     │ u8 x capacity    │ units of 4 or 8 bytes      │
///     └────────┴──────────┴───────┴───────────┴─────┴──────────────────┴────────────────────────────┘
///     0        16         18      20          24    32                 32 + capacity
///
/// - Units are 4 bytes (`shift` 2) while all sources are below 2^32, else 8 (`shift` 3).
/// - Up to 16 sources of a slot lie inline, ascending, one unit each. Above that the count is 255 and the slot has the
///   8-byte root of a `KeySet` instead, until it falls below 8 sources again. More inline sources would save a few bytes
///   where rows have dozens of links to them, but every link that comes or goes copies the leaf of 256 rows.
/// - The first unit of a slot is found by summing the counts before it: a vectorised loop over at most 256 bytes.
/// - nil stands for a cluster without backlinks; a leaf has at least one unit.
///
/// This packing costs about 5.5 bytes per row at one link per row, a word per target five times that.
@usableFromInline
package enum BacklinkLeaf {
  @inlinable @inline(__always)
  package static var kind: UInt8 { 18 }
  @inlinable @inline(__always)
  package static var countsOffset: Int { 32 }
  /// Marks a slot that has a `KeySet`.
  @inlinable @inline(__always)
  package static var treeMark: UInt8 { 255 }
  @inlinable @inline(__always)
  package static var inlineMax: Int { 16 }
  /// A `KeySet` with fewer keys goes back inline.
  @inlinable @inline(__always)
  package static var treeMin: Int { 8 }

  @inlinable @inline(__always)
  package static func capacity(_ leaf: UnsafeRawPointer) -> Int {
    Int(leaf.load(fromByteOffset: 16, as: UInt16.self))
  }

  @inlinable @inline(__always)
  package static func treeCount(_ leaf: UnsafeRawPointer) -> Int {
    Int(leaf.load(fromByteOffset: 18, as: UInt16.self))
  }

  @inlinable @inline(__always)
  package static func unitCount(_ leaf: UnsafeRawPointer) -> Int {
    Int(leaf.load(fromByteOffset: 20, as: UInt32.self))
  }

  @inlinable @inline(__always)
  package static func isWide(_ leaf: UnsafeRawPointer) -> Bool { leaf.blockShift == 3 }

  /// Units that the pointer to a `KeySet` takes.
  @inlinable @inline(__always)
  package static func treeUnits(_ leaf: UnsafeRawPointer) -> Int { isWide(leaf) ? 1 : 2 }

  /// The count byte of a slot; slots beyond the capacity have no sources.
  @inlinable @inline(__always)
  package static func mark(_ leaf: UnsafeRawPointer, _ slot: Int) -> UInt8 {
    slot < capacity(leaf) ? leaf.load(fromByteOffset: countsOffset &+ slot, as: UInt8.self) : 0
  }

  /// The address of a slot's first unit. The slot is below the capacity.
  @inlinable
  package static func units(_ leaf: UnsafeRawPointer, _ slot: Int) -> UnsafeRawPointer {
    let counts = (leaf + countsOffset).assumingMemoryBound(to: UInt8.self)
    var place = 0
    if treeCount(leaf) == 0 {
      var sum: UInt32 = 0
      var index = 0
      while index < slot {
        sum &+= UInt32(counts[index])
        index &+= 1
      }
      place = Int(sum)
    } else {
      let treeUnits = UInt32(treeUnits(leaf))
      var sum: UInt32 = 0
      var index = 0
      while index < slot {
        let count = counts[index]
        sum &+= count == treeMark ? treeUnits : UInt32(count)
        index &+= 1
      }
      place = Int(sum)
    }
    return leaf + countsOffset + capacity(leaf) + place &<< Int(leaf.blockShift)
  }

  @inlinable @inline(__always)
  static func tree(_ leaf: UnsafeRawPointer, _ slot: Int) -> Block {
    units(leaf, slot).loadUnaligned(as: Block.self)
  }

  @inlinable @inline(__always)
  static func run(_ leaf: UnsafeRawPointer, _ slot: Int, _ mark: UInt8) -> KeyChunk {
    KeyChunk(base: 0, keys: units(leaf, slot), count: Int(mark), isWide: isWide(leaf))
  }

  /// Begins to fetch what tells the sources of a slot: all counts, and the units when most slots have one source.
  static func fetch(_ leaf: UnsafeRawPointer, _ slot: Int) {
    var offset = 0
    while offset < countsOffset + 256 {
      firn_prefetch(leaf + offset)
      offset &+= 64
    }
    firn_prefetch(leaf + countsOffset + 256 + slot &* 4)
  }

  /// The number of links to a slot.
  @inlinable
  package static func count(_ leaf: UnsafeRawPointer?, _ slot: Int) -> Int {
    guard let leaf else { return 0 }
    let mark = mark(leaf, slot)
    return mark == treeMark ? KeySet.count(tree(leaf, slot)) : Int(mark)
  }

  /// A cursor over the sources of a slot, ascending; a source that links twice appears twice.
  @inlinable
  package static func sources(_ leaf: UnsafeRawPointer?, _ slot: Int) -> KeyCursor {
    guard let leaf else { return KeyCursor(nil) }
    let mark = mark(leaf, slot)
    if mark == 0 { return KeyCursor(nil) }
    return mark == treeMark ? KeyCursor(tree(leaf, slot)) : KeyCursor(run: run(leaf, slot, mark))
  }

  @inlinable @inline(__always)
  package static func forEach(_ leaf: UnsafeRawPointer?, _ slot: Int, _ body: (UInt64) -> Void) {
    var cursor = sources(leaf, slot)
    while let chunk = cursor.nextChunk() { chunk.forEach(body) }
  }

  @inlinable
  package static func contains(_ leaf: UnsafeRawPointer?, _ slot: Int, _ source: UInt64) -> Bool {
    guard let leaf else { return false }
    let mark = mark(leaf, slot)
    if mark == treeMark { return KeySet.contains(tree(leaf, slot), source) }
    if mark == 0 { return false }
    let run = run(leaf, slot, mark)
    let end = run.upperBound(source)
    return end > 0 && run[end &- 1] == source
  }

  /// How many sources of a slot are smaller. O(log n).
  package static func rank(_ leaf: UnsafeRawPointer, _ slot: Int, _ source: UInt64) -> Int {
    let mark = mark(leaf, slot)
    if mark == treeMark { return KeySet.rank(tree(leaf, slot), of: source) }
    return mark == 0 || source == 0 ? 0 : run(leaf, slot, mark).upperBound(source &- 1)
  }

  /// The source at a position of a slot, which must be below the count. O(log n).
  package static func source(_ leaf: UnsafeRawPointer, _ slot: Int, at position: Int) -> UInt64 {
    let mark = mark(leaf, slot)
    return mark == treeMark ? KeySet.select(tree(leaf, slot), position) : run(leaf, slot, mark)[position]
  }

  /// Traps when the structure is broken.
  package static func checkInvariants(_ leaf: UnsafeRawPointer?) {
    guard let leaf else { return }
    if leaf.blockKind != kind { fatalError("BacklinkLeaf: wrong kind") }
    let capacity = capacity(leaf)
    if capacity != 16 && capacity != 64 && capacity != 256 { fatalError("BacklinkLeaf: capacity") }
    var unitCount = 0
    var trees = 0
    for slot in 0..<capacity {
      let mark = mark(leaf, slot)
      if mark == treeMark {
        trees += 1
        unitCount += treeUnits(leaf)
        if KeySet.count(tree(leaf, slot)) < treeMin { fatalError("BacklinkLeaf: small set is not inline") }
        KeySet.checkInvariants(tree(leaf, slot))
        continue
      }
      if mark > inlineMax { fatalError("BacklinkLeaf: count out of range") }
      unitCount += Int(mark)
      let run = run(leaf, slot, mark)
      for index in 0..<run.count where index > 0 && run[index - 1] > run[index] {
        fatalError("BacklinkLeaf: sources out of order")
      }
    }
    if trees != treeCount(leaf) { fatalError("BacklinkLeaf: wrong number of sets") }
    if unitCount != self.unitCount(leaf) || unitCount == 0 { fatalError("BacklinkLeaf: wrong number of units") }
    if countsOffset + capacity + unitCount << Int(leaf.blockShift) > leaf.blockSize {
      fatalError("BacklinkLeaf: overflows its block")
    }
  }
}
