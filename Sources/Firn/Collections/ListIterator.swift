public import FirnEngine

/// Walks a list as it was when the iteration began, whatever happens to the list meanwhile.
///
/// Goes over the memory of the realm's version, which it holds; inside a write transaction over a copy.
public struct ListIterator<Element: RealmCollectionValue>: IteratorProtocol {
  /// The rest of the current chunk.
  @usableFromInline var address: UnsafeRawPointer
  @usableFromInline var end: UnsafeRawPointer
  @usableFromInline var nulls: UInt128 = 0
  @usableFromInline var cursor: ListCursor
  @usableFromInline let source: _ElementSource
  /// Elements of an unmanaged list, or copies.
  @usableFromInline var elements: [Element]
  @usableFromInline var position = 0
  /// Keeps the memory.
  private let owner: AnyObject?
  private let realm: AnyObject?

  init(_ elements: [Element]) {
    self.init(nil, source: _ElementSource(table: nil, mover: nil), owner: nil, realm: nil)
    self.elements = elements
  }

  init(
    _ root: UnsafeRawPointer?, _ shape: ListShape = List<Element>._listShape, source: _ElementSource,
    owner: AnyObject?, realm: AnyObject?
  ) {
    cursor = ListCursor(root, shape)
    address = ListNothing.address
    end = address
    elements = []
    self.source = source
    self.owner = owner
    self.realm = realm
  }

  /// Over a copy of stored elements without nulls.
  init(copy: ElementCopy, source: _ElementSource, realm: AnyObject?) {
    self.init(nil, source: source, owner: copy, realm: realm)
    address = UnsafeRawPointer(copy.bytes)
    end = address + copy.byteCount
  }

  @inlinable @inline(__always)
  public mutating func next() -> Element? {
    if _slowPath(address == end) {
      guard let chunk = cursor.nextChunk() else {
        if position == elements.count { return nil }
        position &+= 1
        return elements[position &- 1]
      }
      address = chunk.elements
      end = address + chunk.count &* Element._elementWidth
      nulls = chunk.nulls
    }
    let isNull = Element._mayReadNull && nulls & 1 != 0
    if Element._mayReadNull { nulls >>= 1 }
    defer { address += Element._elementWidth }
    return Element._loadElement(address, isNull, source)
  }
}

/// The bytes of the elements of a list at some time.
final class ElementCopy {
  let bytes: UnsafeMutableRawPointer
  let byteCount: Int

  init(_ root: UnsafeRawPointer?, _ shape: ListShape) {
    byteCount = ListTree.count(root) * shape.width
    bytes = .allocate(byteCount: max(16, byteCount), alignment: 16)
    var cursor = ListCursor(root, shape)
    var target = bytes
    while let chunk = cursor.nextChunk() {
      target.copyMemory(from: chunk.elements, byteCount: chunk.count * shape.width)
      target += chunk.count * shape.width
    }
  }

  deinit { bytes.deallocate() }
}

private enum ListNothing {
  /// Where nothing lies.
  static var address: UnsafeRawPointer { UnsafeRawPointer(bitPattern: 16).unsafelyUnwrapped }
}

extension List {
  /// Iterates over the elements that the list has now.
  ///
  /// In a list of objects, an object that the loop does not keep may be used again for the next element.
  public func makeIterator() -> ListIterator<Element> {
    _context == nil ? ListIterator(_elements) : _makeElementIterator()
  }
}

extension CollectionBase {
  /// Iterates over the elements, or the values of a map, that a managed collection has now.
  final func _makeElementIterator<Element: RealmCollectionValue>() -> ListIterator<Element> {
    let (instance, table) = (_instance.unsafelyUnwrapped, _table.unsafelyUnwrapped)
    let source = _ElementSource(table: _target, mover: _elementMover(Element.self))
    if instance.isWritingHere {
      return _withRoot { root in
        let root = table.layout.columns[_column.index].elements(root)
        let shape = _storedShape(Element.self)
        if !shape.isNullable, !shape.ownsBlobs {
          return ListIterator(copy: ElementCopy(root, shape), source: source, realm: instance)
        }
        return ListIterator(
          Array(IteratorSequence(ListIterator(root, shape, source: source, owner: nil, realm: nil))))
      }
    }
    let mayRead = _mayRead
    let version = instance.heldVersion()
    let root =
      mayRead
      ? version.withContents { $0.elementsRoot(table.layout.columns[_column.index], of: RowKey(_key), in: table.table) }
      : nil
    return ListIterator(root, _storedShape(Element.self), source: source, owner: version, realm: instance)
  }

  /// How the elements, or the values of a map, lie. Maps hold nulls where lists of the same elements do not.
  final func _storedShape<Element: RealmCollectionValue>(_ type: Element.Type) -> ListShape {
    Element._mayReadNull == Element._isNullableElement
      ? List<Element>._listShape : _table.unsafelyUnwrapped.layout.listShape(_column.index)
  }
}
