internal import FirnEngine

/// A number in JSON that no `Int` holds, as it is written: a `Double` might have fewer of its digits than what it is for.
struct JSONNumber: CustomStringConvertible {
  let text: String
  /// Whether it has neither point nor exponent.
  let isInteger: Bool

  /// The nearest `Double`; nil when the number is beyond all of them.
  var double: Double? { Double(text).flatMap { $0.isFinite ? $0 : nil } }

  /// The number with 34 digits; nil when it is beyond all decimals.
  var decimal: DecimalFloat? { DecimalFloat(text).flatMap { $0.kind == .finite ? $0 : nil } }

  var description: String { text }
}
