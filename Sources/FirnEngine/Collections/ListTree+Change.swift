// Changes of single elements. For the writer only. An element is given as the address of its bytes, which must not lie
// in the tree itself; nil is null. The list takes over the blobs that it is given.
extension ListTree {
  /// Replaces an element.
  package static func set(
    _ root: Block, _ index: Int, _ element: UnsafeRawPointer?, _ shape: ListShape, _ store: BlockStore
  ) -> Block {
    if Branch.isBranch(root) {
      let node = Branch.owned(root, store)
      let (child, before) = Branch.position(of: index, in: node)
      let changed = set(Branch.children(node)[child], index &- before, element, shape, store)
      (node + Branch.childrenOffset + child &* 8).storeBytes(of: changed, as: Block.self)
      return node
    }
    if index < 0 || index >= Branch.count(root) { fatalError("ListTree: index out of range") }
    let leaf = reserve(root, Branch.count(root), shape, store)
    if shape.ownsBlobs {
      let old = blob(leaf, index, shape)
      if old.word != element?.loadUnaligned(as: UInt64.self) { old.retire(store) }
    }
    write(leaf, index, element, shape)
    return leaf
  }

  /// Inserts an element before position `index`, or at the end.
  package static func insert(
    _ root: Block?, at index: Int, _ element: UnsafeRawPointer?, _ shape: ListShape, _ store: BlockStore
  ) -> Block {
    if index < 0 || index > count(root) { fatalError("ListTree: index out of range") }
    let root = root ?? makeLeaf(room: grown(1, shape), shape, store)
    var right: Block?
    let left = insertBelow(root, index, element, isRightmost: true, shape, store, &right)
    guard let right else { return left }
    let top = Branch.make(level: Branch.level(left) + 1, kind: shape.branchKind, store)
    Branch.append(top, left)
    Branch.append(top, right)
    return top
  }

  package static func append(
    _ root: Block?, _ element: UnsafeRawPointer?, _ shape: ListShape, _ store: BlockStore
  ) -> Block {
    insert(root, at: count(root), element, shape, store)
  }

  /// Takes an element out.
  package static func remove(_ root: Block, at index: Int, _ shape: ListShape, _ store: BlockStore) -> Block? {
    take(root, at: index, retiresBlob: true, shape, store)
  }

  /// Moves an element so that its position is `to` afterwards.
  package static func move(
    _ root: Block, from: Int, to: Int, _ shape: ListShape, _ store: BlockStore
  ) -> Block {
    if from == to { return root }
    let isNull = isNull(root, from, shape)
    return withUnsafeTemporaryAllocation(byteCount: 16, alignment: 16) { copy in
      let element = copy.baseAddress!
      element.copyMemory(from: get(root, from, shape), byteCount: shape.width)
      let rest = take(root, at: from, retiresBlob: false, shape, store)
      return insert(rest, at: to, isNull ? nil : UnsafeRawPointer(element), shape, store)
    }
  }
}

// MARK: - Parts

extension ListTree {
  private static func insertBelow(
    _ node: Block, _ index: Int, _ element: UnsafeRawPointer?, isRightmost: Bool, _ shape: ListShape,
    _ store: BlockStore, _ right: inout Block?
  ) -> Block {
    guard Branch.isBranch(node) else {
      return insertIntoLeaf(node, index, element, isRightmost: isRightmost, shape, store, &right)
    }
    let node = Branch.owned(node, store)
    // At a border the element goes to the end of the left child.
    let (child, before) = Branch.position(of: max(index &- 1, 0), in: node)
    let isLast = isRightmost && child == Branch.count(node) &- 1
    var below: Block?
    let changed = insertBelow(
      Branch.children(node)[child], index &- before, element, isRightmost: isLast, shape, store, &below)
    Branch.set(node, child, changed)
    if let below {
      right = Branch.insertSplitting(node, at: child + 1, below, isRightmost: isRightmost, store)
    }
    return node
  }

  static func insertIntoLeaf(
    _ leaf: Block, _ index: Int, _ element: UnsafeRawPointer?, isRightmost: Bool, _ shape: ListShape,
    _ store: BlockStore, _ right: inout Block?
  ) -> Block {
    let count = Branch.count(leaf)
    if count < shape.leafMax {
      let leaf = reserve(leaf, count &+ 1, shape, store)
      openGap(leaf, index, 1, shape)
      write(leaf, index, element, shape)
      return leaf
    }
    if isRightmost, index == count {
      let next = makeLeaf(room: 16, shape, store)
      openGap(next, 0, 1, shape)
      write(next, 0, element, shape)
      right = next
      return leaf
    }
    let half = count / 2
    let left = reserve(leaf, count, shape, store)
    let next = makeLeaf(room: grown(half + 1, shape), shape, store)
    move(left, from: half, count: count - half, next, at: 0, shape)
    right = next
    let target = index <= half ? left : next
    let place = index <= half ? index : index - half
    openGap(target, place, 1, shape)
    write(target, place, element, shape)
    return left
  }

  private static func take(
    _ root: Block, at index: Int, retiresBlob: Bool, _ shape: ListShape, _ store: BlockStore
  ) -> Block? {
    if index < 0 || index >= count(root) { fatalError("ListTree: index out of range") }
    let node = takeBelow(root, index, retiresBlob: retiresBlob, shape, store)
    if Branch.count(node) == 0 {
      store.retire(node)
      return nil
    }
    return Branch.collapsed(node, store)
  }

  private static func takeBelow(
    _ node: Block, _ index: Int, retiresBlob: Bool, _ shape: ListShape, _ store: BlockStore
  ) -> Block {
    guard Branch.isBranch(node) else {
      return takeFromLeaf(node, index, retiresBlob: retiresBlob, shape, store)
    }
    let node = Branch.owned(node, store)
    let (child, before) = Branch.position(of: index, in: node)
    let changed = takeBelow(Branch.children(node)[child], index &- before, retiresBlob: retiresBlob, shape, store)
    Branch.set(node, child, changed)
    if Branch.isBranch(changed) {
      Branch.repairBranchChild(node, child, store)
    } else {
      repairLeafChild(node, child, shape, store)
    }
    return node
  }

  static func takeFromLeaf(
    _ leaf: Block, _ index: Int, retiresBlob: Bool = false, _ shape: ListShape, _ store: BlockStore
  ) -> Block {
    let leaf = reserve(leaf, Branch.count(leaf), shape, store)
    if retiresBlob, shape.ownsBlobs { blob(leaf, index, shape).retire(store) }
    closeGap(leaf, index, 1, shape)
    return leaf
  }

  /// Repairs an owned branch after leaf `index` lost an element: an empty leaf goes, one below a quarter is merged with a
  /// neighbour or filled from it.
  static func repairLeafChild(_ node: Block, _ index: Int, _ shape: ListShape, _ store: BlockStore) {
    let leaf = Branch.children(node)[index]
    let count = Branch.count(leaf)
    if count == 0 {
      Branch.remove(node, at: index)
      store.retire(leaf)
      return
    }
    if count >= shape.leafMax / 4 || Branch.count(node) == 1 { return }
    let leftIndex = index == 0 ? 0 : index - 1
    let oldLeft = Branch.children(node)[leftIndex]
    let oldRight = Branch.children(node)[leftIndex + 1]
    let sum = Branch.count(oldLeft) + Branch.count(oldRight)
    if sum <= shape.leafMax * 3 / 4 {
      let left = reserve(oldLeft, sum, shape, store)
      let right = reserve(oldRight, Branch.count(oldRight), shape, store)
      move(right, from: 0, count: Branch.count(right), left, at: Branch.count(left), shape)
      Branch.set(node, leftIndex, left)
      Branch.remove(node, at: leftIndex + 1)
      store.retire(right)
      return
    }
    let goal = sum / 2
    let left = reserve(oldLeft, max(goal, Branch.count(oldLeft)), shape, store)
    let right = reserve(oldRight, max(sum - goal, Branch.count(oldRight)), shape, store)
    if Branch.count(left) < goal {
      move(right, from: 0, count: goal - Branch.count(left), left, at: Branch.count(left), shape)
    } else {
      move(left, from: goal, count: Branch.count(left) - goal, right, at: 0, shape)
    }
    Branch.set(node, leftIndex, left)
    Branch.set(node, leftIndex + 1, right)
  }
}
