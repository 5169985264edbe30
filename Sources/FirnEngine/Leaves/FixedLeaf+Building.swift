extension FixedLeaf {
  /// A leaf with the given values, which lie one after the other, as slots 0, 1, ….
  package static func build(
    _ values: UnsafeRawPointer, count: Int, valueSize: Int, capacity: Int, store: BlockStore
  ) -> Block {
    let leaf = make(exactly: capacity, valueSize: valueSize, store: store)
    (leaf + valuesOffset).copyMemory(from: values, byteCount: count &* valueSize)
    leaf.blockWritten = count
    return leaf
  }
}
