internal import CFirn

// For the writer only. Most of the cost of a change is memory that is in no cache: a leaf is fetched as soon as it is known,
// while the branches above it are copied.
extension OrderedTree {
  /// Puts an entry in before which come those that `precedes` holds for, which is a beginning of the entries.
  ///
  /// - Complexity: O(log n).
  @inline(__always)
  static func insert(
    _ entry: OrderedEntry, into root: Block?, _ store: BlockStore, _ precedes: (OrderedEntry) -> Bool
  ) -> Block {
    withUnsafeTemporaryAllocation(byteCount: 16, alignment: 16) { element in
      let address = element.baseAddress.unsafelyUnwrapped
      self.store(entry, at: address)
      guard let root else { return ListTree.insert(nil, at: 0, UnsafeRawPointer(address), shape, store) }
      var right: Block?
      let left = insertBelow(root, UnsafeRawPointer(address), isRightmost: true, store, precedes, &right)
      guard let right else { return left }
      let top = Branch.make(level: Branch.level(left) + 1, kind: shape.branchKind, store)
      Branch.append(top, left)
      Branch.append(top, right)
      return top
    }
  }

  private static func insertBelow(
    _ node: Block, _ element: UnsafeRawPointer, isRightmost: Bool, _ store: BlockStore,
    _ precedes: (OrderedEntry) -> Bool, _ right: inout Block?
  ) -> Block {
    guard Branch.isBranch(node) else {
      let index = countInLeaf(node, precedes)
      return ListTree.insertIntoLeaf(node, index, element, isRightmost: isRightmost, shape, store, &right)
    }
    // At a border the entry goes to the end of the left child.
    let index = max(countInBranch(node, precedes) &- 1, 0)
    if Branch.level(node) == 1 { fetch(Branch.children(node)[index]) }
    let node = Branch.owned(node, store)
    let isLast = isRightmost && index == Branch.count(node) &- 1
    var below: Block?
    let changed = insertBelow(
      Branch.children(node)[index], element, isRightmost: isLast, store, precedes, &below)
    Branch.set(node, index, changed)
    if let below {
      right = Branch.insertSplitting(node, at: index + 1, below, isRightmost: isRightmost, store)
    }
    return node
  }

  /// Takes the entry of a row out. False when it is not where it is looked for; the tree has the same entries then.
  ///
  /// - Parameters:
  ///   - precedes: Holds for the entries that come before, a beginning of them.
  ///   - reaches: Holds for these and the entry itself.
  /// - Complexity: O(log n).
  @inline(__always)
  static func remove(
    _ row: UInt64, from root: inout Block?, _ store: BlockStore, precedes: (OrderedEntry) -> Bool,
    reaches: (OrderedEntry) -> Bool
  ) -> Bool {
    guard let node = root else { return false }
    var isFound = false
    let left = removeBelow(node, row, store, precedes, reaches, &isFound)
    if Branch.count(left) == 0 {
      store.retire(left)
      root = nil
    } else {
      root = Branch.collapsed(left, store)
    }
    return isFound
  }

  private static func removeBelow(
    _ node: Block, _ row: UInt64, _ store: BlockStore, _ precedes: (OrderedEntry) -> Bool,
    _ reaches: (OrderedEntry) -> Bool, _ isFound: inout Bool
  ) -> Block {
    guard Branch.isBranch(node) else {
      let index = countInLeaf(node, precedes)
      guard index < Branch.count(node), load(node + elementsOffset + index &* width).row == row else { return node }
      isFound = true
      return ListTree.takeFromLeaf(node, index, shape, store)
    }
    let index = max(countInBranch(node, reaches) &- 1, 0)
    if Branch.level(node) == 1 { fetch(Branch.children(node)[index]) }
    let node = Branch.owned(node, store)
    let changed = removeBelow(Branch.children(node)[index], row, store, precedes, reaches, &isFound)
    Branch.set(node, index, changed)
    if Branch.isBranch(changed) {
      Branch.repairBranchChild(node, index, store)
    } else {
      ListTree.repairLeafChild(node, index, shape, store)
    }
    return node
  }

  /// Begins to fetch the leaf that most likely holds the entries with a code.
  static func fetchLeaf(_ root: UnsafeRawPointer, _ code: UInt64) {
    var node = root
    while Branch.isBranch(node) {
      let isLast = Branch.level(node) == 1
      let index = countInBranch(node) { $0.code <= code }
      node = UnsafeRawPointer(Branch.children(node)[max(index &- 1, 0)])
      if isLast { return fetch(node) }
    }
  }

  /// Begins to fetch a leaf, all of it at once.
  @inline(__always)
  private static func fetch(_ leaf: UnsafeRawPointer) {
    var offset = 0
    while offset < 1024 {
      firn_prefetch(leaf + offset)
      offset &+= 64
    }
  }
}

// MARK: - Searching a node

extension OrderedTree {
  /// How many children of a branch have a first entry that `precedes` holds for.
  @inline(__always)
  private static func countInBranch(_ node: UnsafeRawPointer, _ precedes: (OrderedEntry) -> Bool) -> Int {
    let entries = Branch.entries(node)
    return count(among: Branch.count(node)) { precedes(entries[$0]) }
  }

  /// How many entries of a leaf `precedes` holds for.
  @inline(__always)
  private static func countInLeaf(_ leaf: UnsafeRawPointer, _ precedes: (OrderedEntry) -> Bool) -> Int {
    count(among: Branch.count(leaf)) { precedes(load(leaf + elementsOffset + $0 &* width)) }
  }

  /// How many of the first numbers `holds` holds for, which is a beginning of them. Nothing is guessed: the number of steps
  /// depends on the count alone.
  @inline(__always)
  private static func count(among count: Int, _ holds: (Int) -> Bool) -> Int {
    if count == 0 { return 0 }
    var low = 0
    var length = count
    while length > 1 {
      let half = length &>> 1
      low &+= holds(low &+ half &- 1) ? half : 0
      length &-= half
    }
    return low &+ (holds(low) ? 1 : 0)
  }
}
