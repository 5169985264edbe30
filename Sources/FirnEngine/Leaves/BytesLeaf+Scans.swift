internal import CFirn

extension BytesLeaf {
  /// How a value has to relate to the needle, byte by byte. Raw values are those of the kernels.
  package enum Relation: Int32 {
    case equals = 0
    case contains = 1
    case hasPrefix = 2
    case hasSuffix = 3
  }

  /// The slots below `count` that match, dead ones included. An empty needle is contained in, and is a prefix and a suffix of,
  /// every value.
  package static func match(
    _ leaf: UnsafeRawPointer, count: Int, _ relation: Relation, _ needle: UnsafeRawBufferPointer,
    into mask: UnsafeMutablePointer<UInt64>
  ) {
    let ends = leaf + endsOffset
    if leaf.blockShift == 1 {
      firn_match_bytes16(
        ends.assumingMemoryBound(to: UInt16.self), arena(leaf), count, relation.rawValue, needle.baseAddress,
        needle.count, mask)
    } else {
      firn_match_bytes32(
        ends.assumingMemoryBound(to: UInt32.self), arena(leaf), count, relation.rawValue, needle.baseAddress,
        needle.count, mask)
    }
  }

  /// `match` for a string.
  package static func match(
    _ leaf: UnsafeRawPointer, count: Int, _ relation: Relation, _ needle: String,
    into mask: UnsafeMutablePointer<UInt64>
  ) {
    var needle = needle
    needle.withUTF8 { match(leaf, count: count, relation, UnsafeRawBufferPointer($0), into: mask) }
  }
}
