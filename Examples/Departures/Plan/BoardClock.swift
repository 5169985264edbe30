package import Foundation

/// Writes moments as the clock on the wall of the airport shows them.
package struct BoardClock: Sendable {
  private let timeZone: TimeZone

  /// Falls back to UTC where the system does not know the zone.
  package init(timeZone identifier: String) {
    timeZone = TimeZone(identifier: identifier) ?? .gmt
  }

  /// Hours since some midnight, for telling that a new hour began.
  package func hour(of moment: Date) -> Int {
    minute(of: moment) / 60
  }

  /// `14:35`
  package func text(_ moment: Date) -> String {
    let minute = minute(of: moment)
    return [minute / 60 % 24, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }

  /// `2013-07-10`
  package func day(of moment: Date) -> String {
    moment.formatted(Date.ISO8601FormatStyle(timeZone: timeZone).year().month().day())
  }

  private func minute(of moment: Date) -> Int {
    (Int(moment.timeIntervalSince1970) + timeZone.secondsFromGMT(for: moment)) / 60
  }
}

extension Date {
  package init(_ minute: Minute) {
    self.init(timeIntervalSince1970: Double(minute.sinceEpoch * 60))
  }
}
