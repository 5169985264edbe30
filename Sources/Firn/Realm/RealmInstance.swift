internal import FirnEngine
internal import Synchronization

/// What a ``Realm`` refers to: a version of the store that a thread, queue, actor or task looks at.
///
/// State                  guarded by
/// what it reads          see `RealmReader`
/// handles                atomic
/// writer, hasRole,       the confinement: only code that may write to the realm touches them
/// isKept, notifications,
/// asyncWrites
/// pending, frozenRealm,  their locks
/// asyncOperations
///
/// A commit goes down `+Writing` (role, writer), `+Committing` (the store commits, then waits) and `+Advancing` (the realm
/// shows what was committed).
final class RealmInstance: RealmReader, @unchecked Sendable {
  let store: Store
  /// Tells the realms of the process apart; never used again.
  let number: UInt64
  let confinement: Confinement

  /// The writer of the running transaction. Which thread runs it stands in the context.
  @exclusivity(unchecked) var writer: Writer?
  /// Whether the writer's role was taken for this realm and not left yet.
  @exclusivity(unchecked) var hasRole = false
  /// Whether the open transaction keeps the realm alive.
  @exclusivity(unchecked) var isKept = false
  /// Which task uses the realm; for unbound realms.
  let use: TaskUse?
  @exclusivity(unchecked) var autorefresh = true
  /// Adds objects; made when it is first asked for. Touched by whoever may write.
  @exclusivity(unchecked) var madeWalk: AddingWalk?
  /// Whether the block of a `.writeBlock` realm has returned. Its objects stay readable, but nothing more is written.
  @exclusivity(unchecked) var isBlockOver = false
  /// Writes that were asked for with callbacks; made with the first one.
  @exclusivity(unchecked) var asyncWrites: AsyncWrites?
  /// Observers of this realm; made with the first one.
  @exclusivity(unchecked) var notifications: RealmObservers?

  /// Notes what is read inside of scopes of Observation, if the realm takes part in that. Set before the realm is handed out.
  @exclusivity(unchecked) private(set) var tracking: RealmTracking?

  /// The class of the object added last, and its handle. Touched by whoever may write.
  @exclusivity(unchecked) var lastAdded: (type: ObjectIdentifier, handle: Unmanaged<TableHandle>)?

  /// Retained handles by table, each made when it is first asked for.
  let handles: HandleTable
  let pending = Lock(false)
  let asyncOperations = Lock(0)
  /// The frozen realm made last. It holds the version that this realm holds anyway, and is let go with it.
  let frozenRealm = Lock<RealmInstance?>(nil)
  let hasFrozenRealm = Atomic<Bool>(false)
  /// Whether the store tells this realm of commits. Set before the realm is handed out.
  @exclusivity(unchecked) var isListed = false
  /// Whether it was told to show the newest version, or has begun to write. Belongs to the confinement.
  @exclusivity(unchecked) var hasChosenVersion = false
  /// Whether a `HandoverRealm` moves this realm. Set before the realm is handed out.
  @exclusivity(unchecked) var isGuided = false

  init(store: Store, confinement: Confinement, version: Version? = nil, trace: PathTrace? = nil) {
    self.store = store
    self.confinement = confinement
    if case .unbound = confinement { use = TaskUse() } else { use = nil }
    handles = HandleTable(count: 2 * store.graph.layout.visibleCount)
    number = Self.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
    let isFrozen = if case .frozen = confinement { true } else { false }
    super.init(
      store.graph, version ?? store.graph.holdHead(), owner: confinement.owner, isFrozen: isFrozen, trace: trace,
      trapsInvalidatedReads: store.configuration.invalidatedReads == .trap)
    if case .queue(let queue) = confinement {
      queue.setSpecific(key: Confinement.queueKey, value: ObjectIdentifier(queue))
    }
  }

  deinit {
    if writer != nil {
      store.graph.cancel()
      // Whatever kept the realm has let it go.
      isKept = false
      endWriting()
      leaveRole()
      Log.warning("A realm was released inside a write transaction, which is cancelled.")
    }
    store.didClose(self, confinement.key)
    handles.deallocate()
  }

  /// Takes part in Observation from now on. Before the realm is handed out.
  func track() {
    let tracking = RealmTracking(self)
    self.tracking = tracking
    RealmContext.track(context, by: tracking)
  }

  override var isConfinedHere: Bool {
    switch confinement {
    case .mainThread, .thread, .writeBlock, .queue: confinement.allowsMutationHere(owner: owner)
    case .actor, .unbound, .frozen: false
    }
  }

  override func openVersion() { showNewestAgain() }

  // MARK: Handles

  /// The handle of a table of the schema, or one by its number.
  @inline(__always)
  func handle(_ number: Int) -> TableHandle { handles[number] ?? makeHandle(number) }

  /// The handle whose accessors are of the table's class, or ``DynamicObject``.
  func handle(_ table: Int, isDynamic: Bool) -> TableHandle { handle(isDynamic ? table + handles.count / 2 : table) }

  /// An accessor of a row that is there. A handle does not keep its realm, so one of a realm that nobody else may have
  /// is used while the realm is held.
  func accessor(_ key: RowKey, _ table: Int) -> ObjectBase {
    withExtendedLifetime(self) { handle(table).accessor(key) }
  }

  /// Calls `body` with the accessors that exist for a table, if there are any.
  @inline(__always)
  func withLiveAccessors(_ table: Int, _ body: (LiveAccessors) -> Void) {
    if let handle = handles[table], handle.accessors.count > 0 { body(handle.accessors) }
    if let handle = handles[table + handles.count / 2], handle.accessors.count > 0 { body(handle.accessors) }
  }

  @inline(never)
  private func makeHandle(_ number: Int) -> TableHandle {
    let layout = store.graph.layout
    let table = number % layout.visibleCount
    let model = store.model(table)
    let isDynamic = number != table || model.isUnknown
    return handles.set(
      number,
      TableHandle(
        reader: self, layout: layout.tables[table], model: model, number: number,
        dynamicType: isDynamic ? DynamicObject.self : nil,
        origins: model.linkingProperties.map { store.schema.origin(of: $0) }))
  }

  /// The handle of a table as mixed values call it: that of its class, or by name only when that is wanted or the process
  /// does not have the class. Nil when there is no such table.
  func handle(numbered number: UInt32, isDynamic: Bool) -> TableHandle? {
    let layout = store.graph.layout
    guard let table = layout.table(number: number), !layout.isNested(table) else { return nil }
    return handle(table.index, isDynamic: isDynamic || table.index >= store.schema.models.count)
  }

  private static let lastNumber = Atomic<UInt64>(0)

  /// The handle of a class, or nil when the realm's schema does not have it.
  func handle(_ type: ObjectBase.Type) -> TableHandle? {
    store.schema.index(of: type).map { handle($0) }
  }
}
