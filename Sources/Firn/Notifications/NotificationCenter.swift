/// The observers of one realm and what they have been told.
final class NotificationCenter {
  var isDelivering: Bool { false }
  func didBecomeStale() {}
  func deliver(didAdvance: Bool) {}
  func willCommit(skipping tokens: [NotificationToken]) {}
  func didCommit(skipping tokens: [NotificationToken]) {}
}

/// Keeps an observer registered. Dropping the last reference ends it.
public final class NotificationToken {}
