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
  public func add(
    _ object: Object, update: UpdatePolicy = .error, file: StaticString = #fileID, line: UInt = #line
  ) {
    instance.add(object, update, CallSite(function: "Realm.add", file: file, line: line))
  }

  /// Adds objects one after the other; see `add(_:update:)`.
  public func add<S: Sequence>(
    _ objects: S, update: UpdatePolicy = .error, file: StaticString = #fileID, line: UInt = #line
  ) where S.Iterator.Element: Object {
    let site = CallSite(function: "Realm.add", file: file, line: line)
    for object in objects { instance.add(object, update, site) }
  }

  /// Deletes an object. Links to it become nil, lists lose it.
  ///
  /// The object stays readable with its last values, `isInvalidated` is true from now on. Deleting by another accessor of
  /// a row that is gone does nothing. Traps outside of a write transaction and for an object of another realm.
  public func delete(_ object: ObjectBase, file: StaticString = #fileID, line: UInt = #line) {
    let site = CallSite(function: "Realm.delete", file: file, line: line)
    guard let owner = object._instance, owner === instance else { instance.trapForDeletion(of: object, site) }
    let writer = requireWriter(site)
    // Its row may exist, when the realm was invalidated.
    if object._lastValues != nil { return }
    let table = object._table.unsafelyUnwrapped
    instance.delete([RowKey(object._key)], table, writer)
  }

  /// Deletes objects.
  public func delete<S: Sequence>(
    _ objects: S, file: StaticString = #fileID, line: UInt = #line
  ) where S.Iterator.Element: ObjectBase {
    let site = CallSite(function: "Realm.delete", file: file, line: line)
    let objects = Array(objects)
    let writer = requireWriter(site)
    var keys: [RowKey] = []
    keys.reserveCapacity(objects.count)
    var table: TableHandle?
    for object in objects {
      guard let owner = object._instance, owner === instance else { instance.trapForDeletion(of: object, site) }
      if object._lastValues != nil { continue }
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
  public func deleteAll(file: StaticString = #fileID, line: UInt = #line) {
    let writer = requireWriter(CallSite(function: "Realm.deleteAll", file: file, line: line))
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
    if _slowPath(instance.tracking != nil) { instance.noteLookUp(.int(key), handle) }
    if instance.isFrozen || instance.isHomeForReading {
      if _slowPath(instance.isReleased) { instance.openVersion() }
      let contents = GraphContents(root: instance.rootForReading, layout: instance.store.graph.layout)
      guard let location = contents.find(IntKey(key), in: handle.table) else { return nil }
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

  /// All objects of a class, or projections of them, live, in the order in which the objects were added.
  @inlinable
  public func objects<Element: RealmFetchable>(_ type: Element.Type) -> Results<Element> {
    Results(core: _allRows(of: type._fetchedClass))
  }

  @usableFromInline
  func _allRows(of type: ObjectBase.Type) -> ResultsCore {
    ResultsCore(allRowsOf: instance.requireHandle(type), instance)
  }

  /// Whether the realm has no object of any class.
  public var isEmpty: Bool {
    instance.read { contents in
      instance.store.schema.models.indices.allSatisfy { contents.rowCount(TableID($0)) == 0 }
    }
  }

  func requireWriter(_ site: CallSite? = nil) -> Writer { instance.requireWriter(.objects(instance.store, site)) }

  /// Traps for a collection of another realm whose objects are to be deleted.
  func trapForDeletion(ofAll objects: Any.Type, _ site: CallSite) -> Never {
    RealmInstance.trap(
      site,
      "Can only delete objects from the Realm they belong to, and these of '\(objects)' are not of the realm that is to "
        + "delete them. Take the collection from this realm.")
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
    let rule = "Object type '\(name)' is not managed by the Realm"
    let similar = Spelling.suggestion(for: name, among: store.schema.models.map(\.name))
    guard let listed = store.configuration.objectTypes else {
      fatalError(
        types.isEmpty
          ? "\(rule): there is no model class of this name.\(similar)"
          : "\(rule): the database \(store.configuration.name) has the classes of the default schema, which leaves it "
            + "out. List it in Configuration.objectTypes, or let its shouldIncludeInDefaultSchema() say true.")
    }
    let names = listed.prefix(10).map { "\($0.className())" }.joined(separator: ", ")
    fatalError(
      "\(rule): the database \(store.configuration.name) has the classes that its first opening in this process listed in "
        + "Configuration.objectTypes (\(names)\(listed.count > 10 ? ", …" : "")), whatever later ones list.\(similar) Include "
        + "'\(name)' there, or close the database in between.")
  }

  /// Adds an object and what it links to. The row it stands for afterwards.
  @discardableResult
  func add(_ object: ObjectBase, _ update: Realm.UpdatePolicy, _ site: CallSite) -> RowKey {
    _ = requireWriter(.objects(store, site))
    if let owner = object._instance {
      if owner !== self { trapForAdding(object, site) }
      if object._isGone {
        Self.trap(
          site,
          "Adding a deleted or invalidated object to a Realm is not permitted (class '\(object._modelName)'). Add a new one."
        )
      }
      return RowKey(object._key)
    }
    return walk.add(object, update, site, in: self)
  }

  func trapForDuplicate(_ existing: RowKey, _ handle: TableHandle, _ site: CallSite?) -> Never {
    let column = handle.layout.primaryKey.unsafelyUnwrapped
    let key = read { $0.value(ColumnID(column), of: existing, in: handle.table) }
    Self.trap(site, InvalidValue.duplicateKey(key.text, of: handle.model.name).message)
  }

  /// The handle of an object's class, which is mostly that of the object before.
  func handleToAdd(_ type: ObjectBase.Type) -> TableHandle {
    if let lastAdded, lastAdded.type == ObjectIdentifier(type) { return lastAdded.handle.takeUnretainedValue() }
    let handle = requireHandle(type)
    lastAdded = (ObjectIdentifier(type), Unmanaged.passUnretained(handle))
    return handle
  }

  /// Takes the target out of the unmanaged wrapper of a link. Its value is an optional of an optional reference: an
  /// address, 0 for a present nil, 1 for no value; managed wrappers hold their cached target in the same place.
  static func takeLink(_ wrapper: UnsafeMutableRawPointer, _ slot: UInt64) -> ObjectBase? {
    let bits = wrapper.load(as: UInt.self)
    wrapper.storeBytes(of: 0, as: UInt.self)
    wrapper.storeBytes(of: slot, toByteOffset: 8, as: UInt64.self)
    guard bits > 1, let address = UnsafeRawPointer(bitPattern: bits) else { return nil }
    return Unmanaged<ObjectBase>.fromOpaque(address).takeRetainedValue()
  }

  /// Whether the unmanaged wrapper of a link holds an object without a row.
  @inline(__always)
  static func leadsToUnmanaged(_ wrapper: UnsafeMutableRawPointer) -> Bool {
    let bits = wrapper.load(as: UInt.self)
    guard bits > 1, let address = UnsafeRawPointer(bitPattern: bits) else { return false }
    return Unmanaged<ObjectBase>.fromOpaque(address)._withUnsafeGuaranteedRef { $0._instance == nil }
  }

  /// The row that a link to `object` leads to. An unmanaged object is added; inside of `add` it gets its row at once, and
  /// what it links to follows.
  ///
  /// - Parameter property: The property that is to have the link, for messages.
  @inline(__always)
  func rowToLink(_ object: ObjectBase, for property: @autoclosure () -> String? = nil) -> RowKey {
    if object._instance == nil { return walk.row(for: object, in: self) }
    if !canLink(to: object) { trapForLink(to: object, property()) }
    return RowKey(object._key)
  }

  /// Whether a managed object is one of this realm that is there and that links may lead to.
  private func canLink(to object: ObjectBase) -> Bool {
    guard object._instance === self, let table = object._table, !table.layout.isOwned else { return false }
    if owner != nil, isHomeForReading {
      return object._lastValues == nil
        && Directory.locate(VersionRoot.table(rootForReading, table.layout.index), object._key) != nil
    }
    return !object._isGone
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
    keys.reserveCapacity(writer.contents.rowCount(table))
    writer.contents.forEachKey(in: table) { keys.append($0) }
    return keys
  }

  /// Deletes rows after giving their live accessors copies of them.
  func delete(_ keys: [RowKey], _ handle: TableHandle, _ writer: Writer) {
    if keys.isEmpty { return }
    // Where links have rules, the writer tells of every row that goes.
    if writer.client.willDelete == nil { keepLastValues(of: keys, in: handle.table, writer.contents) }
    writer.delete(keys, from: handle.table)
    bumpEpoch()
  }
}
