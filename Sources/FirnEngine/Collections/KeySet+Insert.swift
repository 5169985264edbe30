extension KeySet {
  /// Adds one occurrence of `key` and returns the root to keep.
  package static func insert(_ root: Block?, _ key: UInt64, _ store: BlockStore) -> Block {
    guard let root else {
      return withUnsafePointer(to: key) { makeLeaf(UnsafeBufferPointer(start: $0, count: 1), store) }
    }
    var spill = Spill()
    let left = insert(root, key, isRightmost: true, store, &spill)
    guard let second = spill.second else { return left }
    let top = Branch.make(level: Branch.level(left) + 1, kind: Branch.keyedKind, store)
    Branch.append(top, left)
    Branch.append(top, second)
    if let third = spill.third { Branch.append(top, third) }
    return top
  }

  private static func insert(
    _ node: Block, _ key: UInt64, isRightmost: Bool, _ store: BlockStore, _ spill: inout Spill
  ) -> Block {
    if !Branch.isBranch(node) { return insertIntoLeaf(node, key, isRightmost: isRightmost, store, &spill) }
    let node = Branch.owned(node, store)
    let index = childIndex(node, key)
    let isLast = isRightmost && index == Branch.count(node) &- 1
    var below = Spill()
    Branch.set(node, index, insert(Branch.children(node)[index], key, isRightmost: isLast, store, &below))
    guard let second = below.second else { return node }
    let right = Branch.insertSplitting(node, at: index + 1, second, isRightmost: isRightmost, store)
    if let right { spill.append(right) }
    if let third = below.third {
      // The place of the third node may have moved to the new neighbour.
      let place = index + 2
      let count = Branch.count(node)
      if let right, place > count {
        Branch.insert(right, at: place - count, third)
      } else if let more = Branch.insertSplitting(node, at: place, third, isRightmost: isRightmost, store) {
        spill.append(more)
      }
    }
    return node
  }

  /// In place or into a copy while the key fits room and width; else the leaf is written anew.
  private static func insertIntoLeaf(
    _ leaf: Block, _ key: UInt64, isRightmost: Bool, _ store: BlockStore, _ spill: inout Spill
  ) -> Block {
    let chunk = chunk(leaf)
    let count = chunk.count
    let offset = key &- chunk.base
    let isWide = chunk.isWide
    let fits = isWide ? count < wideMax : key >= chunk.base && offset <= UInt64(UInt32.max) && count < narrowMax
    let place = chunk.upperBound(key)
    if !fits { return rewrite(leaf, adding: key, at: place, isRightmost: isRightmost, store, &spill) }
    let shift = isWide ? 3 : 2
    var leaf = leaf
    let used = keysOffset &+ count &<< shift
    let isFull = used &+ 1 &<< shift > leaf.blockSize
    if isFull || !store.owns(leaf) {
      let room = isFull ? keysOffset + grown(count + 1, isWide: isWide) << shift : leaf.blockSize
      leaf = store.replace(leaf, usedByteCount: used, capacity: room)
    }
    let slot = leaf + keysOffset + place &<< shift
    (slot + 1 &<< shift).copyMemory(from: slot, byteCount: (count &- place) &<< shift)
    if isWide {
      slot.storeBytes(of: key, as: UInt64.self)
    } else {
      slot.storeBytes(of: UInt32(truncatingIfNeeded: offset), as: UInt32.self)
    }
    setCount(leaf, count &+ 1)
    return leaf
  }

  /// Splits a full leaf, or gives it another base or width. A key behind the end of the set starts a leaf of its own.
  private static func rewrite(
    _ leaf: Block, adding key: UInt64, at place: Int, isRightmost: Bool, _ store: BlockStore, _ spill: inout Spill
  ) -> Block {
    let chunk = chunk(leaf)
    let count = chunk.count
    if isRightmost, place == count, count >= 64 {
      spill.append(
        withUnsafePointer(to: key) {
          makeLeaf(UnsafeBufferPointer(start: $0, count: 1), capacity: 64, store)
        })
      return leaf
    }
    var first: Block?
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: count + 1) { keys in
      chunk.decode(keys.baseAddress!)
      var index = count
      while index > place {
        keys[index] = keys[index - 1]
        index -= 1
      }
      keys[place] = key
      emitHalves(UnsafeBufferPointer(keys), store) { node in
        if first == nil { first = node } else { spill.append(node) }
      }
    }
    store.retire(leaf)
    return first!
  }
}
