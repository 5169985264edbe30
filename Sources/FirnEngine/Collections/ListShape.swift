/// What the elements of a list look like. All lists of one property have the same shape; it is not stored in the tree.
@frozen @usableFromInline
package struct ListShape {
  /// Bytes per element: 1 to 16.
  @usableFromInline package let width: Int
  /// Whether elements may be null. Null elements have zero bytes and a bit in their leaf.
  @usableFromInline package let isNullable: Bool
  /// Whether elements are `Blob` words whose blocks belong to the list. Width 8.
  @usableFromInline package let ownsBlobs: Bool
  /// Which branches lie above the leaves: those of lists, or of ordered indexes. Beside the flags, so that all three are
  /// passed in one register.
  @usableFromInline let branchKind: UInt8
  /// The most elements in a leaf: a leaf takes about 1 KB and has at most 128, the width of its null bits.
  @usableFromInline package let leafMax: Int

  @inlinable
  package init(
    width: Int, isNullable: Bool = false, ownsBlobs: Bool = false, branchKind: UInt8 = Branch.positionalKind,
    leafMax: Int = 128
  ) {
    self.width = width
    self.branchKind = branchKind
    self.isNullable = isNullable
    self.ownsBlobs = ownsBlobs
    // Just below a size class of the block store.
    let byteCount = width <= 4 ? 512 : 1024
    self.leafMax = min(leafMax, 128, (byteCount - (isNullable ? 40 : 24)) / width)
  }

  /// Where the elements start in a leaf.
  @inlinable @inline(__always)
  package var elementsOffset: Int { isNullable ? 40 : 24 }
}
