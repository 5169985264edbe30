internal import CFirn
internal import FirnEngine

extension StoreSchema {
  /// The names of the persisted properties that a key path reads, in order.
  ///
  /// Found by applying the key path to an object that notes what is read from it; the key path may go through links.
  /// Empty when it reads none.
  static func propertyNames(of keyPath: AnyKeyPath, on type: ObjectBase.Type) -> [String] {
    if let known = knownPaths.withLock({ $0[keyPath] }) { return known }
    let names = trace(keyPath, on: type)
    knownPaths.withLock { $0[keyPath] = names }
    return names
  }

  private static let knownPaths = Guarded<[AnyKeyPath: [String]]>([:])

  private static func trace(_ keyPath: AnyKeyPath, on type: ObjectBase.Type) -> [String] {
    guard let schema = try? StoreSchema(reachable(from: type), isExplicit: true), let table = schema.index(of: type)
    else { return [] }
    let trace = PathTrace()
    let store = Store(configuration: Realm.Configuration(inMemoryIdentifier: "trace"), schema: schema)
    let instance = RealmInstance(store: store, confinement: .unbound, trace: trace)
    let object = instance.handle(table).make(RowKey(0), at: nil, .keyed)
    _ = object[keyPath: keyPath]
    var names: [String] = []
    var current = table
    for column in trace.columns {
      if column >= schema.tables[current].columns.count {
        names.append(schema.models[current].linkingProperties[column - schema.tables[current].columns.count].name)
        break
      }
      names.append(schema.tables[current].columns[column].name)
      guard let target = schema.tables[current].columns[column].target else { break }
      current = target.index
    }
    return names
  }

  /// The class and all classes that links lead to from it, in either direction.
  private static func reachable(from type: ObjectBase.Type) -> [ObjectBase.Type] {
    var types: [ObjectBase.Type] = []
    var pending: [ObjectBase.Type] = [type]
    var seen: Set<ObjectIdentifier> = []
    while let next = pending.popLast() {
      guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
      types.append(next)
      let model = ClassModel.of(next)
      pending += model.properties.compactMap(\.shape.target) + model.linkingProperties.map(\.origin)
    }
    return types
  }

  /// The object that a traced link leads to.
  func tracingObject(of type: ObjectBase.Type, _ instance: RealmInstance) -> ObjectBase? {
    index(of: type).map { instance.handle($0).make(RowKey(0), at: nil, .keyed) }
  }
}
