/// What an observer of a realm is called with.
public typealias NotificationBlock = (_ notification: Realm.Notification, _ realm: Realm) -> Void

extension Realm {
  /// Why an observer of a realm is called.
  @frozen public enum Notification: String, Sendable {
    /// The realm shows another version, or committed one.
    case didChange = "RLMRealmDidChangeNotification"
    /// Another realm committed, and this one does not refresh by itself.
    case refreshRequired = "RLMRealmRefreshRequiredNotification"
  }

  /// Calls a block whenever the realm moves to another version: at the end of each commit on it, and when it refreshes.
  ///
  /// The block is called where the realm is confined, before observers of objects and collections. Traps for frozen
  /// and read-only realms, for realms of tasks, which have no place to deliver, and after changes in a write transaction.
  ///
  /// - Returns: A token to be kept as long as notifications are wanted.
  public func observe(
    file: StaticString = #fileID, line: UInt = #line, _ block: @escaping NotificationBlock
  ) -> NotificationToken {
    observe(ObservationTarget(Realm.self, file: file, line: line), nil, block)
  }

  /// Observes for a subscriber, whose gate says when it may be called.
  package func observe(_ gate: DeliveryGate?, _ block: @escaping () -> Void) -> NotificationToken {
    observe(ObservationTarget(Realm.self), gate) { _, _ in block() }
  }

  private func observe(
    _ target: ObservationTarget, _ gate: DeliveryGate?, _ block: @escaping NotificationBlock
  ) -> NotificationToken {
    var target = target
    target.takesPlace = false
    return instance.observe(target, on: nil, gate: gate) { instance, _ in
      let observer = RealmObserver(block)
      instance.observers().add(observer)
      return observer
    }
  }
}
