public import FirnEngine

/// A collection of distinct elements that an object holds: objects, or values.
///
///     class Airport: Object {
///         @Persisted var tags: MutableSet<String>
///         @Persisted var partners: MutableSet<Airline>
///     }
///
/// A set that belongs to an unmanaged object, or to none, keeps its elements in the order in which they were inserted.
/// When its object is added to a realm the set becomes managed, and stays the same instance: it is then a live view of
/// what the realm stores, in ascending order of the values, or of the objects' rows. Assigning to a set property copies
/// the elements into the set that is there.
///
/// Texts are the same element when their bytes are equal, and NaN is an element like any other. Managed objects are the
/// same element when they stand for the same row, unmanaged ones when they are equal. Deleting an object takes it out of
/// every set.
///
/// A managed set may be read from any thread, at its fastest on its realm's own; on other threads it shows the last
/// committed version. Changing it needs a write transaction. Finding, inserting and removing an element of a managed set
/// take O(log n).
public final class MutableSet<Element: RealmCollectionValue>: SetBase {
  @exclusivity(unchecked) @usableFromInline final var _members = UnmanagedSet<Element>()

  /// Makes an empty unmanaged set.
  public override init() { super.init() }

  override var _hasDynamicElements: Bool { Element.self == DynamicObject.self }

  @inlinable @inline(__always)
  final var _source: _ElementSource { _ElementSource(table: _target, mover: nil) }
}

// MARK: - Reading

extension MutableSet: RealmCollection {
  /// A position in the set: from zero to below the count.
  public typealias Index = Int

  /// The number of elements. O(1).
  public var count: Int {
    @inlinable get { _context == nil ? _members.count : _managedCount }
  }

  /// The element at a position, which must be below the count. Positions only have a meaning until the set changes.
  ///
  /// Each read of a set of objects makes a new accessor.
  public subscript(position: Int) -> Element {
    @inlinable get { _context == nil ? unmanagedElement(position) : managedElement(position) }
  }

  @usableFromInline
  func unmanagedElement(_ position: Int) -> Element {
    if position < 0 || position >= _members.count { _trap(index: position, _members.count) }
    return _members.element(at: position)
  }

  @inlinable
  func managedElement(_ position: Int) -> Element {
    _withRoot { root in
      guard let root, position >= 0, position < ListTree.count(root) else {
        return _absentElement(at: position, ListTree.count(root))
      }
      let shape = List<Element>._listShape
      return Element._loadElement(
        ListTree.get(root, position, shape),
        Element._isNullableElement && ListTree.isNull(root, position, shape), _source)
    }
  }

  /// Some element, the same one as long as the set does not change; nil when there is none.
  public var first: Element? { isEmpty ? _tracedElement(.first) : self[0] }

  /// Some element, the same one as long as the set does not change; nil when there is none.
  public var last: Element? {
    let count = count
    return count == 0 ? _tracedElement(.last) : self[count - 1]
  }

  /// Whether an element is in the set.
  ///
  /// An unmanaged object is in no managed set. Traps for a deleted object and for one of another realm.
  ///
  /// - Complexity: O(log n), of an unmanaged set O(1).
  @inlinable
  public func contains(_ object: Element) -> Bool {
    if _context == nil { return containsUnmanaged(object) }
    if Element._isLinkElement { return containsObject(object) }
    return Element._withElementProbe(object) { _containsStored($0) }
  }

  @usableFromInline
  func containsUnmanaged(_ element: Element) -> Bool { _members.contains(element) }

  @usableFromInline
  func containsObject(_ element: Element) -> Bool {
    guard let object = element as? ObjectBase, var key = _storedKey(of: object) else { return false }
    return _containsStored(&key)
  }

  /// Iterates over the elements that the set has now.
  ///
  /// In a set of objects, an object that the loop does not keep may be used again for the next element.
  public func makeIterator() -> ListIterator<Element> {
    _context == nil ? ListIterator(_members.elements) : _makeElementIterator()
  }

  /// Traps: elements of a set have no position that could be asked for.
  public func index(of object: Element) -> Int? { fatalError("index(of:) is not available on MutableSet.") }

  /// Traps: elements of a set have no position that could be asked for.
  public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
    fatalError("index(matching:) is not available on MutableSet.")
  }

  /// All elements.
  var allElements: [Element] { _context == nil ? _members.elements : Array(IteratorSequence(makeIterator())) }
}

extension MutableSet: Hashable, CustomStringConvertible {
  /// Managed sets are equal when they are the same property of the same object in the same realm, unmanaged ones when
  /// they have the same elements.
  public static func == (lhs: MutableSet, rhs: MutableSet) -> Bool {
    if lhs === rhs { return true }
    if lhs._context != nil || rhs._context != nil { return lhs._isSameCollection(rhs) }
    return lhs.count == rhs.count && lhs._members.elements.allSatisfy { rhs._members.contains($0) }
  }

  /// The same as `==`; false for anything but a set of the same type.
  public func isEqual(_ object: Any?) -> Bool { (object as? MutableSet) == self }

  /// By instance.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// The elements, one a line, at most a hundred of them.
  public var description: String { ObjectDescription.text(of: self) }
}
