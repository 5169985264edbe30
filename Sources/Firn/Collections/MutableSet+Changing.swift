extension MutableSet {
  /// Inserts an element; nothing happens when it is in the set.
  ///
  /// An unmanaged object inserted into a managed set is added to the realm. Traps for an object of another realm, and
  /// outside of a write transaction when the set is managed.
  @inlinable
  public func insert(_ object: Element) {
    if _context == nil { return insertUnmanaged(object) }
    let target = _beginMutation()
    if Element.self == AnyRealmValue.self { _checkIsNoCollection(object) }
    var bytes: (UInt64, UInt64) = (0, 0)
    withUnsafeMutableBytes(of: &bytes) { bytes in
      let address = bytes.baseAddress.unsafelyUnwrapped
      _insertStored(Element._storeElement(object, address, target) ? UnsafeRawPointer(address) : nil, target)
    }
  }

  @usableFromInline
  func insertUnmanaged(_ element: Element) { _members.insert(element) }

  /// Inserts elements, in one go; see ``insert(_:)``.
  @inlinable
  public func insert<S: Sequence>(objectsIn objects: S) where S.Element == Element {
    if _context == nil {
      for object in objects { insertUnmanaged(object) }
      return
    }
    let target = _beginMutation()
    var buffer = ElementBuffer(capacity: objects.underestimatedCount, width: Element._elementWidth)
    defer { buffer.free() }
    for object in objects {
      if Element.self == AnyRealmValue.self { _checkIsNoCollection(object) }
      if !Element._storeElement(object, buffer.next(Element._elementWidth), target) { buffer.setNull() }
    }
    _insertStored(buffer.bytes, buffer.nulls, buffer.count, target)
  }

  @usableFromInline
  func _checkIsNoCollection(_ element: Element) {
    if let mixed = element as? AnyRealmValue, mixed.isCollection {
      fatalError("A MutableSet cannot hold collections. (\(_propertyName))")
    }
  }

  /// Removes an element; nothing happens when it is not in the set. An object itself stays in the realm.
  ///
  /// Traps for a deleted object and one of another realm, and outside of a write transaction when the set is managed.
  @inlinable
  public func remove(_ object: Element) {
    if _context == nil { return removeUnmanaged(object) }
    let target = _beginMutation()
    if Element._isLinkElement { return removeObject(object, target) }
    Element._withElementProbe(object) { _removeStored($0, target) }
  }

  @usableFromInline
  func removeUnmanaged(_ element: Element) { _members.remove(element) }

  @usableFromInline
  func removeObject(_ element: Element, _ target: _ElementTarget) {
    guard let object = element as? ObjectBase, var key = _storedKey(of: object) else { return }
    _removeStored(&key, target)
  }

  /// Removes every element. Objects themselves stay in the realm.
  ///
  /// Traps outside of a write transaction when the set is managed.
  public func removeAll() {
    if _context == nil { return _members.removeAll() }
    _removeAllStored()
  }
}

// MARK: - Two sets

extension MutableSet {
  /// Whether every element of this set is in the other one.
  ///
  /// The other set of a managed one must be managed by the same realm.
  ///
  /// - Complexity: O(n log m).
  public func isSubset(of possibleSuperset: MutableSet<Element>) -> Bool {
    if _context == nil { return count <= possibleSuperset.count && allElements.allSatisfy(possibleSuperset.contains) }
    return _compare(possibleSuperset, forAll: true)
  }

  /// Whether some element is in both sets.
  ///
  /// If the set is managed, the other one must be managed by the same realm. - Complexity: O(n log m).
  public func intersects(_ otherSet: MutableSet<Element>) -> Bool {
    if _context == nil { return allElements.contains(where: otherSet.contains) }
    return _compare(otherSet, forAll: false)
  }

  /// Removes the elements that are not in the other set, which stays as it is.
  ///
  /// If the set is managed, the other one must be managed by the same realm, which must be in a write transaction.
  /// - Complexity: O(n log m).
  public func formIntersection(_ other: MutableSet<Element>) {
    if _context != nil { return _removeElements(in: other, keeping: true, "formIntersection") }
    for element in allElements where !other.contains(element) { _members.remove(element) }
  }

  /// Removes the elements that are in the other set, which stays as it is.
  ///
  /// If the set is managed, the other one must be managed by the same realm, which must be in a write transaction.
  /// - Complexity: O(n log m).
  public func subtract(_ other: MutableSet<Element>) {
    if _context != nil { return _removeElements(in: other, keeping: false, "subtract") }
    for element in allElements where other.contains(element) { _members.remove(element) }
  }

  /// Inserts the elements of the other set, which stays as it is.
  ///
  /// If the set is managed, the other one must be managed by the same realm, which must be in a write transaction.
  /// - Complexity: O(m log (n + m)).
  public func formUnion(_ other: MutableSet<Element>) {
    if _context != nil { return _insertElements(of: other, "formUnion") }
    for element in other.allElements { _members.insert(element) }
  }
}
