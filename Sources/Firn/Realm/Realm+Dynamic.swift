internal import FirnEngine

/// Classes by name.
extension Realm {
  /// All objects of a class, live, in the order in which they were added, for code that knows only the name of the class.
  ///
  /// Traps when the realm's schema has no class of that name.
  public func dynamicObjects(_ typeName: String) -> Results<DynamicObject> {
    Results(core: ResultsCore(allRowsOf: dynamicHandle(typeName), instance))
  }

  /// The object of a class with a primary key, or nil; see ``object(ofType:forPrimaryKey:)``.
  ///
  /// Traps when the realm's schema has no class of that name, when the class has no primary key, and for a key of another
  /// type.
  ///
  /// - Complexity: O(1).
  public func dynamicObject(ofType typeName: String, forPrimaryKey key: Any) -> DynamicObject? {
    let handle = dynamicHandle(typeName)
    guard let column = handle.layout.primaryKey else {
      fatalError("'\(handle.model.name)' does not have a primary key defined.")
    }
    return instance.find(key, handle, handle.layout.columns[column].type).map {
      unsafeDowncast($0, to: DynamicObject.self)
    }
  }

  /// Creates an object of a class by name, or updates the one that has the same primary key; see
  /// ``create(_:value:update:)``.
  ///
  /// Traps when the realm's schema has no class of that name, for an embedded class, and where
  /// ``create(_:value:update:)`` does.
  @discardableResult
  public func dynamicCreate(
    _ typeName: String, value: Any = [String: Any](), update: UpdatePolicy = .error
  ) -> DynamicObject {
    let writer = requireWriter()
    let handle = dynamicHandle(typeName)
    if handle.layout.isOwned {
      fatalError(
        "Embedded objects cannot be created directly. Create an object with a '\(typeName)' in it instead.")
    }
    if update != .error, let object = Unwrapping.value(value) as? DynamicObject, object._table === handle,
      !object._isGone
    {
      return object
    }
    do {
      let key = try ObjectCreator(instance, writer, update).create(handle, value)
      return unsafeDowncast(handle.accessor(key), to: DynamicObject.self)
    } catch {
      InvalidValue.trap(error)
    }
  }

  private func dynamicHandle(_ typeName: String) -> TableHandle {
    guard let table = instance.store.schema.index(named: typeName) else { instance.refuseType(named: typeName) }
    return instance.handle(table, isDynamic: true)
  }
}
