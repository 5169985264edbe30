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
    /// Everything that was read, but for the links on the way, in the order in which it was.
    var reads: [Read] = []

    /// Traps for a path that is computed of several properties.
    func checkIsSingle(on type: ObjectBase.Type, to action: String) {
      if reads.count > 1 { ExactProperty.trapForComputed(self, on: type, to: action) }
    }

    /// A property that was read.
    struct Read: Hashable, Sendable {
      let names: [String]
      /// The elements that were asked of collections, by the positions of these in `names`.
      let elements: [Int: TracedElement]

      /// The key whose value was asked for, if the property is a map.
      var mapKey: String? { if case .key(let key)? = elements[names.count - 1] { key } else { nil } }
    }

    /// The key of the map at the end, if its value is read.
    var mapKey: String? { Read(names: names, elements: elements).mapKey }

    /// The path as ``SortDescriptor`` has it.
    var text: String { names.joined(separator: ".") + (mapKey.map { "['\($0)']" } ?? "") }
  }

  /// - Parameter subject: Makes the value that the key path is applied to, if that is not the object itself.
  static func tracedPath(
    of keyPath: AnyKeyPath, on type: ObjectBase.Type, _ subject: (ObjectBase) -> Any = { $0 }
  ) -> TracedPath {
    knownPaths.value(of: keyPath, on: type) { trace(keyPath, on: type, subject) }
  }

  private static let knownPaths = KeyPathCache<TracedPath>()

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
    let object = instance.handle(table).make(RowKey(0), at: nil, .keyed)
    let subject = subject(object)
    // An initialiser of a projection may have read the object.
    trace.restart()
    let value = subject[keyPath: keyPath]
    return TracedPath(
      trace.paths, projected: (value as? any ProjectedElements)?.projectedNames ?? [],
      name: { schema.propertyName($0.column, of: $0.table) })
  }

  private func propertyName(_ column: Int, of table: Int) -> String {
    let columns = tables[table].columns
    return column < columns.count
      ? columns[column].name : models[table].linkingProperties[column - columns.count].name
  }

  /// The object that a traced link leads to.
  func tracingObject(of type: ObjectBase.Type, _ instance: RealmInstance) -> ObjectBase? {
    index(of: type).flatMap { instance.handle($0).tracingObject }
  }
}

extension StoreSchema.TracedPath {
  /// - Parameter paths: The reads in their order, each with those that led to its object.
  fileprivate init(_ paths: [[PathTrace.Read]], projected: [String], name: (PathTrace.Read) -> String) {
    let named = paths.map { $0.map(name) }
    // The path goes on as long as each property is read of the object that the one before has led to.
    var length = paths.isEmpty ? 0 : 1
    while length < paths.count, paths[length].count == paths[length - 1].count + 1,
      named[length].starts(with: named[length - 1])
    {
      length += 1
    }
    if length > 0 { names = named[length - 1] }
    for (position, read) in (length > 0 ? paths[length - 1] : []).enumerated() { elements[position] = read.element }
    self.projected = projected
    isWhole = length == paths.count
    readsOtherCollections = !isWhole && paths.contains { $0.contains(where: \.isCollection) }
    for (path, names) in zip(paths, named)
    where !named.contains(where: { $0.count > names.count && $0.starts(with: names) }) {
      var elements: [Int: TracedElement] = [:]
      for (position, read) in path.enumerated() { elements[position] = read.element }
      let read = Read(names: names, elements: elements)
      if !reads.contains(read) { reads.append(read) }
    }
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
  var tracingObject: ObjectBase? {
    instance.trace.map { make(RowKey(UInt64($0.addObject())), at: nil, .keyed) }
  }
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
