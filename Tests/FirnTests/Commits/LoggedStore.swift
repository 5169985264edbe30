import FirnEngine
import Foundation

@testable import Firn

/// A store in memory whose commits become durable, or are lost, when a test says so.
struct LoggedStore {
  let configuration: Realm.Configuration
  let store: Store
  let log = FakeCommitLog()

  /// Commits are durable at once until the log is told otherwise.
  init(_ configuration: Realm.Configuration = Watched.configuration()) throws {
    let open: (Realm.Configuration) throws -> Store = Store.open
    self.configuration = configuration
    store = try open(configuration)
    store.graph.enterGateBlocking()
    store.graph.setLog(log)
    store.graph.gate.leave()
    log.answer(.durable)
  }

  /// Makes all further commits fail, and those that are not durable yet. Waits for a running transaction.
  func lose() { store.graph.didLoseDurability(FakeCommitLog.Failure()) }

  /// A thread that does so as soon as the semaphore that it gets is signalled.
  func loser() -> (thread: JoinedThread, mayStart: FirnEngine.Semaphore) {
    let semaphore = FirnEngine.Semaphore()
    return (
      JoinedThread { [self] in
        semaphore.wait()
        lose()
      }, semaphore
    )
  }
}
