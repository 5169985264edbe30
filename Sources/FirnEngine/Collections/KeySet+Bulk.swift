extension KeySet {
  /// A set of ascending keys with full leaves.
  package static func build(sorted keys: UnsafeBufferPointer<UInt64>, _ store: BlockStore) -> Block? {
    var leaves: [Block] = []
    leaves.reserveCapacity(keys.count / narrowMax + 1)
    emit(keys, evenly: false, store, into: &leaves)
    return Branch.root(over: leaves, kind: Branch.keyedKind, store)
  }

  /// Adds ascending keys in one pass over the leaves that they touch.
  package static func insertAll(
    _ root: Block?, sorted keys: UnsafeBufferPointer<UInt64>, _ store: BlockStore
  ) -> Block? {
    guard let root else { return build(sorted: keys, store) }
    if keys.count < 4 {
      var root = root
      for key in keys { root = insert(root, key, store) }
      return root
    }
    var nodes: [Block] = []
    apply(keys, removing: false, to: root, isRightmost: true, store, into: &nodes)
    return Branch.root(over: nodes, kind: Branch.keyedKind, store)
  }

  /// Takes ascending keys out in one pass; each has to be present as often as it is given.
  package static func removeAll(
    _ root: Block?, sorted keys: UnsafeBufferPointer<UInt64>, _ store: BlockStore
  ) -> Block? {
    guard var root else {
      if !keys.isEmpty { fatalError("KeySet: removes a key that is not there") }
      return nil
    }
    if keys.count < 4 {
      for (index, key) in keys.enumerated() {
        guard let next = remove(root, key, store) else {
          if index + 1 < keys.count { fatalError("KeySet: removes a key that is not there") }
          return nil
        }
        root = next
      }
      return root
    }
    var nodes: [Block] = []
    apply(keys, removing: true, to: root, isRightmost: true, store, into: &nodes)
    return Branch.root(over: nodes, kind: Branch.keyedKind, store)
  }

  /// Replaces `node` by the nodes of its level that hold its keys and `keys`, or its keys without `keys`.
  private static func apply(
    _ keys: UnsafeBufferPointer<UInt64>, removing: Bool, to node: Block, isRightmost: Bool, _ store: BlockStore,
    into nodes: inout [Block]
  ) {
    if keys.isEmpty {
      nodes.append(node)
    } else if Branch.isBranch(node) {
      applyToBranch(keys, removing: removing, node, isRightmost: isRightmost, store, into: &nodes)
    } else {
      applyToLeaf(keys, removing: removing, node, isRightmost: isRightmost, store, into: &nodes)
    }
  }

  private static func applyToBranch(
    _ keys: UnsafeBufferPointer<UInt64>, removing: Bool, _ node: Block, isRightmost: Bool, _ store: BlockStore,
    into nodes: inout [Block]
  ) {
    let count = Branch.count(node)
    var changed: [Block] = []
    changed.reserveCapacity(count + 2)
    var rest = keys
    // From the right, because all but the first occurrence of a key may lie in children right of its first one: an
    // occurrence is taken from the last child that may hold it, and what that child lacks from those before it.
    var groups: [(child: Int, keys: UnsafeBufferPointer<UInt64>)] = []
    for child in stride(from: count - 1, through: 0, by: -1) {
      let first = Branch.keys(node)[child]
      let start = child == 0 ? 0 : lowerBound(rest, first)
      var part = UnsafeBufferPointer(rebasing: rest[start...])
      if removing, child > 0, let most = occurrences(of: first, in: part, below: Branch.children(node)[child]) {
        // More occurrences of the first key than this child holds: the others lie before it.
        part = UnsafeBufferPointer(rebasing: part[most...])
      }
      groups.append((child, part))
      rest = UnsafeBufferPointer(rebasing: rest[..<(rest.count - part.count)])
    }
    for group in groups.reversed() {
      let isLast = isRightmost && group.child == count - 1
      let child = Branch.children(node)[group.child]
      apply(group.keys, removing: removing, to: child, isRightmost: isLast, store, into: &changed)
    }
    if removing { mergeSmall(&changed, store) }
    store.retire(node)
    nodes.append(contentsOf: Branch.parents(of: changed[...], kind: Branch.keyedKind, store))
  }

  /// When `keys` starts with more occurrences of `first` than `child` holds: how many of them belong before the child.
  private static func occurrences(
    of first: UInt64, in keys: UnsafeBufferPointer<UInt64>, below child: Block
  ) -> Int? {
    guard let key = keys.first, key == first, keys.count > 1, keys[1] == first else { return nil }
    let wanted = Branch.upperBound(keys.baseAddress!, keys.count, first)
    let held = first == UInt64.max ? count(child) : rank(child, of: first + 1)
    return wanted > held ? wanted - held : nil
  }

  private static func lowerBound(_ keys: UnsafeBufferPointer<UInt64>, _ key: UInt64) -> Int {
    if key == 0 || keys.isEmpty { return 0 }
    return Branch.upperBound(keys.baseAddress!, keys.count, key - 1)
  }

  private static func applyToLeaf(
    _ keys: UnsafeBufferPointer<UInt64>, removing: Bool, _ leaf: Block, isRightmost: Bool, _ store: BlockStore,
    into nodes: inout [Block]
  ) {
    let old = chunk(leaf)
    let count = old.count + (removing ? -keys.count : keys.count)
    if count < 0 { fatalError("KeySet: removes a key that is not there") }
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: old.count + keys.count) { buffer in
      var end = 0
      var next = 0
      if removing {
        for index in 0..<old.count {
          if next < keys.count, keys[next] == old[index] {
            next += 1
          } else {
            buffer[end] = old[index]
            end += 1
          }
        }
        if next < keys.count { fatalError("KeySet: removes a key that is not there") }
      } else {
        for index in 0..<old.count {
          while next < keys.count, keys[next] < old[index] {
            buffer[end] = keys[next]
            end += 1
            next += 1
          }
          buffer[end] = old[index]
          end += 1
        }
        while next < keys.count {
          buffer[end] = keys[next]
          end += 1
          next += 1
        }
      }
      let isAppend = !removing && isRightmost && keys[0] >= old[old.count - 1]
      emit(UnsafeBufferPointer(rebasing: buffer[..<end]), evenly: !isAppend, store, into: &nodes)
    }
    store.retire(leaf)
  }

  /// Merges neighbours of one level where one of them is below a quarter.
  private static func mergeSmall(_ nodes: inout [Block], _ store: BlockStore) {
    guard nodes.count > 1 else { return }
    var result: [Block] = [nodes[0]]
    for node in nodes.dropFirst() {
      let last = result[result.count - 1]
      let quarter = (Branch.isBranch(node) ? Branch.fanOut : narrowMax) / 4
      let sum = Branch.count(last) + Branch.count(node)
      guard min(Branch.count(last), Branch.count(node)) < quarter, sum <= quarter * 3 else {
        result.append(node)
        continue
      }
      if Branch.isBranch(node) {
        let left = Branch.owned(last, store)
        let right = Branch.owned(node, store)
        Branch.move(right, from: 0, count: Branch.count(right), left, at: Branch.count(left))
        result[result.count - 1] = left
        store.retire(right)
        continue
      }
      withUnsafeTemporaryAllocation(of: UInt64.self, capacity: sum) { buffer in
        chunk(last).decode(buffer.baseAddress!)
        chunk(node).decode(buffer.baseAddress! + Branch.count(last))
        guard fitsLeaf(UnsafeBufferPointer(buffer)) else { return result.append(node) }
        result[result.count - 1] = makeLeaf(UnsafeBufferPointer(buffer), store)
        store.retire(last)
        store.retire(node)
      }
    }
    nodes = result
  }
}
