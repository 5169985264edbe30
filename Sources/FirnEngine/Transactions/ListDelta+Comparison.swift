extension ListDelta {
  /// The elements that are in one of two sets only.
  ///
  /// - Complexity: O(n).
  init(from old: UnsafeRawPointer?, to new: UnsafeRawPointer?, type: ColumnType, shape: ListShape) {
    self.init()
    var left = SortedElements(old, type, shape)
    var right = SortedElements(new, type, shape)
    while left.isOpen || right.isOpen {
      let order = left.order(to: right)
      if order == 0, !left.isIdentical(to: right) {
        // Equal, but not alike, as the zeros are.
        append(.drop, 1)
        append(.insert, 1)
      } else {
        append(order < 0 ? .drop : order > 0 ? .insert : .keep, 1)
      }
      if order <= 0 { left.advance() }
      if order >= 0 { right.advance() }
    }
  }

  /// The keys that are in one of two maps only, and those whose values differ.
  ///
  /// - Complexity: O(n).
  init(from old: UnsafeRawPointer?, to new: UnsafeRawPointer?, type: ColumnType, valueShape: ListShape) {
    self.init()
    var left = SortedElements(MapTree.keys(old), .string, MapTree.keyShape)
    var right = SortedElements(MapTree.keys(new), .string, MapTree.keyShape)
    var oldValues = ElementWalk(MapTree.values(old), valueShape)
    var newValues = ElementWalk(MapTree.values(new), valueShape)
    while left.isOpen || right.isOpen {
      let order = left.order(to: right)
      if order == 0 {
        append(oldValues.isIdentical(to: newValues) ? .keep : .touch, 1)
      } else {
        append(order < 0 ? .drop : .insert, 1)
      }
      if order <= 0 {
        left.advance()
        oldValues.advance()
      }
      if order >= 0 {
        right.advance()
        newValues.advance()
      }
    }
  }
}

/// Walks a `ListTree` element by element.
private struct ElementWalk {
  let shape: ListShape
  private var cursor: ListCursor
  private var chunk: ListChunk?
  private var index = 0

  init(_ root: UnsafeRawPointer?, _ shape: ListShape) {
    self.shape = shape
    cursor = ListCursor(root, shape)
    chunk = cursor.nextChunk()
  }

  var isOpen: Bool { chunk != nil }

  /// The bytes of the current element; nil for null.
  var element: UnsafeRawPointer? {
    guard let chunk, !chunk.isNull(index) else { return nil }
    return chunk.elements + index &* shape.width
  }

  mutating func advance() {
    index += 1
    if let chunk, index == chunk.count {
      self.chunk = cursor.nextChunk()
      index = 0
    }
  }

  /// Whether both stand on elements that are stored alike.
  func isIdentical(to other: ElementWalk) -> Bool {
    guard let left = element, let right = other.element else { return element == nil && other.element == nil }
    if shape.ownsBlobs {
      return Blob(word: left.loadUnaligned(as: UInt64.self))
        .hasBytes(of: Blob(word: right.loadUnaligned(as: UInt64.self)))
    }
    return UnsafeRawBufferPointer(start: left, count: shape.width)
      .elementsEqual(UnsafeRawBufferPointer(start: right, count: shape.width))
  }
}

/// Walks the elements of a set, or the keys of a map.
private struct SortedElements {
  private let type: ColumnType
  private var walk: ElementWalk

  init(_ root: UnsafeRawPointer?, _ type: ColumnType, _ shape: ListShape) {
    self.type = type
    walk = ElementWalk(root, shape)
  }

  var isOpen: Bool { walk.isOpen }

  mutating func advance() { walk.advance() }

  func isIdentical(to other: SortedElements) -> Bool { walk.isIdentical(to: other.walk) }

  /// How the current elements stand to each other; one that has come to its end stands behind.
  func order(to other: SortedElements) -> Int {
    if !isOpen || !other.isOpen { return (isOpen ? 0 : 1) - (other.isOpen ? 0 : 1) }
    guard let left = walk.element, let right = other.walk.element else {
      return (walk.element == nil ? 0 : 1) - (other.walk.element == nil ? 0 : 1)
    }
    return ElementOrder.order(left, right, type)
  }
}
