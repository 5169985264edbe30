// Changes of leaves. For the writer only.
extension ListTree {
  static func makeLeaf(room: Int, _ shape: ListShape, _ store: BlockStore) -> Block {
    let leaf = store.allocate(byteCount: shape.elementsOffset + room * shape.width)
    leaf.blockKind = leafKind
    leaf.storeBytes(of: 0, toByteOffset: 16, as: UInt64.self)
    if shape.isNullable { setNulls(leaf, 0) }
    return leaf
  }

  /// Room for at least `count` elements.
  static func grown(_ count: Int, _ shape: ListShape) -> Int {
    var room = 4
    while room < count { room = room < 64 ? room * 2 : room + 32 }
    return min(room, shape.leafMax)
  }

  /// The leaf, owned and with room for `count` elements.
  @inline(__always)
  static func reserve(_ leaf: Block, _ count: Int, _ shape: ListShape, _ store: BlockStore) -> Block {
    let isTight = shape.elementsOffset &+ count &* shape.width > leaf.blockSize
    if !isTight && store.owns(leaf) { return leaf }
    let used = shape.elementsOffset + Branch.count(leaf) * shape.width
    let size = isTight ? shape.elementsOffset + grown(count, shape) * shape.width : leaf.blockSize
    return store.replace(leaf, usedByteCount: used, capacity: size)
  }

  @inline(__always)
  static func setCount(_ leaf: Block, _ count: Int) {
    leaf.storeBytes(of: UInt32(truncatingIfNeeded: count), toByteOffset: 16, as: UInt32.self)
  }

  @inline(__always)
  static func setNulls(_ leaf: Block, _ nulls: UInt128) {
    leaf.storeBytes(of: UInt64(truncatingIfNeeded: nulls), toByteOffset: nullsOffset, as: UInt64.self)
    leaf.storeBytes(of: UInt64(truncatingIfNeeded: nulls >> 64), toByteOffset: nullsOffset + 8, as: UInt64.self)
  }

  @inline(__always)
  static func address(_ leaf: Block, _ index: Int, _ shape: ListShape) -> Block {
    leaf + shape.elementsOffset + index &* shape.width
  }

  /// Opens a gap of `count` elements at `index` of an owned leaf that has the room. The gap has garbage, not null.
  @inline(__always)
  static func openGap(_ leaf: Block, _ index: Int, _ count: Int, _ shape: ListShape) {
    let end = Branch.count(leaf)
    address(leaf, index &+ count, shape)
      .copyMemory(from: address(leaf, index, shape), byteCount: (end &- index) &* shape.width)
    if shape.isNullable {
      let nulls = nulls(leaf, shape)
      let low = lowBits(index)
      setNulls(leaf, nulls & low | (nulls & ~low) << UInt128(count))
    }
    setCount(leaf, end &+ count)
  }

  /// Takes `count` elements out at `index` of an owned leaf.
  @inline(__always)
  static func closeGap(_ leaf: Block, _ index: Int, _ count: Int, _ shape: ListShape) {
    let end = Branch.count(leaf)
    address(leaf, index, shape)
      .copyMemory(from: address(leaf, index &+ count, shape), byteCount: (end &- index &- count) &* shape.width)
    if shape.isNullable {
      let nulls = nulls(leaf, shape)
      let low = lowBits(index)
      setNulls(leaf, nulls & low | (nulls >> UInt128(count)) & ~low)
    }
    setCount(leaf, end &- count)
  }

  /// Moves elements between owned leaves; the target has the room.
  static func move(
    _ source: Block, from: Int, count: Int, _ target: Block, at to: Int, _ shape: ListShape
  ) {
    openGap(target, to, count, shape)
    address(target, to, shape).copyMemory(from: address(source, from, shape), byteCount: count * shape.width)
    if shape.isNullable {
      let bits = (nulls(source, shape) >> UInt128(from)) & lowBits(count)
      setNulls(target, nulls(target, shape) | bits << UInt128(to))
    }
    closeGap(source, from, count, shape)
  }

  /// Writes an element of an owned leaf; nil is null.
  @inline(__always)
  static func write(_ leaf: Block, _ index: Int, _ element: UnsafeRawPointer?, _ shape: ListShape) {
    let target = address(leaf, index, shape)
    if let element {
      target.copyMemory(from: element, byteCount: shape.width)
    } else {
      if !shape.isNullable { fatalError("ListTree: null in a list without nulls") }
      target.initializeMemory(as: UInt8.self, repeating: 0, count: shape.width)
    }
    if shape.isNullable {
      let bit: UInt128 = 1 << UInt128(index)
      let others = nulls(leaf, shape) & ~bit
      setNulls(leaf, element == nil ? others | bit : others)
    }
  }

  /// The blob of an element, to be given up.
  @inline(__always)
  static func blob(_ leaf: Block, _ index: Int, _ shape: ListShape) -> Blob {
    Blob(word: address(leaf, index, shape).loadUnaligned(as: UInt64.self))
  }
}
