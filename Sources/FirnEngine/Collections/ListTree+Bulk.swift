// Changes of many elements. For the writer only.
extension ListTree {
  /// Elements to be appended: their bytes one after the other, and which are null.
  private struct Source {
    var elements: UnsafeRawPointer
    var nulls: UnsafePointer<Bool>?
    var count: Int
  }

  /// Appends `count` elements that lie one after the other, filling leaves to the brim. `nulls`, if given, has a flag for
  /// each element; the bytes of null ones are ignored. The list takes over blobs.
  package static func append(
    _ root: Block?, contentsOf elements: UnsafeRawPointer, count: Int, nulls: UnsafePointer<Bool>? = nil,
    _ shape: ListShape, _ store: BlockStore
  ) -> Block? {
    if count == 0 { return root }
    if nulls != nil, !shape.isNullable { fatalError("ListTree: null in a list without nulls") }
    var source = Source(elements: elements, nulls: nulls, count: count)
    var root = root.map { fill($0, &source, shape, store) } ?? subtree(level: 0, &source, shape, store)
    while source.count > 0 {
      let top = Branch.make(level: Branch.level(root) + 1, kind: shape.branchKind, store)
      Branch.append(top, root)
      root = fill(top, &source, shape, store)
    }
    return root
  }

  /// Gives up every block of the list and its blobs. The list is empty then: its root is nil.
  package static func retireAll(_ root: Block?, _ shape: ListShape, _ store: BlockStore) {
    guard let root else { return }
    if Branch.isBranch(root) {
      for index in 0..<Branch.count(root) { retireAll(Branch.children(root)[index], shape, store) }
    } else if shape.ownsBlobs {
      for index in 0..<Branch.count(root) { blob(root, index, shape).retire(store) }
    }
    store.retire(root)
  }

  /// Adds elements below the right edge of a subtree until it is full.
  private static func fill(
    _ node: Block, _ source: inout Source, _ shape: ListShape, _ store: BlockStore
  ) -> Block {
    if !Branch.isBranch(node) {
      let count = Branch.count(node)
      let added = min(shape.leafMax - count, source.count)
      if added == 0 { return node }
      let leaf = reserve(node, count + added, shape, store)
      write(&source, added, leaf, shape)
      return leaf
    }
    let node = Branch.owned(node, store)
    let last = Branch.count(node) - 1
    Branch.set(node, last, fill(Branch.children(node)[last], &source, shape, store))
    addChildren(node, &source, shape, store)
    return node
  }

  /// A new subtree with as many elements as fit.
  private static func subtree(
    level: Int, _ source: inout Source, _ shape: ListShape, _ store: BlockStore
  ) -> Block {
    if level == 0 {
      let count = min(shape.leafMax, source.count)
      let leaf = makeLeaf(room: count, shape, store)
      write(&source, count, leaf, shape)
      return leaf
    }
    let node = Branch.make(level: level, kind: shape.branchKind, store)
    addChildren(node, &source, shape, store)
    return node
  }

  private static func addChildren(
    _ node: Block, _ source: inout Source, _ shape: ListShape, _ store: BlockStore
  ) {
    while source.count > 0, Branch.count(node) < Branch.fanOut {
      Branch.append(node, subtree(level: Branch.level(node) - 1, &source, shape, store))
    }
  }

  /// Appends the next `count` elements to an owned leaf that has the room.
  private static func write(_ source: inout Source, _ count: Int, _ leaf: Block, _ shape: ListShape) {
    let start = Branch.count(leaf)
    openGap(leaf, start, count, shape)
    let byteCount = count * shape.width
    address(leaf, start, shape).copyMemory(from: source.elements, byteCount: byteCount)
    if let nulls = source.nulls {
      for index in 0..<count where nulls[index] { write(leaf, start + index, nil, shape) }
      source.nulls = nulls + count
    }
    source.elements += byteCount
    source.count -= count
  }
}
