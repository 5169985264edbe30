// Removals of many links at once. For the writer only.
extension BacklinkLeaf {
  /// Takes links in ascending order of (slot, source) out, in one pass over the leaf; each has to be there. nil when the
  /// cluster has no links any more.
  package static func removeAll(
    _ leaf: Block, sorted links: UnsafeBufferPointer<Backlink>, _ store: BlockStore
  ) -> Block? {
    if links.count < 3 {
      var left: Block? = leaf
      for link in links {
        guard let leaf = left else { fatalError("BacklinkLeaf: removes a link that is not there") }
        left = remove(leaf, Int(link.slot), link.source, store)
      }
      return left
    }
    var leaf = owned(leaf, store)
    let hasSets = treeCount(leaf) > 0
    var rest: [Backlink] = []
    if hasSets { leaf = removeFromSets(leaf, links, &rest, store) }
    if hasSets {
      rest.withUnsafeBufferPointer { removeInline(leaf, $0) }
    } else {
      removeInline(leaf, links)
    }
    if unitCount(leaf) > 0 { return leaf }
    store.retire(leaf)
    return nil
  }

  /// Drops all links to some slots, which ascend, in one pass over the leaf.
  package static func clearAll(_ leaf: Block, _ slots: some Sequence<Int>, _ store: BlockStore) -> Block? {
    let leaf = owned(leaf, store)
    var cutter = Cutter(leaf)
    for slot in slots {
      let mark = mark(leaf, slot)
      if mark == 0 { continue }
      let units = cutter.enter(slot)
      if mark == treeMark {
        KeySet.retireAll(units.loadUnaligned(as: Block.self), store)
        addTrees(leaf, -1)
      }
      cutter.cut(units, mark == treeMark ? treeUnits(leaf) : Int(mark))
      cutter.leave(slot)
      setMark(leaf, slot, 0)
    }
    cutter.finish()
    if unitCount(leaf) > 0 { return leaf }
    store.retire(leaf)
    return nil
  }

  /// Removes what lies in sets and collects the other links.
  private static func removeFromSets(
    _ leaf: Block, _ links: UnsafeBufferPointer<Backlink>, _ others: inout [Backlink], _ store: BlockStore
  ) -> Block {
    var leaf = leaf
    var sources: [UInt64] = []
    var start = 0
    while start < links.count {
      let slot = Int(links[start].slot)
      var end = start
      while end < links.count, links[end].slot == links[start].slot { end += 1 }
      if mark(leaf, slot) == treeMark {
        sources.removeAll(keepingCapacity: true)
        for link in links[start..<end] { sources.append(link.source) }
        let root = sources.withUnsafeBufferPointer { KeySet.removeAll(tree(leaf, slot), sorted: $0, store) }
        if let root {
          setTree(leaf, slot, root)
          if KeySet.count(root) < treeMin { leaf = movedInline(leaf, slot, store) }
        } else {
          leaf = resize(leaf, units(leaf, slot), removing: treeUnits(leaf), adding: 0, store).leaf
          setMark(leaf, slot, 0)
          addTrees(leaf, -1)
        }
      } else {
        others.append(contentsOf: links[start..<end])
      }
      start = end
    }
    return leaf
  }

  private static func removeInline(_ leaf: Block, _ links: UnsafeBufferPointer<Backlink>) {
    var cutter = Cutter(leaf)
    var next = 0
    while next < links.count {
      let slot = Int(links[next].slot)
      let mark = mark(leaf, slot)
      let units = cutter.enter(slot)
      let run = KeyChunk(base: 0, keys: units, count: Int(mark), isWide: isWide(leaf))
      var removed: UInt8 = 0
      var index = 0
      while next < links.count, Int(links[next].slot) == slot {
        while index < run.count, run[index] < links[next].source { index += 1 }
        if index == run.count || run[index] != links[next].source {
          fatalError("BacklinkLeaf: removes a link that is not there")
        }
        removed += 1
        index += 1
        next += 1
        cutter.cut(units + (index - 1) << Int(leaf.blockShift), 1)
      }
      cutter.leave(slot)
      setMark(leaf, slot, mark - removed)
    }
    cutter.finish()
  }

  /// Takes units out of an owned leaf, from left to right; what lies between them moves once. Counts are left to the
  /// caller, who changes that of a slot after leaving it.
  private struct Cutter {
    private let leaf: Block
    private let shift: Int
    private var slot = 0
    /// Where the units of `slot` were.
    private var units: Block
    /// Up to here the units that stay are in place; those from `rest` on have not moved.
    private var kept: Block
    private var rest: Block
    private var cutCount = 0

    init(_ leaf: Block) {
      self.leaf = leaf
      shift = Int(leaf.blockShift)
      units = leaf + countsOffset + capacity(leaf)
      kept = units
      rest = units
    }

    /// The first unit of a slot that is not before the last one entered.
    mutating func enter(_ target: Int) -> Block {
      while slot < target {
        let mark = mark(leaf, slot)
        units += (mark == treeMark ? treeUnits(leaf) : Int(mark)) << shift
        slot += 1
      }
      return units
    }

    mutating func leave(_ slot: Int) { _ = enter(slot + 1) }

    mutating func cut(_ address: Block, _ count: Int) {
      keep(to: address)
      rest = address + count << shift
      cutCount += count
    }

    mutating func finish() {
      keep(to: leaf + byteCount(leaf))
      leaf.storeBytes(of: UInt32(unitCount(leaf) - cutCount), toByteOffset: 20, as: UInt32.self)
    }

    private mutating func keep(to end: Block) {
      let length = end - rest
      if kept != rest, length > 0 { kept.copyMemory(from: rest, byteCount: length) }
      kept += length
    }
  }
}
