public import Foundation

extension RealmCollection where Element: ObjectBase {
  /// The objects in the order of a sort descriptor of Foundation, live.
  ///
  ///     let byDelay = flights.sorted(using: Foundation.SortDescriptor(\.delay, order: .reverse))
  ///
  /// The name alone means Firn's own ``SortDescriptor``. The order is that of ``RealmCollection/sorted(by:)``, which is
  /// Foundation's: nil comes first, and last in reverse. It differs in three points: NaN comes before all numbers, texts
  /// go by their bytes, which Swift's `<` does for those in NFC, and enumerations by their raw values.
  ///
  /// Traps for a key path that is not a persisted property of the class itself, and for texts with another comparator than
  /// `.lexical`, of which the engine knows nothing: sort an array by these.
  public func sorted(using descriptor: Foundation.SortDescriptor<Element>) -> Results<Element> {
    sorted(using: [descriptor])
  }

  /// The objects in the order of sort descriptors of Foundation, live; the first is the primary one. See
  /// `sorted(using:)` with one.
  public func sorted<Descriptors: Sequence>(using descriptors: Descriptors) -> Results<Element>
  where Descriptors.Element == Foundation.SortDescriptor<Element> {
    Results(core: _query.core.sorted(by: descriptors.map { SortDescriptor($0) }))
  }
}

extension RealmCollection where Element: Comparable, Element.PersistedType: SortableType {
  /// The values in their order, forward or in reverse, live; as ``RealmCollection/sorted(ascending:nilsLast:)``.
  public func sorted(using comparator: ComparableComparator<Element>) -> Results<Element> {
    sorted(ascending: comparator.order == .forward)
  }
}

extension SortDescriptor {
  fileprivate init<Element: ObjectBase>(_ descriptor: Foundation.SortDescriptor<Element>) {
    guard let keyPath = descriptor.keyPath, let name = ExactProperty.name(of: keyPath, on: Element.self) else {
      fatalError(
        "Cannot sort '\(Element.className())' by a descriptor of Foundation whose key path is not a persisted property of "
          + "the class itself. Use sorted(by:) for a property behind a link.")
    }
    if var comparator = descriptor.stringComparator {
      comparator.order = .forward
      if comparator != .lexical {
        fatalError(
          "Cannot sort '\(Element.className()).\(name)' by \(descriptor): of the comparators for texts only .lexical is "
            + "known. Sort an array of the objects.")
      }
    }
    self.init(keyPath: name, ascending: descriptor.order == .forward)
  }
}
