internal import FirnEngine
public import Foundation

// For code that asks for a class of Foundation: `flights.max(ofProperty: "delay") as NSNumber?`.

extension RealmCollection {
  /// The least value of a numeric property; see `min(ofProperty:)`.
  @_disfavoredOverload
  public func min(ofProperty property: String) -> NSNumber? { FoundationNumber.of(aggregate(.min, property)) }

  /// The greatest value of a numeric property; see `max(ofProperty:)`.
  @_disfavoredOverload
  public func max(ofProperty property: String) -> NSNumber? { FoundationNumber.of(aggregate(.max, property)) }

  /// The sum of a property, 0 of nothing; see `sum(ofProperty:)`.
  @_disfavoredOverload
  public func sum(ofProperty property: String) -> NSNumber {
    AggregateFailure.sum(FoundationNumber.of(aggregate(.sum, property)))
  }

  /// The average of a property, nil of nothing; see `average(ofProperty:)`.
  @_disfavoredOverload
  public func average(ofProperty property: String) -> NSNumber? { FoundationNumber.of(aggregate(.average, property)) }

  /// The earliest date of a property; see `min(ofProperty:)`.
  @_disfavoredOverload
  public func min(ofProperty property: String) -> NSDate? { FoundationDate.of(aggregate(.min, property)) }

  /// The latest date of a property; see `max(ofProperty:)`.
  @_disfavoredOverload
  public func max(ofProperty property: String) -> NSDate? { FoundationDate.of(aggregate(.max, property)) }
}

extension Map {
  /// The least value of a numeric property; see `min(ofProperty:)`.
  @_disfavoredOverload
  public func min(ofProperty property: String) -> NSNumber? { FoundationNumber.of(aggregate(.min, property)) }

  /// The greatest value of a numeric property; see `max(ofProperty:)`.
  @_disfavoredOverload
  public func max(ofProperty property: String) -> NSNumber? { FoundationNumber.of(aggregate(.max, property)) }

  /// The sum of a property, 0 of nothing; see `sum(ofProperty:)`.
  @_disfavoredOverload
  public func sum(ofProperty property: String) -> NSNumber {
    AggregateFailure.sum(FoundationNumber.of(aggregate(.sum, property)))
  }

  /// The average of a property, nil of nothing; see `average(ofProperty:)`.
  @_disfavoredOverload
  public func average(ofProperty property: String) -> NSNumber? { FoundationNumber.of(aggregate(.average, property)) }

  /// The earliest date of a property; see `min(ofProperty:)`.
  @_disfavoredOverload
  public func min(ofProperty property: String) -> NSDate? { FoundationDate.of(aggregate(.min, property)) }

  /// The latest date of a property; see `max(ofProperty:)`.
  @_disfavoredOverload
  public func max(ofProperty property: String) -> NSDate? { FoundationDate.of(aggregate(.max, property)) }
}

/// An aggregate as an `NSNumber`.
private struct FoundationNumber: _AggregateResult {
  let number: NSNumber

  static func _result(_ aggregate: _Constant) -> FoundationNumber? {
    let number: NSNumber? =
      switch aggregate.value {
      case .int(let value): NSNumber(value: value)
      case .float(let value): NSNumber(value: value)
      case .double(let value): NSNumber(value: value)
      case .decimal128(let bits): NSDecimalNumber(decimal: DecimalFloat(bits).foundationDecimal)
      default: nil
      }
    return number.map { FoundationNumber(number: $0) }
  }

  static func of(_ aggregate: FoundationNumber?) -> NSNumber? { aggregate?.number }
}

/// An aggregate as an `NSDate`.
private struct FoundationDate: _AggregateResult {
  let date: NSDate

  static func _result(_ aggregate: _Constant) -> FoundationDate? {
    guard let date = Date._result(aggregate) else { return nil }
    return FoundationDate(date: NSDate(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate))
  }

  static func of(_ aggregate: FoundationDate?) -> NSDate? { aggregate?.date }
}
