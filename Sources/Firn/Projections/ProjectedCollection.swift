public import Dispatch
public import Foundation

/// One property of each object in a list or set, or another collection: live, and in the order of that.
///
///     let nicks = team.players.projectTo.nick
///     nicks[0] = "Ace"  // writes into the first player
///
/// Made by `projectTo`, often as a member of a ``Projection``. It stands where the collection of objects stands: as live,
/// frozen or invalidated as that, to be used where that can be used.
public struct ProjectedCollection<Element>: RandomAccessCollection, CustomStringConvertible, ThreadConfined
where Element: RealmCollectionValue {
  let source: ProjectedSource<Element>

  init(source: ProjectedSource<Element>) { self.source = source }

  /// The property of the object at a position. Traps out of bounds.
  ///
  /// Setting it writes into the object, which needs a write transaction when the object is managed, and traps for a property
  /// that cannot be written.
  public subscript(position: Int) -> Element {
    get { source.value(at: position) }
    nonmutating set { source.set(newValue, at: position) }
  }

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of objects.
  public var endIndex: Int { source.count }

  public var realm: Realm? { source.realm }
  public var isInvalidated: Bool { source.isInvalidated }
  public var isFrozen: Bool { source.isFrozen }

  /// The same of the frozen collection. A frozen one is returned as it is.
  public func freeze() -> ProjectedCollection { isFrozen ? self : ProjectedCollection(source: source.freeze()) }

  /// The same of the live collection; nil when that is gone.
  public func thaw() -> ProjectedCollection? {
    isFrozen ? source.thaw().map { ProjectedCollection(source: $0) } : self
  }

  /// The values, one a line, at most a hundred of them.
  public var description: String {
    let items = CollectionDescription.items(of: self, separator: "\n")
    return "ProjectedCollection<\(Element.self)> {\n" + (items.isEmpty ? "" : items + "\n") + "}"
  }

  /// The position of the first object whose property equals a value; nil when there is none.
  ///
  /// - Complexity: O(n).
  public func index(of object: Element) -> Int? { firstIndex { Element._isSameElement($0, object) } }

  /// The position of the first *object* that satisfies a condition, or nil: the condition is on the objects, not on the
  /// projected values.
  public func index(matching predicate: NSPredicate) -> Int? { source.index(matching: predicate) }

  /// Calls a block with exact changes of the collection of objects; see ``RealmCollection``'s `observe(keyPaths:_:)`.
  ///
  /// Without key paths any change of an object counts as a modification, not only one of the projected property.
  ///
  /// - Parameter keyPaths: Names of properties of the objects, or paths: only these count as modifications.
  public func observe(
    keyPaths: [String]? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping (RealmCollectionChange<ProjectedCollection>) -> Void
  ) -> NotificationToken {
    source.observed.observe(
      ObservationTarget(Self.self, file: file, line: line), StoreSchema.components(keyPaths), on: nil, block)
  }

  /// The same on a queue, with the collection of the queue's realm.
  ///
  /// - Parameter queue: A serial queue to deliver on; nil for where the collection's realm is confined.
  @preconcurrency
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue?, file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping @Sendable (RealmCollectionChange<ProjectedCollection>) -> Void
  ) -> NotificationToken {
    source.observed.observe(
      ObservationTarget(Self.self, file: file, line: line), StoreSchema.components(keyPaths), on: queue, block)
  }
}

/// The values of a projected collection, in conditions. Not to be conformed to directly.
public protocol ProjectedElements {
  /// What is projected of each object.
  associatedtype Element
  /// The names of the property that is projected, by which it is found in conditions.
  var projectedNames: [String] { get }
}

extension ProjectedCollection: ProjectedElements {
  public var projectedNames: [String] { source.names }
}

extension ProjectedCollection: Referable {
  func makeReference() -> ReferenceTarget { source.makeReference() }
}
