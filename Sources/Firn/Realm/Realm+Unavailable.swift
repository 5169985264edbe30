// What older programs wrote, so that the compiler tells them what to write instead.
extension Realm {
  /// Takes a ``Realm/UpdatePolicy`` now.
  @available(*, unavailable, message: "Pass .error instead of false, and .all instead of true.")
  public func add(_ object: Object, update: Bool) { fatalError("Pass an UpdatePolicy.") }

  /// Takes a ``Realm/UpdatePolicy`` now.
  @available(*, unavailable, message: "Pass .error instead of false, and .all instead of true.")
  public func add<S: Sequence>(_ objects: S, update: Bool) where S.Iterator.Element: Object {
    fatalError("Pass an UpdatePolicy.")
  }

  /// Takes a ``Realm/UpdatePolicy`` now.
  @available(*, unavailable, message: "Pass .error instead of false, and .all instead of true.")
  @discardableResult
  public func create<T: Object>(_ type: T.Type, value: Any = [String: Any](), update: Bool) -> T {
    fatalError("Pass an UpdatePolicy.")
  }

  /// Takes a ``Realm/UpdatePolicy`` now.
  @available(*, unavailable, message: "Pass .error instead of false, and .all instead of true.")
  @discardableResult
  public func dynamicCreate(
    _ typeName: String, value: Any = [String: Any](), update: Bool
  ) -> DynamicObject {
    fatalError("Pass an UpdatePolicy.")
  }
}
