extension IntLeaf {
  /// A leaf with the given values as slots 0, 1, …, in a frame that suits them all.
  ///
  /// - Complexity: O(count), in loops without branches.
  package static func build(
    _ values: UnsafePointer<Int64>, count: Int, capacity: Int, store: BlockStore
  ) -> Block {
    var least = count == 0 ? 0 : values[0]
    var greatest = least
    var index = 1
    while index < count {
      least = min(least, values[index])
      greatest = max(greatest, values[index])
      index &+= 1
    }
    let frame = IntFrame(least: least, greatest: greatest, growsDown: false)
    let leaf = make(capacity: capacity, frame, store)
    let target = leaf + valuesOffset
    switch frame.shift {
    case 0: narrow(values, count, frame.base, to: target.assumingMemoryBound(to: UInt8.self))
    case 1: narrow(values, count, frame.base, to: target.assumingMemoryBound(to: UInt16.self))
    case 2: narrow(values, count, frame.base, to: target.assumingMemoryBound(to: UInt32.self))
    default: target.copyMemory(from: values, byteCount: count &* 8)
    }
    leaf.blockWritten = count
    return leaf
  }

  /// Writes the first `count` values to `target`.
  ///
  /// - Complexity: O(count), in loops without branches.
  package static func decode(_ leaf: UnsafeRawPointer, count: Int, into target: UnsafeMutablePointer<Int64>) {
    let values = leaf + valuesOffset
    let base = base(leaf)
    switch leaf.blockShift {
    case 0: widen(values.assumingMemoryBound(to: UInt8.self), count, base, to: target)
    case 1: widen(values.assumingMemoryBound(to: UInt16.self), count, base, to: target)
    case 2: widen(values.assumingMemoryBound(to: UInt32.self), count, base, to: target)
    default: UnsafeMutableRawPointer(target).copyMemory(from: values, byteCount: count &* 8)
    }
  }

  @inline(__always)
  private static func narrow<Stored: FixedWidthInteger>(
    _ values: UnsafePointer<Int64>, _ count: Int, _ base: Int64, to target: UnsafeMutablePointer<Stored>
  ) {
    var index = 0
    while index < count {
      target[index] = Stored(truncatingIfNeeded: values[index] &- base)
      index &+= 1
    }
  }

  @inline(__always)
  private static func widen<Stored: FixedWidthInteger>(
    _ values: UnsafePointer<Stored>, _ count: Int, _ base: Int64, to target: UnsafeMutablePointer<Int64>
  ) {
    var index = 0
    while index < count {
      target[index] = base &+ Int64(truncatingIfNeeded: values[index])
      index &+= 1
    }
  }
}
