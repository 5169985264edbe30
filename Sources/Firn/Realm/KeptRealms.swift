internal import FirnEngine
internal import Glibc

/// Realms that are kept alive because a write transaction is open on them, or asynchronous writes have not ended.
///
/// Those of a realm that belongs to a thread are cancelled when the thread ends: nobody else could end them. The others
/// stay until somebody ends them.
enum KeptRealms {
  enum Reason { case transaction, asyncWrites }

  private struct Key: Hashable {
    let realm: ObjectIdentifier
    let reason: Reason

    init(_ realm: RealmInstance, _ reason: Reason) {
      self.realm = ObjectIdentifier(realm)
      self.reason = reason
    }
  }

  /// Those of a thread; belongs to the thread.
  private final class OfThread {
    var realms: [Key: RealmInstance] = [:]

    /// The thread ends. Others may still refer to the realms, and none of them could end their transactions.
    func cancelTransactions() {
      for realm in realms.values where realm.isWritingHere {
        Log.warning("A thread ended inside a write transaction, which is cancelled.")
        realm.cancelWrite()
      }
    }
  }

  private static let elsewhere = Guarded<[Key: RealmInstance]>([:])

  private static let threadKey: pthread_key_t = {
    var key = pthread_key_t()
    let error = pthread_key_create(&key) { pointer in
      // The system has forgotten what the thread has, which ending a transaction asks for.
      pthread_setspecific(threadKey, pointer)
      let ending = Unmanaged<OfThread>.fromOpaque(pointer!).takeRetainedValue()
      ending.cancelTransactions()
      pthread_setspecific(threadKey, nil)
    }
    if error != 0 { fatalError("The system has no more keys for what belongs to a thread.") }
    return key
  }()

  /// False if nobody could find the realm again.
  static func keep(_ realm: RealmInstance, for reason: Reason) -> Bool {
    let key = Key(realm, reason)
    switch realm.confinement {
    case .thread: ofThread.realms[key] = realm
    case .mainThread, .queue, .actor: elsewhere.withLock { $0[key] = realm }
    case .unbound, .writeBlock, .frozen: return false
    }
    return true
  }

  /// The caller has another reference.
  static func letGo(_ realm: RealmInstance, for reason: Reason) {
    let key = Key(realm, reason)
    switch realm.confinement {
    case .thread: ofThread.realms[key] = nil
    default: elsewhere.withLock { $0[key] = nil }
    }
  }

  private static var ofThread: OfThread {
    if let known = pthread_getspecific(threadKey) { return Unmanaged.fromOpaque(known).takeUnretainedValue() }
    let new = OfThread()
    pthread_setspecific(threadKey, Unmanaged.passRetained(new).toOpaque())
    return new
  }
}
