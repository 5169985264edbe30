/// What happened to one thing since the subscribers that are behind have looked, each change once for all of them.
///
///     entries   [base] ── change ── change ── change = newest
///                 ▲                              ▲
///               subscriber that is behind      subscribers that have seen everything
///
/// An entry stands for the state after its change. Subscribers stand at the entry that they have seen; what is older than
/// the oldest of them is forgotten. So a commit costs one entry, however many subscribers are behind.
///
/// With ``ChangeDelivery/everyCommit`` each entry has the content of its version. Otherwise an entry that nobody stands at
/// is merged into the next one as soon as they are of similar size: each change is merged as often as the logarithm of
/// their number says, and few entries stay between two subscribers.
///
/// Belongs to the queue of the hub.
class AnyStreamLog {
  let key: StreamKey
  let name: String
  let delivery: ChangeDelivery
  unowned let hub: StreamHub
  /// What observes; its end is that of the log.
  var token: NotificationToken?
  /// Who is subscribed.
  var subscriberCount = 0
  /// Those of them that have had an element and do not only want the newest content.
  var countedCount = 0

  init(_ key: StreamKey, _ name: String, _ delivery: ChangeDelivery, _ hub: StreamHub) {
    self.key = key
    self.name = name
    self.delivery = delivery
    self.hub = hub
  }

  /// Whether entries have the content of their version.
  var keepsVersions: Bool { delivery == .everyCommit }

  /// What a number or name takes, roughly.
  static let unitByteCount = 16

  /// What a name of so many bytes takes in units.
  static func units(_ byteCount: Int) -> Int { 1 + byteCount / unitByteCount }

  /// Roughly the bytes of what waits for subscribers, without versions.
  var byteCount: Int { 0 }

  /// Changes that wait.
  var changeCount: Int { 0 }

  /// Subscribers that have not seen everything.
  var behindCount: Int { 0 }

  /// How many bytes of blocks commits had replaced when the oldest version became visible that is kept; nil when none is.
  var oldestRetiredByteCount: Int? { nil }

  /// Forgets what was made for the version that the hub's realm shows.
  func dropCache() {}

  /// Gives up the oldest changes until the others take no more: who waits for one of them gets a reset.
  func giveUp(beyond byteCount: Int) {}

  /// Gives up the oldest changes until no version is kept that became visible before commits had replaced so many bytes.
  func giveUpVersions(before retiredByteCount: Int) {}

  /// Gives up all changes, and others that nobody knows of: every subscriber gets a reset.
  func giveUpAll() {}

  /// Nothing follows: ends all subscriptions once they have seen everything.
  func finish() {}
}

/// An entry of a log, by reference because subscribers stand at it.
class StreamEntry<Content> {
  /// Grows with each change. That of merged ones is the greatest.
  var number: Int
  /// So many subscribers have seen everything up to here and nothing later.
  var subscriberCount = 0
  /// Whether what followed was given up.
  var isCut = false
  /// The content after it, if each commit counts; nil when what it belongs to was deleted.
  var content: Content?
  var causes: [Realm.Cause]
  /// Numbers and names that the change consists of, and as many more as its causes take.
  var weight = 0
  /// Bytes of blocks that commits had replaced when its version became visible.
  var retiredByteCount = 0

  init(number: Int, causes: [Realm.Cause]) {
    self.number = number
    self.causes = causes
  }
}

/// A log as its subscribers see it.
class StreamLog<Content: Sendable, Delta: Sendable>: AnyStreamLog {
  /// Gives a subscriber that waits what is due, or lets it wait on.
  func serve(_ subscription: StreamSubscription<Content, Delta>) {}

  /// Forgets a subscriber.
  func leave(_ subscription: StreamSubscription<Content, Delta>) {}
}
