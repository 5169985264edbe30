internal import Foundation

/// Dates as texts in ISO 8601: `2024-02-29T12:30:15.250+01:00`.
///
/// `Date.ISO8601FormatStyle` computes the instant, but takes days and hours that there are not for later ones, and stops
/// where it has read enough. So the whole text is looked at first.
enum ISO8601Date {
  /// The instant; nil when the text is no date or names one that there is not. The year has four digits; behind the
  /// seconds there may be a fraction of any length, and then `Z` or an offset as `+01`, `+0100` or `+01:00`. Leap seconds
  /// are no seconds of a `Date`.
  static func read(_ text: String) -> Date? {
    var fields = Fields(text.utf8)
    guard let year = fields.number(4), fields.skip("-"), let month = fields.number(2), fields.skip("-"),
      let day = fields.number(2), fields.skip("T"), let hour = fields.number(2), fields.skip(":"),
      let minute = fields.number(2), fields.skip(":"), let second = fields.number(2)
    else { return nil }
    guard 1...12 ~= month, 1...dayCount(of: month, year) ~= day, hour < 24, minute < 60, second < 60 else { return nil }
    guard let fraction = fields.fraction(), let zone = fields.zone(), fields.isAtEnd else { return nil }
    let whole = text.utf8.prefix(19).map { Character(Unicode.Scalar($0)) }
    guard let date = try? Date.ISO8601FormatStyle().parse(String(whole) + "Z") else { return nil }
    return Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate - Double(zone) + fraction)
  }

  private static func dayCount(of month: Int, _ year: Int) -> Int {
    switch month {
    case 2:
      // The calendar of Foundation is the Julian one before 1582.
      let isLeap = year % 4 == 0 && (year < 1582 || year % 100 != 0 || year % 400 == 0)
      return isLeap ? 29 : 28
    case 4, 6, 9, 11: return 30
    default: return 31
    }
  }

  private struct Fields {
    private var rest: Substring.UTF8View

    init(_ text: String.UTF8View) { rest = text[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// A number of as many digits.
    mutating func number(_ digitCount: Int) -> Int? {
      let digits = rest.prefix(digitCount)
      guard digits.count == digitCount, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
      rest.removeFirst(digitCount)
      return digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }

    mutating func skip(_ byte: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: byte) else { return false }
      rest.removeFirst()
      return true
    }

    /// The fraction of a second, 0 when there is none; nil when there are no digits behind the point.
    mutating func fraction() -> Double? {
      if !skip(".") { return 0 }
      let digits = rest.prefix { 0x30...0x39 ~= $0 }
      rest.removeFirst(digits.count)
      return digits.isEmpty ? nil : Double("0." + String(Substring(digits)))
    }

    /// How many seconds the clock is ahead.
    mutating func zone() -> Int? {
      if skip("Z") { return 0 }
      let isAhead = skip("+")
      guard isAhead || skip("-"), let hours = number(2), hours < 24 else { return nil }
      let hasMinutes = skip(":") || !isAtEnd
      guard let minutes = hasMinutes ? number(2) : 0, minutes < 60 else { return nil }
      let seconds = hours * 3600 + minutes * 60
      return isAhead ? seconds : -seconds
    }
  }
}
