import FirnDurability
import FirnEngine
import Glibc
import TestSupport
import Testing

/// Threads for work that blocks.
@Suite struct WorkThreadsConcurrencyTests {
  /// The number of pieces that run, and the most that ever ran at once.
  private final class Load: Sendable {
    private let counts = Lock((running: 0, most: 0))

    func begin() {
      counts.withLock { counts in
        counts.running += 1
        counts.most = max(counts.most, counts.running)
      }
    }

    func end() { counts.withLock { $0.running -= 1 } }

    var running: Int { counts.withLock { $0.running } }
    var most: Int { counts.withLock { $0.most } }
  }

  private func idle(_ threads: WorkThreads) {
    while threads.counts != WorkThreads.Counts() { sched_yield() }
  }

  @Test("so many pieces of work run at once, and no thread is left behind them")
  func bound() {
    let threads = WorkThreads(threadCountMax: 3)
    let load = Load()
    let semaphores = (0..<20).map { _ in Semaphore() }
    for number in 0..<20 {
      threads.submit {
        load.begin()
        semaphores[number].wait()
        load.end()
      } orRefuse: { _ in
        fatalError("There are threads.")
      }
      // No thread is started for a piece that has to wait.
      #expect(threads.counts.busy <= 3)
    }
    while load.running < 3 { sched_yield() }
    #expect(threads.counts == WorkThreads.Counts(busy: 3, waiting: 17))
    for semaphore in semaphores { semaphore.signal() }
    idle(threads)
    #expect(load.most == 3)
  }

  @Test("work that waits for the application keeps nobody else from a thread, and work is done in order")
  func lending() {
    let threads = WorkThreads(threadCountMax: 1)
    let order = Lock([String]())
    let asked = Semaphore()
    let answered = Semaphore()
    threads.submit {
      WorkThreads.lending {
        // Lent is lent: within, nothing more happens.
        WorkThreads.lending { asked.signal() }
        answered.wait()
      }
      order.withLock { $0.append("goes on") }
    } orRefuse: { _ in
      fatalError("There are threads.")
    }
    asked.wait()
    #expect(threads.counts == WorkThreads.Counts(lent: 1))
    for number in 0..<3 {
      threads.submit {
        order.withLock { $0.append("\(number)") }
        if number == 2 { answered.signal() }
      } orRefuse: { _ in
        fatalError("There are threads.")
      }
    }
    idle(threads)
    #expect(order.withLock { $0.prefix(3) } == ["0", "1", "2"])
    #expect(order.withLock { $0.last } == "goes on")
  }

  @Test("a thread is lent as often as its work waits, and counts in between")
  func lendingAgain() {
    let threads = WorkThreads(threadCountMax: 1)
    let counts = Lock([WorkThreads.Counts]())
    threads.submit {
      for _ in 0..<3 {
        WorkThreads.lending { counts.withLock { $0.append(threads.counts) } }
        counts.withLock { $0.append(threads.counts) }
      }
    } orRefuse: { _ in
      fatalError("There are threads.")
    }
    idle(threads)
    let pair = [WorkThreads.Counts(lent: 1), WorkThreads.Counts(busy: 1)]
    #expect(counts.withLock { $0 } == pair + pair + pair)
  }

  @Test("threads that have ended leave no memory behind")
  func threadsThatEnded() async {
    await #expect(processExitsWith: .success) {
      // There is room for a few stacks at a time, of eight megabytes each.
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
      let most = rlimit(rlim_cur: rlim_t(ResidentMemory.addressByteCount + 1 << 30), rlim_max: limit.rlim_max)
      withUnsafePointer(to: most) { _ = setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), $0) }
      let threads = WorkThreads(threadCountMax: 1)
      let refused = Lock(0)
      for _ in 0..<500 {
        threads.submit {
        } orRefuse: { _ in
          refused.withLock { $0 += 1 }
        }
        while threads.counts != WorkThreads.Counts() { sched_yield() }
      }
      exit(refused.withLock { $0 } == 0 ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  @Test("work that was waiting when a thread was lent is begun")
  func lendingToWhoWaits() {
    let threads = WorkThreads(threadCountMax: 1)
    let begun = Semaphore()
    let submitted = Semaphore()
    let answered = Semaphore()
    threads.submit {
      begun.signal()
      submitted.wait()
      WorkThreads.lending { answered.wait() }
    } orRefuse: { _ in
      fatalError("There are threads.")
    }
    begun.wait()
    threads.submit {
      answered.signal()
    } orRefuse: { _ in
      fatalError("There are threads.")
    }
    submitted.signal()
    idle(threads)
  }

  @Test("tasks get what the work returns and throws, more of them than there are threads")
  func tasks() async {
    let threads = WorkThreads(threadCountMax: 2)
    let load = Load()
    await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<200 {
        group.addTask {
          try await threads.run {
            load.begin()
            defer { load.end() }
            if number == 7 { throw StoreError(.fail, "seven") }
            return number
          }
        }
      }
      var sum = 0
      while let result = await group.nextResult() {
        switch result {
        case .success(let number): sum += number
        case .failure(let error): #expect((error as? StoreError)?.message == "seven")
        }
      }
      #expect(sum == 199 * 100 - 7)
    }
    #expect(load.most <= 2)
    #expect(WorkThreads.lending { 5 } == 5)
  }

  @Test("the threads have a name, by which tools show them")
  func name() async throws {
    let name = try await WorkThreads(threadCountMax: 1).run {
      var text = [CChar](repeating: 0, count: 32)
      guard let file = fopen("/proc/thread-self/comm", "r") else { return "" }
      defer { fclose(file) }
      _ = fgets(&text, Int32(text.count), file)
      return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    #expect(name == "firn-work\n")
  }

  @Test("without threads work is refused with a reason, and later there may be some again")
  func noThreads() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
      let least = rlimit(rlim_cur: 1, rlim_max: limit.rlim_max)
      let threads = WorkThreads(threadCountMax: 2)
      func refusals(of count: Int) -> Int {
        let refused = Lock(0)
        let done = Semaphore()
        for _ in 0..<count {
          threads.submit {
            done.signal()
          } orRefuse: { _ in
            refused.withLock { $0 += 1 }
            done.signal()
          }
        }
        for _ in 0..<count { done.wait() }
        return refused.withLock { $0 }
      }
      withUnsafePointer(to: least) { _ = setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), $0) }
      let without = refusals(of: 3)
      withUnsafePointer(to: limit) { _ = setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), $0) }
      let after = refusals(of: 3)
      exit(without == 3 && after == 0 ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }
}
