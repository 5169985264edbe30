/// A persistent list: elements of a fixed width at positions, for the list properties of objects.
///
/// A counted B+tree on raw blocks. The root pointer is the whole list, nil the empty one. Branches have 64 children, see
/// `Branch`; a leaf holds up to `ListShape.leafMax` elements:
///
///     ┌────────┬───────┬─────┬──────────────────────┬─────────────────────┐
///     │ header │ count │  -  │ null bits, nullable  │ elements →     free │
///     │        │ u32   │     │ lists only, 128 bits │                     │
///     └────────┴───────┴─────┴──────────────────────┴─────────────────────┘
///     0        16      20     24                     24 or 40
///
/// Small lists are one small leaf: room grows 4, 8, 16 … elements. Appending fills leaves to the brim. Every operation on
/// one element is O(log n). The writer copies a node that it does not own once and then changes it in place; readers may
/// use any root of a version that they hold.
///
/// Elements are multiples of 8 bytes away from the block's start, not of 16: load wider ones unaligned.
@usableFromInline
package enum ListTree {
  @inlinable @inline(__always)
  package static var leafKind: UInt8 { 19 }
  @inlinable @inline(__always)
  static var nullsOffset: Int { 24 }

  /// The number of elements, O(1).
  @inlinable @inline(__always)
  package static func count(_ root: UnsafeRawPointer?) -> Int {
    guard let root else { return 0 }
    return Branch.weight(of: root)
  }

  /// The bytes of an element. `index` is below the count.
  @inlinable
  package static func get(_ root: UnsafeRawPointer, _ index: Int, _ shape: ListShape) -> UnsafeRawPointer {
    let (leaf, start) = Branch.leaf(of: root, holding: index)
    return leaf + shape.elementsOffset + (index &- start) &* shape.width
  }

  @inlinable
  package static func isNull(_ root: UnsafeRawPointer, _ index: Int, _ shape: ListShape) -> Bool {
    if !shape.isNullable { return false }
    let (leaf, start) = Branch.leaf(of: root, holding: index)
    return nulls(leaf, shape) & (1 << UInt128(index &- start)) != 0
  }

  @inlinable @inline(__always)
  package static func nulls(_ leaf: UnsafeRawPointer, _ shape: ListShape) -> UInt128 {
    if !shape.isNullable { return 0 }
    let low = leaf.load(fromByteOffset: nullsOffset, as: UInt64.self)
    let high = leaf.load(fromByteOffset: nullsOffset &+ 8, as: UInt64.self)
    return UInt128(high) << 64 | UInt128(low)
  }

  /// Calls `body` with the bytes of every element, nulls included.
  @inlinable @inline(__always)
  package static func forEach(_ root: UnsafeRawPointer?, _ shape: ListShape, _ body: (UnsafeRawPointer) -> Void) {
    var cursor = ListCursor(root, shape)
    while let chunk = cursor.nextChunk() {
      var element = chunk.elements
      let end = element + chunk.count &* shape.width
      while element < end {
        body(element)
        element += shape.width
      }
    }
  }

  /// Calls `body` with every element read as `type`, nulls as zero bytes.
  @inlinable @inline(__always)
  package static func forEach<Element: BitwiseCopyable>(
    _ root: UnsafeRawPointer?, as type: Element.Type, _ shape: ListShape, _ body: (Element) -> Void
  ) {
    var cursor = ListCursor(root, shape)
    while let chunk = cursor.nextChunk() {
      var index = 0
      while index < chunk.count {
        body(chunk.elements.loadUnaligned(fromByteOffset: index &* MemoryLayout<Element>.stride, as: type))
        index &+= 1
      }
    }
  }

  /// The first position of an element with the given bytes; nil asks for null. Blobs are compared by their bytes.
  package static func firstIndex(
    _ root: UnsafeRawPointer?, of element: UnsafeRawPointer?, _ shape: ListShape
  ) -> Int? {
    var cursor = ListCursor(root, shape)
    while let chunk = cursor.nextChunk() {
      guard let element else {
        if chunk.nulls != 0 { return chunk.start + chunk.nulls.trailingZeroBitCount }
        continue
      }
      if let index = firstIndex(in: chunk, of: element, shape) { return chunk.start + index }
    }
    return nil
  }

  private static func firstIndex(in chunk: ListChunk, of element: UnsafeRawPointer, _ shape: ListShape) -> Int? {
    if shape.ownsBlobs {
      let blob = Blob(word: element.loadUnaligned(as: UInt64.self))
      return (0..<chunk.count).first { index in
        blob.hasBytes(of: Blob(word: chunk.elements.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)))
      }
    }
    switch shape.width {
    case 1: return firstIndex(in: chunk, of: element, as: UInt8.self)
    case 2: return firstIndex(in: chunk, of: element, as: UInt16.self)
    case 4: return firstIndex(in: chunk, of: element, as: UInt32.self)
    case 8: return firstIndex(in: chunk, of: element, as: UInt64.self)
    case 16: return firstIndex(in: chunk, of: element, as: UInt128.self)
    default:
      let wanted = UnsafeRawBufferPointer(start: element, count: shape.width)
      return (0..<chunk.count).first { index in
        !chunk.isNull(index)
          && wanted.elementsEqual(
            UnsafeRawBufferPointer(start: chunk.elements + index * shape.width, count: shape.width))
      }
    }
  }

  @inline(__always)
  private static func firstIndex<Element: BitwiseCopyable & Equatable>(
    in chunk: ListChunk, of element: UnsafeRawPointer, as type: Element.Type
  ) -> Int? {
    let wanted = element.loadUnaligned(as: type)
    let width = MemoryLayout<Element>.size
    var index = 0
    while index < chunk.count {
      if chunk.elements.loadUnaligned(fromByteOffset: index &* width, as: type) == wanted, !chunk.isNull(index) {
        return index
      }
      index &+= 1
    }
    return nil
  }

  /// Traps when the structure is broken.
  package static func checkInvariants(_ root: UnsafeRawPointer?, _ shape: ListShape) {
    guard let root else { return }
    if Branch.isBranch(root), Branch.count(root) < 2 { fatalError("ListTree: root with a single child") }
    Branch.check(root, kind: shape.branchKind) { leaf in
      let count = Branch.count(leaf)
      if leaf.blockKind != leafKind { fatalError("ListTree: not a leaf") }
      if count < 1 || count > shape.leafMax { fatalError("ListTree: leaf count") }
      if shape.elementsOffset + count * shape.width > leaf.blockSize { fatalError("ListTree: leaf overflows") }
      let nulls = nulls(leaf, shape)
      if nulls & ~lowBits(count) != 0 { fatalError("ListTree: null bits behind the last element") }
      for index in 0..<count where nulls & (1 << UInt128(index)) != 0 {
        let bytes = UnsafeRawBufferPointer(
          start: leaf + shape.elementsOffset + index * shape.width, count: shape.width)
        if bytes.contains(where: { $0 != 0 }) { fatalError("ListTree: null with a value") }
      }
    }
  }

  @inline(__always)
  static func lowBits(_ count: Int) -> UInt128 { count >= 128 ? .max : (1 << UInt128(count)) &- 1 }
}
