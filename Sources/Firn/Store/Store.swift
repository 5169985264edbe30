internal import FirnEngine
internal import Foundation
internal import Synchronization

/// An open database: its graph, its schema and the realms that are open on it.
///
/// State              guarded by
/// realms, closers,   their locks
/// frozen
/// status, commits    atomic
/// everything else    immutable
///
/// Kept alive by its realms, by frozen values and by `RealmStore`; an in-memory store is gone with the last of them.
final class Store: Sendable {
  let configuration: Realm.Configuration
  let graph: Graph
  let schema: StoreSchema
  /// What the key paths of queries stand for.
  let keyPaths = Guarded(KeyPathCache())
  private let realms = Guarded(OpenRealms())
  private let status = Atomic<Int>(Status.open.rawValue)
  private let commits = Atomic<Int>(0)
  private let frozen = Guarded(WeakFrozenRealm())
  /// Who waits until the store is closed; nil once it is.
  private let closers = Lock<[CheckedContinuation<Void, Never>]?>([])

  enum Status: Int {
    case open
    /// Takes no new writes, but does those that wait.
    case closing
    case closed
  }

  private struct OpenRealms {
    var byKey: [Confinement.Key: WeakRealm] = [:]
    /// Realms that follow commits of others.
    var all: [ObjectIdentifier: WeakRealm] = [:]
  }

  /// How many realms `realms.all` lists; written under its lock.
  private let listedCount = Atomic<Int>(0)

  init(configuration: Realm.Configuration, schema: StoreSchema) {
    self.configuration = configuration
    self.schema = schema
    var random = SystemRandomNumberGenerator()
    graph = Graph(schema: schema.tables, seed: HashSeed(random.next(), random.next()))
  }

  /// Whether new writes are taken.
  var isOpen: Bool { status.load(ordering: .acquiring) == Status.open.rawValue }

  /// Whether a write that has waited may still be done.
  var acceptsQueuedWrites: Bool { status.load(ordering: .acquiring) != Status.closed.rawValue }

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
    if let known = frozen.withLock({ $0.realm }), let version = known.version, version.number == head { return known }
    let new = RealmInstance(store: self, confinement: .frozen)
    frozen.withLock { $0.realm = new }
    return new
  }

  // MARK: Realms

  /// The realm of a thread, queue or actor, opened if it is not open yet.
  func realm(_ confinement: Confinement) throws -> RealmInstance {
    guard isOpen else { throw Realm.Error.storeClosed(self) }
    guard let key = confinement.key else { return RealmInstance(store: self, confinement: confinement) }
    if let open = realms.withLock({ $0.byKey[key]?.realm }) { return open }
    let realm = RealmInstance(store: self, confinement: confinement)
    return realms.withLock { realms in
      if let other = realms.byKey[key]?.realm { return other }
      realms.byKey[key] = WeakRealm(realm)
      realms.all[ObjectIdentifier(realm)] = WeakRealm(realm)
      realm.isListed = true
      listedCount.store(realms.all.count, ordering: .sequentiallyConsistent)
      return realm
    }
  }

  func didClose(_ id: ObjectIdentifier, _ key: Confinement.Key?) {
    realms.withLock { realms in
      realms.all[id] = nil
      listedCount.store(realms.all.count, ordering: .sequentiallyConsistent)
      if let key, realms.byKey[key]?.realm == nil { realms.byKey[key] = nil }
    }
  }

  /// Tells the other realms that there is a new version.
  func didCommit(by writer: RealmInstance?) {
    commits.wrappingAdd(1, ordering: .relaxed)
    // A realm that is opened at this moment starts with the new version.
    let count = listedCount.load(ordering: .sequentiallyConsistent)
    if count == 0 || (count == 1 && writer?.isListed == true) { return }
    let others: [RealmInstance] = realms.withLock { realms in
      realms.all.values.compactMap(\.realm).filter { $0 !== writer }
    }
    for realm in others { realm.headDidChange() }
  }

  var openRealms: [RealmInstance] { realms.withLock { $0.all.values.compactMap(\.realm) } }

  // MARK: Open stores

  private static let open = Lock<[String: WeakStore]>([:])

  /// The store of a configuration, opened if it is not open yet.
  static func open(_ configuration: Realm.Configuration) throws -> Store {
    let identifier = try configuration.checkedIdentifier()
    if let store = open.withLock({ $0[identifier]?.store }), store.isOpen { return store }
    let schema = try StoreSchema(configuration)
    let store = Store(configuration: configuration, schema: schema)
    return open.withLock { open in
      if let other = open[identifier]?.store, other.isOpen { return other }
      open[identifier] = WeakStore(store)
      return store
    }
  }
}

private struct WeakRealm: @unchecked Sendable {
  weak var realm: RealmInstance?

  init(_ realm: RealmInstance) { self.realm = realm }
}

private struct WeakFrozenRealm {
  weak var realm: RealmInstance?
}

private struct WeakStore: Sendable {
  weak let store: Store?

  init(_ store: Store) { self.store = store }
}
