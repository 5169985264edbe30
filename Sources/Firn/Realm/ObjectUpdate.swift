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
      values.append((column, elements(property.read(object), property)))
    }
    var lists: [(ObjectBase) -> Void] = []
    for (column, property) in handle.model.properties.enumerated() {
      let rest = property.wrapper.promote(at: address + property.offset, slot: handle.slot(column))
      if property.shape.isArray, let rest { lists.append(rest) }
    }
    handle.promoteLinking(address)
    // Managed from here on, so that links back to the object find it.
    handle.bind(object, key, at: nil, .keyed)
    // The lists, which are empty by now, stay the same instances.
    for list in lists { list(object) }
    let creator = ObjectCreator(instance, instance.writer.unsafelyUnwrapped, policy)
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

  /// Takes a list's elements out before the list becomes managed and shows those of the row.
  private func elements(_ value: Any, _ property: ClassModel.Property) -> Any {
    guard property.shape.isArray else { return value }
    let elements = (try? GivenValues.elements(value, property, of: handle.model) ?? []) ?? []
    _ = try? (value as? any UnmanagedList)?.replace(with: [])
    return elements
  }

  private func addTargets(in value: Any, _ property: ClassModel.Property) {
    guard property.shape.type == .object else { return }
    for target in property.shape.isArray ? value as? [Any] ?? [] : [value] {
      if let target = Unwrapping.value(target) as? ObjectBase, target._instance !== instance || !target.isInvalidated {
        _ = instance.rowToLink(target)
      }
    }
  }
}
