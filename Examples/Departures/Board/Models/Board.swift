internal import DeparturePlan
package import Firn

/// The state of the replay itself: one object, written in the same transactions as what the replay does.
///
/// So observers learn of it as of everything else, and a replay that was interrupted goes on exactly behind the last
/// step that the store has.
package class Board: Object {
  static let key = "New York"

  @Persisted(primaryKey: true) package var name: String
  @Persisted package var clock: Date
  @Persisted package var isOpen: Bool
  /// Steps of the replay that are done.
  @Persisted package var stepCount: Int
  /// Which plan the steps are of: ``ReplayPlan/version``. There was one only when boards did not say it yet.
  @Persisted package var planVersion = 1
  @Persisted package var isDayOver: Bool
  @Persisted package var minutesPerSecond: Double
  @Persisted package var isPaused: Bool
  /// Which day is replayed: ``FlightDay/signature``.
  @Persisted package var day: String

  convenience init(_ day: String, openingAt time: Date) {
    self.init()
    name = Board.key
    self.day = day
    planVersion = ReplayPlan.version
    clock = time
    isOpen = true
  }
}
