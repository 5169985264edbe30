import DeparturePlan
import Foundation
import Testing

@Suite struct MinuteTests {
  @Test(arguments: [
    ("1970-01-01T00:00Z", 0), ("1970-01-02T01:01Z", 1501), ("1969-12-31T23:59Z", -1),
    ("2000-03-01T00:00Z", 15_864_480), ("2013-07-10T09:15Z", 22_890_795),
  ])
  func readsTimes(text: String, sinceEpoch: Int) {
    #expect(Minute(text)?.sinceEpoch == sinceEpoch)
  }

  @Test(arguments: [
    "", "2013-07-10", "2013-07-10T09:15", "2013-07-10 09:15Z", "2013-07-10T09:15Z ", "2013-13-10T09:15Z",
    "2013-02-29T09:15Z", "2013-00-10T09:15Z", "2013-07-00T09:15Z", "2013-07-10T24:00Z", "2013-07-10T09:60Z",
    "2013-07-10T-9:15Z", "1900-02-29T00:00Z",
  ])
  func refusesWhatIsNoTime(text: String) {
    #expect(Minute(text) == nil)
  }

  @Test func showsTheTimeOfTheZone() throws {
    let clock = BoardClock(timeZone: "America/New_York")
    let evening = Date(try #require(Minute("2013-07-11T03:05Z")))
    #expect(clock.text(evening) == "23:05")
    #expect(clock.day(of: evening) == "2013-07-10")
    #expect(clock.hour(of: evening.addingTimeInterval(55 * 60)) == clock.hour(of: evening) + 1)
    #expect(BoardClock(timeZone: "Nowhere/Town").text(evening) == "03:05")
  }
}
