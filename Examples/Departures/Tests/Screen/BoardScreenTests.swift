import DepartureScreen
import Testing

@Suite struct BoardScreenTests {
  private func screen(departureCount: Int = 60) -> BoardScreen {
    var screen = BoardScreen()
    screen.receive(
      .status(
        BoardStatus(
          name: "New York", day: "2013-07-10", time: "14:35", minutesPerSecond: 15, isPaused: false, isDayOver: false)))
    screen.receive(
      .departures(
        (0..<departureCount).map { position in
          DepartureLine(
            time: "15:\(10 + position % 50)", flight: "B6 \(100 + position)", origin: "JFK",
            destination: position == 3 ? "HND 東京国際空港" : "BOS Boston", status: position == 1 ? .cancelled : .delayed,
            delayMinutes: 30 + position, aircraft: "Airbus A320-232")
        }))
    screen.receive(
      .airlines([
        AirlineLine(code: "B6", name: "JetBlue Airways", departureCount: 12, averageDelayMinutes: 70),
        AirlineLine(code: "AA", name: "American Airlines Inc.", departureCount: 9, averageDelayMinutes: 35),
        AirlineLine(code: "HA", name: "Hawaiian Airlines Inc.", departureCount: 0, averageDelayMinutes: 0),
      ]))
    screen.receive(
      .weather(
        ["EWR", "JFK", "LGA"].map {
          WeatherLine(airport: $0, figures: ["77 °F", "wind 7 mph from 170°", "rain 0.2 in"])
        }
      ))
    screen.receive(
      .statuses([
        StatusLine(status: .scheduled, flightCount: 120, averageDelayMinutes: nil),
        StatusLine(status: .delayed, flightCount: 33, averageDelayMinutes: 41),
        StatusLine(status: .departed, flightCount: 208, averageDelayMinutes: -2),
      ]))
    screen.receive(.log([LogLine(time: "14:35", text: "B6 100 JFK→BOS delayed 30 min", status: .delayed)]))
    screen.figures = StoreFigures(
      commitsPerSecond: 14.2, notificationMilliseconds: 0.4, rowCount: 1_712, memoryByteCount: 2_140_000,
      journalByteCount: 64_000, secondsSinceCheckpoint: 12)
    return screen
  }

  private func lines(_ screen: BoardScreen, _ width: Int, _ height: Int) -> [String] {
    var screen = screen
    return screen.draw(ScreenSize(width: width, height: height)).lines
  }

  @Test(arguments: [(100, 30), (80, 24), (132, 50)])
  func showsEveryPart(width: Int, height: Int) {
    var screen = screen()
    screen.notice = "The board goes on at 14:30.\n12 commits recovered."
    let text = lines(screen, width, height).joined(separator: "\n")
    for part in [
      "14:35  15 min/s  New York departures  2013-07-10", "The board goes on at 14:30.", "12 commits recovered.",
      "TIME", "STATUS", "AIRCRAFT",
      "B6 100", "HND 東京国際", "cancelled", "+31", "Airbus A320-2", "delays by airline", "B6 JetBlue", "70 min",
      "weather", "LGA 77 °F", "flights by status", "changes", "14:35 B6 100 JFK→BOS", "14 commits/s",
      "notified in 0.4 ms", "1712 rows",
      "journal 64 kB", "q quit", "K kill",
    ] {
      #expect(text.contains(part), "\(part) is missing in\n\(text)")
    }
    #expect(!text.contains("Hawaiian"))
    if height >= 50 {
      for part in ["scheduled   120", "delayed      33   +41", "departed    208    -2"] {
        #expect(text.contains(part), "\(part) is missing in\n\(text)")
      }
    } else {
      #expect(text.contains("sched. 120  late 33 +41  left 208 -2"), "\(text)")
    }
    if width >= 100 { #expect(text.contains("checkpoint 12 s ago  memory 2.1 MB")) }
  }

  @Test func theSmallestUsefulScreen() {
    #expect(
      lines(screen(), 20, 5) == [
        " 14:35  15 min/s", "TIME  FLIGHT  STATUS", "15:10 B6 100  late", "15:11 B6 101  cancel",
        " q quit  spc  +-  a",
      ])
  }

  /// Every size up to some: nothing traps, and every row fits.
  @Test func everySizeIsDrawn() {
    var screen = screen()
    for hasNotice in [false, true] {
      screen.notice = hasNotice ? "A notice that is longer than most of these screens are wide.\nIt goes on." : nil
      for width in [1, 2, 3, 5, 7, 11, 19, 20, 21, 39, 40, 59, 60, 61, 80, 120, 400] {
        for height in [1, 2, 3, 4, 5, 6, 9, 15, 16, 17, 24, 60] {
          let frame = screen.draw(ScreenSize(width: width, height: height))
          #expect(frame.lines.allSatisfy { $0.displayWidth <= width }, "\(width)x\(height)")
          #expect(frame.lines[0].contains("14:3") || width < 7, "\(width)x\(height)")
        }
      }
    }
    #expect(lines(BoardScreen(), 80, 24)[0].contains("starting"))
  }

  @Test func scrollsNoFurtherThanTheLastDeparture() {
    var screen = screen()
    let size = ScreenSize(width: 20, height: 5)
    func first() -> String { screen.draw(size).lines[2] }
    #expect(first().contains("B6 100"))
    #expect(screen.press(.down) == nil)
    #expect(first().contains("B6 101"))
    _ = screen.press(.pageDown)
    #expect(first().contains("B6 103"))
    _ = screen.press(.end)
    #expect(first().contains("B6 158"))
    _ = screen.press(.down)
    #expect(first().contains("B6 158"))
    _ = screen.press(.home)
    _ = screen.press(.up)
    #expect(first().contains("B6 100"))
    _ = screen.press(.end)
    screen.receive(.departures([]))
    #expect(screen.draw(size).lines[2].contains("no departures"))
  }

  @Test func keysAskForActions() {
    var screen = screen()
    #expect(screen.press(.character("q")) == .quit)
    #expect(screen.press(.character("K")) == .kill)
    #expect(screen.press(.character("k")) == nil)
    #expect(screen.press(.character(" ")) == .setPaused(true))
    #expect(screen.press(.character("+")) == .setMinutesPerSecond(30))
    #expect(screen.press(.character("-")) == .setMinutesPerSecond(10))
    #expect(screen.press(.control("l")) == .redraw)
    var empty = BoardScreen()
    #expect(empty.press(.character(" ")) == nil)
    #expect(empty.press(.character("+")) == nil)
    #expect(empty.press(.character("a")) == .select(BoardSelection()))
  }

  @Test func filtersGoRoundAndSortingToo() {
    var screen = screen()
    let airports = "aaaa".map { screen.press(.character($0)) }
    #expect(
      airports == ["EWR", "JFK", "LGA", nil].map { BoardAction.select(BoardSelection(airport: $0)) })
    #expect(screen.press(.character("A")) == .select(BoardSelection(airport: "LGA")))
    #expect(screen.press(.character("l")) == .select(BoardSelection(airport: "LGA", airline: "AA")))
    #expect(screen.press(.character("s")) == .select(BoardSelection(airport: "LGA", airline: "AA", order: .delay)))
    #expect(lines(screen, 100, 30)[0].hasSuffix("LGA  AA  by delay"))
    #expect(screen.press(.escape) == .select(BoardSelection(order: .delay)))
    let orders = "sss".map { screen.press(.character($0)) }
    #expect(orders == [.airline, .destination, .time].map { BoardAction.select(BoardSelection(order: $0)) })
  }

  @Test func theNextKeyTakesTheNoticeAway() {
    var screen = screen()
    screen.notice = "recovered"
    _ = screen.press(.down)
    #expect(screen.notice == nil)
  }

  @Test func theLogKeepsTheNewest() {
    var screen = screen()
    for number in 0..<500 {
      screen.receive(
        .statuses([
          StatusLine(status: .scheduled, flightCount: 120, averageDelayMinutes: nil),
          StatusLine(status: .delayed, flightCount: 33, averageDelayMinutes: 41),
          StatusLine(status: .departed, flightCount: 208, averageDelayMinutes: -2),
        ]))
      screen.receive(.log([LogLine(time: "15:00", text: "change \(number)", status: .arrived)]))
    }
    #expect(screen.log.count == 200)
    #expect(lines(screen, 100, 30).contains { $0.contains("change 499") })
  }
}
