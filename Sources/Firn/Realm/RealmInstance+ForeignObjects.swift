internal import FirnEngine

/// Objects that cannot be used where they were given. The messages are made out of line.
extension RealmInstance {
  /// Traps for an object that is to be deleted and is unmanaged or of another realm.
  @inline(never)
  func trapForDeletion(of object: ObjectBase, _ site: CallSite) -> Never {
    let rule = "Can only delete an object from the Realm it belongs to"
    if object._instance == nil {
      Self.trap(
        site,
        "\(rule): this one of class '\(object._modelName)' is unmanaged, so that there is nothing to delete. "
          + "\(Self.lookUp(object)), and delete that.")
    }
    Self.trap(site, "\(rule): this one of class '\(object._modelName)' \(origin(of: object))")
  }

  /// Traps for an object that is to be added and is of another realm.
  @inline(never)
  func trapForAdding(_ object: ObjectBase, _ site: CallSite) -> Never {
    Self.trap(
      site,
      "Object is already managed by another Realm. The one of class '\(object._modelName)' \(origin(of: object)) Use create "
        + "to copy it into this Realm.")
  }

  /// Traps for a managed object that a property is to link to and cannot: it has an owner, is of another realm, or was
  /// deleted.
  @inline(never)
  func trapForLink(to object: ObjectBase, _ property: String?) -> Never {
    if let table = object._table, table.layout.isOwned { trapForManaged(table) }
    if object._instance === self { trapForLink(toDeleted: object, property) }
    let rule =
      object.isFrozen
      ? "Cannot assign a frozen object to a property of a live one." : "Object is managed by another Realm."
    fatalError("\(rule) \(Self.target(object, property)), and \(origin(of: object))")
  }

  /// Traps for an object that a property is to link to and was deleted.
  private func trapForLink(toDeleted object: ObjectBase, _ property: String?) -> Never {
    fatalError(
      "Object has been deleted or invalidated. \(Self.target(object, property)). Ask isInvalidated before, or look the "
        + "object up again.")
  }

  /// Whether an object that is looked for in a collection of a realm is managed. Traps for a deleted object and for one of
  /// another realm; a collection of no realm has none of those that are managed.
  static func isManaged(_ object: ObjectBase, lookedForIn instance: RealmInstance?) -> Bool {
    guard let owner = object._instance else { return false }
    if owner !== instance { trapForLooking(for: object, in: instance) }
    if object._isGone { trapForLooking(forDeleted: object) }
    return true
  }

  /// Traps for an object that is looked for in a collection of another realm.
  @inline(never)
  private static func trapForLooking(for object: ObjectBase, in instance: RealmInstance?) -> Never {
    let end = instance.map { $0.origin(of: object) } ?? "is managed, and the collection is not."
    fatalError(
      "Object is managed by another Realm than the collection in which it is looked for. The one of class "
        + "'\(object._modelName)' \(end)")
  }

  /// Traps for an object that is looked for and was deleted.
  @inline(never)
  private static func trapForLooking(forDeleted object: ObjectBase) -> Never {
    fatalError(
      "Object has been deleted or invalidated. The one of class '\(object._modelName)' is in no collection any more; ask "
        + "isInvalidated before.")
  }

  private static func target(_ object: ObjectBase, _ property: String?) -> String {
    "The object of class '\(object._modelName)' is to be linked to"
      + (property.map { " by property '\($0)'" } ?? "")
  }

  /// Where an object of another realm belongs, and what to do about it; follows the object in a sentence.
  private func origin(of object: ObjectBase) -> String {
    guard let other = object._instance else { return "is unmanaged." }
    if other.store !== store {
      return "belongs to the database \(other.store.configuration.name), and this one is \(store.configuration.name)."
    }
    if other.isFrozen { return "is frozen. Take what its thaw() returns here." }
    if case .writeBlock = other.confinement {
      return
        "is of another block of RealmStore.write. \(Self.lookUp(object)): objects do not go from one block to the next."
    }
    return "belongs to the realm of \(other.confinement.owningPlace). \(Self.lookUp(object))."
  }

  private static func lookUp(_ object: ObjectBase) -> String {
    let name = object._modelName
    return object._model.properties.contains(where: \.isPrimaryKey)
      ? "Look the object up in this realm with object(ofType: \(name).self, forPrimaryKey:)"
      : "Look the object up in this realm with objects(\(name).self)"
  }
}

extension TableHandle {
  /// A property as messages name it.
  func propertyName(_ column: Int) -> String { "\(model.name).\(model.properties[column].name)" }
}
