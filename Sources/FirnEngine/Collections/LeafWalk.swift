/// Goes from leaf to leaf of a counted B+tree, in order. Allocates nothing and keeps no stack: it remembers the branch
/// above the current leaf, and finds the next such branch from the root by position.
@frozen @usableFromInline
package struct LeafWalk {
  @usableFromInline let root: UnsafeRawPointer?
  /// The branch above the current leaf; nil before the first step and when the root is a leaf.
  @usableFromInline var branch: UnsafeRawPointer?
  @usableFromInline var child = 0
  /// The position of the next leaf's first element; before the first step where to start.
  @usableFromInline var position: Int
  /// The number of elements in the tree.
  @usableFromInline package let count: Int

  @inlinable @inline(__always)
  package init(_ root: UnsafeRawPointer?, from start: Int) {
    self.root = root
    position = start
    count = root.map { Branch.weight(of: $0) } ?? 0
  }

  /// The next leaf and how many of its elements to skip; the latter is 0 but for the first. nil at the end.
  @inlinable @inline(__always)
  package mutating func next() -> (leaf: UnsafeRawPointer, skipped: Int)? {
    if position >= count { return nil }
    if let branch {
      child &+= 1
      if child < Branch.count(branch) {
        let leaf = UnsafeRawPointer(Branch.children(branch)[child])
        position &+= Branch.count(leaf)
        return (leaf, 0)
      }
    }
    return descend()
  }

  @inlinable @inline(never)
  mutating func descend() -> (leaf: UnsafeRawPointer, skipped: Int) {
    guard var node = root else { fatalError("LeafWalk: no tree") }
    var rest = position
    while Branch.isBranch(node) {
      let (index, before) = Branch.position(of: rest, in: node)
      rest &-= before
      branch = node
      child = index
      node = UnsafeRawPointer(Branch.children(node)[index])
    }
    position &+= Branch.count(node) &- rest
    return (node, rest)
  }
}
