import FirnEngine
import Foundation
import TestSupport
import Testing

@testable import Firn

private class Note: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var text: String
}

private func makeConfiguration() -> Realm.Configuration {
  .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [Note.self])
}

/// A realm of a queue, and what happened to it.
private final class Desk: @unchecked Sendable {
  // State   guarded by
  // all     the queue
  let queue = DispatchQueue(label: "desk")
  let configuration: Realm.Configuration
  var realm: Realm!
  var events: [String] = []
  private let done = FirnEngine.Semaphore()

  init(_ configuration: Realm.Configuration = makeConfiguration()) throws {
    self.configuration = configuration
    try queue.sync { realm = try Realm(configuration: configuration, queue: queue) }
  }

  /// Does something on the queue.
  @discardableResult
  func perform<Result>(_ body: (Desk) throws -> Result) rethrows -> Result { try queue.sync { try body(self) } }

  /// Waits until `finish` was called so often, and what called it has returned.
  func wait(_ count: Int = 1) {
    for _ in 0..<count { done.wait() }
    queue.sync {}
  }

  func finish() { done.signal() }

  func finish(_ error: (any Error)?) {
    events.append(error == nil ? "done" : "failed")
    finish()
  }

  func add(_ id: Int) { realm.create(Note.self, value: [id]) }

  var ids: [Int] { realm.objects(Note.self).map(\.id) }
}

/// Belongs to the thread that made it.
private final class Flag: @unchecked Sendable {
  var isSet = false
}

/// Calls `body` inside of the run loop of a new thread, which runs until the flag is set.
private func onRunLoop(_ body: @escaping @Sendable (Flag) -> Void) throws {
  try onOwnThread {
    let flag = Flag()
    RunLoop.current.perform { body(flag) }
    while !flag.isSet { _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05)) }
  }
}

private func said(_ text: String, _ result: ExitTest.Result?) -> Bool {
  String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains(text)
}

/// Asynchronous writes with callbacks.
@Suite struct ConcurrencyWriteAsyncTests {
  @Test(arguments: [false, true]) func beginningTheNextDeliversTheOneBefore(isOnDisk: Bool) throws {
    let files = try TemporaryStore()
    for round in 0..<60 {
      var configuration = makeConfiguration()
      if isOnDisk {
        configuration = Realm.Configuration(
          fileURL: files.folder.appendingPathComponent("round\(round)"), objectTypes: [Note.self])
      }
      let desk = try Desk(configuration)
      let token = desk.perform { desk in
        let token = desk.realm.objects(Note.self).observe { change in
          if case .update(let notes, _, let insertions, _) = change {
            desk.events.append("\(insertions.count) of \(notes.count)")
            if notes.count == 2 { desk.finish() }
          }
        }
        desk.realm.refresh()
        desk.realm.writeAsync {
          desk.add(1)
        } onComplete: { _ in
          desk.finish()
        }
        desk.realm.writeAsync {
          desk.add(2)
        } onComplete: { _ in
          desk.finish()
        }
        return token
      }
      desk.wait(3)
      desk.perform { desk in
        #expect(desk.events == ["1 of 1", "1 of 2"], "round \(round)")
        token.invalidate()
        desk.realm = nil
      }
    }
  }

  @Test func blocksRunLaterInTheOrderOfTheirRequests() throws {
    let desk = try Desk()
    desk.perform { desk in
      let ids = (1...3).map { id in
        desk.realm.writeAsync {
          #expect(desk.realm.isInWriteTransaction && desk.realm.isPerformingAsynchronousWriteOperations)
          desk.add(id)
          desk.events.append("block \(id)")
        } onComplete: { error in
          #expect(error == nil && !desk.realm.isInWriteTransaction && desk.ids.contains(id))
          #expect(desk.realm.isPerformingAsynchronousWriteOperations)
          desk.events.append("completion \(id)")
          desk.finish()
        }
      }
      #expect(!ids.contains(0) && Set(ids).count == 3)
      #expect(desk.events.isEmpty && desk.realm.isPerformingAsynchronousWriteOperations)
    }
    desk.wait(3)
    desk.perform { desk in
      #expect(desk.events.filter { $0.hasPrefix("block") } == ["block 1", "block 2", "block 3"])
      #expect(desk.events.filter { $0.hasPrefix("comp") } == ["completion 1", "completion 2", "completion 3"])
      #expect(desk.ids == [1, 2, 3] && !desk.realm.isPerformingAsynchronousWriteOperations)
    }
  }

  @Test func whatABlockLeavesOpenIsUndone() throws {
    let desk = try Desk()
    desk.perform { desk in
      desk.realm.beginAsyncWrite { desk.add(1) }
      desk.realm.beginAsyncWrite {
        #expect(desk.ids.isEmpty)
        desk.add(2)
        desk.realm.commitAsyncWrite()
        #expect(desk.ids == [2] && !desk.realm.isInWriteTransaction)
      }
      desk.realm.beginAsyncWrite {
        desk.add(3)
        try! desk.realm.commitWrite()
      }
      desk.realm.beginAsyncWrite {
        desk.add(4)
        desk.realm.cancelWrite()
        #expect(desk.ids == [2, 3])
      }
      desk.realm.beginAsyncWrite {
        desk.add(5)
        desk.realm.commitAsyncWrite { desk.finish($0) }
      }
    }
    desk.wait()
    desk.perform { desk in
      #expect(desk.ids == [2, 3, 5] && desk.events == ["done"])
      #expect(!desk.realm.isPerformingAsynchronousWriteOperations)
    }
  }

  @Test func aSynchronousWriteMayBeCommittedAsynchronously() throws {
    let desk = try Desk()
    try desk.perform { desk in
      try desk.realm.write {
        desk.add(1)
        desk.realm.commitAsyncWrite { desk.finish($0) }
      }
      #expect(desk.ids == [1])
    }
    desk.wait()
  }

  /// Visible to this realm at once, to others when it is durable.
  @Test func theCompletionComesWithDurability() throws {
    let logged = try LoggedStore(makeConfiguration())
    let desk = try Desk(logged.configuration)
    logged.log.answer(.pending)
    desk.perform { desk in
      desk.realm.beginAsyncWrite {
        desk.add(1)
        desk.realm.commitAsyncWrite { desk.finish($0) }
        #expect(desk.ids == [1])
        desk.events.append("committed")
      }
    }
    while desk.perform({ $0.events.isEmpty }) {}
    #expect(try onOwnThread { try Realm(configuration: logged.configuration).isEmpty })
    desk.perform { desk in
      #expect(desk.events == ["committed"] && desk.realm.isPerformingAsynchronousWriteOperations)
    }
    logged.store.graph.didBecomeDurable(through: logged.store.graph.tip)
    desk.wait()
    #expect(desk.perform { $0.events } == ["committed", "done"])
    #expect(try onOwnThread { try !Realm(configuration: logged.configuration).isEmpty })
  }

  @Test func aLostCommitFails() throws {
    let logged = try LoggedStore(makeConfiguration())
    let desk = try Desk(logged.configuration)
    logged.log.answer(.pending)
    let count = FirnEngine.Semaphore()
    desk.perform { desk in
      for id in 1...3 {
        desk.realm.writeAsync {
          desk.add(id)
          count.signal()
        } onComplete: {
          desk.finish($0)
        }
      }
    }
    for _ in 0..<3 { count.wait() }
    desk.perform { _ in }
    logged.lose()
    desk.wait(3)
    desk.perform { desk in
      #expect(desk.events == ["failed", "failed", "failed"])
      #expect(desk.ids.isEmpty && !desk.realm.isPerformingAsynchronousWriteOperations)
      // What comes later is refused at its commit.
      desk.realm.writeAsync {
        desk.add(4)
      } onComplete: {
        desk.finish($0)
      }
    }
    desk.wait()
    #expect(desk.perform { $0.ids.isEmpty && $0.events.count == 4 && $0.events.last == "failed" })
  }

  @Test func whatHasNotBegunIsTakenBack() throws {
    let desk = try Desk()
    try desk.perform { desk in
      let realm = desk.realm!
      let write = realm.writeAsync {
        desk.add(1)
      } onComplete: { _ in
        desk.events.append("written")
      }
      let begin = realm.beginAsyncWrite { desk.add(2) }
      try realm.cancelAsyncWrite(write)
      try realm.cancelAsyncWrite(begin)
      #expect(!realm.isPerformingAsynchronousWriteOperations)
      // Unknown ones.
      try realm.cancelAsyncWrite(0)
      try realm.cancelAsyncWrite(write)
      try realm.cancelAsyncWrite(999)
      realm.beginAsyncWrite {
        desk.add(3)
        let commit = realm.commitAsyncWrite { _ in desk.events.append("committed") }
        try! realm.cancelAsyncWrite(commit)
      }
      realm.writeAsync {
        desk.add(4)
      } onComplete: { _ in
        desk.finish()
      }
    }
    desk.wait()
    #expect(desk.perform { $0.ids } == [3, 4])
    #expect(desk.perform { $0.events } == [])
  }

  @Test func synchronousWritesGoFirst() throws {
    let desk = try Desk()
    try desk.perform { desk in
      let realm = desk.realm!
      try realm.write {
        realm.writeAsync {
          desk.add(3)
        } onComplete: { _ in
          desk.finish()
        }
        desk.add(1)
      }
      try realm.write { desk.add(2) }
      #expect(desk.ids == [1, 2])
    }
    desk.wait()
    #expect(desk.perform { $0.ids } == [1, 2, 3])
  }

  /// The transaction stays open while the queue goes on.
  @Test func anOpenTransactionIsWaitedFor() throws {
    let desk = try Desk()
    desk.perform { desk in
      desk.realm.beginWrite()
      desk.realm.writeAsync {
        desk.add(2)
      } onComplete: { _ in
        desk.finish()
      }
    }
    for _ in 0..<10 { desk.perform { #expect($0.ids.isEmpty && $0.realm.isInWriteTransaction) } }
    try desk.perform { desk in
      desk.add(1)
      try desk.realm.commitWrite()
    }
    desk.wait()
    #expect(desk.perform { $0.ids } == [1, 2])
  }

  @Test func aCompletionMayWriteSynchronously() throws {
    let desk = try Desk()
    desk.perform { desk in
      for id in 1...2 {
        desk.realm.writeAsync {
          desk.add(id)
        } onComplete: { _ in
          try! desk.realm.write { desk.add(id * 10) }
          desk.finish()
        }
      }
    }
    desk.wait(2)
    #expect(desk.perform { $0.ids.sorted() } == [1, 2, 10, 20])
  }

  @Test func aCompletionCannotAskForMore() async {
    let writing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let desk = try Desk()
      desk.perform { desk in
        desk.realm.writeAsync {
        } onComplete: { _ in
          desk.realm.writeAsync {}
        }
      }
      desk.wait()
    }
    #expect(said("from inside a commit completion callback", writing))
    let committing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let desk = try Desk()
      desk.perform { desk in
        desk.realm.writeAsync {
        } onComplete: { _ in
          desk.realm.beginWrite()
          desk.realm.commitAsyncWrite()
        }
      }
      desk.wait()
    }
    #expect(said("from inside a commit completion callback", committing))
    let cancelling = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let desk = try Desk()
      desk.perform { desk in
        desk.realm.writeAsync {
        } onComplete: { _ in
          desk.realm.beginWrite()
          desk.realm.cancelWrite()
        }
      }
      desk.wait()
    }
    #expect(said("from inside a commit completion callback", cancelling))
  }

  @Test func theBlockOfAWriteMustLeaveItOpen() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let desk = try Desk()
      desk.perform { desk in desk.realm.writeAsync { desk.realm.cancelWrite() } }
      desk.wait()
    }
    #expect(said("Can't commit a non-existing write transaction", result))
    #expect(said("ConcurrencyWriteAsyncTests.swift", result))
    let outside = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Desk().perform { _ = $0.realm.commitAsyncWrite() }
    }
    #expect(said("Can't commit a non-existing write transaction", outside))
  }

  /// Up to twenty share what the disk costs once.
  @Test func groupedCommitsShareASync() async throws {
    let files = try TemporaryStore([Note.self])
    let store = try await RealmStore.open(files.configuration)
    let desk = try Desk(files.configuration)
    func syncsOfWriting(grouped: Bool) throws -> Int {
      let before = try #require(store.statistics.files).syncCount
      desk.perform { desk in
        let first = desk.ids.count
        for id in first..<first + 40 {
          desk.realm.beginAsyncWrite {
            desk.add(id)
            desk.realm.commitAsyncWrite(allowGrouping: grouped) { error in
              desk.events.append("\(id)")
              #expect(error == nil)
              desk.finish()
            }
          }
        }
      }
      desk.wait(40)
      return try #require(store.statistics.files).syncCount - before
    }
    #expect(try syncsOfWriting(grouped: true) <= 3)
    _ = try syncsOfWriting(grouped: false)
    #expect(desk.perform { $0.events } == (0..<80).map { "\($0)" })
    try await store.close()
  }

  /// A group whose last member never comes does not wait for it.
  @Test func aGroupEndsWhenNobodyFollows() throws {
    let files = try TemporaryStore([Note.self])
    let desk = try Desk(files.configuration)
    desk.perform { desk in
      desk.realm.beginAsyncWrite {
        desk.add(1)
        desk.realm.commitAsyncWrite(allowGrouping: true) { desk.finish($0) }
      }
      desk.realm.beginAsyncWrite { desk.add(2) }
    }
    desk.wait()
    #expect(desk.perform { $0.ids } == [1])
  }

  @Test func aSynchronousCommitCompletesTheAsynchronousOnes() throws {
    let logged = try LoggedStore(makeConfiguration())
    let desk = try Desk(logged.configuration)
    logged.log.answer(.pending)
    desk.perform { desk in
      for id in 1...2 {
        desk.realm.beginAsyncWrite {
          desk.add(id)
          desk.realm.commitAsyncWrite(allowGrouping: true) { _ in desk.events.append("completion \(id)") }
          if id == 2 { desk.finish() }
        }
      }
    }
    desk.wait()
    let graph = logged.store.graph
    let appended = FirnEngine.Semaphore()
    let disk = JoinedThread {
      appended.wait()
      graph.enterGateBlocking()
      graph.gate.leave()
      graph.didBecomeDurable(through: graph.tip)
    }
    try desk.perform { desk in
      #expect(desk.events.isEmpty)
      logged.log.afterAppend { _ in appended.signal() }
      try desk.realm.write { desk.add(3) }
      #expect(desk.events == ["completion 1", "completion 2"] && desk.ids == [1, 2, 3])
      #expect(!desk.realm.isPerformingAsynchronousWriteOperations)
    }
    disk.join()
  }

  @Test func invalidatingCompletesCommitsAndDropsTheRest() throws {
    let desk = try Desk()
    desk.perform { desk in
      desk.realm.beginAsyncWrite {
        desk.add(1)
        desk.realm.commitAsyncWrite { _ in desk.events.append("completion") }
        desk.realm.writeAsync {
          desk.add(2)
        } onComplete: { _ in
          desk.events.append("never")
        }
        desk.realm.invalidate()
        #expect(desk.events == ["completion"])
        desk.finish()
      }
    }
    desk.wait()
    desk.perform { desk in
      #expect(desk.ids == [1] && desk.events == ["completion"])
      #expect(!desk.realm.isPerformingAsynchronousWriteOperations)
    }
  }

  @Test func observersAreToldOnce() throws {
    let desk = try Desk()
    let token = desk.perform { desk in
      desk.realm.objects(Note.self).observe { change in
        if case .update(let notes, _, let insertions, _) = change {
          desk.events.append("\(notes.count) \(insertions)")
          desk.finish()
        }
      }
    }
    desk.perform { $0.realm.refresh() }
    desk.perform { desk in desk.realm.writeAsync { desk.add(1) } }
    desk.wait()
    #expect(desk.perform { $0.events } == ["1 [0]"])
    token.invalidate()
  }

  // MARK: Places

  @Test func aRunLoopServesItsThread() throws {
    let configuration = makeConfiguration()
    try onRunLoop { flag in
      let realm = try! Realm(configuration: configuration)
      realm.writeAsync {
        realm.create(Note.self, value: [1])
      } onComplete: { error in
        #expect(error == nil && realm.objects(Note.self).count == 1)
        flag.isSet = true
      }
    }
  }

  @Test func anActorIsServed() async throws {
    actor Writer {
      private var realm: Realm!

      init(_ configuration: Realm.Configuration) async throws {
        realm = try await Realm.open(configuration: configuration)
      }

      func write(_ id: Int) async -> Int {
        await withCheckedContinuation { continuation in
          let realm = realm!
          realm.writeAsync {
            self.assertIsolated()
            realm.create(Note.self, value: [id])
          } onComplete: { _ in
            self.assertIsolated()
            continuation.resume(returning: realm.objects(Note.self).count)
          }
        }
      }
    }
    let writer = try await Writer(makeConfiguration())
    #expect(await writer.write(1) == 1)
    #expect(await writer.write(2) == 2)
  }

  @MainActor @Test func theMainActorIsServed() async throws {
    let realm = try await Realm(configuration: makeConfiguration())
    let count = await withCheckedContinuation { continuation in
      realm.writeAsync {
        realm.create(Note.self, value: [1])
      } onComplete: { _ in
        continuation.resume(returning: realm.objects(Note.self).count)
      }
    }
    #expect(count == 1)
  }

  @Test func otherPlacesAreRefused() async {
    let thread = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread { _ = try Realm(configuration: makeConfiguration()).writeAsync {} }
    }
    #expect(said("inside a run loop", thread))
    let task = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await Task.detached {
        _ = try! Realm(configuration: makeConfiguration(), queue: nil).beginAsyncWrite {}
      }.value
    }
    #expect(said("inside a run loop", task))
    let block = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try await RealmStore.open(makeConfiguration())
      try await store.write { realm in _ = realm.commitAsyncWrite() }
    }
    #expect(said("inside a run loop", block))
    let elsewhere = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let desk = try Desk()
      desk.realm.writeAsync {}
    }
    #expect(said("incorrect queue or thread", elsewhere))
    let frozen = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Desk().perform { _ = $0.realm.freeze().writeAsync {} }
    }
    #expect(said("Can't perform transactions on a frozen Realm", frozen))
  }

  // MARK: Among others

  @Test func aHundredThousandAreDone() throws {
    let desk = try Desk()
    let count = 100_000
    desk.perform { desk in
      for id in 0..<count {
        desk.realm.writeAsync {
          desk.add(id)
        } onComplete: { error in
          if error != nil || id == count - 1 { desk.finish() }
        }
      }
    }
    desk.wait()
    #expect(desk.perform { $0.ids == Array(0..<count) })
  }

  @Test func allKindsOfWritersTakeTurns() async throws {
    let configuration = makeConfiguration()
    let store = try await RealmStore.open(configuration)
    let desks = try (0..<3).map { _ in try Desk(configuration) }
    let count = 60
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, desk) in desks.enumerated() {
        desk.perform { desk in
          for number in 0..<count {
            desk.realm.writeAsync {
              desk.add(index * 1000 + number)
            } onComplete: { _ in
              desk.finish()
            }
          }
        }
      }
      for task in 3..<6 {
        group.addTask {
          for number in 0..<count {
            try await store.write { realm in realm.create(Note.self, value: [task * 1000 + number]) }
          }
        }
      }
      try await group.waitForAll()
    }
    JoinedThread.runAll(
      (6..<8).map { thread in
        {
          let realm = try! Realm(configuration: configuration)
          for number in 0..<count { try! realm.write { _ = realm.create(Note.self, value: [thread * 1000 + number]) } }
        }
      })
    try onOwnThread { for desk in desks { desk.wait(count) } }
    #expect(store.freeze().objects(Note.self).count == 8 * count)
  }

  /// A run loop that never turns again holds nobody up.
  @Test func aDeadRunLoopKeepsNobodyWaiting() async throws {
    let configuration = makeConfiguration()
    let store = try await RealmStore.open(configuration)
    let isInside = FirnEngine.Semaphore()
    let mayLeave = FirnEngine.Semaphore()
    let holder = JoinedThread {
      let realm = try! Realm(configuration: configuration)
      try! realm.write {
        isInside.signal()
        mayLeave.wait()
        realm.create(Note.self, value: [1])
      }
    }
    try onRunLoop { flag in
      isInside.wait()
      let realm = try! Realm(configuration: configuration)
      realm.writeAsync { realm.create(Note.self, value: [2]) }
      // The write has come to the gate, and then the thread ends.
      RunLoop.current.perform { RunLoop.current.perform { flag.isSet = true } }
    }
    mayLeave.signal()
    holder.join()
    try await store.write { realm in realm.create(Note.self, value: [3]) }
    #expect(store.freeze().objects(Note.self).map(\.id).contains(3))
  }

  @Test func closingDoesWhatQueuesWereAskedFor() async throws {
    let files = try TemporaryStore([Note.self])
    let store = try await RealmStore.open(files.configuration)
    let desk = try Desk(files.configuration)
    desk.perform { desk in
      for id in 0..<50 {
        desk.realm.writeAsync {
          desk.add(id)
        } onComplete: {
          desk.finish($0)
        }
      }
    }
    try await store.close()
    desk.perform { desk in
      #expect(desk.events.count == 50 && desk.events.allSatisfy { $0 == "done" })
      desk.realm.writeAsync {
        desk.add(100)
      } onComplete: { error in
        #expect((error as? Realm.Error)?.code == .storeClosed)
        desk.finish(error)
      }
    }
    try onOwnThread { desk.wait(51) }
    #expect(desk.perform { $0.events.last } == "failed")
  }
}
