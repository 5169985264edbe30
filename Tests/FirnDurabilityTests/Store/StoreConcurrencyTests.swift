import FirnDurability
import FirnEngine
import TestSupport
import Testing

/// Many threads commit to a store whose disk fails at some sync: nobody ever sees what vanishes later.
@Suite struct StoreConcurrencyTests {
  private static let path = "/store.firn"
  private static let schema = [
    TableDescription(name: "Item", columns: [ColumnDescription(name: "number", type: .int)]),
    TableDescription(name: "Twin", columns: [ColumnDescription(name: "number", type: .int)]),
  ]

  private static func open(_ disk: SimulatedDisk) throws -> DurableStore {
    try openStore(path, schema, on: disk, segmentByteCount: 4_096)
  }

  /// The numbers in a table, in the order of the commits.
  private static func numbers(_ contents: GraphContents, _ table: Int) -> [Int64] {
    var numbers: [Int64] = []
    contents.forEachKey(in: TableID(table)) { key in
      if case .int(let number) = contents.value(ColumnID(0), of: key, in: TableID(table)) { numbers.append(number) }
    }
    return numbers
  }

  /// What writers, readers and the observer found.
  private struct Findings {
    var acknowledged: [Int64] = []
    var thrown: [Int64] = []
    /// The most that a reader or the observer saw at the head.
    var seen: [Int64] = []
    var complaints: [String] = []
    var isOver = false
    var readCount = 0
  }

  /// Commits a row to either table, waits, and notes what became of it.
  private static func write(_ number: Int64, _ store: DurableStore, _ findings: Lock<Findings>) {
    do {
      let version = try commit(number, store.graph)
      store.flush(through: version.number)
      // Another thread may still be telling everybody of a failure.
      let isDurable = Lock(false)
      let isDecided = Semaphore()
      store.graph.whenDurable(version.number) { error in
        isDurable.withLock { $0 = error == nil }
        isDecided.signal()
      }
      isDecided.wait()
      if isDurable.withLock({ $0 }) {
        findings.withLock { $0.acknowledged.append(number) }
      } else {
        findings.withLock { $0.thrown.append(number) }
      }
    } catch {
      findings.withLock { findings in
        findings.thrown.append(number)
        // The call that fails may be that for the next segment.
        let isExpected = [.durabilityLost, .fileOperationFailed].contains((error as? StoreError)?.code)
        if !isExpected { findings.complaints.append("\(error)") }
      }
    }
  }

  private static func commit(_ number: Int64, _ graph: Graph) throws -> Version {
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    let writer = graph.begin()
    for table in 0..<2 { writer.insert(into: TableID(table)) { $0.setInt(ColumnID(0), number) } }
    return try graph.commit().version
  }

  private static func look(_ version: Version, _ findings: Lock<Findings>) {
    defer { withExtendedLifetime(version) {} }
    let numbers = numbers(version.contents, 0)
    let twins = self.numbers(version.contents, 1)
    findings.withLock { findings in
      findings.readCount += 1
      if numbers != twins { findings.complaints.append("half a commit was seen: \(numbers) and \(twins)") }
      if numbers.count > findings.seen.count { findings.seen = numbers }
      if !findings.seen.starts(with: numbers) { findings.complaints.append("\(numbers) came after \(findings.seen)") }
    }
  }

  /// Follows the changes at the head as an observer does, until all is over.
  private static func observe(_ graph: Graph, _ findings: Lock<Findings>) {
    var version = graph.holdHead()
    let follower = graph.followChanges(from: version.number)
    // The writers may have begun.
    var count = version.contents.rowCount(TableID(0))
    while true {
      let isOver = findings.withLock { $0.isOver }
      let next = graph.holdHead()
      if next.number != version.number {
        let changes = follower.takeChanges(from: version, to: next).changes
        count += changes.tables[0].inserted.count - changes.tables[0].deleted.count
        if !changes.tables[0].deleted.isEmpty {
          findings.withLock { $0.complaints.append("what an observer was told of was taken back") }
        }
        if count != next.contents.rowCount(TableID(0)) {
          let found = count
          findings.withLock { $0.complaints.append("the changes lead to \(found) rows at \(next.number)") }
        }
        version = next
        look(next, findings)
      }
      if isOver { return }
    }
  }

  @Test(arguments: [1, 2, 3, 5, 9, 17])
  func nobodySeesWhatVanishes(syncUntilFailure: Int) throws {
    let disk = SimulatedDisk(seed: UInt64(syncUntilFailure))
    let store = try Self.open(disk)
    let graph = store.graph
    let findings = Lock(Findings())
    let syncCount = Lock(0)
    disk.beforeSync { path in
      guard path.hasSuffix(".segment") else { return }
      let isLast = syncCount.withLock { count in
        count += 1
        // The first is that of the segment when it is allotted.
        return count == syncUntilFailure + 1
      }
      // The next call fails, or one of another thread and this one soon after.
      if isLast { disk.setFault(SimulatedDisk.Fault(call: 1, kind: .stop)) }
    }
    let readers = (0..<3).map { _ in
      JoinedThread {
        while !findings.withLock({ $0.isOver }) { Self.look(graph.holdHead(), findings) }
      }
    }
    let observer = JoinedThread { Self.observe(graph, findings) }
    let writers = (0..<16).map { thread in
      JoinedThread {
        for round in 0..<6 { Self.write(Int64(thread * 100 + round), store, findings) }
      }
    }
    for writer in writers { writer.join() }
    // Reads go on, commits do not.
    Self.look(graph.holdHead(), findings)
    let didFail = disk.isStopped
    if didFail { Self.write(9_999, store, findings) }
    findings.withLock { $0.isOver = true }
    for reader in readers { reader.join() }
    observer.join()
    store.journal?.settle()
    let found = findings.withLock { $0 }
    #expect(found.complaints.isEmpty)
    #expect(found.acknowledged.count + found.thrown.count == 16 * 6 + (didFail ? 1 : 0))
    #expect(!didFail || found.thrown.contains(9_999))
    #expect(Set(Self.numbers(graph.holdHead().contents, 0)) == Set(found.acknowledged))
    #expect(Set(found.seen) == Set(found.acknowledged))
    graph.checkInvariants()
    for survival in SimulatedDisk.Survival.allCases {
      let after = try Self.open(disk.crash(survival))
      let numbers = Self.numbers(after.graph.holdHead().contents, 0)
      #expect(numbers.starts(with: found.seen), "\(survival)")
      #expect(numbers == Self.numbers(after.graph.holdHead().contents, 1))
      #expect(Set(numbers).isSubset(of: Set(found.acknowledged + found.thrown)))
    }
  }
}
