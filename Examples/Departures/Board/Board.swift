import Firn
import Foundation

/// The state of the replay itself: one object, so that observers learn of it as of everything else.
class Board: Object {
  static let key = "New York"

  @Persisted(primaryKey: true) var name: String
  @Persisted var clock: Date
  @Persisted var isOpen: Bool

  convenience init(openingAt time: Date) {
    self.init()
    name = Board.key
    clock = time
    isOpen = true
  }
}

extension Realm.Configuration {
  static var departures: Realm.Configuration {
    Realm.Configuration(inMemoryIdentifier: "departures")
  }
}
