internal import Dispatch
internal import FirnEngine
internal import Synchronization

/// Prepares the changes of a store for all subscriptions of ``ChangeStream``, on a queue of its own.
///
///     commit ──▶ headDidChange ──▶ queue: the realm moves, its observers tell the logs, the logs serve who waits
///     next() ─────────────────────▶ queue: the log serves, or lets wait
///
/// One realm that moves with the commits, so that all subscriptions share its views; equal ones also share a log. Where somebody
/// wants each commit, the realm moves from version to version, else to the newest.
///
/// Kept by its subscriptions. State but `isScheduled` belongs to the queue.
final class StreamHub: @unchecked Sendable {
  let store: Store
  let queue: DispatchQueue
  let realm: RealmInstance
  private var logs: [StreamKey: AnyStreamLog] = [:]
  /// Holds each version while somebody wants each commit.
  private var follower: VersionFollower?
  private var versionLogCount = 0
  private let isScheduled = Atomic<Bool>(false)
  /// Bytes of blocks that commits have replaced up to the version that the realm shows, since versions are followed.
  private(set) var retiredByteCount = 0
  /// Whether the running step stands for several commits of which not all can be told apart.
  private(set) var isInGap = false
  /// Logs that keep something of the version that the realm shows.
  private(set) var cached: [AnyStreamLog] = []
  /// Numbers and names of all that waits.
  private var weight = 0
  /// What `retiredByteCount` was when kept versions were looked at last.
  private var limitedAt = 0
  private var isFinished = false

  init(_ store: Store) {
    self.store = store
    queue = DispatchQueue(label: "firn.streams")
    realm = store.guidedRealm(.queue(queue), store.graph.holdHead())
  }

  // MARK: Commits

  /// Called on any thread after a commit became visible.
  func headDidChange() {
    if isScheduled.exchange(true, ordering: .acquiringAndReleasing) { return }
    queue.async { self.catchUp() }
  }

  private func catchUp() {
    isScheduled.store(false, ordering: .sequentiallyConsistent)
    if isFinished { return }
    if let follower {
      var (versions, hasGap) = follower.take()
      versions.reverse()
      while let next = versions.popLast() {
        isInGap = hasGap
        retiredByteCount = next.retiredByteCount
        step(to: next.version)
        isInGap = false
        // What came and went in between nobody can tell.
        if hasGap { for log in logs.values where log.keepsVersions { log.giveUpAll() } }
        hasGap = false
      }
    } else if realm.canAdvance {
      step(to: store.graph.holdHead())
    }
    limit()
  }

  private func step(to version: Version) {
    if version.number <= realm.heldVersion().number { return }
    for log in cached { log.dropCache() }
    cached.removeAll(keepingCapacity: true)
    realm.advance(to: version)
    realm.notifications?.deliver(didAdvance: true)
  }

  /// A log keeps something of the version that the realm shows.
  func didCache(_ log: AnyStreamLog) { if cached.last !== log { cached.append(log) } }

  // MARK: Limits

  /// More waits in a log than before, or less.
  func weigh(old: Int, new: Int) { weight += new - old }

  /// Gives up what waits where it takes more than it may.
  private func limit() {
    let max = store.configuration.maximumObserverLag
    if versionLogCount > 0, retiredByteCount - limitedAt > max / 16 {
      limitedAt = retiredByteCount
      for log in logs.values {
        if let oldest = log.oldestRetiredByteCount, retiredByteCount - oldest > max {
          log.giveUpVersions(before: retiredByteCount - max / 2)
        }
      }
    }
    while weight * AnyStreamLog.unitByteCount > max,
      let heaviest = logs.values.max(by: { $0.byteCount < $1.byteCount }), heaviest.byteCount > 0
    {
      heaviest.giveUp(beyond: heaviest.byteCount / 2)
    }
  }

  // MARK: Subscriptions

  /// Serves a subscription that waits.
  func serve<Content, Delta>(_ subscription: StreamSubscription<Content, Delta>) {
    if !subscription.isWaiting { return }
    // Closing may have looked for the hub before it was made.
    if store.isClosed { finish() }
    if let log = subscription.log { return log.serve(subscription) }
    guard !isFinished, let log = log(of: subscription) else { return subscription.send(nil) }
    subscription.log = log
    log.subscriberCount += 1
    log.serve(subscription)
    if store.configuration.readOnly { log.finish() }
  }

  private func log<Content, Delta>(of subscription: StreamSubscription<Content, Delta>) -> StreamLog<Content, Delta>? {
    catchUp()
    let key = subscription.source.key(in: realm, subscription.delivery)
    if let known = logs[key] { return unsafeDowncast(known, to: StreamLog<Content, Delta>.self) }
    let log = subscription.source.makeLog(in: self, key, subscription.delivery)
    logs[key] = log
    if log.keepsVersions { followVersions() }
    realm.notifications?.deliver(didAdvance: false)
    return log
  }

  private func followVersions() {
    versionLogCount += 1
    if follower != nil { return }
    follower = store.graph.followVersions(byteCountMax: store.configuration.maximumObserverLag)
    (retiredByteCount, limitedAt) = (0, 0)
    if realm.canAdvance { step(to: store.graph.holdHead()) }
  }

  /// A subscription ended.
  func leave<Content, Delta>(_ subscription: StreamSubscription<Content, Delta>) {
    subscription.log?.leave(subscription)
  }

  /// Nobody is subscribed to a log any more.
  func remove(_ log: AnyStreamLog) {
    if logs[log.key] === log { logs[log.key] = nil }
    log.token = nil
    if !log.keepsVersions { return }
    versionLogCount -= 1
    if versionLogCount == 0 { follower = nil }
  }

  /// Ends all subscriptions once they have seen everything. Nothing follows.
  func finish() {
    if isFinished { return }
    catchUp()
    isFinished = true
    for log in logs.values { log.finish() }
  }

  // MARK: Statistics

  /// What waits for whom. Waits for the queue.
  var statistics: [StoreStatistics.Stream] {
    let read = { [self] in logs.values.map { StoreStatistics.Stream($0, retiredByteCount: retiredByteCount) } }
    return realm.isConfinedHere ? read() : queue.sync(execute: read)
  }
}
