/// A persistent set: a `ListTree` whose elements ascend by `ElementOrder`, each once, null first.
///
/// What reads lists reads sets: their positions are those of the order. Looking an element up is O(log n): on the way
/// down it is compared with the first elements of the children.
package enum SetTree {
  /// Where an element is, or where it would have to be inserted.
  ///
  /// - Parameter element: Its bytes, as lists store them; nil is null.
  /// - Complexity: O(log n).
  package static func position(
    of element: UnsafeRawPointer?, in root: UnsafeRawPointer?, type: ColumnType, shape: ListShape
  ) -> (index: Int, isPresent: Bool) {
    guard let root else { return (0, false) }
    guard let element else { return (0, ListTree.isNull(root, 0, shape)) }
    switch type {
    case .bool: return search(root, shape) { ElementOrder.scalars($0, element, as: UInt8.self) }
    case .int: return search(root, shape) { ElementOrder.scalars($0, element, as: Int64.self) }
    case .link: return search(root, shape) { ElementOrder.scalars($0, element, as: UInt64.self) }
    case .float: return search(root, shape) { ElementOrder.numbers($0, element, as: Float.self) }
    case .double, .date: return search(root, shape) { ElementOrder.numbers($0, element, as: Double.self) }
    case .string, .data:
      return Blob(word: element.loadUnaligned(as: UInt64.self)).withBytes { wanted in
        position(ofBytes: wanted, in: root, shape: shape)
      }
    case .objectID: return search(root, shape) { ElementOrder.bytes($0, element, 12) }
    case .uuid: return search(root, shape) { ElementOrder.bytes($0, element, 16) }
    case .decimal128: return search(root, shape) { ElementOrder.decimals($0, element) }
    case .mixed:
      let wanted = Value(element: element, type: .mixed)
      return search(root, shape) { Value(element: $0, type: .mixed).order(to: wanted) }
    }
  }

  /// Where a string or binary value is in a tree of blobs, or where it would have to be inserted.
  ///
  /// - Complexity: O(log n).
  package static func position(
    ofBytes wanted: UnsafeRawBufferPointer, in root: UnsafeRawPointer?, shape: ListShape
  ) -> (index: Int, isPresent: Bool) {
    guard let root else { return (0, false) }
    return search(root, shape) { element in
      Blob(word: element.loadUnaligned(as: UInt64.self)).withBytes { ElementOrder.bytes($0, wanted) }
    }
  }

  /// `order` tells how a stored element, which is not null, stands to the wanted one.
  @inline(__always)
  private static func search(
    _ root: UnsafeRawPointer, _ shape: ListShape, _ order: (UnsafeRawPointer) -> Int
  ) -> (index: Int, isPresent: Bool) {
    var node = root
    var before = 0
    while Branch.isBranch(node) {
      // The last child that does not start behind the wanted element. Only the very first element may be null.
      let children = Branch.children(node)
      var low = 0
      var high = Branch.count(node) &- 1
      while low < high {
        let middle = (low &+ high &+ 1) &>> 1
        if order(firstElement(children[middle], shape)) > 0 { high = middle &- 1 } else { low = middle }
      }
      before &+= Branch.weight(of: node, before: low)
      node = UnsafeRawPointer(children[low])
    }
    let elements = node + shape.elementsOffset
    let count = Branch.count(node)
    var low = ListTree.nulls(node, shape) & 1 != 0 ? 1 : 0
    var high = count
    var isPresent = false
    while low < high {
      let middle = (low &+ high) &>> 1
      let order = order(elements + middle &* shape.width)
      if order < 0 {
        low = middle &+ 1
      } else {
        high = middle
        if order == 0 {
          isPresent = true
          low = middle
        }
      }
    }
    return (before &+ low, isPresent)
  }

  @inline(__always)
  private static func firstElement(_ node: UnsafeRawPointer, _ shape: ListShape) -> UnsafeRawPointer {
    var node = node
    while Branch.isBranch(node) { node = UnsafeRawPointer(Branch.children(node)[0]) }
    return node + shape.elementsOffset
  }

  /// Whether each element comes after the one before, as those of a set do.
  ///
  /// - Parameter positions: Which elements to look at; nil for all.
  /// - Complexity: O(elements looked at + log n).
  package static func isAscending(
    _ root: UnsafeRawPointer?, _ positions: Range<Int>? = nil, type: ColumnType, shape: ListShape
  ) -> Bool {
    var last: UnsafeRawPointer?
    var cursor = ListCursor(root, shape, from: positions?.lowerBound ?? 0)
    let end = positions?.upperBound ?? cursor.count
    while let chunk = cursor.nextChunk(), chunk.start < end {
      for index in 0..<min(chunk.count, end - chunk.start) {
        if chunk.isNull(index) {
          if chunk.start + index != 0 { return false }
          continue
        }
        let element = chunk.elements + index * shape.width
        if let last, ElementOrder.order(last, element, type) >= 0 { return false }
        last = element
      }
    }
    return true
  }

  /// Traps when the structure is broken or elements do not ascend.
  package static func checkInvariants(_ root: UnsafeRawPointer?, type: ColumnType, shape: ListShape) {
    ListTree.checkInvariants(root, shape)
    if !isAscending(root, type: type, shape: shape) { fatalError("SetTree: elements do not ascend") }
  }
}

extension Branch {
  /// Elements below the first `child` children.
  @inline(__always)
  static func weight(of node: UnsafeRawPointer, before child: Int) -> Int {
    let weights = weights(node)
    var sum = 0
    var index = 0
    while index < child {
      sum &+= Int(weights[index])
      index &+= 1
    }
    return sum
  }
}
