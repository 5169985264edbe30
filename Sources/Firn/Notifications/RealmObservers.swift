internal import FirnEngine
internal import FirnReactive

/// The observers of one realm, and what they have been told.
///
/// Belongs to its realm and is used where that is confined. Keeps the version that the observers of data know. A
/// *delivery* takes the merged changes from there to the realm's version, routes them to the observers concerned, reads
/// everything that was before, and only then calls them one after the other. A commit with observers therefore costs what
/// it touched, however often it is delivered.
///
/// Observers may write: those still waiting for their call get it before the transaction starts, so that positions always
/// fit the version that the realm shows. What the transaction commits is a later delivery.
final class RealmObservers {
  unowned(unsafe) let instance: RealmInstance
  let stage: ReactiveStage
  /// The version up to which changes are folded into the observers; nil without observers of data.
  @exclusivity(unchecked) private(set) var folded: Version?
  @exclusivity(unchecked) private var follower: ChangeFollower?
  @exclusivity(unchecked) private(set) var realmObservers: [WeakRealmObserver] = []
  /// Keeps the notes of commits for observers of the realm; nil without such.
  var noteFollower: NoteFollower?
  /// The version up to which those have the causes.
  var toldNumber: UInt64 = 0
  /// So many of them have ended.
  private var endedCount = 0
  private var nextOrder = 0

  /// All observers of data, by their places.
  @exclusivity(unchecked) private var enlisted: [Enlisted?] = []
  private var freePlaces: [Int32] = []
  /// Those that have not been started, and perhaps some that ended before.
  @exclusivity(unchecked) private var newcomers: [Subscription] = []
  /// The causes of what the running callback is told; see ``Realm/causes``.
  @exclusivity(unchecked) var causes: [Realm.Cause] = []
  /// Observers that looked at a step, for tests that count work.
  @exclusivity(unchecked) var visitCount = 0

  /// Those to be called by the running delivery, and how far it got.
  @exclusivity(unchecked) private var queue: [DataObserver] = []
  @exclusivity(unchecked) private var nextInQueue = 0
  @exclusivity(unchecked) private(set) var isDelivering = false
  private var isSending = false
  /// Whether a transaction has begun at a version that observers of the realm were not told of.
  @exclusivity(unchecked) private var hasMoved = false
  /// Whether observers are started, or take what happened. Blocks of users for the keys of sections run then: what they
  /// observe and end waits until that is done, and the realm stays where it is.
  @exclusivity(unchecked) private(set) var isMoving = false
  /// Whether the realm has to stay where it is, for what its observers are told.
  var keepsVersion: Bool { isDelivering || isMoving }
  private var madeMeanwhile: [(observer: ObjectObserver, subscription: Subscription, known: Version)] = []
  private var endedMeanwhile: [EndedObserver] = []
  @exclusivity(unchecked) private(set) var isScheduled = false
  /// What came too early, while a callback or block served its run loop.
  @exclusivity(unchecked) private var missed: Missed = []
  /// The version before the running transaction, kept while a commit that some observers skip is under way.
  @exclusivity(unchecked) private var versionBeforeSkip: Version?
  /// While a write is about to begin: the version known before its delivery, which is let go in the gate, where that is
  /// cheaper.
  @exclusivity(unchecked) private var spent: Version?
  /// What led from it, whose memory is for the next changes.
  @exclusivity(unchecked) private var spentChanges: ChangeSet?
  @exclusivity(unchecked) private var keepsSpent = false

  /// What was scheduled and is scheduled again once it is possible.
  struct Missed: OptionSet {
    let rawValue: UInt8

    static let delivery = Missed(rawValue: 1)
    /// That another realm has committed.
    static let commit = Missed(rawValue: 2)
    /// A turn of asynchronous writes.
    static let turn = Missed(rawValue: 4)
  }

  private struct Enlisted {
    let order: Int
    let subscription: Subscription
  }

  struct WeakRealmObserver {
    weak var observer: RealmObserver?
  }

  init(instance: RealmInstance) {
    self.instance = instance
    stage = ReactiveStage(layout: instance.store.graph.layout)
  }

  /// How many observers of data there are.
  var observerCount: Int { enlisted.count - freePlaces.count }

  /// Whether there are neither observers of data nor of the realm.
  var isEmpty: Bool { observerCount == 0 && realmObservers.isEmpty }

  /// Whether queries are maintained.
  var hasViews: Bool { stage.viewCount > 0 }

  // MARK: Registering

  func add(_ observer: RealmObserver) {
    let number = instance.version.unsafelyUnwrapped.number
    if noteFollower == nil {
      noteFollower = instance.store.graph.followNotes(from: number)
      toldNumber = number
    }
    observer.firstNumber = number
    realmObservers.append(WeakRealmObserver(observer: observer))
  }

  /// Registers an observer that starts at the next delivery, with a call of its own.
  func addNewcomer(_ observer: DataObserver) {
    followChanges()
    newcomers.append(enlist(observer))
    schedule()
  }

  /// Registers an observer of an object, which knows the realm's version, or `known` if that is older.
  func add(_ observer: ObjectObserver, knowing known: Version? = nil) {
    // Its place is known from now on to who ends it, on any thread.
    let subscription = enlist(observer)
    if isMoving {
      madeMeanwhile.append((observer, subscription, known ?? instance.version.unsafelyUnwrapped))
    } else {
      add(observer, subscription, knowing: known)
    }
  }

  /// The same for one that has its place.
  private func add(_ observer: ObjectObserver, _ subscription: Subscription, knowing known: Version?) {
    followChanges()
    fold()
    stage.add(subscription, at: observer.places)
    guard let known, let folded, known.number < folded.number else { return }
    let graph = instance.store.graph
    let noted = graph.noted(after: known.number, through: folded.number)
    let changes = graph.changes(from: known, to: folded)
    Version.withContents(of: known, folded) { before, after in
      let step = Step(changes, old: before, new: after, number: folded.number)
      var realmStep = RealmStep(instance, step, noted, from: known, to: folded)
      observer.advance(&realmStep)
    }
    if observer.isDue {
      enqueue(observer)
      schedule()
    }
  }

  private func enlist(_ observer: DataObserver) -> Subscription {
    observer.order = nextOrder
    nextOrder += 1
    let subscription = Subscription(observer)
    let entry = Enlisted(order: observer.order, subscription: subscription)
    observer.place = freePlaces.popLast() ?? Int32(enlisted.count)
    if Int(observer.place) == enlisted.count { enlisted.append(entry) } else { enlisted[Int(observer.place)] = entry }
    return subscription
  }

  private func followChanges() {
    if folded != nil { return }
    let version = instance.version.unsafelyUnwrapped
    folded = version
    follower = instance.store.graph.followChanges(from: version.number)
  }

  /// Forgets an observer that ended, and the version with the last of them.
  func remove(_ observer: EndedObserver) {
    guard case .data(let place, let order) = observer else {
      forgetEndedRealmObserver()
      return
    }
    if isMoving {
      endedMeanwhile.append(observer)
      return
    }
    guard let subscription = subscription(place, order) else { return }
    enlisted[Int(place)] = nil
    freePlaces.append(place)
    stage.remove(subscription)
    if observerCount == 0 {
      enlisted = []
      freePlaces = []
      newcomers = []
      folded = nil
      follower = nil
      // Without observers there is no delivery that would empty it, and who is in it keeps the realm.
      nextInQueue = 0
      queue = []
    }
  }

  private func subscription(_ place: Int32, _ order: Int) -> Subscription? {
    guard enlisted.indices.contains(Int(place)), let entry = enlisted[Int(place)], entry.order == order else {
      return nil
    }
    return entry.subscription
  }

  /// Those that ended go together, once they are the half of all.
  private func forgetEndedRealmObserver() {
    endedCount += 1
    if 2 * endedCount < realmObservers.count { return }
    realmObservers.removeAll { $0.observer?.isActive != true }
    if realmObservers.isEmpty { noteFollower = nil }
    endedCount = 0
  }

  // MARK: Folding

  /// Runs what moves observers, and then what had to wait for it.
  private func moving(_ body: () -> Void) {
    if isMoving { return body() }
    isMoving = true
    body()
    isMoving = false
    catchUp()
    if madeMeanwhile.isEmpty, endedMeanwhile.isEmpty { return }
    let (made, ended) = (madeMeanwhile, endedMeanwhile)
    (madeMeanwhile, endedMeanwhile) = ([], [])
    for (observer, subscription, known) in made where observer.isActive {
      add(observer, subscription, knowing: known)
    }
    for observer in ended { remove(observer) }
  }

  /// Takes what happened up to the realm's version to the observers it concerns, without calling them.
  ///
  /// What goes with observers that ended meanwhile may write. Who starts afterwards starts at the realm's version, which has
  /// to be that of the others.
  private func fold() {
    while let folded, let version = instance.version, folded.number != version.number { fold(to: version) }
  }

  private func fold(to version: Version) {
    guard let old = folded, old.number != version.number else { return }
    let (changes, noted) = follower.unsafelyUnwrapped.takeChanges(from: old, to: version)
    folded = version
    if keepsSpent { (spent, spentChanges) = (old, changes) }
    // Made with the first observer that the step concerns: mostly there is none.
    var shown: RealmStep? = nil
    moving {
      Version.withContents(of: old, version) { before, after in
        stage.process(changes, old: before, new: after, number: version.number) { subscription, step in
          guard let observer = subscription.subscriber.map({ unsafeDowncast($0, to: DataObserver.self) }) else {
            return
          }
          visitCount &+= 1
          if shown == nil { shown = RealmStep(instance, step, noted, from: old, to: version) }
          observer.advance(&shown!)
          if observer.isDue { enqueue(observer) }
        }
      }
    }
  }

  private func enqueue(_ observer: DataObserver) {
    if observer.isQueued { return }
    observer.isQueued = true
    queue.append(observer)
  }

  /// The gate of an observer was opened: it is called soon, if something waited.
  func resume(_ observer: DataObserver) {
    guard subscription(observer.place, observer.order) != nil, observer.isDue else { return }
    enqueue(observer)
    schedule()
  }

  /// The same for an observer of the realm, which is called at once.
  func resume(_ observer: RealmObserver) {
    guard observer.hasMissed, observer.isActive, observer.isGateOpen else { return }
    observer.hasMissed = false
    call(observer, .didChange, Realm(instance))
  }

  private func startNewcomers() {
    if newcomers.isEmpty { return }
    let starting = newcomers
    newcomers = []
    moving {
      for subscription in starting {
        guard let observer = subscription.subscriber as? DataObserver, observer.isActive else { continue }
        stage.add(subscription, at: observer.start(self))
        enqueue(observer)
      }
    }
  }

  // MARK: Delivering

  private var isUpToDate: Bool {
    guard let folded else { return true }
    return newcomers.isEmpty && queue.isEmpty && folded.number == instance.version?.number
  }

  /// Tells observers everything up to the realm's version. Does nothing inside of another delivery.
  func deliver(didAdvance: Bool) {
    if isDelivering { return }
    if didAdvance || hasMoved { send(.didChange) }
    if isUpToDate { return }
    isDelivering = true
    fold()
    startNewcomers()
    if Log.wants(.trace) { logDelivery() }
    deliverRest()
    isDelivering = false
    if !isUpToDate { schedule() }
    catchUp()
  }

  @inline(never)
  private func logDelivery() {
    Log.trace(
      "Version \(folded?.number ?? 0) of the database \(instance.store.configuration.name) is told to "
        + "\(queue.count - nextInQueue) of \(observerCount) observers of the realm of "
        + "\(instance.confinement.owningPlace).")
  }

  /// A write is about to begin, and what it follows on from to be delivered.
  func willEnterGate() { keepsSpent = true }

  /// The transaction that begins shows what others have committed meanwhile.
  func didMove() { hasMoved = !realmObservers.isEmpty }

  func didEnterGate() {
    keepsSpent = false
    if spent == nil { return }
    instance.store.graph.letGo(&spent)
    instance.store.graph.recycle(&spentChanges)
  }

  /// Calls those that the running delivery has not reached yet; a callback that is about to write does it.
  ///
  /// A callback may make others due inside of its transaction. What they have to be told does not fit what that commits:
  /// they wait for the next delivery, which merges the commit into it.
  func deliverRest() {
    if queue.count - nextInQueue > 1 {
      queue.replaceSubrange(nextInQueue..., with: queue[nextInQueue...].sorted { $0.order < $1.order })
    }
    while nextInQueue < queue.count, folded?.number == instance.version?.number {
      let observer = queue[nextInQueue]
      nextInQueue += 1
      observer.isQueued = false
      if observer.isActive { observer.deliver(self) }
    }
    // Who ended meanwhile goes with it, and what goes with them may end others, which empties the queue.
    var called: [DataObserver] = []
    if nextInQueue < queue.count {
      called = Array(queue[..<nextInQueue])
      queue.removeSubrange(..<nextInQueue)
    } else {
      swap(&called, &queue)
    }
    nextInQueue = 0
    called.removeAllInPlace()
    if queue.isEmpty { swap(&called, &queue) }
  }

  /// - Parameter before: The version before the commit that the tokens skip.
  private func send(
    _ notification: Realm.Notification, skipping tokens: [NotificationToken] = [], after before: Version? = nil
  ) {
    if notification == .didChange { hasMoved = false }
    if realmObservers.isEmpty { return }
    if notification == .didChange { addCauses(skipping: tokens, after: before) }
    if isSending { return }
    isSending = true
    let wasDelivering = isDelivering
    isDelivering = true
    let realm = Realm(instance)
    for entry in realmObservers {
      guard let observer = entry.observer, observer.isActive else { continue }
      if tokens.contains(where: { $0.active?.observer === observer }) { continue }
      observer.hasMissed = !observer.isGateOpen
      if !observer.hasMissed { call(observer, notification, realm) }
    }
    isDelivering = wasDelivering
    isSending = false
    catchUp()
  }

  /// Another realm committed, and this one does not follow by itself.
  func didBecomeStale() { send(.refreshRequired) }

  /// Delivers soon, where the realm is confined.
  private func schedule() {
    if isScheduled { return }
    // Perhaps nobody ever serves the run loop: what waits there must not keep the store open.
    isScheduled = instance.confinement.schedule { [weak store = instance.store, number = instance.number] in
      store?.openRealm(number)?.deliverScheduled()
    }
  }

  func didRunSchedule() { isScheduled = false }

  /// Something that was scheduled came while it could not be done.
  func miss(_ what: Missed) { missed.insert(what) }

  private func catchUp() {
    if missed.isEmpty || isMoving { return }
    if missed.remove(.turn) != nil { instance.asyncWrites?.scheduleAgain() }
    if isDelivering { return }
    if missed.remove(.delivery) != nil { schedule() }
    if missed.remove(.commit) != nil { instance.headDidChange() }
  }

  // MARK: Own commits

  /// The running transaction is about to be committed.
  func willCommit(skipping tokens: [NotificationToken]) {
    if tokens.isEmpty { return }
    for token in tokens {
      if let active = token.active, active.instance !== instance {
        fatalError("Incorrect Realm: only notifications for the Realm being modified can be skipped.")
      }
    }
    versionBeforeSkip = instance.version
  }

  func didCommit(skipping tokens: [NotificationToken]) {
    let before = versionBeforeSkip
    if let before {
      versionBeforeSkip = nil
      moving {
        fold(to: before)
        let skipping = tokens.compactMap { $0.active?.observer as? DataObserver }
        for observer in skipping { observer.closeSpan() }
        fold()
        for observer in skipping { observer.dropOpen() }
      }
    }
    send(.didChange, skipping: tokens, after: before)
    if folded != nil { schedule() }
  }

  /// The transaction was cancelled: what could not be delivered while it ran is due.
  func didCancel() {
    versionBeforeSkip = nil
    if !isUpToDate || hasMoved { schedule() }
  }
}

/// Which observer ended, said in a way that does not keep it.
enum EndedObserver: Sendable {
  case ofRealm
  /// By its place and order.
  case data(Int32, Int)

  init(_ observer: Observer) {
    if let observer = observer as? DataObserver {
      self = .data(observer.place, observer.order)
    } else {
      self = .ofRealm
    }
  }
}

extension RealmInstance {
  /// The observers, made with the first one.
  func observers() -> RealmObservers {
    if let notifications { return notifications }
    let new = RealmObservers(instance: self)
    notifications = new
    return new
  }

  /// Called on any thread after an observer ended.
  func observerDidEnd(_ observer: Observer) {
    let ended = EndedObserver(observer)
    if isConfinedHere {
      notifications?.remove(ended)
    } else {
      _ = confinement.schedule { [weak store, number] in store?.openRealm(number)?.notifications?.remove(ended) }
    }
  }

  /// The scheduled delivery of own commits and first calls. Runs where the realm is confined.
  func deliverScheduled() {
    notifications?.didRunSchedule()
    if isInWriteTransaction { return }
    if let notifications, notifications.keepsVersion { return notifications.miss(.delivery) }
    if autorefresh { _ = refresh() } else { notifications?.deliver(didAdvance: false) }
  }
}
