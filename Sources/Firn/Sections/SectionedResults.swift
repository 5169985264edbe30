internal import FirnEngine
internal import FirnReactive
public import Foundation

/// What ``SectionedResults`` and ``ResultsSection`` have in common. Not to be conformed to.
public protocol RealmSectionedResult: RandomAccessCollection, Equatable, ThreadConfined, SendableMetatype {
  /// The elements of sections.
  associatedtype SectionElement: RealmCollectionValue
  /// What observers need. Traps where it cannot be observed.
  var _observedSections: _Observed<SectionedResultsChange<Self>> { get }
}

/// The elements of a collection in sections: those with the same key, in the order of the sort.
///
/// Made by `sectioned(by:)` of every managed collection. Sections come in the order of their first elements. Keys are
/// compared as they are stored; nil is a key like any other.
///
/// Lazy and live, like ``Results``: the first use evaluates, and sections come and go with the data, also inside of a write
/// transaction. May be read from any thread, away from the realm's own more slowly. Frozen ones never change.
///
/// - Complexity: With a key path the sort, and O(log n) for each section; with a block a call for each element; once for each
///   version that is looked at. While the sections are observed and read at home, O(log n) for each element.
public struct SectionedResults<Key: _Persistable & Hashable, SectionElement: RealmCollectionValue>: RealmSectionedResult
{
  public typealias Element = ResultsSection<Key, SectionElement>
  public typealias Index = Int

  let core: SectionedCore<SectionElement>

  /// Traps for links as keys.
  init(_ core: SectionedCore<SectionElement>) {
    if Key._shape.target != nil || Key._shape.isCollection { SectionFailure.linkAsKey() }
    self.core = core
  }

  /// The keys of all sections in their order.
  public var allKeys: [Key] {
    let sections = core.sections
    return (0..<sections.count).map { Key._sectionKey(sections.key(at: $0).value, core.results.instance) }
  }

  /// The section at a position. Traps out of bounds.
  public subscript(_ index: Int) -> Element {
    let sections = core.sections
    guard index >= 0, index < sections.count else { PositionFailure.index(index, sections.count, "\(Self.self)") }
    return ResultsSection(core, sections.key(at: index))
  }

  /// The element at a section and an item. Traps out of bounds, and for a path that has not two indexes.
  public subscript(_ indexPath: IndexPath) -> SectionElement {
    if indexPath.count != 2 { fatalError("An index path of sections has two indexes, not \(indexPath.count).") }
    let section = indexPath[0]
    return core.element(
      indexPath[1], of: { 0..<$0.count ~= section ? section : nil },
      orFail: { PositionFailure.index(section, $0.count, "\(Self.self)") })
  }

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of sections.
  public var endIndex: Int { count }
  public var count: Int { core.sections.count }
  public func index(after i: Int) -> Int { i + 1 }
  public func index(before i: Int) -> Int { i - 1 }

  /// Iterates over the sections that there are now, whatever happens during the iteration.
  public func makeIterator() -> SectionedResultsIterator<Key, SectionElement> {
    let sections = core.sections
    return SectionedResultsIterator((0..<sections.count).map { ResultsSection(core, sections.key(at: $0)) })
  }

  public var realm: Realm? { core.isInvalidated ? nil : Realm(core.results.instance) }
  public var isInvalidated: Bool { core.isInvalidated }
  public var isFrozen: Bool { core.results.instance.isFrozen }

  public func freeze() -> SectionedResults {
    isFrozen ? self : SectionedResults(core.moved(to: core.results.instance.frozen()))
  }

  public func thaw() -> SectionedResults? {
    guard isFrozen else { return self }
    let live = SectionedResults(core.moved(to: Realm(core.results.instance).thaw().instance))
    return live.isInvalidated ? nil : live
  }

  /// The same sectioned results: copies of one value are, two made alike are not.
  public static func == (lhs: SectionedResults, rhs: SectionedResults) -> Bool { lhs.core === rhs.core }
}

extension SectionedResults: Referable {
  func makeReference() -> ReferenceTarget {
    let frozen = SectionedCore(core.results.frozenForReference(Self.self), core.keys)
    return ReferenceTarget(core.results.instance) { realm in
      let live = SectionedResults(frozen.moved(to: realm))
      return live.isInvalidated ? nil : live
    }
  }
}

extension SectionedCore {
  /// An element of the section that `find` gives; `fail` is called when there is none. Traps when it has no such item.
  func element(
    _ item: Int, of find: (CurrentSections<Element>) -> Int?, orFail fail: (CurrentSections<Element>) -> Never
  ) -> Element {
    while true {
      let sections = sections
      guard let section = find(sections) else { fail(sections) }
      let count = sections.rowCount(at: section)
      guard item >= 0, item < count else { PositionFailure.index(item, count, "ResultsSection<\(Element.self)>") }
      // Away from home the row may have gone meanwhile; then so did the sections.
      if let element = sections.element(section, item, results) { return element }
    }
  }
}

extension _Persistable {
  /// The key of a section in its Swift type.
  static func _sectionKey(_ stored: Value, _ instance: RealmInstance) -> Self {
    if Self.self == AnyRealmValue.self,
      let mixed = AnyRealmValue(stored, in: instance, isDynamic: false) as? Self
    {
      return mixed
    }
    return _make(_StoredValue(stored)) ?? _default()
  }
}

/// Iterates over sections.
@frozen
public struct SectionedResultsIterator<Key: _Persistable & Hashable, Element: RealmCollectionValue>:
  IteratorProtocol
{
  private var sections: IndexingIterator<[ResultsSection<Key, Element>]>

  init(_ sections: [ResultsSection<Key, Element>]) { self.sections = sections.makeIterator() }

  /// The next section; nil at the end.
  public mutating func next() -> ResultsSection<Key, Element>? { sections.next() }
}

/// The name that older programs use.
public typealias RLMSectionedResultsIterator = SectionedResultsIterator
