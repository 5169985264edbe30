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

  /// Sections by a key path: one that leads to a property has its values as keys, another is evaluated for each
  /// element.
  ///
  /// - Parameters:
  ///   - descriptors: The order; nil for that of the key path.
  ///   - subject: What the key path of an object is applied to.
  fileprivate func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, ascending: Bool, _ descriptors: [SortDescriptor]?,
    _ subject: (ObjectBase) -> Any = { $0 }
  ) -> SectionedResults<Key, Element> {
    let core = _query.core
    let own = core.sortKeys(keyPath, ascending: ascending, subject)
    let keys = descriptors.map { $0.map { core.sortKey($0) } } ?? own
    if let descriptors {
      guard let first = descriptors.first else { SectionFailure.noDescriptors() }
      if !own.contains(where: { $0.path == keys[0].path && $0.mapKey == keys[0].mapKey }) {
        SectionFailure.otherDescriptor(own.map { core.name(of: $0.path) }, first.keyPath)
      }
    }
    if own.count == 1, ExactProperty.isExact(keyPath, on: core.table.model.type, subject) {
      return SectionedResults(SectionedCore(core.sorted(keys), .property(keys[0])))
    }
    return SectionedResults(SectionedCore(keys.isEmpty ? core : core.sorted(keys), .evaluating(keyPath)))
  }
}

extension RealmCollection where Element: ObjectBase {
  /// The objects in the order of a property, in sections of those with the same value.
  ///
  /// Nil is a value, and so is what lies behind a link that is nil. A computed property gives the keys that it
  /// computes; the order is that of the persisted properties that it reads of a new object, one after the other, or
  /// that of the collection when objects cannot be sorted by any of them. It runs as the block of
  /// ``sectioned(sortDescriptors:_:)`` does. Traps for a property that cannot be sorted by, and for an unmanaged
  /// collection.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, ascending: Bool = true
  ) -> SectionedResults<Key, Element> { sectioned(by: keyPath, ascending: ascending, nil) }

  /// The objects in the order of descriptors, in sections of those with the same value of a property; the first descriptor
  /// has to be on that property, or on one that a computed property reads.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> { sectioned(by: keyPath, ascending: true, sortDescriptors) }
}

/// Results of projections, by the members of the projection: the order is that of what they project.
extension RealmCollection where Element: ProjectionObservable {
  /// The projections in the order of a member, in sections of those with the same value.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    sectioned(by: keyPath, ascending: ascending, nil) { Element.projecting($0) }
  }

  /// The projections in the order of descriptors, in sections of those with the same value of a member; the first
  /// descriptor has to be on what that projects.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    sectioned(by: keyPath, ascending: true, sortDescriptors) { Element.projecting($0) }
  }
}
