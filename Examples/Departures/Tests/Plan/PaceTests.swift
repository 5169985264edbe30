import DeparturePlan
import Testing

@Suite struct PaceTests {
  private let start = ContinuousClock.now

  @Test func convertsMinutesToTime() {
    var clock = PaceClock(minutesPerSecond: 10)
    #expect(clock.duration(until: 5, at: start) == nil, "it was not started")
    clock.start(at: 100, now: start)
    #expect(clock.duration(until: 120, at: start) == .seconds(2))
    #expect(clock.duration(until: 120, at: start + .seconds(3)) == .seconds(-1))
  }

  @Test func aChangeOfSpeedCountsFromThen() {
    var clock = PaceClock(minutesPerSecond: 10)
    clock.start(at: 0, now: start)
    clock.setMinutesPerSecond(5, at: start + .seconds(2))
    #expect(clock.duration(until: 30, at: start + .seconds(2)) == .seconds(2))
  }

  @Test func standsStillWhilePausedOrHeld() {
    var clock = PaceClock(minutesPerSecond: 10)
    clock.start(at: 0, now: start)
    clock.setPaused(true, at: start + .seconds(1))
    #expect(clock.duration(until: 20, at: start + .seconds(5)) == nil)
    clock.setHeld(true, at: start + .seconds(6))
    clock.setPaused(false, at: start + .seconds(7))
    #expect(clock.duration(until: 20, at: start + .seconds(8)) == nil)
    clock.setHeld(false, at: start + .seconds(9))
    #expect(clock.duration(until: 20, at: start + .seconds(9)) == .seconds(1))
  }

  @Test func averagesTheLastMeasurements() {
    var average = LatencyAverage()
    #expect(average.average == nil)
    average.add(.milliseconds(4))
    average.add(.zero)
    #expect(average.average == .milliseconds(2))
    for _ in 0..<128 { average.add(.milliseconds(1)) }
    #expect(average.average == .milliseconds(1))
  }

  @Test func countsCommitsOverTheLastSeconds() {
    var rate = CommitRate()
    let rates = [0, 10, 20, 30, 30, 30, 30, 30].enumerated().map { second, count in
      rate.read(count, at: start + .seconds(second))
    }
    #expect(rates.prefix(4) == [0, 10, 10, 10])
    #expect(rates.last == 0)
  }
}
