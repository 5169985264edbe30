// Building leaves. For the writer only.
extension KeySet {
  /// Where a full leaf goes on: the nodes to the right of a changed node.
  struct Spill {
    var second: Block?
    var third: Block?

    mutating func append(_ node: Block) {
      if second == nil {
        second = node
      } else if third == nil {
        third = node
      } else {
        fatalError("KeySet: a node split into more than three")
      }
    }
  }

  /// Whether the keys fit 32-bit offsets from one base.
  @inline(__always)
  static func isNarrow(_ keys: UnsafeBufferPointer<UInt64>) -> Bool {
    keys.isEmpty || keys[keys.count - 1] - keys[0] <= UInt64(UInt32.max)
  }

  @inline(__always)
  static func fitsLeaf(_ keys: UnsafeBufferPointer<UInt64>, percent: Int = 100) -> Bool {
    keys.count * 100 <= (isNarrow(keys) ? narrowMax : wideMax) * percent
  }

  /// Room for at least `count` keys: small leaves double, large ones grow in steps.
  static func grown(_ count: Int, isWide: Bool) -> Int {
    var capacity = 8
    while capacity < count { capacity = capacity < 256 ? capacity * 2 : capacity + 128 }
    return min(capacity, isWide ? wideMax : narrowMax)
  }

  /// A leaf with the given keys, which have to fit.
  static func makeLeaf(_ keys: UnsafeBufferPointer<UInt64>, capacity: Int? = nil, _ store: BlockStore) -> Block {
    let isWide = !isNarrow(keys)
    let shift = isWide ? 3 : 2
    let count = keys.count
    let room = max(count, capacity ?? grown(count, isWide: isWide))
    let leaf = store.allocate(byteCount: keysOffset + room << shift)
    let base = isWide || keys[count - 1] <= UInt64(UInt32.max) ? 0 : keys[0]
    leaf.blockKind = leafKind
    leaf.storeBytes(of: UInt8(shift), toByteOffset: 13, as: UInt8.self)
    leaf.storeBytes(of: UInt64(count), toByteOffset: 16, as: UInt64.self)
    leaf.storeBytes(of: base, toByteOffset: 24, as: UInt64.self)
    if isWide {
      (leaf + keysOffset).copyMemory(from: keys.baseAddress!, byteCount: count * 8)
    } else {
      let target = (leaf + keysOffset).assumingMemoryBound(to: UInt32.self)
      var index = 0
      while index < count {
        target[index] = UInt32(truncatingIfNeeded: keys[index] &- base)
        index &+= 1
      }
    }
    return leaf
  }

  /// Leaves for keys that one leaf may not hold, by halving until they fit.
  static func emitHalves(_ keys: UnsafeBufferPointer<UInt64>, _ store: BlockStore, into body: (Block) -> Void) {
    if fitsLeaf(keys) { return body(makeLeaf(keys, store)) }
    let half = keys.count / 2
    emitHalves(UnsafeBufferPointer(rebasing: keys[..<half]), store, into: body)
    emitHalves(UnsafeBufferPointer(rebasing: keys[half...]), store, into: body)
  }

  /// Leaves for any number of keys: full ones, or evenly filled ones where later inserts are expected anywhere.
  static func emit(
    _ keys: UnsafeBufferPointer<UInt64>, evenly: Bool, _ store: BlockStore, into nodes: inout [Block]
  ) {
    let leaves = (keys.count + narrowMax - 1) / narrowMax
    let goal = evenly && leaves > 0 ? (keys.count + leaves - 1) / leaves : narrowMax
    var rest = keys
    while !rest.isEmpty {
      var take = min(goal, rest.count)
      if !isNarrow(UnsafeBufferPointer(rebasing: rest[..<take])) {
        let last = rest[0] + UInt64(UInt32.max)
        let narrow = Branch.upperBound(rest.baseAddress!, take, last)
        take = narrow >= wideMax / 2 ? narrow : min(take, wideMax)
      }
      let part = UnsafeBufferPointer(rebasing: rest[..<take])
      nodes.append(makeLeaf(part, capacity: (take + 7) & ~7, store))
      rest = UnsafeBufferPointer(rebasing: rest[take...])
    }
  }

  @inline(__always)
  static func setCount(_ leaf: Block, _ count: Int) {
    leaf.storeBytes(of: UInt32(truncatingIfNeeded: count), toByteOffset: 16, as: UInt32.self)
  }
}
