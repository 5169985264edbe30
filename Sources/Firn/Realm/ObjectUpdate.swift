internal import FirnEngine

/// Writes the values of an unmanaged object into an existing row of the same primary key.
struct ObjectUpdate {
  let instance: RealmInstance
  let handle: TableHandle
  let policy: Realm.UpdatePolicy

  /// The object becomes an accessor of the row, and what it links to is added with the same policy.
  func apply(_ object: ObjectBase, to key: RowKey) -> RowKey {
    let address = Unmanaged.passUnretained(object).toOpaque()
    var values: [(column: Int, value: Any)] = []
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
    let creator = ObjectCreator(instance, instance.writer.unsafelyUnwrapped, policy)
    creator.addsMixedObjects = true
    let outer = instance.linkPolicy
    instance.linkPolicy = policy
    defer { instance.linkPolicy = outer }
    do {
      for (column, value) in values {
        let property = handle.model.properties[column]
        if handle.layout.columns[column].linkKind == .embedded {
          setEmbedded(value, column, property, of: key)
          continue
        }
        addTargets(in: value, property)
        try creator.set(column, property, of: key, handle, to: value)
      }
    } catch {
      fatalError((error as? InvalidValue)?.message ?? "\(error)")
    }
    return key
  }

  /// Takes a collection's content out before the collection becomes managed and shows that of the row.
  private func content(_ value: Any, _ property: ClassModel.Property) -> Any {
    if !property.shape.isCollection { return value }
    switch value {
    case let list as any UnmanagedList:
      let elements = (try? GivenValues.elements(value, property, of: handle.model) ?? []) ?? []
      _ = try? list.replace(with: [])
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
      _ = ObjectUpdate(instance: instance, handle: child, policy: policy).apply(object, to: row)
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
        let current = writer.snapshot.mapValue(forKey: bytes, id, of: key, in: table)
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
      let current = writer.snapshot.value(id, of: key, in: table)
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
        apply(objects[index], to: writer.snapshot.listValue(at: index, of: id, of: key, in: table))
      }
      writer.remove(at: kept, count: count - kept, of: id, of: key, in: table)
    } else {
      writer.removeAll(of: id, of: key, in: table)
    }
    writer.append(
      contentsOf: objects[kept...].map { Value.link(instance.rowToLink($0)) }, to: id, of: key, in: table)
  }

  private func addTargets(in value: Any, _ property: ClassModel.Property) {
    guard property.shape.type == .object else { return }
    let targets: [Any]
    switch property.shape.collection {
    case nil: targets = [value]
    case .map: targets = (value as? TakenEntries)?.anyEntries.map(\.value) ?? []
    case .list, .set: targets = value as? [Any] ?? []
    }
    for target in targets {
      if let target = Unwrapping.value(target) as? ObjectBase, target._instance !== instance || !target._isGone {
        _ = instance.rowToLink(target)
      }
    }
  }

  /// The entries of a map that was emptied.
  private struct TakenEntries: AnyMap {
    let anyEntries: [(key: String, value: Any)]
    var valueShape: _PropertyShape? { nil }
  }
}
