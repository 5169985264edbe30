/// A property that leads to objects of their own: a link, or a collection of links. Not to be conformed to directly.
public protocol _Relation: _Persistable {}

extension Optional: _Relation where Wrapped: Object {}
extension List: _Relation where Element: Object {}
extension MutableSet: _Relation where Element: Object {}
extension Map: _Relation where Value: OptionalProtocol, Value.Wrapped: Object {}

extension Persisted where Value: _Relation {
  /// - Parameter deleteRule: What happens to the targets when the object that has this property is deleted.
  @inlinable @inline(__always)
  public init(deleteRule: DeleteRule) {
    value = nil
    slot = PropertySlot.declared(deleteRule.rawValue)
  }

  /// - Parameters:
  ///   - wrappedValue: The initial value, evaluated for each new object.
  ///   - deleteRule: What happens to the targets when the object that has this property is deleted.
  @inlinable @inline(__always)
  public init(wrappedValue: Value, deleteRule: DeleteRule) {
    self.init(wrappedValue: wrappedValue)
    slot |= PropertySlot.declared(deleteRule.rawValue)
  }
}
