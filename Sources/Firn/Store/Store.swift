internal import CFirn
internal import FirnDurability
internal import FirnEngine
internal import Foundation
internal import Synchronization

/// An open database: its graph, its schema and the realms that are open on it.
///
/// State              guarded by
/// realms, closers,   their locks
/// frozen
/// status, commits,   atomic; a realm that has written goes under the lock of `realms`
/// writing thread and realm
/// everything else    immutable
///
/// Kept alive by its realms, by frozen values and by `RealmStore`; an in-memory store is gone with the last of them.
final class Store: Sendable {
  let configuration: Realm.Configuration
  /// Under which it is shared; nil for one that is not.
  private let place: StorePlace?
  let graph: Graph
  /// The files; nil for a database in memory.
  let durable: DurableStore?
  /// The commits of a database in memory whose configuration asks for history.
  let memoryHistory: MemoryHistory?
  let schema: StoreSchema
  /// Whether objects are known by name only, whatever class the process has for them.
  let isMigrating: Bool
  /// The classes of the tables that only the files have, which come behind those of the schema.
  let unknownModels: [ClassModel]
  /// What the simplest key paths of queries stand for.
  let ownColumns = OwnColumns()
  private let realms = Guarded(OpenRealms())
  private let status = Atomic<Int>(Status.open.rawValue)
  private let commits = Atomic<Int>(0)
  private let frozen = Guarded<RealmInstance?>(nil)
  /// The thread that began the open transaction, 0 without one, and the realm of the last one.
  private let writingThread = Atomic<UInt>(0)
  private let writingRealm = Atomic<UInt>(0)
  /// Whether `frozen` has something. Written under its lock.
  private let hasFrozen = Atomic<Bool>(false)
  /// How many `RealmStore` there are: while there is one, the newest version is kept frozen once it was asked for.
  private let handleCount = Atomic<Int>(0)
  let streams = StoreStreams()
  /// On which the past is read; see ``readingPast(_:)``.
  let historyThreads = WorkThreads(threadCountMax: Store.historyThreadCountMax)
  /// When those who wait for the writer's role give up.
  let deadlines = GateDeadlines()
  /// Tells of transactions that stay open for long.
  let writerWatch: WriterWatch
  /// Who waits until the store is closed; nil once it is.
  private let closers = Lock<[CheckedContinuation<Void, Never>]?>([])

  enum Status: Int {
    case open
    /// Takes no new writes, but does those that wait.
    case closing
    case closed
  }

  private struct OpenRealms {
    var byKey: [Confinement.Key: Unretained<RealmInstance>] = [:]
    /// Realms that follow commits of others, by number.
    var all: [UInt64: Unretained<RealmInstance>] = [:]
    /// Realms that show what they are given, by number; see `HandoverRealm`.
    var guided: [UInt64: Unretained<RealmInstance>] = [:]
  }

  /// How many realms `realms.all` lists; written under its lock.
  private let listedCount = Atomic<Int>(0)

  /// A database in memory.
  ///
  /// - Parameter history: What keeps its commits, and the tables as that knows them.
  init(
    configuration: Realm.Configuration, schema: StoreSchema, place: StorePlace? = nil,
    history: (log: MemoryHistory, tables: [TableDescription])? = nil
  ) {
    self.configuration = configuration
    self.schema = schema
    self.place = place
    durable = nil
    unknownModels = []
    isMigrating = false
    memoryHistory = history?.log
    graph = Graph(schema: history?.tables ?? schema.tables, seed: HashSeed.random(), log: history?.log)
    writerWatch = WriterWatch(configuration.name, graph.gate)
    Log.detail("Opened the database \(configuration.name) in memory.")
  }

  /// A view of a graph that is being migrated.
  init(configuration: Realm.Configuration, schema: StoreSchema, graph: Graph) {
    self.configuration = configuration
    self.schema = schema
    self.graph = graph
    writerWatch = WriterWatch(configuration.name, graph.gate)
    place = nil
    durable = nil
    memoryHistory = nil
    isMigrating = true
    let tables = graph.layout.schema
    unknownModels = tables[schema.tables.count...].map { ClassModel(unknown: $0, in: tables) }
  }

  /// A database in files.
  init(configuration: Realm.Configuration, schema: StoreSchema, file: FilePlace) throws {
    self.configuration = configuration
    self.schema = schema
    place = .file(file)
    let opened = try configuration.openFiles(file.path, schema)
    configuration.compactIfWanted(opened)
    durable = opened
    memoryHistory = nil
    isMigrating = false
    graph = opened.graph
    writerWatch = WriterWatch(configuration.name, graph.gate)
    let tables = opened.graph.layout.schema
    unknownModels = tables[schema.tables.count...].map { ClassModel(unknown: $0, in: tables) }
    Log.detail("Opened the database \(configuration.name). \(OpenReport(opened.opening))")
  }

  /// Whether new writes are taken.
  var isOpen: Bool { status.load(ordering: .acquiring) == Status.open.rawValue }

  /// Whether a write that has waited may still be done.
  var acceptsQueuedWrites: Bool { !isClosed }

  /// Whether everything that was asked for before the end is done.
  var isClosed: Bool { status.load(ordering: .acquiring) == Status.closed.rawValue }

  func checkIsOpen() throws {
    if !isOpen { throw Realm.Error.storeClosed(self) }
  }

  /// False when the status was another one.
  func setStatus(_ new: Status, from old: Status) -> Bool {
    status.compareExchange(expected: old.rawValue, desired: new.rawValue, ordering: .sequentiallyConsistent).exchanged
  }

  func waitUntilClosed() async {
    await withCheckedContinuation { continuation in
      let isClosed = closers.withLock { waiting in
        waiting?.append(continuation)
        return waiting == nil
      }
      if isClosed { continuation.resume() }
    }
  }

  func didClose() {
    let waiting = closers.withLock { waiting -> [CheckedContinuation<Void, Never>] in
      defer { waiting = nil }
      return waiting ?? []
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Commits since the store was opened.
  var commitCount: Int { commits.load(ordering: .relaxed) }

  /// The newest version as a frozen realm: one for all who ask for the same version while it is in use.
  func frozenHead() -> RealmInstance {
    let head = graph.head
    if let known = frozen.withLock({ $0 }), known.version?.number == head, !known.isReleased { return known }
    let new = RealmInstance(store: self, confinement: .frozen)
    var old: RealmInstance? = nil
    frozen.withLock { cached in
      // Without a handle nobody would let go of it.
      if handleCount.load(ordering: .sequentiallyConsistent) == 0 { return }
      (old, cached) = (cached, new)
      hasFrozen.store(true, ordering: .sequentiallyConsistent)
    }
    withExtendedLifetime(old) {}
    // A commit in between has looked for nothing to drop.
    if graph.head != head { dropFrozen() }
    return new
  }

  private func dropFrozen() {
    let old: RealmInstance? = frozen.withLock { cached in
      defer { cached = nil }
      hasFrozen.store(false, ordering: .sequentiallyConsistent)
      return cached
    }
    withExtendedLifetime(old) {}
  }

  func addHandle() { handleCount.wrappingAdd(1, ordering: .sequentiallyConsistent) }

  func removeHandle() {
    if handleCount.wrappingSubtract(1, ordering: .sequentiallyConsistent).newValue == 0 { dropFrozen() }
  }

  // MARK: Realms

  /// The realm of a thread, queue or actor, opened if it is not open yet.
  ///
  /// - Parameter wanted: What a realm is to be opened with. Of one that is open already nothing is compared with it.
  func realm(_ confinement: Confinement, _ wanted: Realm.Configuration? = nil) throws -> RealmInstance {
    guard isOpen else { throw Realm.Error.storeClosed(self) }
    let key = confinement.key
    if let key, let open = realms.withLock({ $0.byKey[key]?.object }) { return open }
    if let wanted { try checkJoining(wanted) }
    let realm = RealmInstance(store: self, confinement: confinement)
    if (wanted ?? configuration).tracksObservation, !configuration.readOnly { realm.track() }
    guard let key else { return realm }
    return realms.withLock { realms in
      if let other = realms.byKey[key]?.object { return other }
      realms.byKey[key] = Unretained(realm)
      realms.all[realm.number] = Unretained(realm)
      realm.isListed = true
      listedCount.store(realms.all.count, ordering: .sequentiallyConsistent)
      return realm
    }
  }

  /// A realm that nobody else gets and that does not follow commits. It shows a version until it is moved on.
  func guidedRealm(_ confinement: Confinement, _ version: Version) -> RealmInstance {
    let realm = RealmInstance(store: self, confinement: confinement, version: version)
    realm.autorefresh = false
    realm.isGuided = true
    realms.withLock { $0.guided[realm.number] = Unretained(realm) }
    return realm
  }

  /// Notes the realm whose transaction the calling thread runs from now on.
  func didBeginWriting(_ realm: RealmInstance) {
    writingRealm.store(Unretained(realm).bits, ordering: .relaxed)
    writingThread.store(UInt(bitPattern: firn_thread_pointer()), ordering: .releasing)
  }

  func willEndWriting() { writingThread.store(0, ordering: .releasing) }

  /// The realm whose transaction the calling thread runs; nil without one.
  private var realmWritingHere: RealmInstance? {
    let thread = UInt(bitPattern: firn_thread_pointer())
    if writingThread.load(ordering: .acquiring) != thread { return nil }
    // Another thread may end the transaction meanwhile, and release the realm, whose deinit waits for the lock.
    let realm: RealmInstance? = realms.withLock { _ in
      if writingThread.load(ordering: .acquiring) != thread { return nil }
      return Unretained(bits: writingRealm.load(ordering: .relaxed)).object
    }
    return realm?.isWritingHere == true ? realm : nil
  }

  /// The realm whose transaction the calling thread runs; else that of the thread, or of the actor that the caller is
  /// isolated to if there is one; else an unbound realm.
  func realmForThawing() throws -> RealmInstance {
    if let realm = realmWritingHere { return realm }
    let here = Confinement.here()
    if case .unbound = here, let actor = firn_current_actor() {
      let key = Confinement.Key.actor(unsafeBitCast(actor, to: ObjectIdentifier.self))
      if isOpen, let open = realms.withLock({ $0.byKey[key]?.object }) { return open }
    }
    return try realm(here)
  }

  /// Called in the deinit of a realm.
  func didClose(_ realm: RealmInstance, _ key: Confinement.Key?) {
    if realm.isGuided { realms.withLock { $0.guided[realm.number] = nil } }
    guard realm.isListed else {
      // Until then `realmWritingHere` may be looking at it.
      if !realm.isFrozen { realms.withLock { _ in } }
      return
    }
    realms.withLock { realms in
      realms.all[realm.number] = nil
      listedCount.store(realms.all.count, ordering: .sequentiallyConsistent)
      if let key, realms.byKey[key]?.refers(to: realm) == true { realms.byKey[key] = nil }
    }
  }

  /// An open realm by its number.
  func openRealm(_ number: UInt64) -> RealmInstance? {
    realms.withLock { ($0.all[number] ?? $0.guided[number])?.object }
  }

  /// Tells the other realms that there is a new version.
  func didCommit(by writer: RealmInstance?) {
    commits.wrappingAdd(1, ordering: .relaxed)
    if Log.wants(.debug) { Log.debug("The database \(configuration.name) has committed version \(graph.head).") }
    if hasFrozen.load(ordering: .sequentiallyConsistent) { dropFrozen() }
    streams.headDidChange()
    // A realm that is opened at this moment starts with the new version.
    let count = listedCount.load(ordering: .sequentiallyConsistent)
    if count == 0 || (count == 1 && writer?.isListed == true) { return }
    let others: [RealmInstance] = realms.withLock { realms in
      realms.all.values.compactMap(\.object)
    }
    for realm in others where realm !== writer { realm.headDidChange() }
  }

  /// The class of a table of the graph.
  func model(_ table: Int) -> ClassModel {
    let layout = graph.layout
    if layout.nestedLists == TableID(table) { return .nestedLists }
    if layout.nestedMaps == TableID(table) { return .nestedMaps }
    return table < schema.models.count ? schema.models[table] : unknownModels[table - schema.tables.count]
  }

  var openRealms: [RealmInstance] {
    realms.withLock { realms in realms.all.values.compactMap(\.object) + realms.guided.values.compactMap(\.object) }
  }

  // MARK: Opening and closing

  /// The store of a configuration, opened if it is not open yet. Blocks the thread while files are read.
  static func open(_ configuration: Realm.Configuration) throws -> Store {
    let place = try configuration.checkedPlace()
    return try OpenStores.shared.store(at: place) { try make(configuration, place) }.checked(configuration)
  }

  /// The same without blocking a thread that is not Firn's own.
  static func open(_ configuration: Realm.Configuration) async throws -> Store {
    let place = try configuration.checkedPlace()
    let store =
      if case .file = place {
        try await OpenStores.shared.storeInTurn(at: place) { try make(configuration, place) }
      } else {
        try OpenStores.shared.store(at: place) { try make(configuration, place) }
      }
    return try store.checked(configuration)
  }

  /// The same without waiting: returns at once, and calls `tell` when the store, or why there is none, can be taken.
  static func open(_ configuration: Realm.Configuration, tell: @escaping @Sendable (Errand<Store>) -> Void) {
    if let place = try? configuration.checkedPlace(), case .file = place {
      return OpenStores.shared.storeInTurn(at: place) {
        try make(configuration, place)
      } tell: { store in
        tell(.done { try store.take().checked(configuration) })
      }
    }
    tell(.done { try open(configuration) })
  }

  private static func make(_ configuration: Realm.Configuration, _ place: StorePlace) throws -> Store {
    let schema = try StoreSchema(configuration)
    guard case .file(let file) = place else {
      // For files this is checked when the tables are merged with the stored ones.
      do { try Catalogue.checkWidth(schema.tables) } catch { throw Realm.Error.wrapping(error) }
      return Store(
        configuration: configuration, schema: schema, place: place, history: try configuration.memoryHistory(schema))
    }
    return try Store(configuration: configuration, schema: schema, file: file)
  }

  /// Lets the files go. Nothing is written any more.
  func leaveOpenStores() {
    if let place { OpenStores.shared.remove(self, from: place) }
  }

  deinit {
    if let durable, let error = durable.release() {
      Log.error(
        "The database \(configuration.name) was released, and its last commits could not be made durable: \(error)")
    }
    leaveOpenStores()
    if !isMigrating, !isClosed { Log.detail("Released the database \(configuration.name).") }
  }
}

extension Store {
  /// Suspends until a commit is durable.
  func makeDurable(_ number: UInt64, _ isolation: isolated (any Actor)? = #isolation) async throws {
    durable?.flushSoon()
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      graph.whenDurable(number) { error in
        if let error { continuation.resume(throwing: Realm.Error.wrapping(error)) } else { continuation.resume() }
      }
    }
  }
}
