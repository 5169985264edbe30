internal import FirnEngine
internal import Foundation

/// What strings and numbers in JSON stand for where JSON has no literal of the property's type.
enum JSONLiteral {
  /// A date in ISO 8601, data in Base64 and an object id in hexadecimal digits; a number for a date, if it may be one; a
  /// number with all digits that the property has room for; anything else as it is. What ``Coercion`` cannot store is
  /// refused there.
  ///
  /// Throws for what values of the program may be given for and JSON has literals of its own: Booleans as integers, and
  /// the other way round.
  static func meant(
    _ input: Any, by property: ClassModel.Property, of model: ClassModel, _ dates: NumericDates
  ) throws -> Any {
    let type = property.shape.type
    if type == .date { return try date(input, property, model, dates) }
    switch input {
    case let text as String:
      switch type {
      case .data: return Data(base64Encoded: text) ?? input
      case .objectId: return (try? ObjectId(string: text)) ?? input
      default: return input
      }
    case let number as JSONNumber:
      switch type {
      case .decimal128: return number.decimal.map { Decimal128($0) } ?? input
      case .double, .float: return number.double ?? input
      default: return input
      }
    case is NSNull: return input
    default:
      if type == .bool || Swift.type(of: input) == Bool.self, type != .bool || Swift.type(of: input) != Bool.self {
        throw Coercion.invalid(input, ShownValue.typeName(input), property, model)
      }
      return input
    }
  }

  // MARK: Dates

  /// What numbers for dates may be at most: beyond it there are dates whose year no calendar can tell.
  private static let secondsMax = 1e15

  private static func date(
    _ input: Any, _ property: ClassModel.Property, _ model: ClassModel, _ dates: NumericDates
  ) throws -> Any {
    if let text = input as? String { return ISO8601Date.read(text) ?? input }
    let isNumber = type(of: input) == Int.self || input is JSONNumber
    if dates == .refuse || !isNumber { return input }
    let number = (input as? Int).map { Double($0) } ?? (input as? JSONNumber)?.double
    let seconds = (number ?? .infinity) / (dates == .millisecondsSince1970 ? 1000 : 1)
    if abs(seconds) <= secondsMax { return Date(timeIntervalSince1970: seconds) }
    var error = Coercion.invalid(input, ShownValue.typeName(input), property, model)
    error.expected = "at most \(Int(secondsMax)) seconds before or after 1970"
    error.found = ShownValue.text(input)
    error.message += " Dates are \(error.expected)."
    throw error
  }
}
