import FirnEngine

/// Closed ranges of values, found by a value they contain.
///
/// A treap ordered by lower bound in which each node knows the greatest upper bound below it (Cormen et al., *Introduction
/// to Algorithms*, 14.3; priorities from a fixed sequence, Seidel and Aragon 1996). Adding and removing take O(log n)
/// expected, finding m ranges O(min(n, m log n)). By reference, so that a look-up does not copy it.
final class IntervalTree {
  @exclusivity(unchecked) private var nodes: [Node] = []
  /// The ranges themselves, which look-ups read only where 64 bits do not decide.
  @exclusivity(unchecked) private var bounds: [(lower: Value?, upper: Value?)] = []
  private var free: [Int32] = []
  @exclusivity(unchecked) private var root: Int32 = -1
  private var random: UInt64 = 0x9E37_79B9_7F4A_7C15

  private struct Node: BitwiseCopyable {
    var lower: UInt64
    var upper: UInt64
    /// Of the greatest upper bound in the subtree, and the node that has it.
    var greatest: UInt64
    var greatestNode: Int32
    var left: Int32 = -1
    var right: Int32 = -1
    var owner: Int32
    var priority: UInt64
  }

  var count: Int { nodes.count - free.count }

  var isEmpty: Bool { root < 0 }

  /// Adds a range and returns a handle to remove it by.
  func add(lower: Value?, upper: Value?, owner: Int32) -> Int32 {
    random ^= random &<< 13
    random ^= random &>> 7
    random ^= random &<< 17
    let index = free.popLast() ?? Int32(nodes.count)
    let upperCode = upper.map { SortCode($0).rawValue } ?? .max
    let node = Node(
      lower: lower.map { SortCode($0).rawValue } ?? 0, upper: upperCode, greatest: upperCode, greatestNode: index,
      owner: owner, priority: random)
    if Int(index) == nodes.count {
      nodes.append(node)
      bounds.append((lower, upper))
    } else {
      nodes[Int(index)] = node
      bounds[Int(index)] = (lower, upper)
    }
    let (left, right) = split(root, before: index)
    root = merge(merge(left, index), right)
    return index
  }

  func remove(_ index: Int32) {
    root = removing(index, from: root)
    bounds[Int(index)] = (nil, nil)
    free.append(index)
  }

  /// Appends the owner of each range that contains the value. Returns the number of nodes looked at.
  func collect(containing value: Value, into owners: inout [Int32]) -> Int {
    var visited = 0
    let code = SortCode(value).rawValue
    // Through the array it would be retained for each node.
    nodes.withUnsafeBufferPointer { visit(root, of: $0, value, code, &visited, &owners) }
    return visited
  }

  private func visit(
    _ start: Int32, of nodes: UnsafeBufferPointer<Node>, _ value: Value, _ code: UInt64, _ visited: inout Int,
    _ owners: inout [Int32]
  ) {
    var index = start
    while index >= 0 {
      visited &+= 1
      let node = nodes[Int(index)]
      if code > node.greatest { return }
      if code == node.greatest, isAfterUpper(value, node.greatestNode) { return }
      if node.left >= 0 { visit(node.left, of: nodes, value, code, &visited, &owners) }
      if code < node.lower { return }
      if code == node.lower, isBeforeLower(value, index) { return }
      if code < node.upper || code == node.upper && !isAfterUpper(value, index) { owners.append(node.owner) }
      index = node.right
    }
  }

  private func isAfterUpper(_ value: Value, _ index: Int32) -> Bool {
    bounds[Int(index)].upper.map { value.order(to: $0) > 0 } ?? false
  }

  private func isBeforeLower(_ value: Value, _ index: Int32) -> Bool {
    bounds[Int(index)].lower.map { value.order(to: $0) < 0 } ?? false
  }

  func checkInvariants() {
    var reached = 0
    check(root, &reached)
    if reached != count { fatalError("Not every range is in the tree.") }
  }

  private func check(_ index: Int32, _ reached: inout Int) {
    if index < 0 { return }
    reached += 1
    let node = nodes[Int(index)]
    var greatest = index
    for child in [node.left, node.right] where child >= 0 {
      if nodes[Int(child)].priority > node.priority { fatalError("A child has a higher priority.") }
      check(child, &reached)
      if upperOrder(greatest, nodes[Int(child)].greatestNode) < 0 { greatest = nodes[Int(child)].greatestNode }
    }
    if upperOrder(greatest, node.greatestNode) != 0 || nodes[Int(node.greatestNode)].upper != node.greatest {
      fatalError("A greatest upper bound is wrong.")
    }
    if node.left >= 0, !precedes(node.left, index) { fatalError("The order is wrong.") }
    if node.right >= 0, precedes(node.right, index) { fatalError("The order is wrong.") }
  }
}

extension IntervalTree {
  /// Nodes in order of lower bound, then index.
  private func precedes(_ a: Int32, _ b: Int32) -> Bool {
    let order = lowerOrder(a, b)
    return order != 0 ? order < 0 : a < b
  }

  /// An open lower bound comes first.
  private func lowerOrder(_ a: Int32, _ b: Int32) -> Int {
    let codes = (nodes[Int(a)].lower, nodes[Int(b)].lower)
    if codes.0 != codes.1 { return codes.0 < codes.1 ? -1 : 1 }
    guard let left = bounds[Int(a)].lower else { return bounds[Int(b)].lower == nil ? 0 : -1 }
    return bounds[Int(b)].lower.map { left.order(to: $0) } ?? 1
  }

  /// An open upper bound comes last.
  private func upperOrder(_ a: Int32, _ b: Int32) -> Int {
    let codes = (nodes[Int(a)].upper, nodes[Int(b)].upper)
    if codes.0 != codes.1 { return codes.0 < codes.1 ? -1 : 1 }
    guard let left = bounds[Int(a)].upper else { return bounds[Int(b)].upper == nil ? 0 : 1 }
    return bounds[Int(b)].upper.map { left.order(to: $0) } ?? -1
  }

  private func refresh(_ index: Int32) {
    var greatest = index
    let node = nodes[Int(index)]
    if node.left >= 0, upperOrder(greatest, nodes[Int(node.left)].greatestNode) < 0 {
      greatest = nodes[Int(node.left)].greatestNode
    }
    if node.right >= 0, upperOrder(greatest, nodes[Int(node.right)].greatestNode) < 0 {
      greatest = nodes[Int(node.right)].greatestNode
    }
    nodes[Int(index)].greatestNode = greatest
    nodes[Int(index)].greatest = nodes[Int(greatest)].upper
  }

  private func split(_ tree: Int32, before pivot: Int32) -> (Int32, Int32) {
    if tree < 0 { return (-1, -1) }
    if precedes(tree, pivot) {
      let (left, right) = split(nodes[Int(tree)].right, before: pivot)
      nodes[Int(tree)].right = left
      refresh(tree)
      return (tree, right)
    }
    let (left, right) = split(nodes[Int(tree)].left, before: pivot)
    nodes[Int(tree)].left = right
    refresh(tree)
    return (left, tree)
  }

  private func merge(_ left: Int32, _ right: Int32) -> Int32 {
    if left < 0 { return right }
    if right < 0 { return left }
    if nodes[Int(left)].priority > nodes[Int(right)].priority {
      nodes[Int(left)].right = merge(nodes[Int(left)].right, right)
      refresh(left)
      return left
    }
    nodes[Int(right)].left = merge(left, nodes[Int(right)].left)
    refresh(right)
    return right
  }

  private func removing(_ index: Int32, from tree: Int32) -> Int32 {
    if tree == index { return merge(nodes[Int(index)].left, nodes[Int(index)].right) }
    if tree < 0 { fatalError("The range is not in the tree.") }
    if precedes(index, tree) {
      nodes[Int(tree)].left = removing(index, from: nodes[Int(tree)].left)
    } else {
      nodes[Int(tree)].right = removing(index, from: nodes[Int(tree)].right)
    }
    refresh(tree)
    return tree
  }
}
