internal import CFirn
internal import FirnEngine

/// Finds out when two tasks use an unbound realm at the same time.
///
/// Looked at by writes and refreshes, from their start to their end, suspensions included. Plain reads are not checked:
/// they are safe from any thread.
///
/// State    guarded by
/// state    its lock
final class TaskUse: Sendable {
  private struct Use {
    var user: Int
    var site: CallSite
    var depth: Int
  }

  private let state = Lock<Use?>(nil)

  /// Traps if another task is in between `enter` and `leave`.
  func enter(_ site: CallSite) {
    let user = Self.currentUser
    let other: CallSite? = state.withLock { use in
      guard var current = use else {
        use = Use(user: user, site: site, depth: 1)
        return nil
      }
      if current.user != user { return current.site }
      current.depth += 1
      use = current
      return nil
    }
    if let other {
      fatalError(
        "A realm that was opened in a task is used by two tasks at the same time: \(other) has not ended when \(site) "
          + "begins. Open a realm in each task, or use RealmStore.")
    }
  }

  func leave() {
    state.withLock { use in
      guard var current = use else { return }
      current.depth -= 1
      use = current.depth == 0 ? nil : current
    }
  }

  /// The task, or outside of one the thread.
  private static var currentUser: Int {
    withUnsafeCurrentTask { $0?.hashValue } ?? Int(bitPattern: firn_thread_pointer())
  }
}
