import Foundation

enum Unit: String, Codable {
  /// Nanoseconds per operation.
  case nanoseconds
  /// Operations per second.
  case perSecond
  /// Bytes per object.
  case bytes

  /// The value with three digits that matter, as `4.71 µs`, `3.8 M/s` or `86 B`.
  func formatted(_ value: Double) -> String {
    switch self {
    case .nanoseconds: Self.scaled(value, ["ns", "µs", "ms", "s"])
    case .perSecond: Self.scaled(value, ["/s", "k/s", "M/s", "G/s"])
    case .bytes: "\(Self.digits(value)) B"
    }
  }

  private static func scaled(_ value: Double, _ suffixes: [String]) -> String {
    var rest = value
    var suffix = 0
    while rest.magnitude >= 999.5, suffix < suffixes.count - 1 {
      rest /= 1_000
      suffix += 1
    }
    return "\(digits(rest)) \(suffixes[suffix])"
  }

  /// Three digits that matter.
  static func digits(_ value: Double) -> String {
    let places = value.magnitude < 9.995 ? 2 : value.magnitude < 99.95 ? 1 : 0
    return String(format: "%.\(places)f", value)
  }
}
