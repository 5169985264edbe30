internal import FirnEngine

/// Writes the values of an unmanaged object into an existing row of the same primary key: a part of `AddingWalk`.
///
/// The object becomes an accessor of the row, and what it links to is added with the same policy.
final class ObjectUpdate {
  private let object: ObjectBase
  private let key: RowKey
  private let instance: RealmInstance
  private let handle: TableHandle
  private let policy: Realm.UpdatePolicy
  private let creator: ObjectCreator
  private var values: [(column: Int, value: Any)] = []
  /// The value that is written next.
  private var position = 0
  /// The objects in that value; nil until they are looked for.
  private var targets: [ObjectBase]?
  private var targetPosition = 0

  init(
    _ object: ObjectBase, _ key: RowKey, _ instance: RealmInstance, _ handle: TableHandle, _ policy: Realm.UpdatePolicy
  ) {
    self.object = object
    self.key = key
    self.instance = instance
    self.handle = handle
    self.policy = policy
    creator = ObjectCreator(instance, instance.writer.unsafelyUnwrapped, policy)
    creator.addsObjects = true
    let address = Unmanaged.passUnretained(object).toOpaque()
    for (column, property) in handle.model.properties.enumerated() where !property.isPrimaryKey {
      values.append((column, content(property.read(object), property)))
    }
    var collections: [(ObjectBase) -> Void] = []
    for (column, property) in handle.model.properties.enumerated() {
      let rest = property.wrapper.promote(at: address + property.offset, slot: handle.slot(column))
      if property.shape.isCollection, let rest { collections.append(rest) }
    }
    handle.promoteLinking(address)
    // Managed from here on, so that links back to the object find it.
    handle.bind(object, key, at: nil, .keyed)
    // The collections, which are empty by now, stay the same instances.
    for collection in collections { collection(object) }
  }

  /// Writes values until something that was added has to take its turn first; true when all are written.
  ///
  /// - Parameter hasMet: Whether something was added since the call of this function began.
  func advance(_ hasMet: () -> Bool) -> Bool {
    while position < values.count {
      if !advanceTargets(hasMet) { return false }
      write(values[position].value, values[position].column)
      position += 1
      if hasMet() { break }
    }
    return position == values.count
  }

  /// Gives the objects in the next value their rows; false when one of them has to take its turn first.
  private func advanceTargets(_ hasMet: () -> Bool) -> Bool {
    let (column, value) = values[position]
    if handle.layout.columns[column].linkKind == .embedded { return true }
    let objects = targets ?? self.targets(in: value, handle.model.properties[column])
    targets = objects
    while targetPosition < objects.count {
      let target = objects[targetPosition]
      targetPosition += 1
      if target._instance !== instance || !target._isGone {
        _ = instance.rowToLink(target, for: handle.propertyName(column))
      }
      if hasMet() { return false }
    }
    targets = nil
    targetPosition = 0
    return true
  }

  private func write(_ value: Any, _ column: Int) {
    let property = handle.model.properties[column]
    if handle.layout.columns[column].linkKind == .embedded { return setEmbedded(value, column, property, of: key) }
    do {
      try creator.set(column, property, of: key, handle, to: value)
    } catch {
      InvalidValue.trap(error)
    }
  }

  /// Takes a collection's content out before the collection becomes managed and shows that of the row.
  private func content(_ value: Any, _ property: ClassModel.Property) -> Any {
    if !property.shape.isCollection { return value }
    switch value {
    case let list as any UnmanagedList:
      let elements = (try? GivenValues.elements(value, property, of: handle.model) ?? []) ?? []
      _ = list.replace(with: [])
      return elements
    case let map as any UnmanagedMap & AnyMap:
      let entries = TakenEntries(anyEntries: map.anyEntries)
      _ = map.replace(with: [])
      return entries
    default: return value
    }
  }

  /// Gives the row the embedded objects of the unmanaged one. With `.modified` they become accessors of those that are
  /// there, which are updated in place; else they replace them.
  private func setEmbedded(_ value: Any, _ column: Int, _ property: ClassModel.Property, of key: RowKey) {
    let writer = instance.writer.unsafelyUnwrapped
    let (id, table) = (ColumnID(column), handle.table)
    let child = instance.handle(Int(handle.layout.columns[column].target))
    func check(_ object: ObjectBase) {
      if type(of: object) != child.model.type { instance.trapForClass(of: object, column, handle.layout) }
    }
    func apply(_ object: ObjectBase, to value: Value) {
      if object._instance != nil { instance.trapForManaged(child) }
      guard case .link(let row) = value else { return }
      instance.walk.update(object, at: row, child, policy, in: instance)
    }
    if property.shape.collection == .map {
      let entries = (value as? TakenEntries)?.anyEntries ?? []
      if policy == .modified {
        writer.removeKeys(notIn: Set(entries.map { Array($0.key.utf8) }), id, key, table)
      } else {
        writer.removeAll(of: id, of: key, in: table)
      }
      for (name, value) in entries {
        let object = property.shape.linked(value) as? ObjectBase
        if let object { check(object) }
        let bytes = Array(name.utf8)
        let current = writer.contents.mapValue(forKey: bytes, id, of: key, in: table)
        if let object, let current, current != .null {
          apply(object, to: current)
        } else if object != nil || current != .null {
          let target = object.map { Value.link(instance.rowToLink($0)) } ?? .null
          _ = writer.set(target, forKey: bytes, ofMap: id, of: key, in: table)
        }
      }
      return
    }
    guard property.shape.collection == .list else {
      let object = property.shape.linked(value) as? ObjectBase
      if let object { check(object) }
      let current = writer.contents.value(id, of: key, in: table)
      if policy == .modified, current != .null || object == nil {
        if let object { return apply(object, to: current) }
        if current == .null { return }
      }
      return writer.setLink(id, of: key, in: table, to: object.map { instance.rowToLink($0) })
    }
    let objects = (value as? [Any] ?? []).compactMap { property.shape.linked($0) as? ObjectBase }
    for object in objects { check(object) }
    var kept = 0
    if policy == .modified {
      let count = writer.listCount(id, of: key, in: table)
      kept = min(count, objects.count)
      for index in 0..<kept {
        apply(objects[index], to: writer.contents.listValue(at: index, of: id, of: key, in: table))
      }
      writer.remove(at: kept, count: count - kept, of: id, of: key, in: table)
    } else {
      writer.removeAll(of: id, of: key, in: table)
    }
    writer.append(
      contentsOf: objects[kept...].map { Value.link(instance.rowToLink($0)) }, to: id, of: key, in: table)
  }

  /// The objects in a value that is not embedded. Of mixed values, those that are new.
  private func targets(in value: Any, _ property: ClassModel.Property) -> [ObjectBase] {
    if property.shape.type != .object, property.shape.type != .any { return [] }
    let values: [Any]
    switch property.shape.collection {
    case nil: values = [value]
    case .map: values = (value as? TakenEntries)?.anyEntries.map(\.value) ?? []
    case .list, .set: values = value as? [Any] ?? []
    }
    if property.shape.type == .any { return values.flatMap { ($0 as? AnyRealmValue)?.unmanagedObjects ?? [] } }
    return values.compactMap { Unwrapping.value($0) as? ObjectBase }
  }

  /// The entries of a map that was emptied.
  private struct TakenEntries: AnyMap {
    let anyEntries: [(key: String, value: Any)]
    var valueShape: _PropertyShape? { nil }
  }
}
