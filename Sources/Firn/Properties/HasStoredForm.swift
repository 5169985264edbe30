/// A value of a custom type, as far as its stored form goes.
public protocol _HasStoredForm {
  /// What is stored for the value, as Swift and Foundation have it; `NSNull` for null.
  var _storedForm: Any { get }
}

extension _CustomPersistable {
  public var _storedForm: Any { persistableValue }
}
