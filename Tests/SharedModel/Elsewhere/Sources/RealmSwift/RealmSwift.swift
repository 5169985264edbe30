// Stands in for RealmSwift, as far as the model needs it.

open class Object {
  public required init() {}
}

public protocol Emptiable {
  init()
}

extension Int: Emptiable {}
extension String: Emptiable {}

public final class List<Element>: Emptiable {
  public init() {}
}

@propertyWrapper
public struct Persisted<Value: Emptiable> {
  public var wrappedValue = Value()

  public init() {}
  public init(primaryKey: Bool) {}
}
