/// A link to a slot of a cluster, for bulk changes.
@usableFromInline
package struct Backlink {
  @usableFromInline package var slot: UInt16
  @usableFromInline package var source: UInt64

  @inlinable
  package init(slot: UInt16, source: UInt64) {
    self.slot = slot
    self.source = source
  }
}

// Changes of many slots at once. For the writer only.
extension BacklinkLeaf {
  /// Adds links in ascending order of (slot, source), in one pass over the leaf.
  package static func addAll(
    _ leaf: Block?, sorted links: UnsafeBufferPointer<Backlink>, capacity: Int, _ store: BlockStore
  ) -> Block? {
    guard links.count > 2 else {
      var leaf = leaf
      for link in links { leaf = add(leaf, Int(link.slot), link.source, capacity: capacity, store) }
      return leaf
    }
    var isWide = leaf.map { self.isWide($0) } ?? false
    for link in links where link.source > UInt64(UInt32.max) { isWide = true }
    let slots = max(capacity, leaf.map { self.capacity($0) } ?? 0)
    let target = make(
      capacity: slots, unitCount: unitCount(leaf, adding: links, slots: slots, isWide: isWide), isWide: isWide, store)
    var writer = Writer(target)
    var rest = links
    for slot in 0..<slots {
      var added = 0
      while added < rest.count, rest[added].slot == slot { added += 1 }
      let more = UnsafeBufferPointer(rebasing: rest[..<added])
      rest = UnsafeBufferPointer(rebasing: rest[added...])
      if more.isEmpty {
        if let leaf { writer.copy(slot, from: leaf, slot) }
      } else {
        merge(leaf, slot, more, &writer, store)
      }
    }
    if !rest.isEmpty { fatalError("BacklinkLeaf: slots out of order or beyond the capacity") }
    writer.finish()
    if let leaf { store.retire(leaf) }
    return target
  }

  /// The leaf of a compacted cluster: new slot k takes the links of old slot `slots[k]` (ascending). Links to other old
  /// slots are dropped.
  package static func rebuild(
    _ leaf: Block?, keeping slots: UnsafeBufferPointer<UInt16>, capacity: Int, _ store: BlockStore
  ) -> Block? {
    merge(leaf, keeping: slots, nil, keeping: UnsafeBufferPointer(start: nil, count: 0), capacity: capacity, store)
  }

  /// The leaf of two merged clusters: the kept slots of `first`, then those of `second`. Both leaves are given up.
  package static func merge(
    _ first: Block?, keeping firstSlots: UnsafeBufferPointer<UInt16>,
    _ second: Block?, keeping secondSlots: UnsafeBufferPointer<UInt16>, capacity: Int, _ store: BlockStore
  ) -> Block? {
    if firstSlots.count + secondSlots.count > capacity { fatalError("BacklinkLeaf: more slots than room") }
    let isWide = (first.map { self.isWide($0) } ?? false) || (second.map { self.isWide($0) } ?? false)
    let units = unitCount(first, firstSlots, isWide: isWide) + unitCount(second, secondSlots, isWide: isWide)
    var target: Block?
    if units > 0 {
      let leaf = make(capacity: capacity, unitCount: units, isWide: isWide, store)
      var writer = Writer(leaf)
      for (slot, old) in firstSlots.enumerated() where first != nil { writer.copy(slot, from: first!, Int(old)) }
      for (slot, old) in secondSlots.enumerated() where second != nil {
        writer.copy(firstSlots.count + slot, from: second!, Int(old))
      }
      writer.finish()
      target = leaf
    }
    retire(first, except: firstSlots, store)
    retire(second, except: secondSlots, store)
    return target
  }

  /// The same links with more slots or wider sources.
  static func reshaped(_ leaf: Block, capacity: Int, isWide: Bool, _ store: BlockStore) -> Block {
    let units = isWide ? unitCount(leaf) - treeCount(leaf) * (treeUnits(leaf) - 1) : unitCount(leaf)
    let target = make(capacity: capacity, unitCount: units, isWide: isWide, store)
    var writer = Writer(target)
    for slot in 0..<self.capacity(leaf) { writer.copy(slot, from: leaf, slot) }
    writer.finish()
    store.retire(leaf)
    return target
  }
}

// MARK: - Parts

extension BacklinkLeaf {
  /// Fills a new leaf slot by slot.
  struct Writer {
    let leaf: Block
    var unit: Block
    var trees = 0

    init(_ leaf: Block) {
      self.leaf = leaf
      unit = leaf + countsOffset + BacklinkLeaf.capacity(leaf)
    }

    mutating func append(_ source: UInt64) {
      write(source, unit, leaf)
      unit += 1 << Int(leaf.blockShift)
    }

    mutating func appendTree(_ root: Block) {
      unit.storeBytes(of: root, as: Block.self)
      unit += 8
      trees += 1
    }

    /// The links of slot `old` of another leaf become those of `slot`; a set is taken over, not copied.
    mutating func copy(_ slot: Int, from other: Block, _ old: Int) {
      let mark = BacklinkLeaf.mark(other, old)
      if mark == 0 { return }
      setMark(leaf, slot, mark)
      if mark == treeMark { return appendTree(tree(other, old)) }
      let run = run(other, old, mark)
      if run.isWide == isWide(leaf) {
        let bytes = run.count << Int(leaf.blockShift)
        unit.copyMemory(from: run.keys, byteCount: bytes)
        unit += bytes
      } else {
        for index in 0..<run.count { append(run[index]) }
      }
    }

    func finish() {
      let first = leaf + countsOffset + BacklinkLeaf.capacity(leaf)
      leaf.storeBytes(of: UInt32((unit - first) >> Int(leaf.blockShift)), toByteOffset: 20, as: UInt32.self)
      leaf.storeBytes(of: UInt16(trees), toByteOffset: 18, as: UInt16.self)
      if unit - leaf > leaf.blockSize { fatalError("BacklinkLeaf: overflows its block") }
    }
  }

  /// Writes the links of `slot` together with `added`, which is not empty.
  private static func merge(
    _ leaf: Block?, _ slot: Int, _ added: UnsafeBufferPointer<Backlink>, _ writer: inout Writer, _ store: BlockStore
  ) {
    let mark = leaf.map { self.mark($0, slot) } ?? 0
    let old = mark == treeMark ? 0 : Int(mark)
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: old + added.count) { keys in
      var place = 0
      var next = 0
      if old > 0, let leaf {
        let run = run(leaf, slot, mark)
        for index in 0..<old {
          while next < added.count, added[next].source < run[index] {
            keys[place] = added[next].source
            place += 1
            next += 1
          }
          keys[place] = run[index]
          place += 1
        }
      }
      while next < added.count {
        keys[place] = added[next].source
        place += 1
        next += 1
      }
      let merged = UnsafeBufferPointer(keys)
      if mark == treeMark || place > inlineMax {
        let root =
          if mark == treeMark, let leaf {
            KeySet.insertAll(tree(leaf, slot), sorted: merged, store)!
          } else {
            KeySet.build(sorted: merged, store)!
          }
        checkLinkCount(root, store)
        writer.appendTree(root)
        setMark(writer.leaf, slot, treeMark)
      } else {
        for key in merged { writer.append(key) }
        setMark(writer.leaf, slot, UInt8(place))
      }
    }
  }

  /// Units of the leaf with `links` added.
  private static func unitCount(
    _ leaf: Block?, adding links: UnsafeBufferPointer<Backlink>, slots: Int, isWide: Bool
  ) -> Int {
    var units = 0
    var next = 0
    for slot in 0..<slots {
      let start = next
      while next < links.count, links[next].slot == slot { next += 1 }
      let count = Int(leaf.map { mark($0, slot) } ?? 0) + next - start
      units += count > inlineMax ? (isWide ? 1 : 2) : count
    }
    return units
  }

  private static func unitCount(_ leaf: Block?, _ slots: UnsafeBufferPointer<UInt16>, isWide: Bool) -> Int {
    guard let leaf else { return 0 }
    var units = 0
    for slot in slots {
      let mark = mark(leaf, Int(slot))
      units += mark == treeMark ? (isWide ? 1 : 2) : Int(mark)
    }
    return units
  }

  /// Gives up a leaf and the sets of the slots that nobody took over.
  private static func retire(_ leaf: Block?, except kept: UnsafeBufferPointer<UInt16>, _ store: BlockStore) {
    guard let leaf else { return }
    if treeCount(leaf) > 0 {
      var next = 0
      for slot in 0..<capacity(leaf) {
        if next < kept.count, kept[next] == slot {
          next += 1
        } else if mark(leaf, slot) == treeMark {
          KeySet.retireAll(tree(leaf, slot), store)
        }
      }
    }
    store.retire(leaf)
  }
}
