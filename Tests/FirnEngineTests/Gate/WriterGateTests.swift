import FirnEngine
import Synchronization
import TestSupport
import Testing

@Suite struct WriterGateTests {
  /// Whoever may wait for ever says so.
  @Test func aLongWaitIsReportedOnce() {
    let gate = WriterGate()
    let inside = CallSite(function: "inside", file: "File.swift", line: 7)
    gate.enter(GateHolder(inside))
    let reported = Semaphore()
    let isIn = Atomic<Bool>(false)
    let count = Atomic<Int>(0)
    let thread = JoinedThread {
      gate.enter(
        GateHolder(CallSite(function: "waiting", file: "File.swift", line: 8)),
        longWait: WriterGate.LongWait(secondCount: 0) { site in
          #expect(site?.description == "inside at File.swift:7")
          let isLate = isIn.load(ordering: .relaxed)
          #expect(!isLate)
          count.wrappingAdd(1, ordering: .relaxed)
          reported.signal()
        })
      isIn.store(true, ordering: .relaxed)
      gate.leave()
    }
    reported.wait()
    gate.leave()
    thread.join()
    let (entered, reports) = (isIn.load(ordering: .relaxed), count.load(ordering: .relaxed))
    #expect(entered && reports == 1)
    #expect(gate.tryEnter())
  }

  @Test func aSemaphoreThatWasSignalledIsNotLate() {
    let semaphore = Semaphore()
    #expect(!semaphore.wait(secondCount: 0))
    semaphore.signal()
    #expect(semaphore.wait(secondCount: 0))
    #expect(!semaphore.wait(secondCount: 0))
  }
}
