internal import Foundation

/// What strings in JSON stand for where JSON has no literal of the property's type.
enum JSONLiteral {
  /// A date in ISO 8601, data in Base64 and an object id in hexadecimal digits; a number for a date, if it may be one;
  /// anything else as it is.
  static func meant(_ input: Any, by type: PropertyType, _ dates: NumericDates) -> Any {
    guard let text = input as? String else { return type == .date ? date(of: input, dates) ?? input : input }
    switch type {
    case .date: return date(text) ?? input
    case .data: return Data(base64Encoded: text) ?? input
    case .objectId: return (try? ObjectId(string: text)) ?? input
    default: return input
    }
  }

  private static func date(of input: Any, _ dates: NumericDates) -> Date? {
    guard let number = input as? Double ?? (input as? Int).map({ Double($0) }) else { return nil }
    return switch dates {
    case .refuse: nil
    case .secondsSince1970: Date(timeIntervalSince1970: number)
    case .millisecondsSince1970: Date(timeIntervalSince1970: number / 1000)
    }
  }

  private static func date(_ text: String) -> Date? {
    let style = Date.ISO8601FormatStyle()
    if let date = try? style.parse(text) { return date }
    return try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text)
  }
}
