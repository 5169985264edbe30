public import FirnEngine

/// What a ``MutableSet`` does with elements that are already in their stored form; nil stands for null.
///
/// A stored set is a list in ascending order without repeats, so positions are those of the order.
public class SetBase: CollectionBase {
  override class var _kindName: String { "Set" }

  @inlinable
  final var _managedCount: Int { _withRoot { ListTree.count($0) } }

  private final var layout: ColumnLayout { _table.unsafelyUnwrapped.layout.columns[_column.index] }
  private final var shape: ListShape { _table.unsafelyUnwrapped.layout.listShape(_column.index) }

  @usableFromInline
  final func _containsStored(_ element: UnsafeRawPointer?) -> Bool {
    let (type, shape) = (layout.type, shape)
    return _withRoot { SetTree.position(of: element, in: $0, type: type, shape: shape).isPresent }
  }

  @usableFromInline
  final func _insertStored(_ element: UnsafeRawPointer?, _ target: _ElementTarget) {
    _ = target.writer.insert(
      element: element, intoSet: _column, of: RowKey(_key), in: _table.unsafelyUnwrapped.table)
  }

  @usableFromInline
  final func _insertStored(
    _ elements: UnsafeRawPointer, _ nulls: UnsafePointer<Bool>?, _ count: Int, _ target: _ElementTarget
  ) {
    if count == 0 { return }
    target.writer.insert(
      elements: elements, nulls: nulls, count: count, intoSet: _column, of: RowKey(_key),
      in: _table.unsafelyUnwrapped.table)
  }

  @usableFromInline
  final func _removeStored(_ element: UnsafeRawPointer?, _ target: _ElementTarget) {
    _ = target.writer.remove(
      element: element, fromSet: _column, of: RowKey(_key), in: _table.unsafelyUnwrapped.table)
  }

  /// Removes every element.
  ///
  /// Objects themselves stay in the realm. Needs a write transaction when the set is managed.
  @usableFromInline
  final func _removeAllStored() {
    let target = _beginMutation()
    target.writer.removeAll(of: _column, of: RowKey(_key), in: _table.unsafelyUnwrapped.table)
  }

  // MARK: Two sets

  /// Traps where this managed set and the other cannot be taken together.
  ///
  /// - Parameter operation: What the call would do to this set; nil when it only reads.
  private final func check(_ other: SetBase, _ operation: String?) {
    let instance = _instance.unsafelyUnwrapped
    guard let otherInstance = other._instance else {
      fatalError("Right hand side value must be a managed Set. (\(_propertyName))")
    }
    if instance !== otherInstance {
      fatalError("Cannot combine sets managed by different Realms. (\(_propertyName), \(other._propertyName))")
    }
    if let operation, !instance.isFrozen, !instance.isInWriteTransaction {
      fatalError("Can only perform \(operation) in a write transaction. (\(_propertyName))")
    }
  }

  /// Whether the elements of this set all are, or one of them is, in the other one.
  final func _compare(_ other: SetBase, forAll: Bool) -> Bool {
    check(other, nil)
    var answer = forAll
    withRoots(of: other) { mine, theirs in
      if forAll, ListTree.count(mine) > ListTree.count(theirs) {
        answer = false
        return
      }
      forEachElement(mine) { _, element in
        if answer == forAll, contains(element, in: theirs) != forAll { answer = !forAll }
      }
    }
    return answer
  }

  /// Removes the elements that are, or are not, in the other set.
  final func _removeElements(in other: SetBase, keeping keepsShared: Bool, _ operation: String) {
    check(other, operation)
    let target = _beginMutation()
    if _isSameCollection(other) {
      if !keepsShared { _removeAllStored() }
      return
    }
    var places: [Int] = []
    withRoots(of: other) { mine, theirs in
      forEachElement(mine) { place, element in
        if contains(element, in: theirs) != keepsShared { places.append(place) }
      }
    }
    // From the end, neighbours in one go, so that the other places stay right.
    var end = places.count
    while end > 0 {
      var start = end - 1
      while start > 0, places[start - 1] == places[start] - 1 { start -= 1 }
      target.writer.remove(
        at: places[start], count: end - start, of: _column, of: RowKey(_key), in: _table.unsafelyUnwrapped.table)
      end = start
    }
  }

  /// Inserts the elements of the other set.
  final func _insertElements(of other: SetBase, _ operation: String) {
    check(other, operation)
    let target = _beginMutation()
    if _isSameCollection(other) { return }
    let shape = shape
    var buffer = ElementBuffer(capacity: 16, width: shape.width)
    defer { buffer.free() }
    withRoots(of: other) { _, theirs in
      forEachElement(theirs) { _, element in
        let address = buffer.next(shape.width)
        guard let element else {
          address.initializeMemory(as: UInt8.self, repeating: 0, count: shape.width)
          return buffer.setNull()
        }
        if shape.ownsBlobs {
          let word = Blob(word: element.loadUnaligned(as: UInt64.self)).withBytes { target.writer.makeBlob($0) }
          address.storeBytes(of: word, as: UInt64.self)
        } else {
          address.copyMemory(from: element, byteCount: shape.width)
        }
      }
    }
    _insertStored(buffer.bytes, buffer.nulls, buffer.count, target)
  }

  private final func contains(_ element: UnsafeRawPointer?, in root: UnsafeRawPointer?) -> Bool {
    SetTree.position(of: element, in: root, type: layout.type, shape: shape).isPresent
  }

  /// Calls `body` with the roots of both in the content that the calling thread may see.
  private final func withRoots(of other: SetBase, _ body: (UnsafeRawPointer?, UnsafeRawPointer?) -> Void) {
    _instance.unsafelyUnwrapped.read { contents in
      func root(_ set: SetBase) -> UnsafeRawPointer? {
        if !set._mayRead { return nil }
        return contents.listRoot(set.layout, of: RowKey(set._key), in: set._table.unsafelyUnwrapped.table)
      }
      body(root(self), root(other))
    }
  }

  private final func forEachElement(_ root: UnsafeRawPointer?, _ body: (Int, UnsafeRawPointer?) -> Void) {
    let shape = shape
    var cursor = ListCursor(root, shape)
    while let chunk = cursor.nextChunk() {
      for index in 0..<chunk.count {
        body(chunk.start + index, chunk.isNull(index) ? nil : chunk.elements + index * shape.width)
      }
    }
  }
}
