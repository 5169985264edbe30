internal import FirnEngine

/// The objects of a class, or those that satisfy a condition, in some order; or the values of a collection in an order.
///
/// Lazy: making results costs nothing, the first use evaluates, and the evaluation is kept until the realm's version
/// changes. Live: after each refresh, and after each change inside a write transaction, the results show what matches
/// then. Unsorted results follow the order in which objects were added, or that of the collection they come from.
///
/// May be read from any thread, away from the realm's own more slowly. Frozen results never change.
///
/// - Complexity: of all objects of a class: `count` and subscript O(log n). Of a condition: one pass over the columns
///   concerned, or an index look-up, for each version; inside a write transaction the rows written since the last use.
public struct Results<Element: RealmCollectionValue>: RealmCollection {
  @usableFromInline let core: ResultsCore

  @inlinable
  init(core: ResultsCore) { self.core = core }

  @inlinable
  public var _query: _CollectionQuery { _CollectionQuery(core) }

  public var realm: Realm? { core.isInvalidated ? nil : Realm(core.instance) }

  public var isInvalidated: Bool { core.isInvalidated }

  public var isFrozen: Bool { core.instance.isFrozen }

  @inlinable
  public var count: Int { core.count }

  public var isEmpty: Bool { core.firstKey == nil }

  /// The first element; nil when there is none.
  public var first: Element? { core.isOfValues ? core.value { _ in 0 } : element { core.firstKey } }

  /// The last element; nil when there is none.
  public var last: Element? {
    core.isOfValues ? core.value { $0 == 0 ? nil : $0 - 1 } : element { core.lastKey }
  }

  /// The element at a position. Traps out of bounds.
  public subscript(position: Int) -> Element {
    if position < 0 { PositionFailure.index(position, count, "\(Self.self)") }
    let found: Element? = core.isOfValues ? core.value { _ in position } : element { core.key(at: position) }
    guard let element = found else {
      PositionFailure.index(position, count, "\(Self.self)")
    }
    return element
  }

  /// The element that stands for a row, made anew; nil when there is no row, or when it is not there any more.
  func element(_ find: () -> RowKey?) -> Element? {
    if core.isOfCustomValues { return find().map { Self.custom($0.rawValue, core.table) } }
    if core.showsNulls {
      guard let key = find() else { return nil }
      if key.rawValue == ResultsCore.nullKey { return Self.null }
    }
    return core.table.accessor(find).map { Element._element(of: $0) }
  }

  /// The value of a custom type that is stored as an embedded object.
  private static func custom(_ key: UInt64, _ table: TableHandle) -> Element {
    withUnsafeBytes(of: key) { bytes in
      Element._loadElement(
        bytes.baseAddress.unsafelyUnwrapped, key == ResultsCore.nullKey, _ElementSource(table: table, mover: nil))
    }
  }

  /// The nil of an optional object.
  private static var null: Element { unsafeBitCast(nil as ObjectBase?, to: Element.self) }

  /// The position of the first element that equals a value, or of an object; nil when there is none.
  ///
  /// Traps for an object that was deleted or belongs to another realm.
  ///
  /// - Complexity: O(n) for values.
  public func index(of object: Element) -> Int? {
    if core.isOfValues { return core.values().firstIndex { Element._isSameElement($0, object) } }
    if core.isOfCustomValues { return firstIndex { Element._isSameElement($0, object) } }
    return core.index(of: Element._isProjection ? Unwrapping.root(object) : object as Any as? ObjectBase)
  }

  public func makeIterator() -> RLMIterator<Element> {
    if core.isOfValues {
      var values: IndexingIterator<[Element]> = core.values().makeIterator()
      return RLMIterator(next: { values.next() })
    }
    let isOfCustomValues = core.isOfCustomValues
    if !core.showsNulls, !isOfCustomValues {
      if !Element._isProjection { return RLMIterator(core.makeWalk()) }
      var objects = RLMIterator<Object>(core.makeWalk())
      return RLMIterator(next: { objects.next().map { Element._element(of: $0) } })
    }
    var keys = core.allKeys().makeIterator()
    let table = core.table
    if isOfCustomValues { return RLMIterator(next: { keys.next().map { Self.custom($0, table) } }) }
    return RLMIterator(next: {
      guard let key = keys.next() else { return nil }
      if key == ResultsCore.nullKey { return .some(Self.null) }
      return unsafeBitCast(table.accessor(RowKey(key)), to: Element.self)
    })
  }

  /// The number of elements.
  public var underestimatedCount: Int { count }

  public func freeze() -> Results {
    isFrozen ? self : Results(core: core.moved(to: core.instance.frozen()))
  }

  public func thaw() -> Results? {
    guard isFrozen else { return self }
    let live = Results(core: core.moved(to: Realm(core.instance).thaw().instance))
    return live.isInvalidated ? nil : live
  }

  /// How the results are found and sorted, as data: by which index, or by a scan.
  ///
  /// - Complexity: O(log n).
  public var plan: QueryPlan { core.queryPlan }

  /// How the results are found and sorted, in words.
  public func explain() -> String { plan.description }

  /// The same results: copies of one value are, two identical queries are not.
  public static func == (lhs: Results, rhs: Results) -> Bool { lhs.core === rhs.core }
}

extension Results: CustomStringConvertible {
  /// At most 100 elements.
  public var description: String {
    let address = String(UInt(bitPattern: Unmanaged.passUnretained(core).toOpaque()), radix: 16)
    let type =
      core.isOfValues ? Element._describedName : Element._isProjection ? "\(Element.self)" : core.table.model.name
    return "Results<\(type)> <0x\(address)> (\n\(CollectionDescription.items(of: self))\n)"
  }
}

/// The text form of a collection's elements.
enum CollectionDescription {
  static func items<C: Collection>(of collection: C, separator: String = ",\n") -> String {
    var lines: [String] = []
    for (index, element) in collection.prefix(100).enumerated() {
      let text = String(describing: element).split(separator: "\n", omittingEmptySubsequences: false)
      lines.append("\t[\(index)] " + text.joined(separator: "\n\t"))
    }
    var result = lines.joined(separator: separator)
    if collection.count > 100 { result += "\n\t... \(collection.count - 100) objects skipped." }
    return result
  }
}

extension Realm {
  /// Deletes all objects of results at once; none of them is materialised.
  ///
  /// Traps outside of a write transaction and for results of another realm.
  public func delete<Element: ObjectBase>(
    _ objects: Results<Element>, file: StaticString = #fileID, line: UInt = #line
  ) {
    let site = CallSite(function: "Realm.delete", file: file, line: line)
    guard objects.core.instance === instance else {
      trapForDeletion(ofAll: type(of: objects), site)
    }
    let writer = requireWriter(site)
    instance.delete(objects.core.allKeys().map { RowKey($0) }, objects.core.table, writer)
  }
}
