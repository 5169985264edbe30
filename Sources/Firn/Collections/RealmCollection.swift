internal import FirnEngine
public import Foundation

/// A value that a collection may hold: a number, text, bytes, a date, a UUID, an enumeration, an optional of these, or an
/// object. Not to be conformed to directly.
public protocol RealmCollectionValue: _ListElement, Hashable, _HasPersistedType {}

/// What ``Realm/objects(_:)`` can fetch.
public protocol RealmFetchable: RealmCollectionValue {
  /// The name of the class in the schema.
  static func className() -> String
  /// The class whose objects are fetched.
  static var _fetchedClass: ObjectBase.Type { get }
}

extension Object: RealmFetchable {
  public static var _fetchedClass: ObjectBase.Type {
    @inlinable @inline(__always) get { self }
  }
}

/// What every ``RealmCollection`` is.
public protocol RealmCollectionBase: RandomAccessCollection, LazyCollectionProtocol, CustomStringConvertible,
  ThreadConfined
where Element: RealmCollectionValue {
  /// Another name of the type of elements, which older programs use.
  typealias ElementType = Element
}

/// A homogeneous collection of a realm: ``Results``, ``List``, ``MutableSet``, ``LinkingObjects`` and
/// ``AnyRealmCollection``.
///
/// Collections are live: they show the version that their realm shows. They may be read from any thread; away from the
/// realm's own they show the last committed version.
public protocol RealmCollection: RealmCollectionBase, Equatable, _FrozenAfterWriting
where Index == Int, SubSequence == Slice<Self> {
  /// The position of the first element that equals a value, or of an object; nil when there is none.
  ///
  /// Nil for an unmanaged object in a managed collection, which knows objects by their rows. Traps for an object that was
  /// deleted or belongs to another realm. `contains(_:)`, `firstIndex(of:)` and `lastIndex(of:)` of the standard library
  /// find the same elements, and no such object.
  func index(of object: Element) -> Int?
  /// What a property is in each element: an array in the order of the elements, with `NSNull` for nil. Enumerations and
  /// custom types come as what is stored for them. For the key `self`, the elements.
  ///
  /// A ``MutableSet`` gives each value once. Traps for a name that is no property; collections of values only know `self`.
  func value(forKey key: String) -> Any?
  /// What a path of names joined by dots leads to from each element, or what one of the operators `@count`, `@min`,
  /// `@max`, `@sum`, `@avg`, `@unionOfObjects`, `@distinctUnionOfObjects`, `@unionOfArrays` and `@distinctUnionOfArrays`
  /// makes of a property: `@max.age`.
  ///
  /// Traps for unknown operators, for those without a property, and for properties of properties behind them.
  func value(forKeyPath keyPath: String) -> Any?
  /// Sets a property of each element to a value, in the forms that ``Realm/create(_:value:update:)`` takes. The key `self`
  /// of a list or set of values stands for the elements: each becomes the value, of which a set keeps one.
  ///
  /// Traps outside of a write transaction when the collection is managed, for a name that is no property and for a value
  /// that it cannot hold.
  func setValue(_ value: Any?, forKey key: String)
  /// What observers need of the collection. Traps for an unmanaged one.
  var _observed: _Observed<RealmCollectionChange<Self>> { get }
  /// The collection as a query. Traps for an unmanaged one.
  var _query: _CollectionQuery { get }
  /// The elements of an unmanaged collection; nil for a managed one.
  var _unmanagedElements: [Element]? { get }
}

/// What queries on a collection start from.
public struct _CollectionQuery {
  @usableFromInline let core: ResultsCore

  @inlinable
  init(_ core: ResultsCore) { self.core = core }
}

extension RealmCollection {
  public var _unmanagedElements: [Element]? { nil }

  public func _frozenAfterWriting() -> Self {
    (self as? CollectionBase)?._checkIsManagedAfterWriting()
    return freeze()
  }

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { count }

  /// The next position.
  @inlinable
  public func index(after i: Int) -> Int { i + 1 }
  /// The position before.
  @inlinable
  public func index(before i: Int) -> Int { i - 1 }
  /// The position that is so many further on.
  @inlinable
  public func index(_ i: Int, offsetBy distance: Int) -> Int { i + distance }
  /// How many positions lie between two.
  @inlinable
  public func distance(from start: Int, to end: Int) -> Int { end - start }

  /// The elements in a range of positions, read when they are looked at.
  public subscript(bounds: Range<Int>) -> Slice<Self> { Slice(base: self, bounds: bounds) }

  /// The elements at some positions, ascending. Traps when one is out of bounds.
  public func objects(at indexes: IndexSet) -> [Element] { indexes.map { self[$0] } }
}

extension RealmCollection {
  /// The elements that satisfy a condition, live.
  ///
  ///     realm.objects(Flight.self).where { $0.delay > 30 && $0.from.city == "Boston" }
  ///
  /// Nothing is evaluated until the result is used. Traps for a condition that does not suit the class, and for an
  /// unmanaged collection.
  @inlinable
  public consuming func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
    let core = _query.core
    _ = consume self
    let condition = isIncluded(Query(QueryNode(core))).node
    return Results(core: .filtered(core, condition))
  }

  /// The position of the first element that satisfies a condition, or nil.
  ///
  /// The objects of an unmanaged collection are copied up to that one, each once and with all that they link to, into a
  /// realm that exists during the call; a deleted one among them traps. Values are copied, all of them.
  public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
    func condition(_ core: ResultsCore) -> Predicate {
      isIncluded(Query(QueryNode(core))).node.filter(in: core).predicate
    }
    if let elements = _unmanagedElements { return UnmanagedQuery.index(in: elements, matching: condition) }
    let core = _query.core
    return core.index(matching: condition(core))
  }
}
