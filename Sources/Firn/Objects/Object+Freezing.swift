internal import FirnEngine

extension ObjectBase {
  fileprivate final func _frozen() -> ObjectBase {
    guard let instance = _instance, let table = _table else { fatalError(freezingUnmanaged) }
    if instance.isFrozen { return self }
    if table.accessors.lastValues(of: self) != nil {
      fatalError("Object has been deleted or invalidated. (class '\(table.model.name)' cannot be frozen)")
    }
    let frozen = instance.frozen()
    if !frozen.read({ $0.contains(RowKey(_key), in: table.table) }) {
      if instance.isInWriteTransaction {
        fatalError(
          "Cannot freeze an object in the same write transaction as it was created in. (class '\(table.model.name)') "
            + "Freeze it after the commit, or return it from the block of RealmStore.write, which does that.")
      }
      fatalError("Object has been deleted or invalidated. (class '\(table.model.name)' cannot be frozen)")
    }
    return frozen.accessor(RowKey(_key), table.number)
  }

  final var freezingUnmanaged: String {
    "Unmanaged objects cannot be frozen. Add the one of class '\(_modelName)' to a realm before."
  }

  fileprivate final func _thawed() -> ObjectBase? {
    guard let instance = _instance, let table = _table else {
      if self is EmbeddedObject { return nil }
      fatalError("Unmanaged objects cannot be thawed.")
    }
    if !instance.isFrozen { return self }
    let live = Realm(instance).thaw().instance
    guard live.read({ $0.contains(RowKey(_key), in: table.table) }) else { return nil }
    return live.accessor(RowKey(_key), table.number)
  }
}

extension Realm {
  /// An immutable view of an object, for any thread: how it is in the version that the realm shows.
  ///
  /// Everything reached from it is frozen too. A frozen object is returned as it is. Inside a write transaction, the
  /// object as it was when that began. Traps for an unmanaged or deleted object, and for one that was added in the
  /// running transaction. May be called on any thread.
  ///
  /// - Complexity: O(1). The version's memory is kept as long as the object.
  public func freeze<T: ObjectBase>(_ object: T) -> T { unsafeDowncast(object._frozen(), to: T.self) }

  /// A live object for the current thread of a frozen one, nil when its row does not exist in the version that the
  /// thread's realm shows. Inside a write transaction it is one of the realm that writes. A live object is returned as
  /// it is. Traps for an unmanaged object.
  public func thaw<T: ObjectBase>(_ object: T) -> T? { object._thawed().map { unsafeDowncast($0, to: T.self) } }

  /// An immutable view of a collection, for any thread; see ``ThreadConfined/freeze()``.
  public func freeze<Collection: RealmCollection>(_ collection: Collection) -> Collection { collection.freeze() }
}

/// What every object has, with `Self` in its type, which members of an open class cannot have.
public protocol _ManagedObject: ObjectBase, ThreadConfined, _FrozenAfterWriting {}

extension ObjectBase: _ManagedObject {}

extension _ManagedObject {
  public func _frozenAfterWriting() -> Self {
    if _instance == nil {
      fatalError(
        "An unmanaged object of the class '\(Self.className())' was returned from the block of RealmStore.write, which "
          + "freezes objects. Add it to the block's realm, or return something else.")
    }
    if isInvalidated {
      fatalError(
        "An object of the class '\(Self.className())' that does not exist after the block was returned from that of "
          + "RealmStore.write, which freezes objects: it was deleted, or the block cancelled the transaction that added it. "
          + "Return its primary key or what else is needed of it.")
    }
    do throws(Realm.Error) {
      return unsafeDowncast(try frozenAccessor(), to: Self.self)
    } catch {
      fatalError(error.localizedDescription)
    }
  }

  /// An immutable view of the object, for any thread: how it is in the version that its realm shows.
  ///
  /// Everything reached from it is frozen too. A frozen object is returned as it is. Inside a write transaction, the
  /// object as it was when that began. Traps for an unmanaged or deleted object, and for one that was added in the
  /// running transaction. May be called on any thread.
  ///
  /// - Complexity: O(1). The version's memory is kept as long as the object.
  public func freeze() -> Self { unsafeDowncast(_frozen(), to: Self.self) }

  /// A live object for the current thread, nil when its row does not exist in the version that the thread's realm shows.
  /// A live object is returned as it is. Traps for an unmanaged object; nil for an unmanaged embedded one.
  public func thaw() -> Self? { _thawed().map { unsafeDowncast($0, to: Self.self) } }
}
