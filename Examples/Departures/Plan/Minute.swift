/// A moment in whole minutes since 1970-01-01T00:00Z: the resolution of timetables.
package struct Minute: Hashable, Comparable, Sendable {
  package let sinceEpoch: Int

  package init(sinceEpoch: Int) {
    self.sinceEpoch = sinceEpoch
  }

  package static func < (left: Minute, right: Minute) -> Bool { left.sinceEpoch < right.sinceEpoch }
  package static func + (moment: Minute, minuteCount: Int) -> Minute {
    Minute(sinceEpoch: moment.sinceEpoch + minuteCount)
  }
  package static func - (moment: Minute, minuteCount: Int) -> Minute { moment + -minuteCount }
  /// The minutes from `right` to `left`.
  package static func - (left: Minute, right: Minute) -> Int { left.sinceEpoch - right.sinceEpoch }
}

extension Minute {
  /// Reads `2013-07-10T09:15Z`; nil for every other form and for days and times that do not exist.
  package init?(_ text: some StringProtocol) {
    let pattern = Array("dddd-dd-ddTdd:ddZ".utf8)
    let bytes = Array(text.utf8)
    guard bytes.count == pattern.count else { return nil }
    var numbers = [0]
    for (byte, expected) in zip(bytes, pattern) {
      if expected == UInt8(ascii: "d") {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(byte - UInt8(ascii: "0"))
      } else {
        guard byte == expected else { return nil }
        numbers.append(0)
      }
    }
    let (year, month, day, hour, minute) = (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])
    guard (1...12).contains(month), hour < 24, minute < 60 else { return nil }
    let isLeapYear = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    let dayCounts = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...dayCounts[month - 1]).contains(day) else { return nil }
    let dayOfYear = dayCounts[..<(month - 1)].reduce(day - 1, +)
    sinceEpoch = ((Minute.dayCount(before: year) - Minute.dayCount(before: 1970) + dayOfYear) * 24 + hour) * 60 + minute
  }

  /// Days from the start of the Gregorian year 1 to the start of `year`.
  private static func dayCount(before year: Int) -> Int {
    let years = year - 1
    return years * 365 + years / 4 - years / 100 + years / 400
  }
}
