internal import FirnEngine

/// The base class of models that belong to other objects.
///
///     class Address: EmbeddedObject {
///         @Persisted var street: String
///     }
///     class Customer: Object {
///         @Persisted var home: Address?
///         @Persisted var previous: List<Address>
///     }
///
/// A managed embedded object has exactly one owner, the object whose link or list holds it, for all its life. It becomes
/// managed when it is put there, or when the owner is added. Taking it out, putting another in its place or deleting the
/// owner deletes it, with all that is embedded in it. It cannot be added or created by itself, and assigning one that is
/// managed to another place traps; make a copy with `Address(value: address)`.
///
/// An embedded class has no primary key, and must not contain itself, not even through other embedded classes. Links to
/// ordinary objects are fine, and so is a ``LinkingObjects`` property that shows the owner.
open class EmbeddedObject: ObjectBase, _PersistableInsideOptional {
  /// Links are stored as links.
  public typealias PersistedType = EmbeddedObject

  /// Makes an unmanaged object.
  public required init() { super.init() }

  /// Whether the object was managed and is not any more: it was deleted, perhaps with its owner.
  public final override var isInvalidated: Bool { _isGone }

  /// True: objects of the class belong to others.
  public override class func isEmbedded() -> Bool { true }
}

extension EmbeddedObject: _RealmCollectionValueInsideOptional {}

extension EmbeddedObject {
  /// Whether both stand for the same row of the same realm. An unmanaged object is the same as itself only, and nothing
  /// is the same as nil.
  public final func isSameObject(as object: EmbeddedObject?) -> Bool {
    guard let object else { return false }
    return self === object || _isSameRow(as: object)
  }
}

extension RealmInstance {
  /// Assigns to a link; an unmanaged object is added first.
  func setLink(_ object: ObjectBase?, _ cell: _Cell) {
    if let object, object._instance != nil, isInPlace(object, cell) { return }
    let target = object.map { object in
      let row = rowToLink(object, for: handle(cell.table.index).propertyName(cell.column.index))
      checkTarget(object, of: cell.column.index, in: store.graph.layout.tables[cell.table.index])
      return row
    }
    cell.writer.setLink(cell.column, of: cell.key, in: cell.table, to: target)
  }

  /// Whether an embedded object is assigned to the link that holds it already.
  private func isInPlace(_ object: ObjectBase, _ cell: _Cell) -> Bool {
    guard object._instance === self, let table = object._table, table.layout.isOwned,
      store.graph.layout.tables[cell.table.index].columns[cell.column.index].target == Int32(table.layout.index)
    else { return false }
    return cell.writer.contents.value(cell.column, of: cell.key, in: cell.table) == .link(RowKey(object._key))
  }

  /// Traps for an embedded object that would get a second owner.
  func trapForManaged(_ embedded: TableHandle) -> Never {
    fatalError(
      "Cannot set a link to an existing managed embedded object. (class '\(embedded.model.name)') Use a copy: "
        + "\(embedded.model.name)(value: object).")
  }
}
