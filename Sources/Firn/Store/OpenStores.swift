internal import CFirn
internal import Dispatch
internal import FirnDurability
internal import FirnEngine
internal import Glibc

/// The stores that are open in the process, by their place.
///
/// State         guarded by
/// stores        mutex
/// waiting       mutex
/// changeCount   mutex
///
/// A store enters when it is open and leaves in `close` or its deinit, when its files are let go: until then nobody else
/// can open them. Others wait meanwhile, tasks without a thread.
final class OpenStores: @unchecked Sendable {
  static let shared = OpenStores()

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var stores: [StorePlace: Entry] = [:]
  private var waiting: [StorePlace: Waiting] = [:]
  /// Counts how often a place was left. An opener waits until it changes, because it cannot ask under the mutex whether
  /// a store is still there: the answer may be the last reference to the store.
  private var changeCount = 0
  private let longWait: DispatchTimeInterval
  private let warn: @Sendable (String) -> Void

  private enum Entry {
    /// A thread opens it just now.
    case opening(Opening)
    case open(Unretained<Store>)
  }

  private final class Opening {
    let thread = UInt(bitPattern: firn_thread_pointer())
    /// Whether somebody looks after how long it takes.
    var isWatched = false
  }

  /// The threads and tasks that wait at a place.
  private struct Waiting {
    var threadCount = 0
    /// Called when the place is left, by those who do not wait on their thread.
    var bodies: [@Sendable () -> Void] = []
  }

  /// - Parameters:
  ///   - longWait: After so long a wait for an opening `warn` is called: it may be one for ever.
  init(
    longWait: DispatchTimeInterval = .seconds(10), warn: @escaping @Sendable (String) -> Void = { Log.warning("\($0)") }
  ) {
    self.longWait = longWait
    self.warn = warn
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    pthread_cond_destroy(changed)
    mutex.deallocate()
    changed.deallocate()
  }

  private func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }

  // MARK: Opening

  /// The store at a place; `make` opens it if it is not open. Waits for another thread that opens or releases it.
  ///
  /// - Throws: What `make` throws; ``Realm/Error`` `.alreadyOpen` while the store is being closed.
  func store(at place: StorePlace, make: () throws -> Store) throws -> Store {
    while true {
      switch try enter(place) {
      case .open(let store): return try Self.usable(store)
      case .entered: return try open(place, make)
      case .busy(let count): wait(at: place, after: count)
      }
    }
  }

  /// The same for tasks, which suspend. `make` is called on a thread of Firn's own.
  func storeInTurn(at place: StorePlace, make: @escaping @Sendable () throws -> Store) async throws -> Store {
    if let open = openStore(at: place) { return try Self.usable(open) }
    return try await withCheckedContinuation { continuation in
      storeInTurn(at: place, make: make) { continuation.resume(returning: $0) }
    }.take()
  }

  /// The same without waiting: returns at once. `make` and `tell` are called on threads of Firn's own, `tell` when the
  /// store, or why there is none, can be taken.
  func storeInTurn(
    at place: StorePlace, make: @escaping @Sendable () throws -> Store,
    tell: @escaping @Sendable (Errand<Store>) -> Void
  ) {
    struct Busy: Error {}
    WorkThreads.files.submit { [self] in
      let busyCount = Lock<Int?>(nil)
      let opening = Errand.done {
        switch try self.enter(place) {
        case .open(let store): return try Self.usable(store)
        case .entered: return try self.open(place, make)
        case .busy(let count):
          busyCount.withLock { $0 = count }
          throw Busy()
        }
      }
      guard let count = busyCount.withLock({ $0 }) else { return tell(opening) }
      whenChanged(at: place, after: count) { [self] in storeInTurn(at: place, make: make, tell: tell) }
    } orRefuse: { error in
      tell(.done { throw Realm.Error(error) })
    }
  }

  private static func usable(_ store: Store) throws -> Store {
    if store.isOpen { return store }
    throw Realm.Error(
      .alreadyOpen,
      "The database \(store.configuration.name) is being closed. Open it again when close() has returned.")
  }

  private func open(_ place: StorePlace, _ make: () throws -> Store) throws -> Store {
    do {
      let store = try make()
      leave(place, with: .open(Unretained(store)))
      return store
    } catch {
      leave(place, with: nil)
      throw error
    }
  }

  /// Calls `body` while nobody else can open the store. `purpose` is for the message.
  ///
  /// Waits a moment for references that are on their way out, such as the argument of a callback that is about to
  /// return.
  ///
  /// - Throws: The errors of `body`; ``Realm/Error`` `.alreadyOpen` when it is open.
  func withClosed<Result>(_ place: StorePlace, to purpose: String, _ body: () throws -> Result) throws -> Result {
    var attemptCount = 0
    while true {
      switch try enter(place) {
      case .open where attemptCount < Self.closingAttemptMax:
        attemptCount += 1
        usleep(1_000)
      case .open(let store):
        throw Realm.Error(
          .alreadyOpen,
          "Cannot \(purpose) of an open Realm: the database \(store.configuration.name) is in use in this process. "
            + "Release everything that refers to it, frozen values too, or close it first.")
      case .entered:
        defer { leave(place, with: nil) }
        return try body()
      case .busy(let count): wait(at: place, after: count)
      }
    }
  }

  /// So many milliseconds are waited until a store counts as open.
  private static let closingAttemptMax = 50

  // MARK: Entering and leaving

  private enum Entering {
    case open(Store)
    /// The caller has to call `leave`.
    case entered
    /// Until the count of changes is another one, or later.
    case busy(Int)
  }

  /// Throws when the thread opens it already: a migration block opens what it migrates.
  private func enter(_ place: StorePlace) throws -> Entering {
    try withLock {
      switch stores[place] {
      case nil:
        stores[place] = .opening(Opening())
        return .entered
      case .open(let reference): return reference.object.map { .open($0) } ?? .busy(changeCount)
      case .opening(let opening):
        if opening.thread != UInt(bitPattern: firn_thread_pointer()) { return .busy(changeCount) }
        throw Realm.Error(
          .fail,
          "A database was opened while the same thread is opening it. Use the Migration inside of a migrationBlock.")
      }
    }
  }

  private func openStore(at place: StorePlace) -> Store? {
    withLock {
      if case .open(let reference) = stores[place] { return reference.object }
      return nil
    }
  }

  private func leave(_ place: StorePlace, with entry: Entry?) {
    let bodies = withLock {
      stores[place] = entry
      return endWaiting(at: place)
    }
    for body in bodies { body() }
  }

  /// Called when a store has let go of its files.
  func remove(_ store: Store, from place: StorePlace) {
    let bodies = withLock {
      if case .open(let reference) = stores[place], reference.refers(to: store) { stores[place] = nil }
      return endWaiting(at: place)
    }
    for body in bodies { body() }
  }

  // MARK: Waiting

  /// Blocks the thread until something has changed, unless it has already.
  private func wait(at place: StorePlace, after count: Int) {
    WorkThreads.lending {
      withLock {
        watch(place)
        waiting[place, default: Waiting()].threadCount += 1
        while changeCount == count { pthread_cond_wait(changed, mutex) }
        waiting[place]?.threadCount -= 1
        dropWaiting(at: place)
      }
    }
  }

  /// Calls `body` when the place was left, at once if something has changed already.
  private func whenChanged(at place: StorePlace, after count: Int, _ body: @escaping @Sendable () -> Void) {
    let hasToWait = withLock {
      if changeCount != count { return false }
      watch(place)
      waiting[place, default: Waiting()].bodies.append(body)
      return true
    }
    if !hasToWait { body() }
  }

  /// Wakes the threads that wait, and returns what else is to be called. Called under the lock.
  private func endWaiting(at place: StorePlace) -> [@Sendable () -> Void] {
    changeCount += 1
    pthread_cond_broadcast(changed)
    let bodies = waiting[place]?.bodies ?? []
    waiting[place]?.bodies = []
    dropWaiting(at: place)
    return bodies
  }

  private func dropWaiting(at place: StorePlace) {
    if let left = waiting[place], left.threadCount == 0, left.bodies.isEmpty { waiting[place] = nil }
  }

  /// Warns when the opening at a place takes long while others wait for it. Called under the lock.
  private func watch(_ place: StorePlace) {
    guard case .opening(let opening) = stores[place], !opening.isWatched else { return }
    opening.isWatched = true
    let identity = ObjectIdentifier(opening)
    DispatchQueue.global().asyncAfter(deadline: .now() + longWait) { [weak self] in
      guard let self else { return }
      let isWaited = withLock {
        guard case .opening(let opening) = stores[place] else { return false }
        return ObjectIdentifier(opening) == identity && waiting[place] != nil
      }
      if isWaited { warn(Self.warning(place)) }
    }
  }

  private static func warning(_ place: StorePlace) -> String {
    let name =
      switch place {
      case .memory(let name): name
      case .file(let file): file.path
      }
    return "Others have waited for some time to open the database \(name), which another thread is opening. If its "
      + "migrationBlock waits for one of them, neither ever ends: inside of a migrationBlock use the Migration only, and "
      + "have others open the database afterwards. They wait on."
  }
}
