extension KeySet {
  /// Takes one occurrence of `key` out, which has to be present, and returns the root to keep.
  package static func remove(_ root: Block, _ key: UInt64, _ store: BlockStore) -> Block? {
    let node = removeBelow(root, key, store)
    if Branch.count(node) == 0 {
      store.retire(node)
      return nil
    }
    return Branch.collapsed(node, store)
  }

  private static func removeBelow(_ node: Block, _ key: UInt64, _ store: BlockStore) -> Block {
    if !Branch.isBranch(node) { return removeFromLeaf(node, key, store) }
    let node = Branch.owned(node, store)
    let index = childIndex(node, key)
    let child = removeBelow(Branch.children(node)[index], key, store)
    if Branch.isBranch(child) {
      if Branch.count(child) > 0 { Branch.set(node, index, child) } else { setEmptied(node, index, child) }
      Branch.repairBranchChild(node, index, store)
    } else if Branch.count(child) == 0 {
      Branch.remove(node, at: index)
      store.retire(child)
    } else {
      Branch.set(node, index, child)
      repairLeafChild(node, index, store)
    }
    return node
  }

  /// Stores a child that has no key to read; the caller removes it right away.
  private static func setEmptied(_ node: Block, _ index: Int, _ child: Block) {
    (node + Branch.childrenOffset + index * 8).storeBytes(of: child, as: Block.self)
  }

  private static func removeFromLeaf(_ leaf: Block, _ key: UInt64, _ store: BlockStore) -> Block {
    let chunk = chunk(leaf)
    let end = chunk.upperBound(key)
    if end == 0 || chunk[end &- 1] != key { fatalError("KeySet: removes a key that is not there") }
    let shift = chunk.isWide ? 3 : 2
    let count = chunk.count
    var leaf = leaf
    if !store.owns(leaf) {
      leaf = store.replace(leaf, usedByteCount: keysOffset &+ count &<< shift, capacity: leaf.blockSize)
    }
    let slot = leaf + keysOffset + end &<< shift
    (slot - 1 &<< shift).copyMemory(from: slot, byteCount: (count &- end) &<< shift)
    setCount(leaf, count &- 1)
    return leaf
  }

  /// Merges leaf `index` of an owned branch with a neighbour, or evens the two out, when it is less than a quarter full.
  private static func repairLeafChild(_ node: Block, _ index: Int, _ store: BlockStore) {
    let leaf = Branch.children(node)[index]
    let full = leaf.blockShift == 3 ? wideMax : narrowMax
    if Branch.count(leaf) >= full / 4 || Branch.count(node) == 1 { return }
    let leftIndex = index == 0 ? 0 : index - 1
    let left = Branch.children(node)[leftIndex]
    let right = Branch.children(node)[leftIndex + 1]
    let leftCount = Branch.count(left)
    let count = leftCount + Branch.count(right)
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: count) { buffer in
      chunk(left).decode(buffer.baseAddress!)
      chunk(right).decode(buffer.baseAddress! + leftCount)
      let keys = UnsafeBufferPointer(buffer)
      if fitsLeaf(keys, percent: 75) {
        Branch.set(node, leftIndex, makeLeaf(keys, store))
        Branch.remove(node, at: leftIndex + 1)
      } else {
        let low = UnsafeBufferPointer(rebasing: keys[..<(count / 2)])
        let high = UnsafeBufferPointer(rebasing: keys[(count / 2)...])
        // Where widths differ the halves may be too many for a leaf: a small leaf is then left alone.
        guard fitsLeaf(low), fitsLeaf(high) else { return }
        Branch.set(node, leftIndex, makeLeaf(low, store))
        Branch.set(node, leftIndex + 1, makeLeaf(high, store))
      }
      store.retire(left)
      store.retire(right)
    }
  }
}
