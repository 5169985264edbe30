/// A collection of a realm whose kind does not matter: ``Results``, ``List``, ``MutableSet`` or ``LinkingObjects`` of one
/// type of elements.
///
///     var shown: AnyRealmCollection<Flight>
///     shown = AnyRealmCollection(realm.objects(Flight.self))
///     shown = AnyRealmCollection(airport.departures)
///
/// Everything is what the collection inside of it does and costs, and a call more.
@frozen
public struct AnyRealmCollection<Element: RealmCollectionValue>: RealmCollection {
  @usableFromInline let base: AnyCollectionBase<Element>

  init(base: AnyCollectionBase<Element>) { self.base = base }

  /// Wraps a collection. One that is wrapped already is taken out first.
  public init<C: RealmCollection>(_ base: C) where C.Element == Element {
    self.base = (base as? AnyRealmCollection<Element>)?.base ?? KnownCollection(base)
  }

  public var realm: Realm? { base.realm }

  public var isInvalidated: Bool { base.isInvalidated }

  public var isFrozen: Bool { base.isFrozen }

  public var count: Int { base.count }

  /// Whether there are no elements.
  public var isEmpty: Bool { base.isEmpty }

  /// The number of elements.
  public var underestimatedCount: Int { base.count }

  /// The first element; nil when there is none.
  public var first: Element? { base.first }

  /// The last element; nil when there is none.
  public var last: Element? { base.last }

  /// The element at a position. Traps out of bounds.
  public subscript(position: Int) -> Element { base.element(at: position) }

  public func index(of object: Element) -> Int? { base.index(of: object) }

  public func makeIterator() -> RLMIterator<Element> { base.makeIterator() }

  public func freeze() -> AnyRealmCollection { AnyRealmCollection(base: base.freeze()) }

  public func thaw() -> AnyRealmCollection? { base.thaw().map { AnyRealmCollection(base: $0) } }

  public func value(forKey key: String) -> Any? { base.value(forKey: key) }

  public func value(forKeyPath keyPath: String) -> Any? { base.value(forKeyPath: keyPath) }

  public func setValue(_ value: Any?, forKey key: String) { base.setValue(value, forKey: key) }

  public var _observed: _Observed<RealmCollectionChange<AnyRealmCollection>> { base.observed }

  public var _query: _CollectionQuery { base.query }

  public var _unmanagedElements: [Element]? { base.unmanagedElements }

  public func _customContainsEquatableElement(_ element: Element) -> Bool? { base.contains(element) }

  public func _customIndexOfEquatableElement(_ element: Element) -> Int?? { base.firstIndex(of: element) }

  public func _customLastIndexOfEquatableElement(_ element: Element) -> Int?? { base.lastIndex(of: element) }

  /// Whether both wrap collections that are equal and of one kind.
  public static func == (lhs: AnyRealmCollection, rhs: AnyRealmCollection) -> Bool { lhs.base.isEqual(to: rhs.base) }

  public var description: String { base.text }
}

/// A collection of some kind.
@usableFromInline
class AnyCollectionBase<Element: RealmCollectionValue> {
  var realm: Realm? { trap() }
  var isInvalidated: Bool { trap() }
  var isFrozen: Bool { trap() }
  var count: Int { trap() }
  var isEmpty: Bool { trap() }
  var first: Element? { trap() }
  var last: Element? { trap() }
  func element(at position: Int) -> Element { trap() }
  func index(of object: Element) -> Int? { trap() }
  func contains(_ element: Element) -> Bool? { trap() }
  func firstIndex(of element: Element) -> Int?? { trap() }
  func lastIndex(of element: Element) -> Int?? { trap() }
  func makeIterator() -> RLMIterator<Element> { trap() }
  func freeze() -> AnyCollectionBase { trap() }
  func thaw() -> AnyCollectionBase? { trap() }
  func value(forKey key: String) -> Any? { trap() }
  func value(forKeyPath keyPath: String) -> Any? { trap() }
  func setValue(_ value: Any?, forKey key: String) { trap() }
  var observed: _Observed<RealmCollectionChange<AnyRealmCollection<Element>>> { trap() }
  var query: _CollectionQuery { trap() }
  var unmanagedElements: [Element]? { trap() }
  func isEqual(to other: AnyCollectionBase) -> Bool { trap() }
  var text: String { trap() }
  var reference: ReferenceTarget { trap() }

  private func trap() -> Never { fatalError("A collection of no kind was used.") }
}

/// A collection whose kind is known here.
private final class KnownCollection<Base: RealmCollection>: AnyCollectionBase<Base.Element> {
  private let base: Base

  init(_ base: Base) { self.base = base }

  override var realm: Realm? { base.realm }
  override var isInvalidated: Bool { base.isInvalidated }
  override var isFrozen: Bool { base.isFrozen }
  override var count: Int { base.count }
  override var isEmpty: Bool { base.isEmpty }
  override var first: Base.Element? { base.first }
  override var last: Base.Element? { base.last }
  override func element(at position: Int) -> Base.Element { base[position] }
  override func index(of object: Base.Element) -> Int? { base.index(of: object) }
  override func freeze() -> AnyCollectionBase<Base.Element> { KnownCollection(base.freeze()) }
  override func thaw() -> AnyCollectionBase<Base.Element>? { base.thaw().map { KnownCollection($0) } }
  override func value(forKey key: String) -> Any? { base.value(forKey: key) }
  override func value(forKeyPath keyPath: String) -> Any? { base.value(forKeyPath: keyPath) }
  override func setValue(_ value: Any?, forKey key: String) { base.setValue(value, forKey: key) }
  override var query: _CollectionQuery { base._query }
  override var unmanagedElements: [Base.Element]? { base._unmanagedElements }
  override var text: String { base.description }

  /// Nil where equality decides, as the standard library has it.
  override func contains(_ element: Base.Element) -> Bool? {
    // Sets have no positions, and look their elements up.
    (base as? MutableSet<Base.Element>)?.contains(element) ?? base._customContainsEquatableElement(element)
  }

  override func firstIndex(of element: Base.Element) -> Int?? { base._customIndexOfEquatableElement(element) }

  override func lastIndex(of element: Base.Element) -> Int?? { base._customLastIndexOfEquatableElement(element) }

  override func makeIterator() -> RLMIterator<Base.Element> {
    let iterator = base.makeIterator()
    if let iterator = iterator as? RLMIterator<Base.Element> { return iterator }
    var others = iterator
    return RLMIterator(next: { others.next() })
  }

  override var observed: _Observed<RealmCollectionChange<AnyRealmCollection<Base.Element>>> {
    base._observed.map { $0.map { AnyRealmCollection($0) } }
  }

  override func isEqual(to other: AnyCollectionBase<Base.Element>) -> Bool {
    (other as? KnownCollection<Base>).map { base == $0.base } ?? false
  }

  override var reference: ReferenceTarget {
    let inner = ReferenceTarget(to: base)
    return inner.map { ($0 as? Base).map { AnyRealmCollection($0) } }
  }
}

extension AnyRealmCollection: Referable {
  func makeReference() -> ReferenceTarget { base.reference }
}

extension RealmCollectionChange {
  /// The same change of another form of the collection.
  func map<Other>(_ transform: (CollectionType) -> Other) -> RealmCollectionChange<Other> {
    switch self {
    case .initial(let collection): .initial(transform(collection))
    case .update(let collection, let deletions, let insertions, let modifications):
      .update(
        transform(collection), deletions: deletions, insertions: insertions, modifications: modifications)
    case .error(let error): .error(error)
    }
  }
}

extension _Observed {
  /// The same, for observers that are called with something else.
  func map<Other>(_ transform: @escaping (Change) -> Other) -> _Observed<Other> {
    _Observed<Other>(instance: instance) { [makeObserver] realm, names, block in
      makeObserver(realm, names) { block(transform($0)) }
    }
  }
}
