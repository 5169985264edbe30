/// Lets `contains(_:)`, `firstIndex(of:)` and `lastIndex(of:)` of the standard library find what
/// ``RealmCollection/index(of:)`` finds, where that is not what `==` says: texts and objects.
extension RealmCollection {
  @inlinable
  public func _customContainsEquatableElement(_ element: Element) -> Bool? {
    Element._isLinkElement || Element._ownsElementMemory ? _firstIndex(of: element) != nil : nil
  }

  @inlinable
  public func _customIndexOfEquatableElement(_ element: Element) -> Int?? {
    Element._isLinkElement || Element._ownsElementMemory ? .some(_firstIndex(of: element)) : nil
  }

  @inlinable
  public func _customLastIndexOfEquatableElement(_ element: Element) -> Int?? {
    Element._isLinkElement || Element._ownsElementMemory ? .some(_lastIndex(of: element)) : nil
  }

  @usableFromInline
  func _firstIndex(of element: Element) -> Int? { isManaged && isForeign(element) ? nil : index(of: element) }

  @usableFromInline
  func _lastIndex(of element: Element) -> Int? {
    guard let first = _firstIndex(of: element) else { return nil }
    let isSame = isManaged ? Element._isSameElement : Element._isEqualElement
    return (first..<count).last { isSame(self[$0], element) }
  }

  private var isManaged: Bool { _unmanagedElements == nil }

  /// Whether an element is, or projects, an object that a managed collection cannot hold: unmanaged, deleted, or of another
  /// realm.
  private func isForeign(_ element: Element) -> Bool {
    let payload: Any =
      Element._isProjection ? Unwrapping.root(element) as Any : (element as? AnyRealmValue)?.payload ?? element
    guard let object = Unwrapping.value(payload).flatMap({ Unwrapping.object($0) }) else { return false }
    return object._instance == nil || object._instance !== realm?.instance || object._isGone
  }
}

/// Positions in sets mean nothing, and sets have a `contains(_:)` of their own.
extension MutableSet {
  public func _customContainsEquatableElement(_ element: Element) -> Bool? { nil }
  public func _customIndexOfEquatableElement(_ element: Element) -> Int?? { .none }
  public func _customLastIndexOfEquatableElement(_ element: Element) -> Int?? { .none }
}
