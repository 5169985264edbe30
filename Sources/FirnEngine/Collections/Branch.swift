/// An inner node of the counted B+trees: up to 64 children with the number of elements below each, and the first key of
/// each as far as the kind of the tree has one.
///
///     ┌────────┬──────────┬──────────┬─────────────┬──────────────┬────────────────────┐
///     │ header │ count    │ total    │ weights     │ children     │ keys               │
///     │        │ u32      │ u64      │ u32 x 64    │ ptr x 64     │ 0, 8 or 16 B x 64  │
///     └────────┴──────────┴──────────┴─────────────┴──────────────┴────────────────────┘
///     0        16         24         32            288            800
///
/// | kind | tree | key |
/// |---|---|---|
/// | positional | `ListTree` | none |
/// | keyed | `KeySet` | u64 |
/// | ordered | `OrderedTree` | `OrderedEntry`, code and row as u64 |
///
/// `shift` in the header holds the level: 1 when the children are leaves. All leaves of a tree lie at the same depth.
/// Leaves keep their element count as u32 at offset 16 as well, so that `weight(of:)` works for any node.
///
/// Sizes are compile-time constants: run-time fan-outs make a walk several times slower. Copying a node does not touch
/// its children. Readers may use every function that takes an `UnsafeRawPointer`.
@usableFromInline
package enum Branch {
  @inlinable @inline(__always)
  package static var fanOut: Int { 64 }
  @inlinable @inline(__always)
  package static var weightsOffset: Int { 32 }
  @inlinable @inline(__always)
  package static var childrenOffset: Int { 288 }
  @inlinable @inline(__always)
  package static var keysOffset: Int { 800 }
  @inlinable @inline(__always)
  package static var keyedKind: UInt8 { 17 }
  @inlinable @inline(__always)
  package static var positionalKind: UInt8 { 20 }
  @inlinable @inline(__always)
  package static var orderedKind: UInt8 { 22 }

  @inlinable @inline(__always)
  package static func isBranch(_ node: UnsafeRawPointer) -> Bool { node.blockShift & 0x80 != 0 }

  @inlinable @inline(__always)
  package static func level(_ node: UnsafeRawPointer) -> Int { isBranch(node) ? Int(node.blockShift & 0x7f) : 0 }

  /// The bytes of a child's key.
  @inlinable @inline(__always)
  static func keyWidth(_ kind: UInt8) -> Int { kind == keyedKind ? 8 : kind == orderedKind ? 16 : 0 }

  @inlinable @inline(__always)
  static func byteCount(_ kind: UInt8) -> Int { keysOffset &+ fanOut &* keyWidth(kind) }

  /// Children of a branch, elements of a leaf.
  @inlinable @inline(__always)
  package static func count(_ node: UnsafeRawPointer) -> Int {
    Int(node.load(fromByteOffset: 16, as: UInt32.self))
  }

  /// Elements below any node, leaf or branch.
  @inlinable @inline(__always)
  package static func weight(of node: UnsafeRawPointer) -> Int {
    isBranch(node) ? Int(node.load(fromByteOffset: 24, as: UInt64.self)) : count(node)
  }

  @inlinable @inline(__always)
  package static func weights(_ node: UnsafeRawPointer) -> UnsafePointer<UInt32> {
    (node + weightsOffset).assumingMemoryBound(to: UInt32.self)
  }

  @inlinable @inline(__always)
  package static func children(_ node: UnsafeRawPointer) -> UnsafePointer<Block> {
    (node + childrenOffset).assumingMemoryBound(to: Block.self)
  }

  @inlinable @inline(__always)
  package static func keys(_ node: UnsafeRawPointer) -> UnsafePointer<UInt64> {
    (node + keysOffset).assumingMemoryBound(to: UInt64.self)
  }

  @inline(__always)
  static func entries(_ node: UnsafeRawPointer) -> UnsafePointer<OrderedEntry> {
    (node + keysOffset).assumingMemoryBound(to: OrderedEntry.self)
  }

  /// The leaf that holds element `index` (below the weight of `root`) and the index of the leaf's first element.
  @inlinable
  package static func leaf(
    of root: UnsafeRawPointer, holding index: Int
  ) -> (leaf: UnsafeRawPointer, start: Int) {
    var node = root
    var rest = index
    while isBranch(node) {
      let (child, before) = position(of: rest, in: node)
      rest &-= before
      node = UnsafeRawPointer(children(node)[child])
    }
    return (node, index &- rest)
  }

  /// The child that holds element `index` and the number of elements before that child.
  @inlinable @inline(__always)
  package static func position(of index: Int, in node: UnsafeRawPointer) -> (child: Int, before: Int) {
    let weights = weights(node)
    let last = count(node) &- 1
    // Most lists grow at their end.
    let beforeLast = weight(of: node) &- Int(weights[last])
    if index >= beforeLast { return (last, beforeLast) }
    var child = 0
    var before = 0
    while child &+ 8 <= last {
      let block = UnsafeRawPointer(weights + child).loadUnaligned(as: SIMD8<UInt32>.self)
      let sum = before &+ Int(block.wrappedSum())
      if sum > index { break }
      before = sum
      child &+= 8
    }
    while child < last {
      let next = before &+ Int(weights[child])
      if next > index { break }
      before = next
      child &+= 1
    }
    return (child, before)
  }

  /// The number of keys not above `key` among the first `count`.
  @inlinable @inline(__always)
  package static func upperBound(_ keys: UnsafePointer<UInt64>, _ count: Int, _ key: UInt64) -> Int {
    var low = 0
    var length = count
    while length > 0 {
      let half = length &>> 1
      if keys[low &+ half] <= key {
        low = low &+ half &+ 1
        length = length &- half &- 1
      } else {
        length = half
      }
    }
    return low
  }
}

// MARK: - Changes, for the writer only

extension Branch {
  /// An empty branch of a tree of some kind.
  static func make(level: Int, kind: UInt8, _ store: BlockStore) -> Block {
    let node = store.allocate(byteCount: byteCount(kind))
    node.blockKind = kind
    node.storeBytes(of: UInt8(level) | 0x80, toByteOffset: 13, as: UInt8.self)
    node.storeBytes(of: 0, toByteOffset: 16, as: UInt64.self)
    node.storeBytes(of: 0, toByteOffset: 24, as: UInt64.self)
    return node
  }

  /// The node itself when the running transaction owns it, else its copy.
  @inline(__always)
  static func owned(_ node: Block, _ store: BlockStore) -> Block {
    if store.owns(node) { return node }
    let size = byteCount(node.blockKind)
    return store.replace(node, usedByteCount: size, capacity: size)
  }

  @inline(__always)
  private static func setCount(_ node: Block, _ count: Int) {
    node.storeBytes(of: UInt32(truncatingIfNeeded: count), toByteOffset: 16, as: UInt32.self)
  }

  @inline(__always)
  private static func addTotal(_ node: Block, _ delta: Int) {
    let total = Int(node.load(fromByteOffset: 24, as: UInt64.self)) &+ delta
    node.storeBytes(of: UInt64(total), toByteOffset: 24, as: UInt64.self)
  }

  /// Replaces child `index` of an owned node; weight and key are read from the child.
  @inline(__always)
  static func set(_ node: Block, _ index: Int, _ child: Block) {
    let weight = weight(of: child)
    let slot = node + weightsOffset + index &* 4
    addTotal(node, weight &- Int(slot.load(as: UInt32.self)))
    slot.storeBytes(of: UInt32(truncatingIfNeeded: weight), as: UInt32.self)
    (node + childrenOffset + index &* 8).storeBytes(of: child, as: Block.self)
    let kind = node.blockKind
    if kind == keyedKind {
      (node + keysOffset + index &* 8).storeBytes(of: KeySet.firstKey(child), as: UInt64.self)
    } else if kind == orderedKind {
      (node + keysOffset + index &* 16).storeBytes(of: OrderedTree.firstEntry(child), as: OrderedEntry.self)
    }
  }

  /// Moves the children from `index` on by `delta` positions.
  private static func shift(_ node: Block, from index: Int, by delta: Int) {
    let moved = count(node) - index
    if moved > 0 {
      memmove(node, weightsOffset, 4, index, moved, delta)
      memmove(node, childrenOffset, 8, index, moved, delta)
      let width = keyWidth(node.blockKind)
      if width > 0 { memmove(node, keysOffset, width, index, moved, delta) }
    }
    setCount(node, count(node) + delta)
  }

  @inline(__always)
  private static func memmove(_ node: Block, _ offset: Int, _ width: Int, _ index: Int, _ moved: Int, _ delta: Int) {
    let source = node + offset + index &* width
    (source + delta &* width).copyMemory(from: source, byteCount: moved &* width)
  }

  /// Inserts a child into an owned node that is not full.
  static func insert(_ node: Block, at index: Int, _ child: Block) {
    if count(node) == fanOut { fatalError("Branch: insert into a full node") }
    shift(node, from: index, by: 1)
    (node + weightsOffset + index &* 4).storeBytes(of: 0, as: UInt32.self)
    set(node, index, child)
  }

  @inline(__always)
  static func append(_ node: Block, _ child: Block) { insert(node, at: count(node), child) }

  /// Takes a child out of an owned node; the child itself is not touched.
  static func remove(_ node: Block, at index: Int) {
    addTotal(node, -Int(weights(node)[index]))
    shift(node, from: index + 1, by: -1)
  }

  /// Moves `moved` children from index `from` of `source` to index `to` of `target`; both are owned.
  static func move(_ source: Block, from: Int, count moved: Int, _ target: Block, at to: Int) {
    if moved == 0 { return }
    shift(target, from: to, by: moved)
    var weight = 0
    for index in 0..<moved { weight &+= Int(weights(source)[from + index]) }
    (target + weightsOffset + to * 4).copyMemory(from: source + weightsOffset + from * 4, byteCount: moved * 4)
    (target + childrenOffset + to * 8).copyMemory(from: source + childrenOffset + from * 8, byteCount: moved * 8)
    let width = keyWidth(source.blockKind)
    (target + keysOffset + to * width)
      .copyMemory(from: source + keysOffset + from * width, byteCount: moved * width)
    addTotal(target, weight)
    addTotal(source, -weight)
    shift(source, from: from + moved, by: -moved)
  }

  /// Inserts `child`, splitting the owned node when it is full. The result is the new right neighbour, if any. A node at
  /// the right edge that grows at its end stays full, so that ascending inserts fill the tree.
  static func insertSplitting(
    _ node: Block, at index: Int, _ child: Block, isRightmost: Bool, _ store: BlockStore
  ) -> Block? {
    let count = count(node)
    if count < fanOut {
      insert(node, at: index, child)
      return nil
    }
    let right = make(level: level(node), kind: node.blockKind, store)
    if isRightmost, index == count {
      append(right, child)
      return right
    }
    move(node, from: fanOut / 2, count: fanOut / 2, right, at: 0)
    if index <= fanOut / 2 {
      insert(node, at: index, child)
    } else {
      insert(right, at: index - fanOut / 2, child)
    }
    return right
  }

  /// Repairs an owned node after child `index`, a branch, lost a child: an empty child goes, a child below a quarter is
  /// merged with a neighbour or filled from it.
  static func repairBranchChild(_ node: Block, _ index: Int, _ store: BlockStore) {
    let child = children(node)[index]
    if count(child) == 0 {
      remove(node, at: index)
      store.retire(child)
      return
    }
    if count(child) >= fanOut / 4 || count(node) == 1 { return }
    let leftIndex = index == 0 ? 0 : index - 1
    let left = owned(children(node)[leftIndex], store)
    let right = owned(children(node)[leftIndex + 1], store)
    let sum = count(left) + count(right)
    if sum <= fanOut * 3 / 4 {
      move(right, from: 0, count: count(right), left, at: count(left))
      set(node, leftIndex, left)
      remove(node, at: leftIndex + 1)
      store.retire(right)
      return
    }
    let goal = sum / 2
    if count(left) < goal {
      move(right, from: 0, count: goal - count(left), left, at: count(left))
    } else {
      move(left, from: goal, count: count(left) - goal, right, at: 0)
    }
    set(node, leftIndex, left)
    set(node, leftIndex + 1, right)
  }

  /// The root of a tree whose top level consists of `nodes`, all of one level; nil when there is none.
  static func root(over nodes: [Block], kind: UInt8, _ store: BlockStore) -> Block? {
    var nodes = nodes
    while nodes.count > 1 { nodes = parents(of: nodes[...], kind: kind, store) }
    return nodes.first.map { collapsed($0, store) }
  }

  /// Full branches over `nodes`, the last two balanced.
  static func parents(of nodes: ArraySlice<Block>, kind: UInt8, _ store: BlockStore) -> [Block] {
    guard let first = nodes.first else { return [] }
    var result: [Block] = []
    var rest = nodes
    while !rest.isEmpty {
      var take = min(fanOut, rest.count)
      if rest.count > fanOut, rest.count < fanOut * 5 / 4 { take = rest.count / 2 }
      let parent = make(level: level(first) + 1, kind: kind, store)
      for child in rest.prefix(take) { append(parent, child) }
      result.append(parent)
      rest = rest.dropFirst(take)
    }
    return result
  }

  /// Drops branches that have a single child from the top of a tree.
  static func collapsed(_ root: Block, _ store: BlockStore) -> Block {
    var root = root
    while isBranch(root), count(root) == 1 {
      let child = children(root)[0]
      store.retire(root)
      root = child
    }
    return root
  }

  /// Checks counts, levels and weights of a tree's branches and hands every leaf to `body`, in order.
  package static func check(_ root: UnsafeRawPointer, kind: UInt8, leaf body: (UnsafeRawPointer) -> Void) {
    guard isBranch(root) else { return body(root) }
    let count = count(root)
    if count < 1 || count > fanOut { fatalError("Branch: child count out of range") }
    if root.blockKind != kind { fatalError("Branch: wrong kind") }
    var total = 0
    for index in 0..<count {
      let child = UnsafeRawPointer(children(root)[index])
      if level(child) != level(root) - 1 { fatalError("Branch: uneven depth") }
      if weight(of: child) != Int(weights(root)[index]) { fatalError("Branch: wrong weight") }
      if !hasFirstKey(of: child, root, index) { fatalError("Branch: wrong first key") }
      total += Int(weights(root)[index])
      check(child, kind: kind, leaf: body)
    }
    if total != weight(of: root) { fatalError("Branch: wrong total") }
  }

  private static func hasFirstKey(of child: UnsafeRawPointer, _ node: UnsafeRawPointer, _ index: Int) -> Bool {
    switch node.blockKind {
    case keyedKind: KeySet.firstKey(child) == keys(node)[index]
    case orderedKind: OrderedTree.firstEntry(child) == entries(node)[index]
    default: true
    }
  }
}
