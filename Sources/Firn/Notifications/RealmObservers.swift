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
  @exclusivity(unchecked) private var realmObservers: [WeakRealmObserver] = []
  private var nextOrder = 0

  /// All observers of data, by their order.
  @exclusivity(unchecked) private var entries: [Int: ObserverEntry] = [:]
  /// Those that have not been started, and perhaps some that ended before.
  @exclusivity(unchecked) private var newcomers: [ObserverEntry] = []
  /// Observers of views, by view.
  @exclusivity(unchecked) private var viewObservers: [ViewID: [ObserverEntry]] = [:]
  /// Where the others are found.
  @exclusivity(unchecked) private var routes = ObserverRoutes()
  /// Tables of whose rows some view counts what happens behind their links, by index.
  @exclusivity(unchecked) private var reaches: [Int: LinkReach] = [:]
  /// Observers that looked at a step, for tests that count work.
  @exclusivity(unchecked) var visitCount = 0

  /// Those to be called by the running delivery, and how far it got.
  @exclusivity(unchecked) private var queue: [DataObserver] = []
  @exclusivity(unchecked) private var nextInQueue = 0
  @exclusivity(unchecked) private(set) var isDelivering = false
  private var isSending = false
  @exclusivity(unchecked) private var isScheduled = false
  /// The version before the running transaction, kept while a commit that some observers skip is under way.
  @exclusivity(unchecked) private var versionBeforeSkip: Version?
  /// While a write is about to begin: the version known before its delivery, which is let go in the gate, where that is
  /// cheaper.
  @exclusivity(unchecked) private var spent: Version?
  @exclusivity(unchecked) private var keepsSpent = false

  private struct WeakRealmObserver {
    weak var observer: RealmObserver?
  }

  init(instance: RealmInstance) {
    self.instance = instance
    stage = ReactiveStage(layout: instance.store.graph.layout)
  }

  // MARK: Registering

  func add(_ observer: RealmObserver) { realmObservers.append(WeakRealmObserver(observer: observer)) }

  /// Registers an observer that starts at the next delivery, with a call of its own.
  func addNewcomer(_ observer: DataObserver) {
    followChanges()
    newcomers.append(enlist(observer))
    schedule()
  }

  /// Registers an observer of an object, which knows the realm's version, or `known` if that is older.
  func add(_ observer: ObjectObserver, knowing known: Version? = nil) {
    followChanges()
    fold()
    let entry = enlist(observer)
    for place in observer.places { routes.add(entry, place) }
    guard let known, let folded, known.number < folded.number else { return }
    let changes = instance.store.graph.changes(from: known, to: folded)
    observer.advance(ChangeStep(instance, changes, from: known, to: folded), nil)
    if observer.isDue {
      enqueue(observer)
      schedule()
    }
  }

  private func enlist(_ observer: DataObserver) -> ObserverEntry {
    observer.order = nextOrder
    nextOrder += 1
    let entry = ObserverEntry(observer)
    entries[observer.order] = entry
    return entry
  }

  private func followChanges() {
    if folded != nil { return }
    let version = instance.version.unsafelyUnwrapped
    folded = version
    follower = instance.store.graph.followChanges(from: version.number)
  }

  /// Forgets an observer that ended, and the version with the last of them.
  func remove(_ observer: EndedObserver) {
    guard case .data(let order) = observer else {
      realmObservers.removeAll { $0.observer?.isActive != true }
      return
    }
    guard let entry = entries.removeValue(forKey: order) else { return }
    routes.remove(entry)
    for case .view(let view) in entry.places {
      viewObservers[view]?.removeAll { $0 === entry }
      if viewObservers[view]?.isEmpty == true { viewObservers[view] = nil }
      stage.removeView(view)
    }
    if viewObservers.isEmpty { reaches = [:] }
    if entries.isEmpty {
      newcomers = []
      folded = nil
      follower = nil
    }
  }

  // MARK: Folding

  /// Takes what happened up to the realm's version to the observers it concerns, without calling them.
  private func fold() { if let version = instance.version { fold(to: version) } }

  private func fold(to version: Version) {
    guard let old = folded, old.number != version.number else { return }
    let changes = follower.unsafelyUnwrapped.takeChanges(from: old, to: version)
    folded = version
    if keepsSpent { spent = old }
    let step = ChangeStep(instance, changes, from: old, to: version)
    var touched: [ObserverEntry] = []
    var changesOfTouched: [ViewID: ViewChange] = [:]
    let routed = addingRows(reachedIn: step, to: changes)
    stage.process(routed, old: old.snapshot, new: version.snapshot) { view, change in
      for entry in viewObservers[view] ?? [] {
        guard let observer = entry.observer else { continue }
        if entry.looksBeyondView {
          changesOfTouched[view] = change
          touched.append(entry)
        } else {
          advance(observer, step, change)
        }
      }
    }
    routes.forEachTouched(by: step) { touched.append($0) }
    for entry in touched {
      guard let observer = entry.observer, observer.folded != version.number else { continue }
      advance(observer, step, (observer as? ViewObserver)?.view.flatMap { changesOfTouched[$0] })
    }
  }

  /// A view of this table counts rows as modified when something behind their links was.
  func routeModifications(behind reach: LinkReach) { reaches[reach.table] = reach }

  /// The changes, and as modified in no column the rows behind whose links something was written. So they are routed to
  /// the views that they are in, like any modified row.
  private func addingRows(reachedIn step: ChangeStep, to changes: ChangeSet) -> ChangeSet {
    var changes = changes
    for (table, reach) in reaches {
      let rows = step.sortedRowsReaching(reach)
      if !rows.isEmpty { changes.tables[table].addModified(rows) }
    }
    return changes
  }

  private func advance(_ observer: DataObserver, _ step: ChangeStep, _ change: ViewChange?) {
    observer.folded = step.number
    visitCount &+= 1
    observer.advance(step, change)
    if observer.isDue { enqueue(observer) }
  }

  private func enqueue(_ observer: DataObserver) {
    if observer.isQueued { return }
    observer.isQueued = true
    queue.append(observer)
  }

  private func startNewcomers() {
    if newcomers.isEmpty { return }
    let starting = newcomers
    newcomers = []
    for entry in starting {
      guard let observer = entry.observer, observer.isActive else { continue }
      for place in observer.start(self) {
        if case .view(let view) = place { viewObservers[view, default: []].append(entry) }
        routes.add(entry, place)
      }
      enqueue(observer)
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
    if didAdvance { send(.didChange) }
    if isUpToDate { return }
    isDelivering = true
    fold()
    startNewcomers()
    deliverRest()
    isDelivering = false
    if !isUpToDate { schedule() }
  }

  /// A write is about to begin, and what it follows on from to be delivered.
  func willEnterGate() { keepsSpent = true }

  func didEnterGate() {
    keepsSpent = false
    if spent != nil { instance.store.graph.letGo(&spent) }
  }

  /// Calls those that the running delivery has not reached yet; a callback that is about to write does it.
  func deliverRest() {
    if queue.count - nextInQueue > 1 {
      queue.replaceSubrange(nextInQueue..., with: queue[nextInQueue...].sorted { $0.order < $1.order })
    }
    while nextInQueue < queue.count {
      let observer = queue[nextInQueue]
      nextInQueue += 1
      observer.isQueued = false
      if observer.isActive { observer.deliver() }
    }
    queue.removeAll(keepingCapacity: true)
    nextInQueue = 0
  }

  private func send(_ notification: Realm.Notification, skipping tokens: [NotificationToken] = []) {
    if realmObservers.isEmpty || isSending { return }
    isSending = true
    let wasDelivering = isDelivering
    isDelivering = true
    let realm = Realm(instance)
    for entry in realmObservers {
      guard let observer = entry.observer, observer.isActive else { continue }
      if tokens.contains(where: { $0.active?.observer === observer }) { continue }
      observer.body(notification, realm)
    }
    isDelivering = wasDelivering
    isSending = false
  }

  /// Another realm committed, and this one does not follow by itself.
  func didBecomeStale() { send(.refreshRequired) }

  /// Delivers soon, where the realm is confined.
  private func schedule() {
    if isScheduled { return }
    let (store, number) = (instance.store, instance.number)
    isScheduled = instance.confinement.schedule { store.openRealm(number)?.deliverScheduled() }
  }

  func didRunSchedule() { isScheduled = false }

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
    if let before = versionBeforeSkip {
      versionBeforeSkip = nil
      fold(to: before)
      let skipping = tokens.compactMap { $0.active?.observer as? DataObserver }
      for observer in skipping { observer.closeSpan() }
      fold()
      for observer in skipping { observer.dropOpen() }
    }
    send(.didChange, skipping: tokens)
    if folded != nil { schedule() }
  }

  /// The transaction was cancelled: what could not be delivered while it ran is due.
  func didCancel() {
    versionBeforeSkip = nil
    if !isUpToDate { schedule() }
  }
}

/// Which observer ended, said in a way that does not keep it.
enum EndedObserver: Sendable {
  case ofRealm
  /// By its order.
  case data(Int)

  init(_ observer: Observer) {
    if let observer = observer as? DataObserver { self = .data(observer.order) } else { self = .ofRealm }
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
      _ = confinement.schedule { [store, number] in store.openRealm(number)?.notifications?.remove(ended) }
    }
  }

  /// The scheduled delivery of own commits and first calls. Runs where the realm is confined.
  func deliverScheduled() {
    notifications?.didRunSchedule()
    if isInWriteTransaction { return }
    if autorefresh { _ = refresh() } else { notifications?.deliver(didAdvance: false) }
  }
}
