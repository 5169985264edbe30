/// An ordered sequence with positions: a B+tree whose inner nodes know how many elements lie below each child.
///
/// The tree does not know its order. Callers describe a place by a condition that is true for exactly the elements
/// before it, so that an order may depend on data outside (a version of the graph) that is different on each call.
/// Rank, select, insert and remove take O(log n); building from an ordered sequence takes O(n).
///
/// An inner node also holds the first element below each child. These copies are kept equal to the elements, never just
/// a bound, because the data behind an element that was removed may not exist any more. Only what does not decide about the
/// order may differ, after `replace`.
///
/// Invariants, checked by `checkInvariants()`:
/// - leaves have room for `LeafNode.capacity` elements, but for a single leaf that never was full, which has `rootCapacity`
/// - leaves have one depth; nodes are a quarter full when something is removed below them, and never empty but for the root
/// - `counts[i]` and `firsts[i]` are the number of elements below child i and the first of them
final class CountedTree<Element: BitwiseCopyable> {

  private(set) var count = 0
  /// 0: the root is a leaf.
  private var height = 0
  private var root: UnsafeMutableRawPointer
  /// The room of the root, if it is a leaf: there are many trees of few elements.
  private var rootCapacity = LeafNode<Element>.leastCapacity

  init() { root = LeafNode<Element>.make(LeafNode<Element>.leastCapacity).base }

  /// The elements must be in order.
  convenience init(_ elements: [Element]) {
    self.init()
    if !elements.isEmpty { rebuild(elements) }
  }

  deinit { Self.free(root, height) }

  /// Replaces the content with elements in order. O(n).
  func rebuild(_ elements: [Element]) {
    Self.free(root, height)
    height = 0
    rootCapacity = LeafNode<Element>.leastCapacity
    while rootCapacity < elements.count, rootCapacity < LeafNode<Element>.capacity { rootCapacity *= 2 }
    root = LeafNode<Element>.make(rootCapacity).base
    build(elements)
  }

  /// Gives a root that is a full leaf more room, unless it has all that a leaf can have.
  private func growRoot() {
    if height > 0 || count < rootCapacity || rootCapacity == LeafNode<Element>.capacity { return }
    rootCapacity *= 2
    let leaf = LeafNode<Element>.make(rootCapacity)
    LeafNode<Element>(root).move(from: 0, to: leaf)
    root.deallocate()
    root = leaf.base
  }

  /// The number of elements for which the condition is true. It must be true for a prefix of the elements.
  @inline(__always)
  func rank(_ precedes: (Element) -> Bool) -> Int {
    var node = root
    var level = height
    var rank = 0
    while level > 0 {
      let inner = InnerNode<Element>(node)
      var low = 1
      var high = inner.count
      while low < high {
        let middle = (low &+ high) &>> 1
        if precedes(inner.firsts[middle]) { low = middle &+ 1 } else { high = middle }
      }
      var index = 0
      while index < low &- 1 {
        rank &+= inner.counts[index]
        index &+= 1
      }
      node = inner.children[low &- 1]
      level &-= 1
    }
    return rank &+ LeafNode<Element>(node).rank(precedes)
  }

  func select(_ position: Int) -> Element {
    let (leaf, index) = leaf(at: position)
    return leaf.elements[index]
  }

  @inline(__always)
  private func leaf(at position: Int) -> (leaf: LeafNode<Element>, index: Int) {
    if position < 0 || position >= count { fatalError("Position \(position) is outside of \(count) rows.") }
    var node = root
    var level = height
    var rest = position
    while level > 0 {
      let inner = InnerNode<Element>(node)
      node = inner.children[inner.child(at: &rest)]
      level &-= 1
    }
    return (LeafNode<Element>(node), rest)
  }

  /// Calls `body` with each element in order.
  func walk(_ body: (Element) -> Void) { Self.walk(root, height, body) }

  /// Inserts before the element at `position`.
  func insert(_ element: Element, at position: Int) {
    growRoot()
    if let sibling = insert(element, position, into: root, height, atEnd: position == count) {
      let node = InnerNode<Element>.make()
      node.count = 2
      node.set(0, root, height)
      node.set(1, sibling, height)
      root = node.base
      height &+= 1
    }
    count &+= 1
  }

  /// Puts an element in the place of another that is equal to it in all that decides about the order.
  func replace(at position: Int, with element: Element) {
    let (leaf, index) = leaf(at: position)
    leaf.elements[index] = element
  }

  func remove(at position: Int) {
    if position < 0 || position >= count { fatalError("Position \(position) is outside of \(count) rows.") }
    remove(position, from: root, height)
    count &-= 1
    while height > 0 {
      let inner = InnerNode<Element>(root)
      if inner.count > 1 { break }
      root = inner.children[0]
      inner.base.deallocate()
      height &-= 1
    }
  }
}

// Inserting and removing, from the root down. Each level refreshes what it knows of the child it went through.
extension CountedTree {
  private func insert(
    _ element: Element, _ position: Int, into node: UnsafeMutableRawPointer, _ level: Int, atEnd: Bool
  ) -> UnsafeMutableRawPointer? {
    if level == 0 {
      let leaf = LeafNode<Element>(node)
      if leaf.count < LeafNode<Element>.capacity {
        leaf.insert(element, at: position)
        return nil
      }
      // At the end of the sequence nodes stay full; elsewhere they are cut in the middle.
      let cut = atEnd ? leaf.count : leaf.count / 2
      let sibling = LeafNode<Element>(Self.makeLeaf())
      leaf.move(from: cut, to: sibling)
      if atEnd || position > cut {
        sibling.insert(element, at: position &- cut)
      } else {
        leaf.insert(element, at: position)
      }
      return sibling.base
    }
    let inner = InnerNode<Element>(node)
    var rest = position
    let child = inner.childForInsertion(at: &rest)
    let split = insert(element, rest, into: inner.children[child], level &- 1, atEnd: atEnd)
    inner.set(child, inner.children[child], level &- 1)
    guard let split else { return nil }
    if inner.count < InnerNode<Element>.capacity {
      inner.insert(split, level &- 1, at: child &+ 1)
      return nil
    }
    let cut = atEnd ? inner.count : inner.count / 2
    let sibling = InnerNode<Element>.make()
    inner.move(from: cut, to: sibling)
    if atEnd || child &+ 1 > cut {
      sibling.insert(split, level &- 1, at: child &+ 1 &- cut)
    } else {
      inner.insert(split, level &- 1, at: child &+ 1)
    }
    return sibling.base
  }

  private func remove(_ position: Int, from node: UnsafeMutableRawPointer, _ level: Int) {
    if level == 0 { return LeafNode<Element>(node).remove(at: position) }
    let inner = InnerNode<Element>(node)
    var rest = position
    let child = inner.child(at: &rest)
    remove(rest, from: inner.children[child], level &- 1)
    if level == 1 {
      inner.balanceLeaves(child)
    } else {
      inner.balanceInner(child, level &- 1)
    }
  }
}

// Building, walking, freeing.
extension CountedTree {
  private func build(_ elements: [Element]) {
    count = elements.count
    let leafCount = max(1, (elements.count + LeafNode<Element>.filled - 1) / LeafNode<Element>.filled)
    var nodes: [UnsafeMutableRawPointer] = []
    nodes.reserveCapacity(leafCount)
    for index in 0..<leafCount {
      let leaf = LeafNode<Element>(index == 0 ? root : Self.makeLeaf())
      leaf.fill(elements[elements.count * index / leafCount..<elements.count * (index + 1) / leafCount])
      nodes.append(leaf.base)
    }
    while nodes.count > 1 {
      let parentCount = (nodes.count + InnerNode<Element>.filled - 1) / InnerNode<Element>.filled
      var parents: [UnsafeMutableRawPointer] = []
      for index in 0..<parentCount {
        let inner = InnerNode<Element>.make()
        for child in nodes[nodes.count * index / parentCount..<nodes.count * (index + 1) / parentCount] {
          inner.insert(child, height, at: inner.count)
        }
        parents.append(inner.base)
      }
      nodes = parents
      height += 1
    }
    root = nodes[0]
  }

  private static func makeLeaf() -> UnsafeMutableRawPointer { LeafNode<Element>.make().base }

  private static func free(_ node: UnsafeMutableRawPointer, _ level: Int) {
    if level > 0 {
      let inner = InnerNode<Element>(node)
      for index in 0..<inner.count { free(inner.children[index], level - 1) }
    }
    node.deallocate()
  }

  private static func walk(_ node: UnsafeMutableRawPointer, _ level: Int, _ body: (Element) -> Void) {
    if level > 0 {
      let inner = InnerNode<Element>(node)
      for index in 0..<inner.count { walk(inner.children[index], level - 1, body) }
    } else {
      let leaf = LeafNode<Element>(node)
      for index in 0..<leaf.count { body(leaf.elements[index]) }
    }
  }

  /// The bytes of all nodes.
  var byteCount: Int { height == 0 ? LeafNode<Element>.byteCount(rootCapacity) : Self.byteCount(root, height) }

  private static func byteCount(_ node: UnsafeMutableRawPointer, _ level: Int) -> Int {
    if level == 0 { return LeafNode<Element>.byteCount(LeafNode<Element>.capacity) }
    let inner = InnerNode<Element>(node)
    return (0..<inner.count).reduce(InnerNode<Element>.byteCount) { $0 + byteCount(inner.children[$1], level - 1) }
  }

  func checkInvariants(_ isSame: (Element, Element) -> Bool) {
    if height == 0, count > rootCapacity { fatalError("The root has more elements than room.") }
    if Self.check(root, height, isRoot: true, isSame) != count { fatalError("The count of the tree is wrong.") }
  }

  private static func check(
    _ node: UnsafeMutableRawPointer, _ level: Int, isRoot: Bool, _ isSame: (Element, Element) -> Bool
  ) -> Int {
    if level == 0 {
      let leaf = LeafNode<Element>(node)
      if leaf.count > LeafNode<Element>.capacity || !isRoot && leaf.count == 0 {
        fatalError("A leaf is out of bounds.")
      }
      return leaf.count
    }
    let inner = InnerNode<Element>(node)
    if inner.count > InnerNode<Element>.capacity || inner.count < (isRoot ? 2 : 1) {
      fatalError("An inner node is out of bounds.")
    }
    var total = 0
    for index in 0..<inner.count {
      let below = check(inner.children[index], level - 1, isRoot: false, isSame)
      if below != inner.counts[index] { fatalError("A count of an inner node is wrong.") }
      if !isSame(InnerNode<Element>.first(below: inner.children[index], level - 1), inner.firsts[index]) {
        fatalError("A first element of an inner node is wrong.")
      }
      total += below
    }
    return total
  }
}
