// Changes of single links. For the writer only.
extension BacklinkLeaf {
  /// Adds a link from `source` to `slot`. `capacity` is the slot capacity of the cluster: 16, 64 or 256.
  package static func add(
    _ leaf: Block?, _ slot: Int, _ source: UInt64, capacity: Int, _ store: BlockStore
  ) -> Block {
    let needsWide = source > UInt64(UInt32.max)
    guard var leaf else {
      var leaf = make(capacity: capacity, unitCount: 0, isWide: needsWide, store)
      leaf = resize(leaf, units(leaf, slot), removing: 0, adding: 1, store).leaf
      write(source, units(leaf, slot), leaf)
      setMark(leaf, slot, 1)
      return leaf
    }
    if capacity > self.capacity(leaf) || (needsWide && !isWide(leaf)) {
      leaf = reshaped(leaf, capacity: max(capacity, self.capacity(leaf)), isWide: needsWide || isWide(leaf), store)
    }
    let mark = mark(leaf, slot)
    if mark == treeMark {
      leaf = owned(leaf, store)
      let root = KeySet.insert(tree(leaf, slot), source, store)
      checkLinkCount(root, store)
      setTree(leaf, slot, root)
    } else if Int(mark) < inlineMax {
      let run = run(leaf, slot, mark)
      let place = run.upperBound(source)
      let unit: Block
      (leaf, unit) = resize(leaf, run.keys + place << Int(leaf.blockShift), removing: 0, adding: 1, store)
      write(source, unit, leaf)
      setMark(leaf, slot, mark + 1)
    } else {
      leaf = movedToTree(leaf, slot, adding: source, store)
    }
    return leaf
  }

  /// Takes one link from `source` to `slot` out; it has to be there. nil when the cluster has no links any more.
  package static func remove(_ leaf: Block, _ slot: Int, _ source: UInt64, _ store: BlockStore) -> Block? {
    let mark = mark(leaf, slot)
    var leaf = leaf
    if mark == treeMark {
      leaf = owned(leaf, store)
      guard let root = KeySet.remove(tree(leaf, slot), source, store) else {
        fatalError("BacklinkLeaf: a set below its minimum")
      }
      setTree(leaf, slot, root)
      return KeySet.count(root) < treeMin ? movedInline(leaf, slot, store) : leaf
    }
    let run = run(leaf, slot, mark)
    let end = run.upperBound(source)
    if end == 0 || run[end - 1] != source { fatalError("BacklinkLeaf: removes a link that is not there") }
    let unit = run.keys + (end - 1) << Int(leaf.blockShift)
    leaf = resize(leaf, unit, removing: 1, adding: 0, store).leaf
    setMark(leaf, slot, mark - 1)
    return nilIfEmpty(leaf, store)
  }

  /// Drops all links to `slot`, as its row is deleted.
  package static func clear(_ leaf: Block, _ slot: Int, _ store: BlockStore) -> Block? {
    let mark = mark(leaf, slot)
    if mark == 0 { return leaf }
    let first = units(leaf, slot)
    var unitCount = Int(mark)
    if mark == treeMark {
      KeySet.retireAll(tree(leaf, slot), store)
      unitCount = treeUnits(leaf)
    }
    let changed = resize(leaf, first, removing: unitCount, adding: 0, store).leaf
    if mark == treeMark { addTrees(changed, -1) }
    setMark(changed, slot, 0)
    return nilIfEmpty(changed, store)
  }

  /// Gives up the leaf and its sets.
  package static func retireAll(_ leaf: Block?, _ store: BlockStore) {
    guard let leaf else { return }
    if treeCount(leaf) > 0 {
      for slot in 0..<capacity(leaf) where mark(leaf, slot) == treeMark {
        KeySet.retireAll(tree(leaf, slot), store)
      }
    }
    store.retire(leaf)
  }
}

// MARK: - Parts

extension BacklinkLeaf {
  /// A leaf without links, zeroed counts, with room for `unitCount` units and some more.
  static func make(capacity: Int, unitCount: Int, isWide: Bool, _ store: BlockStore) -> Block {
    let shift = isWide ? 3 : 2
    let leaf = store.allocate(byteCount: roomy(countsOffset + capacity, unitCount << shift))
    leaf.blockKind = kind
    leaf.storeBytes(of: UInt8(shift), toByteOffset: 13, as: UInt8.self)
    leaf.storeBytes(of: UInt16(capacity), toByteOffset: 16, as: UInt16.self)
    leaf.storeBytes(of: 0, toByteOffset: 18, as: UInt16.self)
    leaf.storeBytes(of: 0, toByteOffset: 20, as: UInt32.self)
    leaf.storeBytes(of: 0, toByteOffset: 24, as: UInt64.self)
    (leaf + countsOffset).initializeMemory(as: UInt8.self, repeating: 0, count: capacity)
    return leaf
  }

  /// Block size with an eighth of headroom for the units.
  @inline(__always)
  private static func roomy(_ fixed: Int, _ unitBytes: Int) -> Int {
    (fixed + unitBytes + unitBytes >> 3 + 31) & ~15
  }

  @inline(__always)
  static func byteCount(_ leaf: Block) -> Int {
    countsOffset + capacity(leaf) + unitCount(leaf) << Int(leaf.blockShift)
  }

  @inline(__always)
  static func owned(_ leaf: Block, _ store: BlockStore) -> Block {
    store.owns(leaf) ? leaf : store.replace(leaf, usedByteCount: byteCount(leaf), capacity: leaf.blockSize)
  }

  /// Makes the leaf owned, takes units out at an address inside it and opens a gap for others. The result is the leaf and
  /// the address in it. Counts are left to the caller.
  static func resize(
    _ leaf: Block, _ address: UnsafeRawPointer, removing: Int, adding: Int, _ store: BlockStore
  ) -> (leaf: Block, units: Block) {
    let shift = Int(leaf.blockShift)
    let offset = address - UnsafeRawPointer(leaf)
    let used = byteCount(leaf)
    let fixed = countsOffset + capacity(leaf)
    let units = unitCount(leaf) + adding - removing
    let needed = fixed + units << shift
    var leaf = leaf
    let isTight = needed > leaf.blockSize
    if isTight || !store.owns(leaf) {
      let isLoose = (leaf.blockSize - fixed) > 4 * (units << shift) + 256
      let room = isTight || isLoose ? roomy(fixed, max(units << shift, used - fixed)) : leaf.blockSize
      leaf = store.replace(leaf, usedByteCount: used, capacity: room)
    }
    let place = leaf + offset
    let tail = offset + removing << shift
    (place + adding << shift).copyMemory(from: leaf + tail, byteCount: used - tail)
    leaf.storeBytes(of: UInt32(units), toByteOffset: 20, as: UInt32.self)
    return (leaf, place)
  }

  @inline(__always)
  static func write(_ source: UInt64, _ unit: UnsafeRawPointer, _ leaf: Block) {
    let unit = UnsafeMutableRawPointer(mutating: unit)
    if isWide(leaf) {
      unit.storeBytes(of: source, as: UInt64.self)
    } else {
      unit.storeBytes(of: UInt32(truncatingIfNeeded: source), as: UInt32.self)
    }
  }

  @inline(__always)
  static func setMark(_ leaf: Block, _ slot: Int, _ mark: UInt8) {
    leaf.storeBytes(of: mark, toByteOffset: countsOffset + slot, as: UInt8.self)
  }

  /// Refuses the commit when a row has too many links to it.
  static func checkLinkCount(_ root: Block, _ store: BlockStore) {
    let count = KeySet.count(root)
    if !store.exceeds(count, store.limits.linkCountMax) { return }
    store.refuseCommit(
      "\(count) links of one property would lead to one object, and \(store.limits.linkCountMax) is the most. Spread "
        + "them over several objects.")
  }

  @inline(__always)
  static func setTree(_ leaf: Block, _ slot: Int, _ root: Block) {
    UnsafeMutableRawPointer(mutating: units(leaf, slot)).storeBytes(of: root, as: Block.self)
  }

  @inline(__always)
  static func addTrees(_ leaf: Block, _ delta: Int) {
    leaf.storeBytes(of: UInt16(treeCount(leaf) + delta), toByteOffset: 18, as: UInt16.self)
  }

  private static func nilIfEmpty(_ leaf: Block, _ store: BlockStore) -> Block? {
    if unitCount(leaf) > 0 { return leaf }
    store.retire(leaf)
    return nil
  }

  private static func movedToTree(_ leaf: Block, _ slot: Int, adding source: UInt64, _ store: BlockStore) -> Block {
    let run = run(leaf, slot, mark(leaf, slot))
    let root = withUnsafeTemporaryAllocation(of: UInt64.self, capacity: run.count) { keys in
      run.decode(keys.baseAddress!)
      return KeySet.insert(KeySet.build(sorted: UnsafeBufferPointer(keys), store), source, store)
    }
    let (leaf, unit) = resize(leaf, run.keys, removing: run.count, adding: treeUnits(leaf), store)
    unit.storeBytes(of: root, as: Block.self)
    setMark(leaf, slot, treeMark)
    addTrees(leaf, 1)
    return leaf
  }

  static func movedInline(_ leaf: Block, _ slot: Int, _ store: BlockStore) -> Block {
    let root = tree(leaf, slot)
    let count = KeySet.count(root)
    var (leaf, unit) = resize(leaf, units(leaf, slot), removing: treeUnits(leaf), adding: count, store)
    let width = 1 << Int(leaf.blockShift)
    KeySet.forEach(root) { key in
      write(key, unit, leaf)
      unit += width
    }
    KeySet.retireAll(root, store)
    setMark(leaf, slot, UInt8(count))
    addTrees(leaf, -1)
    return leaf
  }
}
