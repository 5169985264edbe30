internal import FirnEngine

extension Realm {
  /// What `add(_:update:)` and ``create(_:value:update:)`` do with an object whose primary key exists already.
  public enum UpdatePolicy: Int, Sendable {
    /// Traps.
    case error = 1
    /// Writes the properties whose values differ.
    case modified = 3
    /// Writes every property given.
    case all = 2
  }

  /// Adds an object, and every object that links lead to from it. The object itself becomes managed.
  ///
  /// Nothing happens when this realm manages it already. Traps outside of a write transaction, for an object of another
  /// realm, for a deleted object, and with `.error` for a primary key that exists.
  ///
  /// - Complexity: O(1) amortised for each object added.
  public func add(_ object: Object, update: UpdatePolicy = .error) {
    _ = instance.add(object, update)
  }

  /// Adds objects one after the other; see `add(_:update:)`.
  public func add<S: Sequence>(_ objects: S, update: UpdatePolicy = .error) where S.Iterator.Element: Object {
    for object in objects { _ = instance.add(object, update) }
  }

  /// Deletes an object. Links to it become nil, lists lose it.
  ///
  /// The object stays readable with its last values, `isInvalidated` is true from now on. Deleting by another accessor of
  /// a row that is gone does nothing. Traps outside of a write transaction and for an object of another realm.
  public func delete(_ object: ObjectBase) {
    guard let owner = object._instance, owner === instance else {
      fatalError("Can only delete an object from the Realm it belongs to.")
    }
    let writer = requireWriter()
    let table = object._table.unsafelyUnwrapped
    instance.delete([RowKey(object._key)], table, writer)
  }

  /// Deletes objects.
  public func delete<S: Sequence>(_ objects: S) where S.Iterator.Element: ObjectBase {
    let objects = Array(objects)
    let writer = requireWriter()
    var keys: [RowKey] = []
    keys.reserveCapacity(objects.count)
    var table: TableHandle?
    for object in objects {
      guard let owner = object._instance, owner === instance else {
        fatalError("Can only delete an object from the Realm it belongs to.")
      }
      let next = object._table.unsafelyUnwrapped
      if let table, table !== next {
        instance.delete(keys, table, writer)
        keys.removeAll(keepingCapacity: true)
      }
      table = next
      keys.append(RowKey(object._key))
    }
    if let table { instance.delete(keys, table, writer) }
  }

  /// Deletes every object of every class of the schema.
  public func deleteAll() {
    let writer = requireWriter()
    for index in instance.store.schema.models.indices {
      let handle = instance.handle(index)
      instance.delete(instance.keys(handle.table, writer), handle, writer)
    }
  }

  /// The object of a class with a primary key, or nil.
  ///
  /// - Parameter key: A value of the key's type; of an integer key, an integer of any width; of an enumeration, the case
  ///   or its raw value; nil for the nil key of an optional key. Another type traps.
  /// - Complexity: O(1).
  @inlinable
  public func object<Element: Object, KeyType>(ofType type: Element.Type, forPrimaryKey key: KeyType) -> Element? {
    let found: ObjectBase?
    if KeyType.self == Int.self {
      found = _object(type, forPrimaryKey: Int64(unsafeBitCast(key, to: Int.self)))
    } else {
      found = _object(type, forAnyPrimaryKey: key)
    }
    return found.map { unsafeDowncast($0, to: type) }
  }

  @usableFromInline
  func _object(_ type: ObjectBase.Type, forPrimaryKey key: Int64) -> ObjectBase? {
    let handle = instance.requireHandle(type)
    guard let column = handle.layout.primaryKey, handle.layout.columns[column].type == .int else {
      return _object(type, forAnyPrimaryKey: key)
    }
    if instance.isFrozen || instance.isHomeForReading {
      let snapshot = Snapshot(root: instance.rootForReading, layout: instance.store.graph.layout)
      guard let location = snapshot.find(IntKey(key), in: handle.table) else { return nil }
      return handle.make(location.key, at: location, .keyed)
    }
    return handle.accessorAway { $0.find(IntKey(key), in: handle.table)?.key }
  }

  @usableFromInline
  func _object(_ type: ObjectBase.Type, forAnyPrimaryKey key: Any) -> ObjectBase? {
    let handle = instance.requireHandle(type)
    guard let column = handle.layout.primaryKey else {
      fatalError("'\(handle.model.name)' does not have a primary key defined.")
    }
    return instance.find(key, handle, handle.layout.columns[column].type)
  }

  /// All objects of a class, live, in the order in which they were added.
  @inlinable
  public func objects<Element: RealmFetchable>(_ type: Element.Type) -> Results<Element> {
    // Where the class is known, so is the outcome of the cast.
    Results(core: _allRows(of: type as? ObjectBase.Type))
  }

  @usableFromInline
  func _allRows(of type: ObjectBase.Type?) -> ResultsCore {
    ResultsCore(allRowsOf: instance.requireHandle(type), instance)
  }

  /// Whether the realm has no object of any class.
  public var isEmpty: Bool {
    instance.read { snapshot in
      instance.store.schema.models.indices.allSatisfy { snapshot.rowCount(TableID($0)) == 0 }
    }
  }

  func requireWriter() -> Writer {
    instance.requireWriter("Can only add, remove, or create objects in a write transaction.")
  }
}

extension RealmInstance {
  func requireHandle(_ type: ObjectBase.Type?) -> TableHandle {
    guard let type, let handle = handle(type) else { refuseType(named: type?.className() ?? "?") }
    return handle
  }

  /// Traps for a class that has no table here.
  func refuseType(named name: String) -> Never {
    let types = store.configuration.objectTypes == nil ? StoreSchema.discoveredTypes(named: name) : []
    if types.count > 1 {
      fatalError(
        "Object type '\(name)' is not managed by the Realm, because two model classes have this name "
          + "(\(String(reflecting: types[0])) and \(String(reflecting: types[1]))). Rename one of them, or list only one "
          + "in Configuration.objectTypes.")
    }
    fatalError(
      "Object type '\(name)' is not managed by the Realm. If using a custom objectTypes array, include it there.")
  }

  /// Adds an object and what it links to. The row it stands for afterwards.
  @discardableResult
  func add(_ object: ObjectBase, _ update: Realm.UpdatePolicy) -> RowKey {
    let writer = requireWriter("Can only add, remove, or create objects in a write transaction.")
    if let owner = object._instance {
      if owner !== self {
        fatalError("Object is already managed by another Realm. Use create instead to copy it into this Realm.")
      }
      if object._isGone { fatalError("Adding a deleted or invalidated object to a Realm is not permitted.") }
      return RowKey(object._key)
    }
    let handle = handleToAdd(type(of: object))
    let address = Unmanaged.passUnretained(object).toOpaque()
    if update != .error {
      if let keyColumn = handle.layout.primaryKey {
        let property = handle.model.properties[keyColumn]
        let key = property.wrapper.value(at: address + property.offset, of: object)
        if let existing = locate(key, handle, handle.layout.columns[keyColumn].type, writer.snapshot) {
          return ObjectUpdate(instance: self, handle: handle, policy: update).apply(object, to: existing.key)
        }
      } else if linkPolicy == nil {
        fatalError("'\(handle.model.name)' does not have a primary key and can not be updated.")
      }
    }
    let inserted = writer.insertUnique(into: handle.table) { inserter in
      withUnsafeMutablePointer(to: &inserter) { inserter in
        let plans = handle.plans
        var column = 0
        while column < handle.planCount {
          PropertyPlan.insert(plans + column, address, inserter, column)
          column &+= 1
        }
      }
    }
    if let existing = inserted.existing { trapForDuplicate(existing, handle) }
    promote(object, address, inserted.key, handle, update)
    return inserted.key
  }

  private func trapForDuplicate(_ existing: RowKey, _ handle: TableHandle) -> Never {
    let column = handle.layout.primaryKey.unsafelyUnwrapped
    let key = read { $0.value(ColumnID(column), of: existing, in: handle.table) }
    fatalError(
      "Attempting to create an object of type '\(handle.model.name)' with an existing primary key value '\(key.text)'.")
  }

  /// Makes an unmanaged object the accessor of a new row, then sets its links and lists.
  private func promote(
    _ object: ObjectBase, _ address: UnsafeMutableRawPointer, _ key: RowKey, _ handle: TableHandle,
    _ update: Realm.UpdatePolicy
  ) {
    let plans = handle.plans
    var column = 0
    while column < handle.planCount {
      PropertyPlan.promote(plans + column, address)
      column &+= 1
    }
    handle.promoteLinking(address)
    handle.bind(object, key, at: nil, .keyed)
    if !handle.hasReferences { return }
    var rest: [(ObjectBase) -> Void] = []
    let outer = linkPolicy
    linkPolicy = update
    for column in 0..<handle.planCount {
      let plan = plans + column
      let wrapper = address + plan.pointee.offset
      switch plan.pointee.kind {
      case .collection, .mixed, .customLink:
        if let set = handle.model.properties[column].wrapper.promote(at: wrapper, slot: plan.pointee.slot) {
          rest.append(set)
        }
      case .link:
        guard let target = Self.takeLink(wrapper, plan.pointee.slot) else { continue }
        // The target takes its turn first if it is new.
        let row = rowToLink(target)
        checkTarget(target, of: column, in: handle.layout)
        RowInserter.setNewLink(writer.unsafelyUnwrapped, ColumnID(column), of: key, in: handle.table, to: row)
      case .int, .double, .bool, .date, .string, .other: continue
      }
    }
    for set in rest { set(object) }
    linkPolicy = outer
  }

  /// The handle of an object's class, which is mostly that of the object before.
  private func handleToAdd(_ type: ObjectBase.Type) -> TableHandle {
    if let lastAdded, lastAdded.type == ObjectIdentifier(type) { return lastAdded.handle.takeUnretainedValue() }
    let handle = requireHandle(type)
    lastAdded = (ObjectIdentifier(type), Unmanaged.passUnretained(handle))
    return handle
  }

  /// Takes the target out of the unmanaged wrapper of a link. Its value is an optional of an optional reference: an
  /// address, 0 for a present nil, 1 for no value; managed wrappers hold their cached target in the same place.
  private static func takeLink(_ wrapper: UnsafeMutableRawPointer, _ slot: UInt64) -> ObjectBase? {
    let bits = wrapper.load(as: UInt.self)
    wrapper.storeBytes(of: 0, as: UInt.self)
    wrapper.storeBytes(of: slot, toByteOffset: 8, as: UInt64.self)
    guard bits > 1, let address = UnsafeRawPointer(bitPattern: bits) else { return nil }
    return Unmanaged<ObjectBase>.fromOpaque(address).takeRetainedValue()
  }

  /// The row that a link to `object` leads to; an unmanaged object is added first.
  func rowToLink(_ object: ObjectBase) -> RowKey {
    if object._instance == nil { return add(object, linkPolicy ?? .error) }
    if let table = object._table, table.layout.isOwned { trapForManaged(table) }
    guard object._instance === self else {
      fatalError(
        object.isFrozen
          ? "Cannot assign a frozen object to a property of a live one." : "Object is managed by another Realm.")
    }
    let isGone: Bool
    if owner != nil, isHomeForReading, let table = object._table {
      isGone =
        object._lastValues != nil
        || Directory.locate(VersionRoot.table(rootForReading, table.layout.index), object._key) == nil
    } else {
      isGone = object._isGone
    }
    if isGone { fatalError("Object has been deleted or invalidated.") }
    return RowKey(object._key)
  }

  /// Traps unless an object that has a row is of the very class that a column links to.
  @inline(__always)
  func checkTarget(_ object: ObjectBase, of column: Int, in table: TableLayout) {
    if object._tableIndex != UInt32(truncatingIfNeeded: table.columns[column].target) {
      trapForClass(of: object, column, table)
    }
  }

  @inline(never)
  func trapForClass(of object: ObjectBase, _ column: Int, _ table: TableLayout) -> Never {
    let model = handle(table.index).model
    let property = model.properties[column]
    let target = property.shape.target?.className() ?? ""
    fatalError(
      "Object of type '\(object._modelName)' cannot be linked to by property '\(model.name).\(property.name)', which is "
        + "of type '\(target)': links lead to objects of exactly that class.")
  }

  /// All rows of a table in the running transaction.
  func keys(_ table: TableID, _ writer: Writer) -> [RowKey] {
    var keys: [RowKey] = []
    keys.reserveCapacity(writer.snapshot.rowCount(table))
    writer.snapshot.forEachKey(in: table) { keys.append($0) }
    return keys
  }

  /// Deletes rows after giving their live accessors copies of them.
  func delete(_ keys: [RowKey], _ handle: TableHandle, _ writer: Writer) {
    if keys.isEmpty { return }
    let snapshot = writer.snapshot
    // Where links have rules, the writer tells of every row that goes.
    var hasAccessors = false
    if writer.willDelete == nil { withLiveAccessors(handle.layout.index) { _ in hasAccessors = true } }
    if hasAccessors {
      for key in keys { keepLastValues(of: key, handle, in: snapshot) }
    }
    writer.delete(keys, from: handle.table)
    bumpEpoch()
  }
}
