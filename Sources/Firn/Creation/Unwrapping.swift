internal import Foundation

/// Looks into optionals whose type is not known.
enum Unwrapping {
  /// The value inside, or nil for `nil` at any depth and for `NSNull`.
  static func value(_ input: Any) -> Any? {
    if let optional = input as? any OptionalValue { return optional.content.flatMap { value($0) } }
    return input is NSNull ? nil : input
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
