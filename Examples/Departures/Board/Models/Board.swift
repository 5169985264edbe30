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
  @Persisted package var isDayOver: Bool
  @Persisted package var minutesPerSecond: Double
  @Persisted package var isPaused: Bool
  /// Which day is replayed: ``FlightDay/signature``.
  @Persisted package var day: String

  convenience init(_ day: String, openingAt time: Date) {
    self.init()
    name = Board.key
    self.day = day
    clock = time
    isOpen = true
  }
}
