internal import FirnEngine

extension List {
  /// Adds an element at the end.
  ///
  /// An unmanaged object added to a managed list is added to the realm. Traps for an object of another realm.
  @inlinable
  public func append(_ object: Element) {
    if _context == nil { return _elements.append(object) }
    let target = _beginMutation()
    var bytes: (UInt64, UInt64) = (0, 0)
    withUnsafeMutableBytes(of: &bytes) { bytes in
      let address = bytes.baseAddress.unsafelyUnwrapped
      if Element._storeElement(object, address, target) {
        _insertStored(address, nil, 1, at: nil, target)
      } else {
        var isNull = true
        _insertStored(address, &isNull, 1, at: nil, target)
      }
    }
  }

  /// Adds elements at the end, in one go.
  @inlinable
  public func append<S: Sequence>(objectsIn objects: S) where S.Element == Element {
    if _context == nil { return _elements.append(contentsOf: Array(objects)) }
    insertManaged(objects, at: nil)
  }

  /// Inserts an element before position `index`, or at the end.
  public func insert(_ object: Element, at index: Int) {
    insert(contentsOf: CollectionOfOne(object), at: index)
  }

  /// Inserts elements before position `i`, or at the end.
  public func insert<C: Collection>(contentsOf newElements: C, at i: Int) where C.Element == Element {
    let count = count
    if i < 0 || i > count { _trap(index: i, count + 1) }
    if _context == nil { return _elements.insert(contentsOf: Array(newElements), at: i) }
    insertManaged(newElements, at: i)
  }

  /// Removes the element at a position, which must be below the count.
  public func remove(at index: Int) {
    let count = count
    if index < 0 || index >= count { _trap(index: index, count) }
    removeRange(index..<index + 1)
  }

  /// Removes elements from the front; not more than there are.
  public func removeFirst(_ number: Int = 1) {
    let count = count
    if number < 0 || number > count { _trap(removing: number, count) }
    removeRange(0..<number)
  }

  /// Removes elements from the end; not more than there are.
  public func removeLast(_ number: Int = 1) {
    let count = count
    if number < 0 || number > count { _trap(removing: number, count) }
    removeRange(count - number..<count)
  }

  /// Removes the elements at a range of positions.
  public func removeSubrange<R: RangeExpression>(_ boundsExpression: R) where R.Bound == Int {
    removeRange(checked(boundsExpression))
  }

  /// Removes the elements at some positions.
  public func remove(atOffsets offsets: some Sequence<Int>) {
    for offset in Set(offsets).sorted(by: >) { remove(at: offset) }
  }

  /// Removes every element. Objects themselves stay in the realm.
  public func removeAll() {
    if _context == nil { return _elements.removeAll() }
    let target = _beginMutation()
    target.writer.removeAll(of: _column, of: RowKey(_key), in: _table.unsafelyUnwrapped.table)
  }

  /// Puts another element at a position, which must be below the count.
  @inlinable
  public func replace(index: Int, object: Element) {
    let count = count
    if index < 0 || index >= count { _trap(index: index, count) }
    if _context == nil {
      _elements[index] = object
      return
    }
    let target = _beginMutation()
    if _target != nil, _isInPlace(object, at: index, target) { return }
    var bytes: (UInt64, UInt64) = (0, 0)
    withUnsafeMutableBytes(of: &bytes) { bytes in
      let address = bytes.baseAddress.unsafelyUnwrapped
      let hasValue = Element._storeElement(object, address, target)
      _replaceStored(hasValue ? UnsafeRawPointer(address) : nil, at: index, target)
    }
  }

  /// Puts other elements, any number, in place of those at a range of positions.
  public func replaceSubrange<C: Collection, R: RangeExpression>(_ subrange: R, with newElements: C)
  where C.Element == Element, R.Bound == Int {
    let range = checked(subrange)
    let elements = Array(newElements)
    removeRange(range)
    insert(contentsOf: elements, at: range.lowerBound)
  }

  /// Puts a slice in place of the elements in a range. Elements that it takes from that very range stay as they are: algorithms
  /// change a slice of the list and then assign it.
  func replaceSubrange(_ range: Range<Int>, withSlice slice: Slice<List>) {
    let kept = slice.startIndex..<slice.endIndex
    let isOwn = slice.base === self || (_context != nil && _isSameCollection(slice.base))
    if isOwn, range.lowerBound <= kept.lowerBound, kept.upperBound <= range.upperBound {
      _ = checked(range)
      if kept.upperBound < range.upperBound { removeRange(kept.upperBound..<range.upperBound) }
      if range.lowerBound < kept.lowerBound { removeRange(range.lowerBound..<kept.lowerBound) }
    } else {
      replaceSubrange(range, with: slice)
    }
  }

  /// Moves an element, so that it ends at position `to`.
  public func move(from: Int, to: Int) {
    let count = count
    if from < 0 || from >= count { _trap(index: from, count) }
    if to < 0 || to >= count { _trap(index: to, count) }
    if _context == nil {
      if from != to { _elements.insert(_elements.remove(at: from), at: to) }
      return
    }
    let target = _beginMutation()
    target.writer.move(from: from, to: to, of: _column, of: RowKey(_key), in: _table.unsafelyUnwrapped.table)
  }

  /// Moves elements, one by one in ascending order, before the element at `destination`, which is counted before the
  /// removal.
  ///
  /// Several elements from behind the destination end in reverse order.
  public func move(fromOffsets offsets: some Sequence<Int>, toOffset destination: Int) {
    for offset in Set(offsets).sorted() {
      move(from: offset, to: destination > offset ? destination - 1 : destination)
    }
  }

  /// Exchanges two elements.
  public func swapAt(_ index1: Int, _ index2: Int) {
    let count = count
    if index1 < 0 || index1 >= count { _trap(index: index1, count) }
    if index2 < 0 || index2 >= count { _trap(index: index2, count) }
    if _context == nil { return _elements.swapAt(index1, index2) }
    let low = Swift.min(index1, index2)
    let high = Swift.max(index1, index2)
    if low == high { return }
    move(from: high, to: low)
    if low + 1 != high { move(from: low + 1, to: high) }
  }

  /// Puts the elements of another list in place of all, unless it is this list.
  public func _replaceAll(with other: List) {
    if other === self || (_context != nil && _isSameCollection(other)) { return }
    let elements = other._array
    if _context == nil {
      _elements = elements
      return
    }
    if _beginMutation().writer.client.skipsEqualWrites { return replaceWhatDiffers(with: elements) }
    removeAll()
    if !elements.isEmpty { insertManaged(elements, at: nil) }
  }

  /// Puts other elements in place of all; equal ones are not written again.
  private func replaceWhatDiffers(with elements: [Element]) {
    let common = Swift.min(count, elements.count)
    for index in 0..<common { replace(index: index, object: elements[index]) }
    if count > common { removeRange(common..<count) }
    if elements.count > common { insertManaged(elements[common...], at: nil) }
  }

  // MARK: Parts

  private func checked<R: RangeExpression>(_ expression: R) -> Range<Int> where R.Bound == Int {
    let count = count
    let range = expression.relative(to: 0..<count)
    if range.lowerBound < 0 { _trap(index: range.lowerBound, count) }
    if range.upperBound > count { _trap(index: range.upperBound, count + 1) }
    return range
  }

  private func removeRange(_ range: Range<Int>) {
    if _context == nil { return _elements.removeSubrange(range) }
    let target = _beginMutation()
    target.writer.remove(
      at: range.lowerBound, count: range.count, of: _column, of: RowKey(_key), in: _table.unsafelyUnwrapped.table)
  }

  /// Inserts into a managed list; at the end when `index` is nil.
  @inlinable
  func insertManaged(_ objects: some Sequence<Element>, at index: Int?) {
    let target = _beginMutation()
    var buffer = ElementBuffer(capacity: objects.underestimatedCount, width: Element._elementWidth)
    defer { buffer.free() }
    for object in objects {
      if !Element._storeElement(object, buffer.next(Element._elementWidth), target) { buffer.setNull() }
    }
    _insertStored(buffer.bytes, buffer.nulls, buffer.count, at: index, target)
  }
}

/// Elements in stored form that are about to go into a list.
@usableFromInline
struct ElementBuffer {
  @usableFromInline var bytes: UnsafeMutableRawPointer
  @usableFromInline var nulls: UnsafeMutablePointer<Bool>?
  @usableFromInline var count = 0
  @usableFromInline var capacity: Int
  private let width: Int

  @usableFromInline
  init(capacity: Int, width: Int) {
    self.capacity = max(4, capacity)
    self.width = width
    bytes = .allocate(byteCount: self.capacity * width, alignment: 16)
  }

  @usableFromInline
  func free() {
    bytes.deallocate()
    nulls?.deallocate()
  }

  /// Where the next element goes.
  @inlinable @inline(__always)
  mutating func next(_ width: Int) -> UnsafeMutableRawPointer {
    if _slowPath(count == capacity) { grow() }
    count &+= 1
    return bytes + (count &- 1) &* width
  }

  /// The element begun last is null.
  @usableFromInline
  mutating func setNull() {
    if nulls == nil {
      nulls = .allocate(capacity: capacity)
      nulls?.initialize(repeating: false, count: capacity)
    }
    nulls?[count - 1] = true
  }

  @usableFromInline
  mutating func grow() {
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity * 2 * width, alignment: 16)
    larger.copyMemory(from: bytes, byteCount: capacity * width)
    bytes.deallocate()
    bytes = larger
    if let old = nulls {
      let flags = UnsafeMutablePointer<Bool>.allocate(capacity: capacity * 2)
      flags.initialize(repeating: false, count: capacity * 2)
      flags.update(from: old, count: capacity)
      old.deallocate()
      nulls = flags
    }
    capacity *= 2
  }
}
