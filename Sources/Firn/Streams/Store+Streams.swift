internal import FirnEngine
internal import Synchronization

/// Where a store finds what prepares its streams.
final class StoreStreams: Sendable {
  // State   guarded by
  // hub     its lock
  // isUsed  atomic; whether there was a hub since a commit found none
  private let hub = Guarded<Weak>(Weak())
  private let isUsed = Atomic<Bool>(false)

  private struct Weak {
    weak var hub: StreamHub?
  }

  /// The hub, if there is one.
  var current: StreamHub? { isUsed.load(ordering: .acquiring) ? hub.withLock { $0.hub } : nil }

  /// The hub, made if need be.
  func make(for store: Store) -> StreamHub {
    hub.withLock { weak in
      if let hub = weak.hub { return hub }
      let new = StreamHub(store)
      weak.hub = new
      isUsed.store(true, ordering: .sequentiallyConsistent)
      return new
    }
  }

  /// A commit became visible.
  func headDidChange() {
    if !isUsed.load(ordering: .sequentiallyConsistent) { return }
    let hub = hub.withLock { weak in
      if weak.hub == nil { isUsed.store(false, ordering: .sequentiallyConsistent) }
      return weak.hub
    }
    hub?.headDidChange()
  }
}

extension Store {
  /// What prepares streams; nil when the store takes no more of them.
  func streamHub() -> StreamHub? { isOpen ? streams.make(for: self) : nil }

  /// Ends all streams once they have delivered what is there.
  func finishStreams() async {
    guard let hub = streams.current else { return }
    await withCheckedContinuation { continuation in
      hub.queue.async {
        hub.finish()
        continuation.resume()
      }
    }
  }
}

extension StoreStatistics {
  /// What ``ChangeStream``s of the same thing hold.
  public struct Stream: Sendable {
    /// What is observed: the type of the collection or object.
    public let name: String
    /// Whether each commit is delivered by itself.
    public let isEveryCommit: Bool
    /// Subscriptions.
    public let subscriberCount: Int
    /// Those that have not taken everything yet.
    public let behindCount: Int
    /// Changes that are kept for them; each at most once, however many wait for it.
    public let changeCount: Int
    /// Roughly the bytes of these changes, and at most the bytes of versions that are kept with them.
    public let byteCount: Int
  }
}

extension StoreStatistics.Stream {
  init(_ log: AnyStreamLog, retiredByteCount: Int) {
    name = log.name
    isEveryCommit = log.keepsVersions
    subscriberCount = log.subscriberCount
    behindCount = log.behindCount
    changeCount = log.changeCount
    byteCount = log.byteCount + (log.oldestRetiredByteCount.map { retiredByteCount - $0 } ?? 0)
  }
}
