internal import FirnEngine
internal import FirnReactive

/// The elements of a collection that have one key; see ``SectionedResults``.
///
/// Stands for the key: when no element has it any more ``isInvalidated`` is true and everything else traps, until the key
/// comes back.
public struct ResultsSection<Key: _Persistable & Hashable, T: RealmCollectionValue>: RealmSectionedResult, Identifiable
{
  public typealias Element = T
  public typealias SectionElement = T
  public typealias Index = Int

  let core: SectionedCore<T>
  let sectionKey: SectionKey

  init(_ core: SectionedCore<T>, _ key: SectionKey) {
    self.core = core
    sectionKey = key
  }

  /// What its elements have in common. Traps when none is left.
  public var key: Key {
    if isInvalidated { SectionFailure.vanished(sectionKey.value) }
    return Key._sectionKey(sectionKey.value, core.results.instance)
  }

  /// The key, which tells the section from others. Does not trap.
  public var id: Key { Key._sectionKey(sectionKey.value, core.results.instance) }

  /// The element at a position. Traps out of bounds, and when none is left.
  public subscript(_ index: Int) -> T {
    core.element(
      index, of: { $0.index(of: sectionKey) }, orFail: { _ in SectionFailure.vanished(sectionKey.value) })
  }

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of elements. Traps when none is left.
  public var endIndex: Int { count }

  /// The number of elements. Traps when none is left.
  public var count: Int {
    let sections = core.sections
    guard let index = sections.index(of: sectionKey) else { SectionFailure.vanished(sectionKey.value) }
    return sections.rowCount(at: index)
  }

  public func index(after i: Int) -> Int { i + 1 }
  public func index(before i: Int) -> Int { i - 1 }

  /// Iterates over the elements that there are now, whatever happens during the iteration. Traps when none is left.
  public func makeIterator() -> SectionIterator<T> {
    let sections = core.sections
    guard let index = sections.index(of: sectionKey) else { SectionFailure.vanished(sectionKey.value) }
    return SectionIterator(sections.elements(of: index, core.results))
  }

  public var realm: Realm? { core.isInvalidated ? nil : Realm(core.results.instance) }

  /// Whether no element has the key, or the collection is gone.
  public var isInvalidated: Bool { core.isInvalidated || core.sections.index(of: sectionKey) == nil }
  public var isFrozen: Bool { core.results.instance.isFrozen }

  public func freeze() -> ResultsSection {
    isFrozen ? self : ResultsSection(core.moved(to: core.results.instance.frozen()), sectionKey)
  }

  /// The live section; nil when no element has the key any more.
  public func thaw() -> ResultsSection? {
    guard isFrozen else { return self }
    let live = ResultsSection(core.moved(to: Realm(core.results.instance).thaw().instance), sectionKey)
    return live.isInvalidated ? nil : live
  }

  /// The section of one key in the same sectioned results.
  public static func == (lhs: ResultsSection, rhs: ResultsSection) -> Bool {
    lhs.core === rhs.core && lhs.sectionKey == rhs.sectionKey
  }
}

extension ResultsSection: Referable {
  func makeReference() -> ReferenceTarget {
    let frozen = SectionedCore(core.results.frozenForReference(Self.self), core.keys)
    return ReferenceTarget(core.results.instance) { [sectionKey] realm in
      let live = ResultsSection(frozen.moved(to: realm), sectionKey)
      return live.isInvalidated ? nil : live
    }
  }
}

/// Iterates over the elements of a section.
@frozen public struct SectionIterator<Element: RealmCollectionValue>: IteratorProtocol {
  private let elements: AnyIterator<Element>

  init(_ elements: some Sequence<Element>) { self.elements = AnyIterator(elements.makeIterator()) }

  /// The next element; nil at the end.
  public mutating func next() -> Element? { elements.next() }
}

/// The name that older programs use.
public typealias RLMSectionIterator = SectionIterator
