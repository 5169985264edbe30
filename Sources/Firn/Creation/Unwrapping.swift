internal import Foundation

/// Looks into optionals whose type is not known.
enum Unwrapping {
  /// The value inside, or nil for `nil` at any depth and for `NSNull`.
  static func value(_ input: Any) -> Any? {
    let type = type(of: input)
    if isPlain(type) { return input }
    if type is AnyObject.Type { return input is NSNull ? nil : input }
    if let optional = input as? any OptionalValue { return optional.content.flatMap { value($0) } }
    return input
  }

  /// The object of a realm class that a value is. Casting the value itself would make a Foundation object of a dictionary,
  /// a number or a string first, with all that is in it.
  static func object(_ input: Any) -> ObjectBase? {
    let type = type(of: input)
    return !isPlain(type) && type is AnyObject.Type ? input as? ObjectBase : nil
  }

  /// The types that most values have, told by their address.
  private static func isPlain(_ type: Any.Type) -> Bool {
    type == String.self || type == Int.self || type == Double.self || type == Bool.self || type == [String: Any].self
  }
}

extension Unwrapping {
  /// What is stored for a value: that of a custom type, the raw value of an enumeration, else the value itself.
  static func persisted(_ value: Any) -> Any {
    if let custom = value as? any _HasStoredForm { return custom._storedForm }
    return (value as? any RawRepresentable)?.rawValue ?? value
  }
}

private protocol OptionalValue {
  var content: Any? { get }
}

extension Optional: OptionalValue {
  var content: Any? { map { $0 as Any } }
}
