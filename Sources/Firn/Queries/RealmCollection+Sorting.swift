internal import FirnEngine

extension RealmCollection {
  /// The elements in the order of descriptors, live; the first is the primary one, elements equal in all keep their order.
  ///
  /// On a collection that is sorted already the new order is primary. Null values come first, objects behind null links
  /// last; descending is the reverse of both, and ``SortDescriptor/nilsLast`` puts both last. Traps for a key path that does not lead to a sortable property. Values have
  /// one descriptor at most, for `self`.
  public func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Element> where S.Element == SortDescriptor {
    Results(core: _query.core.sorted(by: Array(sortDescriptors)))
  }

  /// The elements in the order of a property, live; values in their own, for the key path `self`. See ``sorted(by:)``.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true, nilsLast: Bool = false) -> Results<Element> {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending, nilsLast: nilsLast)])
  }

  /// The first of the elements that are equal in all of these properties, in the order of the collection, live.
  ///
  /// Null is one value. An element for which a path leads through a null link is left out. What was called before on the
  /// collection comes before, and what is called on the result after it: conditions and sorts then concern only what is
  /// left. No key paths leave the collection as it is. Values have one key path at most, `self`.
  ///
  /// Traps for a key path that does not lead to a sortable property.
  ///
  /// - Complexity: O(n log n) for each version that is looked at, and for each change that an observer is told of.
  public func distinct<S: Sequence>(by keyPaths: S) -> Results<Element> where S.Element == String {
    Results(core: _query.core.distinct(by: Array(keyPaths)))
  }
}

extension RealmCollection {
  /// At most so many elements from a position on, live: the window stays filled while elements come, leave and move.
  ///
  /// What was called before on the collection comes before; conditions, sorts and windows that are called on the result
  /// concern only what is in it. The standard library's `prefix(_:)` gives a slice instead, which does not stay filled.
  ///
  /// - Parameters:
  ///   - count: The most elements. Traps when negative.
  ///   - offset: So many are passed over first. Traps when negative.
  /// - Complexity: Without a sort a scan ends with the last element that is needed. An observer pays O(log n) for each
  ///   change among all n elements, and keeps 16 bytes for each of them.
  public func limit(_ count: Int, offset: Int = 0) -> Results<Element> {
    if count < 0 { fatalError("A limit of \(count) elements: it cannot be negative.") }
    if offset < 0 { fatalError("An offset of \(offset) elements: it cannot be negative.") }
    let (end, overflows) = offset.addingReportingOverflow(count)
    return Results(core: _query.core.window(offset..<(overflows ? .max : end)))
  }
}

extension RealmCollection where Element: ObjectBase {
  /// The objects in the order of a property, live; see `sorted(by:)`. A computed property stands for the persisted ones
  /// that it reads of a new object, one after the other.
  public func sorted<T>(
    by keyPath: KeyPath<Element, T>, ascending: Bool = true, nilsLast: Bool = false
  ) -> Results<Element> {
    let core = _query.core
    return Results(core: core.sorted(by: keyPath, ascending: ascending, nilsLast: nilsLast))
  }

  /// The first of the objects that are equal in all of these properties, live; see `distinct(by:)`.
  public func distinct<S: Sequence>(by keyPaths: S) -> Results<Element> where S.Element == PartialKeyPath<Element> {
    let core = _query.core
    return Results(core: core.distinct(keyPaths.map { core.valuePath($0, to: "make distinct") }))
  }
}

extension RealmCollection where Element.PersistedType: SortableType {
  /// The values in their order, live; equal ones keep the order of the collection.
  ///
  /// Nil comes first, then NaN, and descending last; see ``SortableType``. With `nilsLast` nil comes last in both
  /// directions. Enumerations and custom types go by what is stored for them.
  ///
  /// - Complexity: O(n log n) for each version that is looked at, and for each change that an observer is told of.
  public func sorted(ascending: Bool = true, nilsLast: Bool = false) -> Results<Element> {
    Results(core: _query.core.sortedValues(ascending: ascending, nilsLast: nilsLast))
  }

  /// The first of equal values, in the order of the collection, live. Nil is a value like any other, and so is NaN.
  ///
  /// - Complexity: As ``sorted(ascending:nilsLast:)``.
  public func distinct() -> Results<Element> { Results(core: _query.core.distinctValues()) }
}

extension ResultsCore {
  /// - Parameter subject: Makes the value that the key path is applied to, if that is not the object itself.
  func sorted(
    by keyPath: AnyKeyPath, ascending: Bool, nilsLast: Bool = false, _ subject: (ObjectBase) -> Any = { $0 }
  ) -> ResultsCore {
    let keys = sortKeys(keyPath, ascending: ascending, nilsLast: nilsLast, subject)
    if keys.isEmpty {
      let type = table.model.type
      ExactProperty.trapForComputed(
        StoreSchema.tracedPath(of: keyPath, on: type, subject), on: type, to: "sort")
    }
    return sorted(keys)
  }

  func sorted(by descriptors: [SortDescriptor]) -> ResultsCore {
    if !isOfValues { return sorted(descriptors.map { sortKey($0) }) }
    guard let first = descriptors.first else { return self }
    if descriptors.count > 1 { fatalError("A collection of values cannot be sorted on more than one key path.") }
    if first.keyPath != "self" {
      fatalError("Cannot sort on key path '\(first.keyPath)': a collection of values can only be sorted on 'self'.")
    }
    return sortedValues(ascending: first.ascending, nilsLast: first.nilsLast)
  }

  func distinct(by keyPaths: [String]) -> ResultsCore {
    if !isOfValues { return distinct(keyPaths.map { valuePath($0, to: "make distinct") }) }
    guard let first = keyPaths.first else { return self }
    if keyPaths.count > 1 { fatalError("A collection of values cannot be made distinct on more than one key path.") }
    if first != "self" {
      fatalError(
        "Cannot make distinct on key path '\(first)': a collection of values can only be made distinct on 'self'.")
    }
    return distinctValues()
  }
}
