public import FirnEngine

/// An ordered collection that an object holds: a to-many relation to objects, or values.
///
///     class Airline: Object {
///         @Persisted var fleet: List<Plane>
///         @Persisted var codes: List<String>
///     }
///
/// A list that belongs to an unmanaged object, or to none, is an array with reference semantics. When its object is added
/// to a realm the list becomes managed, and stays the same instance: it is then a live view of what the realm stores.
/// Assigning to a list property copies the elements into the list that is there.
///
/// A managed list may be read from any thread, at its fastest on its realm's own; on other threads it shows the last
/// committed version. Changing it needs a write transaction. An object may be in a list several times; deleting it takes
/// it out of every list.
///
/// Index errors trap. Reading or writing one element of a managed list takes O(log n).
public final class List<Element: RealmCollectionValue>: ListBase {
  @exclusivity(unchecked) @usableFromInline package final var _elements: [Element]

  /// Makes an empty unmanaged list.
  public override init() {
    _elements = []
    super.init()
  }

  deinit {
    if !_elements.isEmpty, Element.self == AnyRealmValue.self { HeldReferences.release(&_elements, leaving: []) }
  }

  override var _hasDynamicElements: Bool { Element.self == DynamicObject.self }

  @inlinable @inline(__always)
  final var _source: _ElementSource { _ElementSource(table: _target, mover: nil) }

  @inlinable @inline(__always)
  static var _listShape: ListShape {
    ListShape(
      width: Element._elementWidth, isNullable: Element._isNullableElement, ownsBlobs: Element._ownsElementMemory)
  }
}

// MARK: - Reading

extension List: RealmCollection, MutableCollection {
  public typealias Index = Int
  public typealias Elements = List<Element>

  /// The number of elements. O(1).
  public var count: Int {
    @inlinable get { _context == nil ? _elements.count : _managedCount }
  }

  /// Zero.
  @inlinable public var startIndex: Int { 0 }
  /// The number of elements.
  @inlinable public var endIndex: Int { count }
  @inlinable public func index(after index: Int) -> Int { index + 1 }
  @inlinable public func index(before index: Int) -> Int { index - 1 }

  /// The element at a position, which must be below the count.
  ///
  /// Each read of an object makes a new accessor. Setting needs a write transaction when the list is managed; an
  /// unmanaged object is added to the realm.
  public subscript(position: Int) -> Element {
    @inlinable get {
      if _context == nil {
        if position < 0 || position >= _elements.count { _trap(index: position, _elements.count) }
        return _elements[position]
      }
      return _managedElement(position)
    }
    @inlinable set { replace(index: position, object: newValue) }
  }

  /// The elements in a range of positions, read when they are looked at.
  ///
  /// Setting puts any number of elements in place of those in the range, as ``replaceSubrange(_:with:)`` does.
  public subscript(bounds: Range<Int>) -> Slice<List> {
    get { Slice(base: self, bounds: bounds) }
    set { replaceSubrange(bounds, withSlice: newValue) }
  }

  @inlinable
  final func _managedElement(_ position: Int) -> Element {
    _withRoot { root in
      guard let root, position >= 0, position < ListTree.count(root) else {
        return _absentElement(at: position, ListTree.count(root))
      }
      let shape = Self._listShape
      return Element._loadElement(
        ListTree.get(root, position, shape),
        Element._isNullableElement && ListTree.isNull(root, position, shape), _source)
    }
  }

  /// The first element, or nil.
  public var first: Element? { isEmpty ? _tracedElement(.first) : self[0] }

  /// The last element, or nil.
  public var last: Element? {
    let count = count
    return count == 0 ? _tracedElement(.last) : self[count - 1]
  }

  /// The position of the first element equal to `object`: texts are compared by their bytes. An object is in a managed list
  /// where its row is, whatever its class overrides; in an unmanaged one, also where `==` says so, and with it
  /// ``ObjectBase/isEqual(_:)``. `contains(_:)`, `firstIndex(of:)` and `lastIndex(of:)` of the standard library find the
  /// same elements.
  ///
  /// Nil for an unmanaged object in a managed list. A managed list traps for a deleted object and for one of another realm,
  /// which the methods of the standard library do not find.
  ///
  /// - Complexity: O(n).
  public func index(of object: Element) -> Int? {
    if _context == nil { return _elements.firstIndex { Element._isEqualElement($0, object) } }
    if Element._isLinkElement, let object = object as? ObjectBase { return indexOfObject(object) }
    if case .object(let object)? = object as? AnyRealmValue, !_isOfRealm(object) { return nil }
    var index = 0
    for element in self {
      if Element._isSameElement(element, object) { return index }
      index += 1
    }
    return nil
  }

  private func indexOfObject(_ object: ObjectBase) -> Int? {
    guard var key = _storedKey(of: object) else { return nil }
    return _withRoot { ListTree.firstIndex($0, of: &key, Self._listShape) }
  }

  /// All elements.
  var _array: [Element] { _context == nil ? _elements : Array(IteratorSequence(makeIterator())) }
}

extension List: Hashable, CustomStringConvertible {
  /// Managed lists are equal when they are the same property of the same object in the same realm, unmanaged ones when
  /// their elements are equal.
  public static func == (lhs: List, rhs: List) -> Bool {
    if lhs === rhs { return true }
    if lhs._context != nil || rhs._context != nil { return lhs._isSameCollection(rhs) }
    return lhs._elements.elementsEqual(rhs._elements, by: Element._isEqualElement)
  }

  /// The same as `==`; false for anything but a list of the same type.
  public func isEqual(_ object: Any?) -> Bool { (object as? List) == self }

  /// By instance.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// The elements, one a line, at most a hundred of them.
  public var description: String { ObjectDescription.text(of: self) }
}
