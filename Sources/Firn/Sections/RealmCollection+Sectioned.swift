internal import FirnEngine

extension RealmCollection {
  /// The elements in sections, sorted by descriptors, with the keys that a block gives.
  ///
  /// The block runs when sections are evaluated, once for each element; for observers once for each element that was
  /// touched. It may run on any thread and with frozen elements, has to give the same key for the same content, and must
  /// not write to the realm whose observers it runs for, which would trap. What it observes there starts afterwards, and
  /// the realm does not refresh meanwhile. Traps for no descriptors, for objects as keys, and for an unmanaged collection.
  @preconcurrency
  public func sectioned<Key: _Persistable & Hashable>(
    sortDescriptors: [SortDescriptor], _ keyBlock: @escaping @Sendable (Element) -> Key
  ) -> SectionedResults<Key, Element> {
    if sortDescriptors.isEmpty { SectionFailure.noDescriptors() }
    return SectionedResults(SectionedCore(_query.core.sorted(by: sortDescriptors), .calling(keyBlock)))
  }

  /// The elements in sections, sorted by descriptors, with the keys that a block gives; see
  /// ``sectioned(sortDescriptors:_:)``.
  @preconcurrency
  public func sectioned<Key: _Persistable & Hashable>(
    by block: @escaping @Sendable (Element) -> Key, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> { sectioned(sortDescriptors: sortDescriptors, block) }

  /// The values in their order, in sections with the keys that a block gives; see ``sectioned(sortDescriptors:_:)``. Traps
  /// for a collection of objects, which have no order of their own.
  @preconcurrency
  public func sectioned<Key: _Persistable & Hashable>(
    by block: @escaping @Sendable (Element) -> Key, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    sectioned(sortDescriptors: [SortDescriptor(keyPath: "self", ascending: ascending)], block)
  }

  /// The same with descriptors of which the first is on the key path that `key` has.
  fileprivate func sectioned<Key: _Persistable & Hashable>(
    _ key: SortKey, _ core: ResultsCore, _ sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    guard let first = sortDescriptors.first else { SectionFailure.noDescriptors() }
    let primary = core.sortKey(first)
    if primary.path != key.path || primary.mapKey != key.mapKey {
      SectionFailure.otherDescriptor(core.name(of: key.path), first.keyPath)
    }
    return SectionedResults(SectionedCore(core.sorted(by: sortDescriptors), .property(primary)))
  }
}

extension RealmCollection where Element: ObjectBase {
  /// The objects in the order of a property, in sections of those with the same value.
  ///
  /// Nil is a value, and so is what lies behind a link that is nil. Traps for a property that cannot be sorted by, and for
  /// an unmanaged collection.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    let core = _query.core
    let key = core.sortKey(keyPath, ascending: ascending)
    return SectionedResults(SectionedCore(core.sorted([key]), .property(key)))
  }

  /// The objects in the order of descriptors, in sections of those with the same value of a property; the first descriptor
  /// has to be on that property.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    let core = _query.core
    return sectioned(core.sortKey(keyPath, ascending: true), core, sortDescriptors)
  }
}

/// Results of projections, by the members of the projection: the order is that of what they project.
extension RealmCollection where Element: ProjectionObservable {
  /// The projections in the order of a member, in sections of those with the same value.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    sectioned(by: keyPath, sortDescriptors: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// The projections in the order of descriptors, in sections of those with the same value of a member; the first
  /// descriptor has to be on what that projects.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    let core = _query.core
    return sectioned(core.sortKey(SortDescriptor(keyPath: keyPath)), core, sortDescriptors)
  }
}
