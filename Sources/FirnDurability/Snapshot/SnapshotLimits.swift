/// What is read from a file is at most this much, and what is written is cut so that it is.
///
/// Whatever the engine can hold fits: a group has one row at least, and a collection is cut between any two elements. Tests lower the
/// limits to reach them with little data.
package struct SnapshotLimits: Hashable, Sendable {
  /// The rows of a group, and the values in a block of a dictionary.
  package var rowCountMax = 16_384
  /// The raw bytes of a block, and the bytes of all strings in it. More than the longest key and the longest value of a map, which
  /// cannot be cut, have together: 2^31 bytes each.
  package var rawByteCountMax = (1 << 32) + (1 << 24)
  /// The elements of all collections in a block.
  package var elementCountMax = 1 << 27
  /// Rows, elements and dictionaries are cut where a block would take more than this, unless it is one value alone.
  package var cutByteCount = 256 << 20
  /// The raw bytes of a block of effects.
  package var effectsByteCountMax = 1 << 20
  /// The effects of a delta. Where there are more, a base is written.
  package var deltaByteCountMax = 1 << 32

  package init() {}

  package static let standard = SnapshotLimits()
}
