/// A leaf of a ``CountedTree``: a count, then the elements.
struct LeafNode<Element: BitwiseCopyable> {
  let base: UnsafeMutableRawPointer

  static var capacity: Int { 128 }
  /// How many elements a leaf gets when the tree is built.
  static var filled: Int { 112 }
  /// The room of the least leaf, which only the root of a small tree is.
  static var leastCapacity: Int { 2 }

  static func byteCount(_ capacity: Int) -> Int { 16 + capacity * MemoryLayout<Element>.stride }

  @inline(__always)
  init(_ base: UnsafeMutableRawPointer) { self.base = base }

  static func make(_ capacity: Int = capacity) -> LeafNode {
    let leaf = LeafNode(UnsafeMutableRawPointer.allocate(byteCount: byteCount(capacity), alignment: 16))
    leaf.count = 0
    return leaf
  }

  @inline(__always)
  var count: Int {
    get { base.load(as: Int.self) }
    nonmutating set { base.storeBytes(of: newValue, as: Int.self) }
  }

  @inline(__always)
  var elements: UnsafeMutablePointer<Element> { (base + 16).assumingMemoryBound(to: Element.self) }

  @inline(__always)
  func rank(_ precedes: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low &+ high) &>> 1
      if precedes(elements[middle]) { low = middle &+ 1 } else { high = middle }
    }
    return low
  }

  func fill(_ slice: ArraySlice<Element>) {
    slice.withUnsafeBufferPointer { source in
      if let start = source.baseAddress { elements.update(from: start, count: source.count) }
    }
    count = slice.count
  }

  func insert(_ element: Element, at index: Int) {
    (elements + (index &+ 1)).update(from: elements + index, count: count &- index)
    elements[index] = element
    count &+= 1
  }

  func remove(at index: Int) {
    (elements + index).update(from: elements + (index &+ 1), count: count &- index &- 1)
    count &-= 1
  }

  /// Moves the elements from `index` on to the end of `other`.
  func move(from index: Int, to other: LeafNode) {
    (other.elements + other.count).update(from: elements + index, count: count &- index)
    other.count &+= count &- index
    count = index
  }

  /// Moves the last `moved` elements to the start of `other`.
  func moveLast(_ moved: Int, to other: LeafNode) {
    (other.elements + moved).update(from: other.elements, count: other.count)
    other.elements.update(from: elements + (count &- moved), count: moved)
    other.count &+= moved
    count &-= moved
  }

  /// Moves the first `moved` elements to the end of `other`.
  func moveFirst(_ moved: Int, to other: LeafNode) {
    (other.elements + other.count).update(from: elements, count: moved)
    elements.update(from: elements + moved, count: count &- moved)
    other.count &+= moved
    count &-= moved
  }
}

/// An inner node of a ``CountedTree``: a count of children, then children, element counts and first elements.
struct InnerNode<Element: BitwiseCopyable> {
  let base: UnsafeMutableRawPointer

  static var capacity: Int { 64 }
  static var filled: Int { 56 }
  static var byteCount: Int { 16 + capacity * (16 + MemoryLayout<Element>.stride) }

  @inline(__always)
  init(_ base: UnsafeMutableRawPointer) { self.base = base }

  static func make() -> InnerNode {
    let node = InnerNode(UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 16))
    node.count = 0
    return node
  }

  @inline(__always)
  var count: Int {
    get { base.load(as: Int.self) }
    nonmutating set { base.storeBytes(of: newValue, as: Int.self) }
  }

  @inline(__always)
  var children: UnsafeMutablePointer<UnsafeMutableRawPointer> {
    (base + 16).assumingMemoryBound(to: UnsafeMutableRawPointer.self)
  }

  @inline(__always)
  var counts: UnsafeMutablePointer<Int> { (base + 16 + 8 * Self.capacity).assumingMemoryBound(to: Int.self) }

  @inline(__always)
  var firsts: UnsafeMutablePointer<Element> { (base + 16 + 16 * Self.capacity).assumingMemoryBound(to: Element.self) }

  /// The child that holds the element at `position`, which becomes the position inside the child.
  @inline(__always)
  func child(at position: inout Int) -> Int {
    var index = 0
    while position >= counts[index] {
      position &-= counts[index]
      index &+= 1
    }
    return index
  }

  /// The same for a place between elements: behind the last element of a child belongs to that child.
  @inline(__always)
  func childForInsertion(at position: inout Int) -> Int {
    var index = 0
    while position > counts[index] {
      position &-= counts[index]
      index &+= 1
    }
    return index
  }

  /// Puts a child at `index` and reads its count and first element. `level` is the child's.
  func set(_ index: Int, _ child: UnsafeMutableRawPointer, _ level: Int) {
    children[index] = child
    if level == 0 {
      counts[index] = LeafNode<Element>(child).count
    } else {
      let inner = InnerNode(child)
      var total = 0
      for position in 0..<inner.count { total &+= inner.counts[position] }
      counts[index] = total
    }
    if counts[index] > 0 { firsts[index] = Self.first(below: child, level) }
  }

  static func first(below node: UnsafeMutableRawPointer, _ level: Int) -> Element {
    level == 0 ? LeafNode<Element>(node).elements[0] : InnerNode(node).firsts[0]
  }

  func insert(_ child: UnsafeMutableRawPointer, _ level: Int, at index: Int) {
    let moved = count &- index
    (children + (index &+ 1)).update(from: children + index, count: moved)
    (counts + (index &+ 1)).update(from: counts + index, count: moved)
    (firsts + (index &+ 1)).update(from: firsts + index, count: moved)
    count &+= 1
    set(index, child, level)
  }

  private func removeEntry(_ index: Int) {
    let moved = count &- index &- 1
    (children + index).update(from: children + (index &+ 1), count: moved)
    (counts + index).update(from: counts + (index &+ 1), count: moved)
    (firsts + index).update(from: firsts + (index &+ 1), count: moved)
    count &-= 1
  }

  /// Moves the entries from `index` on to the end of `other`.
  func move(from index: Int, to other: InnerNode) {
    let moved = count &- index
    (other.children + other.count).update(from: children + index, count: moved)
    (other.counts + other.count).update(from: counts + index, count: moved)
    (other.firsts + other.count).update(from: firsts + index, count: moved)
    other.count &+= moved
    count = index
  }

  private func moveLast(_ moved: Int, to other: InnerNode) {
    (other.children + moved).update(from: other.children, count: other.count)
    (other.counts + moved).update(from: other.counts, count: other.count)
    (other.firsts + moved).update(from: other.firsts, count: other.count)
    other.count &+= moved
    let start = count &- moved
    other.children.update(from: children + start, count: moved)
    other.counts.update(from: counts + start, count: moved)
    other.firsts.update(from: firsts + start, count: moved)
    count = start
  }

  private func moveFirst(_ moved: Int, to other: InnerNode) {
    (other.children + other.count).update(from: children, count: moved)
    (other.counts + other.count).update(from: counts, count: moved)
    (other.firsts + other.count).update(from: firsts, count: moved)
    other.count &+= moved
    let rest = count &- moved
    children.update(from: children + moved, count: rest)
    counts.update(from: counts + moved, count: rest)
    firsts.update(from: firsts + moved, count: rest)
    count = rest
  }

  /// Refreshes the entry of a leaf that lost an element; joins or evens it out with a neighbour when it is too empty.
  func balanceLeaves(_ index: Int) {
    if LeafNode<Element>(children[index]).count >= LeafNode<Element>.capacity / 4 || count == 1 {
      return set(index, children[index], 0)
    }
    let left = index == 0 ? 0 : index &- 1
    let first = LeafNode<Element>(children[left])
    let second = LeafNode<Element>(children[left &+ 1])
    let total = first.count &+ second.count
    if total <= LeafNode<Element>.capacity * 3 / 4 {
      second.move(from: 0, to: first)
      second.base.deallocate()
      removeEntry(left &+ 1)
    } else {
      if first.count > total / 2 {
        first.moveLast(first.count &- total / 2, to: second)
      } else {
        second.moveFirst(total / 2 &- first.count, to: first)
      }
      set(left &+ 1, children[left &+ 1], 0)
    }
    set(left, children[left], 0)
  }

  /// The same for inner nodes; `level` is the child's.
  func balanceInner(_ index: Int, _ level: Int) {
    if InnerNode(children[index]).count >= Self.capacity / 4 || count == 1 {
      return set(index, children[index], level)
    }
    let left = index == 0 ? 0 : index &- 1
    let first = InnerNode(children[left])
    let second = InnerNode(children[left &+ 1])
    let total = first.count &+ second.count
    if total <= Self.capacity * 3 / 4 {
      second.move(from: 0, to: first)
      second.base.deallocate()
      removeEntry(left &+ 1)
    } else {
      if first.count > total / 2 {
        first.moveLast(first.count &- total / 2, to: second)
      } else {
        second.moveFirst(total / 2 &- first.count, to: first)
      }
      set(left &+ 1, children[left &+ 1], level)
    }
    set(left, children[left], level)
  }
}
