internal import CFirn
internal import FirnEngine

extension StoreSchema {
  /// The names of the persisted properties that a key path reads, in order.
  ///
  /// Found by applying the key path to an object that notes what is read from it; the key path may go through links.
  /// Empty when it reads none.
  static func propertyNames(of keyPath: AnyKeyPath, on type: ObjectBase.Type) -> [String] {
    tracedPath(of: keyPath, on: type).names
  }

  /// What a key path reads.
  struct TracedPath: Sendable {
    /// The names of the properties.
    var names: [String] = []
    /// The elements that are asked of collections, by the positions of these in `names`.
    var elements: [Int: TracedElement] = [:]
    /// The names behind a collection at the end that `projectTo` projects.
    var projected: [String] = []
    /// Whether nothing else was read, as by a computed property.
    var isWhole = true
    /// Whether something else was, and a collection at all.
    var readsOtherCollections = false

    /// The key of the map at the end, if its value is read.
    var mapKey: String? { if case .key(let key)? = elements[names.count - 1] { key } else { nil } }

    /// The path as ``SortDescriptor`` has it.
    var text: String { names.joined(separator: ".") + (mapKey.map { "['\($0)']" } ?? "") }
  }

  /// - Parameter subject: What the key path is applied to, when that is not the object itself but made of it.
  static func tracedPath(
    of keyPath: AnyKeyPath, on type: ObjectBase.Type, _ subject: (ObjectBase) -> Any = { $0 }
  ) -> TracedPath {
    if let known = knownPaths.withLock({ $0[keyPath] }) { return known }
    let path = trace(keyPath, on: type, subject)
    knownPaths.withLock { $0[keyPath] = path }
    return path
  }

  private static let knownPaths = Guarded<[AnyKeyPath: TracedPath]>([:])

  private static func trace(
    _ keyPath: AnyKeyPath, on type: ObjectBase.Type, _ subject: (ObjectBase) -> Any
  ) -> TracedPath {
    guard
      let schema = try? StoreSchema(
        ClassModel.reachable(from: type), isExplicit: true, hasIndexes: false),
      let table = schema.index(of: type)
    else { return TracedPath() }
    let trace = PathTrace()
    let store = Store(configuration: Realm.Configuration(inMemoryIdentifier: "trace"), schema: schema)
    let instance = RealmInstance(store: store, confinement: .unbound, trace: trace)
    guard let object = instance.handle(table).tracingObject else { return TracedPath() }
    let subject = subject(object)
    // An initialiser of a projection may have read the object.
    trace.restart()
    let value = subject[keyPath: keyPath]
    var names: [String] = []
    var current = table
    for column in trace.columns {
      if column >= schema.tables[current].columns.count {
        let linking = schema.models[current].linkingProperties[column - schema.tables[current].columns.count]
        names.append(linking.name)
        current = store.schema.origin(of: linking).table.index
        continue
      }
      names.append(schema.tables[current].columns[column].name)
      guard let target = schema.tables[current].columns[column].target else { break }
      current = target.index
    }
    let isWhole = names.count == trace.columns.count
    return TracedPath(
      names: names, elements: trace.elements, projected: (value as? any ProjectedElements)?.projectedNames ?? [],
      isWhole: isWhole, readsOtherCollections: !isWhole && trace.readsCollection)
  }

  /// The object that a traced link leads to.
  func tracingObject(of type: ObjectBase.Type, _ instance: RealmInstance) -> ObjectBase? {
    index(of: type).flatMap { instance.handle($0).tracingObject }
  }
}

/// The string form of a key path, in which the observing functions take it: `_name(for: \Team.members[0].name)` is
/// `"members.name"`. Indexes and keys are left out.
///
/// A key path that goes on behind the last persisted property ends with that: `_name(for: \Team.members.count)` is
/// `"members"`, and observing with such a key path observes the property. Empty when the key path leads through no persisted
/// property at all. May be called on any thread.
///
/// - Complexity: the first time that of making the classes' schema; then a look-up.
public func _name<T: ObjectBase>(for keyPath: PartialKeyPath<T>) -> String {
  StoreSchema.propertyNames(of: keyPath, on: T.self).joined(separator: ".")
}

extension TableHandle {
  /// An object of the class when a key path is being traced; nil otherwise.
  var tracingObject: ObjectBase? { instance.trace == nil ? nil : make(RowKey(0), at: nil, .keyed) }
}

extension CollectionBase {
  /// An element that is not there, when a key path is being traced through the collection; nil otherwise.
  final func _tracedElement<Element: RealmCollectionValue>(_ element: TracedElement) -> Element? {
    guard let trace = _instance?.trace else { return nil }
    trace.note(element)
    if let object = _target?.tracingObject as? Element { return object }
    return (Element.self as? any _Persistable.Type)?._default() as? Element
  }

  /// The value of a key that has none: that of a traced key path, or nil.
  @usableFromInline @inline(never)
  final func _tracedElement<Element: RealmCollectionValue>(forKey key: String) -> Element? {
    _tracedElement(.key(key))
  }

  /// The element at a position out of bounds: that of a traced key path, or a trap.
  @usableFromInline @inline(never)
  final func _absentElement<Element: RealmCollectionValue>(at position: Int, _ count: Int) -> Element {
    if let element: Element = _tracedElement(.position(position)) { return element }
    _trap(index: position, count)
  }
}
