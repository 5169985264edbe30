// Calls take the forms that know their place. Those without it are for function values, as in
// `objects.forEach(realm.delete)`, and for protocols of users that a realm conforms to.

extension Realm {
  /// `add(_:update:)` as a function value.
  @_disfavoredOverload
  public func add(_ object: Object, update: UpdatePolicy) { add(object, update: update) }

  /// `create(_:value:update:)` as a function value.
  @_disfavoredOverload
  public func create<T: Object>(_ type: T.Type, value: Any, update: UpdatePolicy) -> T {
    create(type, value: value, update: update)
  }

  /// `delete(_:)` as a function value.
  @_disfavoredOverload
  public func delete(_ object: ObjectBase) { delete(object) }

  /// `deleteAll()` as a function value.
  @_disfavoredOverload
  public func deleteAll() { deleteAll() }

  /// `refresh()` as a function value.
  @_disfavoredOverload @discardableResult
  public func refresh() -> Bool { refresh() }

  /// `write(withoutNotifying:_:)` as a function value.
  @_disfavoredOverload @discardableResult
  public func write<Result>(withoutNotifying tokens: [NotificationToken], _ block: () throws -> Result) throws -> Result
  {
    try write(withoutNotifying: tokens, block)
  }

  /// `beginWrite()` as a function value.
  @_disfavoredOverload
  @available(*, noasync, message: "Use asyncWrite, or RealmStore.write.")
  public func beginWrite() { beginWrite() }

  /// `commitWrite(withoutNotifying:)` as a function value.
  @_disfavoredOverload
  @available(*, noasync, message: "Use asyncWrite, or RealmStore.write.")
  public func commitWrite(withoutNotifying tokens: [NotificationToken]) throws {
    try commitWrite(withoutNotifying: tokens)
  }

  /// `cancelWrite()` as a function value.
  @_disfavoredOverload
  @available(*, noasync, message: "Throw from the block of asyncWrite, or of RealmStore.write.")
  public func cancelWrite() { cancelWrite() }
}
