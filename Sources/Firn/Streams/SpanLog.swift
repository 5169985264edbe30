internal import FirnEngine
internal import FirnReactive

/// The log of something whose changes are spans.
final class SpanLog<Observed: WeighedSpan, Content: Sendable, Delta: Sendable>: StreamLog<Content, Delta> {
  typealias Entry = SpanEntry<Observed, Content>
  typealias Subscription = StreamSubscription<Content, Delta>
  typealias Change = StreamedChange<Content, Delta>

  private let makeDelta: (Observed) -> Delta
  private var entries = StreamEntries<Observed, Content>()
  /// Those who have seen everything and wait.
  private var waiting: [ObjectIdentifier: Subscription] = [:]
  /// Makes the content as the hub's realm shows it; nil before the observer's first call.
  private var makeContent: (() -> Content?)?
  /// The content of the version that the hub's realm shows, if it was made.
  private var lastContent: Content??
  /// The merged change up to that version that was made last: those who stand at the same entry get the same.
  private var lastMerged: (from: Int, change: Change?)?
  /// The causes of the last change.
  private var lastCauses: [Realm.Cause] = []
  private var isFinished = false
  /// The weight that the hub knows of.
  private var reported = 0

  init(
    _ key: StreamKey, _ name: String, _ delivery: ChangeDelivery, _ hub: StreamHub,
    _ makeDelta: @escaping (Observed) -> Delta
  ) {
    self.makeDelta = makeDelta
    super.init(key, name, delivery, hub)
  }

  override var byteCount: Int { entries.weight * Self.unitByteCount }
  override var changeCount: Int { entries.count - 1 }
  override var behindCount: Int { countedCount - entries.newest.subscriberCount }
  override var oldestRetiredByteCount: Int? {
    keepsVersions && entries.count > 1 ? entries.oldestChange.retiredByteCount : nil
  }

  // MARK: Observing

  /// Something happened; nothing at the beginning.
  func tell(_ span: Observed?, _ causes: [Realm.Cause], _ makeContent: @escaping () -> Content?) {
    self.makeContent = makeContent
    if let span {
      lastCauses = causes
      if keepsVersions, hub.isInGap { return }
      let entry = Entry(number: entries.newest.number + 1, span, causes: causes)
      if keepsVersions {
        entry.content = makeContent()
        entry.retiredByteCount = hub.retiredByteCount
      }
      entries.append(entry, merges: !keepsVersions)
    }
    serveWaiting()
    dropSeen()
  }

  private func serveWaiting() {
    let served = waiting.values
    waiting = [:]
    for subscription in served { serve(subscription) }
  }

  private func dropSeen() {
    entries.dropSeen()
    report()
  }

  /// Tells the hub how much waits.
  private func report() {
    hub.weigh(old: reported, new: entries.weight)
    reported = entries.weight
  }

  private func content() -> Content? {
    if let lastContent { return lastContent }
    let content = makeContent?()
    lastContent = .some(content)
    hub.didCache(self)
    return content
  }

  override func dropCache() {
    lastContent = nil
    lastMerged = nil
  }

  // MARK: Subscribers

  override func serve(_ subscription: Subscription) {
    guard let position = subscription.position else { return start(subscription) }
    let newest = entries.newest
    let isLatest = subscription.delivery == .latest
    if isLatest, subscription.seen == newest.number { return wait(subscription) }
    if isLatest || position.isCut {
      move(subscription, to: newest)
      return send(content().map { .reset($0) } ?? .deleted(causes: lastCauses), to: subscription)
    }
    let due = entries.entries(after: position)
    guard let first = due.first else { return wait(subscription) }
    if keepsVersions {
      move(subscription, to: first)
      send(change(first.span, first.content, first.causes), to: subscription)
    } else {
      let change = merged(due, after: position)
      move(subscription, to: newest)
      if let change { send(change, to: subscription) } else { wait(subscription) }
    }
  }

  private func start(_ subscription: Subscription) {
    guard makeContent != nil else { return wait(subscription) }
    guard let content = content() else { return send(.deleted(causes: []), to: subscription) }
    move(subscription, to: entries.newest)
    send(.initial(content), to: subscription)
  }

  private func wait(_ subscription: Subscription) {
    if isFinished {
      subscription.send(nil)
      leave(subscription)
    } else {
      waiting[ObjectIdentifier(subscription)] = subscription
    }
  }

  /// What follows an entry, as one change; nil when it comes to nothing.
  private func merged(_ due: ArraySlice<Entry>, after position: StreamEntry<Content>) -> Change? {
    let from = position.number
    if let lastMerged, lastMerged.from == from { return lastMerged.change }
    var causes: [Realm.Cause] = []
    var span: Observed?
    for entry in due {
      causes.merge(entry.causes)
      guard let later = entry.span else { continue }
      if span == nil { span = later } else { span?.merge(later) }
    }
    // What came to nothing is told only if it was the end.
    let isNothing = span?.isEmpty == true && content() != nil
    let change = isNothing ? nil : self.change(span, content(), causes)
    lastMerged = (from, change)
    hub.didCache(self)
    return change
  }

  private func change(_ span: Observed?, _ content: Content?, _ causes: [Realm.Cause]) -> Change {
    guard let content, let span else { return .deleted(causes: causes) }
    return .update(content, makeDelta(span), causes: causes)
  }

  private func move(_ subscription: Subscription, to entry: Entry) {
    if subscription.delivery != .latest {
      entry.subscriberCount += 1
      if let old = subscription.position { vacate(old) } else { countedCount += 1 }
    }
    subscription.position = entry
    subscription.seen = entry.number
  }

  /// A subscriber goes.
  private func vacate(_ position: StreamEntry<Content>) {
    position.subscriberCount -= 1
    if position.subscriberCount == 0, !keepsVersions { entries.didVacate(position) }
  }

  /// The last element of a subscription is that of the deletion.
  private func send(_ change: Change, to subscription: Subscription) {
    if case .deleted = change {
      subscription.send(change, isLast: true)
      leave(subscription)
    } else {
      subscription.send(change)
      dropSeen()
    }
  }

  override func leave(_ subscription: Subscription) {
    guard subscription.log === self else { return }
    waiting[ObjectIdentifier(subscription)] = nil
    if subscription.delivery != .latest, let position = subscription.position {
      vacate(position)
      countedCount -= 1
    }
    subscription.position = nil
    subscription.log = nil
    subscriberCount -= 1
    dropSeen()
    if subscriberCount == 0 { hub.remove(self) }
  }

  // MARK: Giving up

  override func giveUp(beyond byteCount: Int) {
    entries.cut { $0.weight * Self.unitByteCount > byteCount }
    didGiveUp()
  }

  override func giveUpVersions(before retiredByteCount: Int) {
    entries.cut { $0.oldestChange.retiredByteCount < retiredByteCount }
    didGiveUp()
  }

  override func giveUpAll() {
    entries.cutAll()
    didGiveUp()
    serveWaiting()
  }

  private func didGiveUp() {
    lastMerged = nil
    dropSeen()
  }

  override func finish() {
    isFinished = true
    serveWaiting()
  }
}
