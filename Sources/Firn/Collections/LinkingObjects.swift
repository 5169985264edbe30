internal import FirnEngine

/// The objects that link to an object through one of their properties: the other direction of a link or list.
///
///     class Author: Object {
///         @Persisted var books: List<Book>
///     }
///     class Book: Object {
///         @Persisted(originProperty: "books") var authors: LinkingObjects<Author>
///     }
///
/// An object is in the collection once for each link: twice if its list holds the object twice. The order is stable in a
/// version and otherwise unspecified; sort where it matters. Read-only and live, like ``Results``: it follows the realm's
/// version and, inside a write transaction, what was written. Empty for an unmanaged object and for a deleted one.
///
/// Links keep their other direction all the time, so reading it never searches. May be read from any thread.
///
/// - Complexity: `count`, `first`, `last`, subscript and `index(of:)` O(log n); iteration, conditions and sorting O(n) for n
///   links to the object.
@frozen
public struct LinkingObjects<Element: ObjectBase & RealmCollectionValue>: RealmCollection, LinkingObjectsProtocol {
  @usableFromInline let source: LinkingSource

  /// Declares a property in the way of older models; `@Persisted(originProperty:)` does the same.
  ///
  /// - Parameters:
  ///   - fromType: The class of the objects that link.
  ///   - propertyName: The name of its property: a link to the declaring class, or a collection of such links.
  public init(fromType _: Element.Type, property propertyName: String) {
    source = LinkingSource(propertyName, core: nil)
  }

  @usableFromInline
  init(source: LinkingSource) { self.source = source }

  public var _originProperty: String { source.originProperty }

  public static var _originType: ObjectBase.Type { Element.self }

  /// The collection as a query; traps for that of an unmanaged object.
  public var _query: _CollectionQuery {
    guard let core = source.core else {
      fatalError("This method may only be called on LinkingObjects of objects retrieved from a Realm.")
    }
    return _CollectionQuery(core)
  }

  public var _unmanagedElements: [Element]? { source.core == nil ? [] : nil }

  /// The realm of the object that is linked to; nil for an unmanaged or deleted one.
  public var realm: Realm? {
    guard let core = source.core, !core.isInvalidated else { return nil }
    return Realm(core.instance)
  }

  /// Whether the object that is linked to was deleted, or its realm invalidated.
  public var isInvalidated: Bool { source.core?.isInvalidated ?? false }

  /// Whether the collection belongs to a frozen realm, and so never changes.
  public var isFrozen: Bool { source.core?.instance.isFrozen ?? false }

  /// The number of links. O(1).
  public var count: Int { source.core?.count ?? 0 }

  /// Whether nothing links to the object.
  public var isEmpty: Bool { count == 0 }

  /// The number of elements.
  public var underestimatedCount: Int { count }

  /// The first object, or nil.
  public var first: Element? { source.core.flatMap { core in element(.first, of: core) { core.firstKey } } }

  /// The last object, or nil.
  public var last: Element? { source.core.flatMap { core in element(.last, of: core) { core.lastKey } } }

  /// The object at a position. Traps out of bounds.
  public subscript(position: Int) -> Element {
    if position < 0 { PositionFailure.index(position, count, "\(Self.self)") }
    guard let core = source.core,
      let element = element(.position(position), of: core, { core.key(at: position) })
    else {
      PositionFailure.index(position, count, "\(Self.self)")
    }
    return element
  }

  private func element(_ element: TracedElement, of core: ResultsCore, _ find: () -> RowKey?) -> Element? {
    core.instance.trace?.note(element)
    return (core.table.accessor(find) ?? core.table.tracingObject).map { unsafeDowncast($0, to: Element.self) }
  }

  /// The position of an object, or nil; nil in the empty collection of an unmanaged object. Traps for an object that was
  /// deleted or belongs to another realm.
  public func index(of object: Element) -> Int? {
    source.core == nil ? nil : Results<Element>(core: _query.core).index(of: object)
  }

  /// Iterates over the objects that link now, whatever happens during the iteration.
  public func makeIterator() -> RLMIterator<Element> {
    guard let core = source.core else { return RLMIterator(next: { nil }) }
    return RLMIterator(core.makeWalk())
  }

  /// The collection in the version that it shows now, for use on any thread. Traps for that of an unmanaged object.
  ///
  /// - Complexity: O(1).
  public func freeze() -> LinkingObjects {
    let core = _query.core
    return isFrozen ? self : moved(core, to: core.instance.frozen())
  }

  /// A live collection for the current thread; nil when the object that is linked to is gone. A live one returns itself.
  public func thaw() -> LinkingObjects? {
    let core = _query.core
    guard isFrozen else { return self }
    let live = moved(core, to: Realm(core.instance).thaw().instance)
    return live.isInvalidated ? nil : live
  }

  func moved(_ core: ResultsCore, to instance: RealmInstance) -> LinkingObjects {
    LinkingObjects(source: LinkingSource(source.originProperty, core: core.moved(to: instance)))
  }

  /// The same value: copies of one read are equal, what two reads of the property give is not.
  public static func == (lhs: LinkingObjects, rhs: LinkingObjects) -> Bool { lhs.source === rhs.source }

  /// The objects, at most a hundred of them.
  public var description: String {
    let address = String(UInt(bitPattern: Unmanaged.passUnretained(source).toOpaque()), radix: 16)
    let name = _typeName(Element.self, qualified: false)
    return "LinkingObjects<\(name)> <0x\(address)> (\n\(CollectionDescription.items(of: self))\n)"
  }
}

/// What a ``LinkingObjects`` refers to. Immutable.
@usableFromInline
final class LinkingSource {
  let originProperty: String
  /// Nil for an unmanaged object.
  let core: ResultsCore?

  init(_ originProperty: String, core: ResultsCore?) {
    self.originProperty = originProperty
    self.core = core
  }
}
