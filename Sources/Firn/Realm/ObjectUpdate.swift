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

  private func addTargets(in value: Any, _ property: ClassModel.Property) {
    guard property.shape.type == .object else { return }
    let targets: [Any]
    switch property.shape.collection {
    case nil: targets = [value]
    case .map: targets = (value as? TakenEntries)?.anyEntries.map(\.value) ?? []
    case .list, .set: targets = value as? [Any] ?? []
    }
    for target in targets {
      if let target = Unwrapping.value(target) as? ObjectBase, target._instance !== instance || !target.isInvalidated {
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
