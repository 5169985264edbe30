import FirnDurability
import FirnEngine
import Foundation
import Testing

@testable import Firn

/// Commits that never reach the disk: whoever waits for them hears of it, and nobody sees them.
@Suite struct ConcurrencyLostCommitTests {
  /// The commit is taken, and then lost while the writer waits for it.
  @Test func theRealmShowsWhatWasThereBefore() throws {
    let logged = try LoggedStore()
    try onOwnThread {
      let realm = try Watched.realm(2, logged.configuration)
      let items = realm.objects(WatchedItem.self)
      let item = items[0]
      logged.log.answer(.pending)
      let (loser, mayStart) = logged.loser()
      logged.log.afterAppend { _ in mayStart.signal() }
      #expect(throws: FakeCommitLog.Failure.self) {
        try realm.write {
          item.number = 9
          realm.add(Watched.item(5))
        }
      }
      loser.join()
      #expect(item.number == 0)
      #expect(items.count == 2)
      #expect(realm.object(ofType: WatchedItem.self, forPrimaryKey: 5) == nil)
      #expect(!realm.isInWriteTransaction)
      // Nothing more is taken, and that changes nothing either.
      logged.log.afterAppend(nil)
      #expect(throws: FakeCommitLog.Failure.self) { try realm.write { item.number = 10 } }
      #expect(item.number == 0)
    }
  }

  /// A transaction that writes nothing is done when what it was based on, and what its realm shows now, is durable.
  @Test(arguments: [false, true]) func anEmptyTransactionWaitsForItsBase(isLost: Bool) throws {
    let logged = try LoggedStore()
    try onOwnThread {
      let realm = try Watched.realm(2, logged.configuration)
      logged.log.answer(.pending)
      let graph = logged.store.graph
      try logged.setFirstNumber(7)
      #expect(realm.objects(WatchedItem.self)[0].number == 0)

      let decided = FirnEngine.Semaphore()
      let decider = JoinedThread {
        decided.wait()
        if isLost {
          logged.lose()
        } else {
          // Not before the transaction is over.
          graph.enterGateBlocking()
          graph.gate.leave()
          graph.didBecomeDurable(through: graph.tip)
        }
      }
      realm.beginWrite()
      #expect(realm.objects(WatchedItem.self)[0].number == 7)
      decided.signal()
      if isLost {
        #expect(throws: FakeCommitLog.Failure.self) { try realm.commitWrite() }
      } else {
        try realm.commitWrite()
        #expect(graph.head == realm.instance.version?.number)
      }
      decider.join()
      #expect(realm.objects(WatchedItem.self)[0].number == (isLost ? 0 : 7))
    }
  }

  /// The base is lost when the transaction has left the writer's role, and has not looked at what became of its base.
  @Test(arguments: [false, true]) func aBaseMayBeLostAfterTheTransaction(isCancelled: Bool) throws {
    let logged = try LoggedStore()
    try onOwnThread {
      let realm = try Watched.realm(2, logged.configuration)
      logged.log.answer(.pending)
      try logged.setFirstNumber(7)
      realm.beginWrite()
      #expect(realm.objects(WatchedItem.self)[0].number == 7)
      let next = NextInLine(logged.store.graph.gate) { logged.lose() }
      if isCancelled {
        realm.cancelWrite()
      } else {
        #expect(throws: FakeCommitLog.Failure.self) { try realm.commitWrite() }
      }
      #expect(next.hasRun)
      #expect(realm.objects(WatchedItem.self)[0].number == 0)
    }
  }

  /// Whoever reads elsewhere waits while a realm moves over deletions: not longer.
  @Test func hasArrivedWhenItMovedOn() throws {
    let logged = try LoggedStore()
    let configuration = logged.configuration
    try onOwnThread {
      let realm = try Watched.realm(5, configuration)
      let items = Array(realm.objects(WatchedItem.self))
      func isMoving() -> Bool { RealmContext.isAdvancing(realm.instance.context) }
      try realm.write { realm.delete(items[0]) }
      #expect(!isMoving() && items[0].isInvalidated, "its own commit")
      try onOwnThread {
        let other = try Realm(configuration: configuration)
        try other.write { other.delete(other.objects(WatchedItem.self)[0]) }
      }
      #expect(realm.refresh())
      #expect(!isMoving() && items[1].isInvalidated, "the commit of another realm")
      logged.log.answer(.pending)
      let (loser, mayStart) = logged.loser()
      logged.log.afterAppend { _ in mayStart.signal() }
      #expect(throws: FakeCommitLog.Failure.self) { try realm.write { realm.delete(items[2]) } }
      loser.join()
      #expect(!isMoving() && items[3].number == 3, "a commit that was lost")
    }
  }

  /// A disk that fails at any call of a few commits: what the realm shows is what it acknowledged, and after a crash the
  /// files have that too, with one commit more at most.
  @Test func aDiskThatFails() throws {
    for call in 1... {
      let disk = SimulatedDisk(seed: UInt64(call))
      var configuration = Realm.Configuration(
        fileURL: URL(fileURLWithPath: "/\(UUID().uuidString).firn"),
        objectTypes: [WatchedTeam.self, WatchedItem.self])
      configuration.fileSystem = disk
      let opened = configuration
      let (didStop, acknowledged) = try onOwnThread {
        let realm = try Realm(configuration: opened)
        disk.setFault(SimulatedDisk.Fault(call: call, kind: .error(.inputOutput)))
        let items = realm.objects(WatchedItem.self)
        var acknowledged: [Int] = []
        for id in 0..<2 {
          do {
            try realm.write { realm.add(Watched.item(id)) }
            acknowledged.append(id)
          } catch {
            #expect(error is Realm.Error, "call \(call)")
          }
          #expect(items.map(\.id) == acknowledged, "call \(call)")
          #expect(!realm.isInWriteTransaction)
        }
        return (disk.didStop, acknowledged)
      }
      configuration.fileSystem = disk.crash(.nothing)
      let crashed = configuration
      try onOwnThread {
        let realm = try Realm(configuration: crashed)
        let found = Array(realm.objects(WatchedItem.self).map(\.id))
        // A sync that failed may have written a commit all the same, and nobody can know.
        #expect(found.starts(with: acknowledged) && found.count <= acknowledged.count + 1, "call \(call): \(found)")
      }
      if !didStop { break }
    }
  }
}

extension LoggedStore {
  /// Somebody else's commit, for which nobody waits: another number in the first item.
  fileprivate func setFirstNumber(_ number: Int64) throws {
    let graph = store.graph
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    let table = try #require(store.schema.index(of: WatchedItem.self))
    graph.begin().setInt(ColumnID(1), of: RowKey(0), in: TableID(table), to: number)
    _ = try graph.commit()
  }
}

/// Waits at a gate, and does something on the thread that leaves it, as soon as that has left.
private final class NextInLine: GateWaiter {
  private let gate: WriterGate
  private let body: @Sendable () -> Void
  private let ticket = Guarded<WriterGate.Ticket?>(nil)
  private let didRun = Guarded(false)
  private let holder = GateHolder(CallSite(function: "next", file: #fileID, line: #line))

  init(_ gate: WriterGate, _ body: @escaping @Sendable () -> Void) {
    self.gate = gate
    self.body = body
    let ticket = gate.enter(holder, orSuspend: self, isMovable: false)
    self.ticket.withLock { $0 = ticket }
  }

  var hasRun: Bool { didRun.withLock { $0 } }

  func wake() { fatalError("It does not sleep.") }

  func call() {
    guard let ticket = ticket.withLock({ $0 }), gate.arrive(ticket, holder, homes: []) == .entered else { return }
    gate.leave()
    body()
    didRun.withLock { $0 = true }
  }

  func run(_ relay: GateRelay) { call() }
}
