internal import Foundation

/// Looks into optionals whose type is not known.
enum Unwrapping {
  /// The value inside, or nil for `nil` at any depth and for `NSNull`. An `NSNumber`, as `JSONSerialization` makes them,
  /// comes as the number or Boolean that it was made from: a cast would take 1 for true.
  static func value(_ input: Any) -> Any? {
    let type = type(of: input)
    if isPlain(type) { return input }
    if type is AnyObject.Type {
      if input is NSNull { return nil }
      return (input as? NSNumber).map { plain($0) } ?? input
    }
    if let optional = input as? any OptionalValue { return optional.content.flatMap { value($0) } }
    return input
  }

  /// The object of a realm class that a value is. Casting the value itself would make a Foundation object of a dictionary,
  /// a number or a string first, with all that is in it.
  static func object(_ input: Any) -> ObjectBase? {
    let type = type(of: input)
    return !isPlain(type) && type is AnyObject.Type ? input as? ObjectBase : nil
  }

  /// The object that a projection shows.
  static func root(_ projection: Any) -> ObjectBase? { (projection as? any ProjectionObservable)?.rootObject }

  private static func plain(_ number: NSNumber) -> Any {
    if let decimal = number as? NSDecimalNumber { return decimal.decimalValue }
    // Booleans are told by their class: their encoding may be that of an `Int8`.
    if type(of: number) == type(of: NSNumber(value: true)) { return number.boolValue }
    return switch UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "d"): number.doubleValue
    case UInt8(ascii: "f"): number.floatValue
    case UInt8(ascii: "Q"), UInt8(ascii: "L"): number.uint64Value
    default: number.intValue
    }
  }

  /// The types that most values have, told by their address.
  private static func isPlain(_ type: Any.Type) -> Bool {
    type == String.self || type == Int.self || type == Double.self || type == Bool.self || type == [String: Any].self
      || type == JSONObject.self
  }
}

extension Unwrapping {
  /// What is stored for a value: that of a custom type, the raw value of an enumeration, else the value itself.
  static func persisted(_ value: Any) -> Any {
    if let custom = value as? any _HasStoredForm { return custom._storedForm }
    return (value as? any RawRepresentable)?.rawValue ?? value
  }

  /// The value that access by name gives: what is stored, of a mixed value what is in it, and numbers as ``named(_:)``
  /// has them. Nil for null.
  static func stored(_ input: Any) -> Any? {
    guard let value = value(input) else { return nil }
    if let mixed = value as? AnyRealmValue { return mixed.payload.map { named($0) } }
    return self.value(persisted(value)).map { named($0) }
  }

  /// A number of fixed width as an `NSNumber`, from which a cast gets any numeric type that has the value; anything
  /// else as it is. `Int`, `Double` and `Bool` stay apart, because `NSNumber` cannot tell 1 from true.
  static func named(_ value: Any) -> Any {
    let type = type(of: value)
    let isFixedWidth =
      type == Float.self || type == Int64.self || type == Int32.self || type == Int16.self || type == Int8.self
    return isFixedWidth ? (value as? NSNumber) ?? value : value
  }
}

private protocol OptionalValue {
  var content: Any? { get }
}

extension Optional: OptionalValue {
  var content: Any? { map { $0 as Any } }
}
