package import Foundation

/// Where a replay begins, which it decides by what the store holds.
package enum ReplayStart: Equatable, Sendable {
  case newDay
  /// The store had a part of the day: the replay goes on behind it.
  case resumed(stepCount: Int, clock: Date, minutesPerSecond: Double)
  /// The store had the whole day, so it begins again.
  case again
}
