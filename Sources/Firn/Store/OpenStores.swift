internal import CFirn
internal import FirnEngine
internal import Glibc

/// The stores that are open in the process, by their place.
///
/// State       guarded by
/// stores      mutex
///
/// A store enters when it is open and leaves in `close` or its deinit, when its files are let go: until then nobody else
/// can open them.
final class OpenStores: @unchecked Sendable {
  static let shared = OpenStores()

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var stores: [StorePlace: Entry] = [:]

  private enum Entry {
    /// The thread opens it just now.
    case opening(UInt)
    case open(Unretained<Store>)
  }

  private init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  /// The store at a place; `make` opens it if it is not open. Waits for another thread that opens or releases it.
  ///
  /// - Throws: What `make` throws; ``Realm/Error`` `.alreadyOpen` while the store is being closed.
  func store(at place: StorePlace, make: () throws -> Store) throws -> Store {
    if let open = try enter(place) {
      if open.isOpen { return open }
      throw Realm.Error(
        .alreadyOpen,
        "The database \(open.configuration.name) is being closed. Open it again when close() has returned.")
    }
    do {
      let store = try make()
      leave(place, with: .open(Unretained(store)))
      return store
    } catch {
      leave(place, with: nil)
      throw error
    }
  }

  /// The open store, or nil when the caller has to open it and then to call `leave`.
  ///
  /// Throws when the thread opens it already: a migration block opens what it migrates.
  private func enter(_ place: StorePlace) throws -> Store? {
    let thread = UInt(bitPattern: firn_thread_pointer())
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while let entry = stores[place] {
      if case .open(let reference) = entry, let store = reference.object { return store }
      if case .opening(thread) = entry {
        throw Realm.Error(
          .fail,
          "A database was opened while the same thread is opening it. Use the Migration inside of a migrationBlock.")
      }
      pthread_cond_wait(changed, mutex)
    }
    stores[place] = .opening(thread)
    return nil
  }

  private func leave(_ place: StorePlace, with entry: Entry?) {
    pthread_mutex_lock(mutex)
    stores[place] = entry
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
  }

  /// Called when a store has let go of its files.
  func remove(_ store: Store, from place: StorePlace) {
    pthread_mutex_lock(mutex)
    if case .open(let reference) = stores[place], reference.refers(to: store) { stores[place] = nil }
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
  }

  /// Calls `body` while nobody else can open the store. `purpose` is for the message.
  ///
  /// - Throws: What `body` throws; ``Realm/Error`` `.alreadyOpen` when it is open.
  func withClosed<Result>(_ place: StorePlace, to purpose: String, _ body: () throws -> Result) throws -> Result {
    if let open = try enter(place) {
      throw Realm.Error(
        .alreadyOpen,
        "Cannot \(purpose) of an open Realm: the database \(open.configuration.name) is in use in this process. "
          + "Release everything that refers to it, frozen values too, or close it first.")
    }
    defer { leave(place, with: nil) }
    return try body()
  }
}
