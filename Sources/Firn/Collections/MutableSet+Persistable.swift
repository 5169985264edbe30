internal import FirnEngine

extension MutableSet: _PersistableCollection {
  public typealias PersistedType = MutableSet<Element>

  public static func _declarationProblem(hasInitialValue: Bool, isOptional: Bool) -> String? {
    Element._elementProblem
  }

  public static var _shape: _PropertyShape {
    var shape = Element._elementShape
    shape.collection = .set
    return shape
  }

  public func _becomeManaged(_ object: ObjectBase, _ slot: UInt64) {
    let elements = _members.elements
    _members.removeAll()
    _bind(object, slot)
    if !elements.isEmpty { insert(objectsIn: elements) }
  }

  public func _replaceAll(with other: MutableSet) {
    if other === self || (_context != nil && _isSameCollection(other)) { return }
    let elements = other.allElements
    if _context != nil, _beginMutation().writer.client.skipsEqualWrites {
      // Inserting leaves the elements that stay. A value that equals a new one in other bits goes, such as a zero of
      // the other sign.
      let new = Set(elements.map(\._constant.value))
      for element in allElements {
        let old = element._constant.value
        let isKept = new.firstIndex(of: old).map { new[$0].isIdentical(to: old) } ?? false
        if !isKept { remove(element) }
      }
    } else {
      removeAll()
    }
    if !elements.isEmpty { insert(objectsIn: elements) }
  }
}

extension MutableSet {
  /// The set as it is now, for use on any thread; never changes.
  ///
  /// Traps for an unmanaged set. - Complexity: O(1).
  public func freeze() -> MutableSet<Element> { _frozen() }

  /// The live set that a frozen one was made from, for the current thread; nil when its object is gone.
  ///
  /// A live set returns itself. Traps for an unmanaged set.
  public func thaw() -> MutableSet<Element>? { _thawed() }

  /// The query on this set that selects everything; traps for an unmanaged set.
  public var _query: _CollectionQuery { _CollectionQuery(_elementQuery()) }

  public var _unmanagedElements: [Element]? { _context == nil ? _members.elements : nil }
}
