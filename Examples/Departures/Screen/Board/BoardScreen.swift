/// The departures board as a value: it takes what observers bring and keys, and draws itself in any size.
///
/// It knows no store and no terminal. What is filtered and sorted here is asked of the program by an action, and comes
/// back as news.
package struct BoardScreen: Sendable {
  // What observers brought.
  package private(set) var status: BoardStatus?
  package private(set) var departures: [DepartureLine] = []
  package private(set) var airlines: [AirlineLine] = []
  package private(set) var weather: [WeatherLine] = []
  package private(set) var statuses: [StatusLine] = []
  /// The newest last.
  package private(set) var log: [LogLine] = []

  /// What the footer shows.
  package var figures: StoreFigures?
  /// Lines above the board that the next key takes away. Low screens show the first only.
  package var notice: String?

  /// Where all departures lead to, such as `500 km of ORD`; nil for anywhere. No key changes it.
  package var vicinity: String?

  package private(set) var selection = BoardSelection()
  /// The departure at the top.
  var firstRow = 0
  /// Rows of the board when it was last drawn.
  var pageRowCount = 10

  static let logCountMax = 200
  static let speeds: [Double] = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600]

  package init() {}

  package mutating func receive(_ news: BoardNews) {
    switch news {
    case .status(let status): self.status = status
    case .departures(let departures): self.departures = departures
    case .airlines(let airlines): self.airlines = airlines
    case .weather(let weather): self.weather = weather
    case .statuses(let statuses): self.statuses = statuses
    case .log(let lines): log = Array((log + lines).suffix(BoardScreen.logCountMax))
    }
  }

  /// Follows a key as far as it concerns the screen only.
  package mutating func press(_ key: Key) -> BoardAction? {
    notice = nil
    switch key {
    case .character("q"), .character("Q"): return .quit
    case .character("K"): return .kill
    case .character(" "), .character("p"): return status.map { .setPaused(!$0.isPaused) }
    case .character("+"), .character("="): return speed { speed in BoardScreen.speeds.first { $0 > speed } }
    case .character("-"): return speed { speed in BoardScreen.speeds.last { $0 < speed } }
    case .character("a"): return select(airport: next(selection.airport, of: airportCodes))
    case .character("A"): return select(airport: next(selection.airport, of: airportCodes.reversed()))
    case .character("l"): return select(airline: next(selection.airline, of: airlineCodes))
    case .character("L"): return select(airline: next(selection.airline, of: airlineCodes.reversed()))
    case .character("s"): return selectNextOrder()
    case .escape: return select(BoardSelection(order: selection.order))
    case .control("l"): return .redraw
    default:
      scroll(key)
      return nil
    }
  }

  private mutating func scroll(_ key: Key) {
    switch key {
    case .up: firstRow -= 1
    case .down: firstRow += 1
    case .pageUp: firstRow -= pageRowCount
    case .pageDown: firstRow += pageRowCount
    case .home: firstRow = 0
    case .end: firstRow = departures.count
    default: break
    }
    keepRowsInView()
  }

  /// The board starts no later than it must to show its last departure.
  mutating func keepRowsInView() {
    firstRow = max(0, min(firstRow, departures.count - pageRowCount))
  }

  private func speed(_ next: (Double) -> Double?) -> BoardAction? {
    status.flatMap { next($0.minutesPerSecond) }.map { .setMinutesPerSecond($0) }
  }

  private var airportCodes: [String] { weather.map(\.airport).sorted() }

  private var airlineCodes: [String] { airlines.map(\.code).sorted() }

  /// The value after this one; nil, which stands for all, is between the last and the first.
  private func next(_ code: String?, of codes: [String]) -> String? {
    guard let code else { return codes.first }
    return codes.firstIndex(of: code).flatMap { $0 + 1 < codes.count ? codes[$0 + 1] : nil }
  }

  private mutating func select(airport: String?) -> BoardAction {
    select(BoardSelection(airport: airport, airline: selection.airline, order: selection.order))
  }

  private mutating func select(airline: String?) -> BoardAction {
    select(BoardSelection(airport: selection.airport, airline: airline, order: selection.order))
  }

  private mutating func selectNextOrder() -> BoardAction {
    let orders = BoardSelection.Order.allCases
    let position = orders.firstIndex(of: selection.order) ?? 0
    var new = selection
    new.order = orders[(position + 1) % orders.count]
    return select(new)
  }

  private mutating func select(_ new: BoardSelection) -> BoardAction {
    selection = new
    firstRow = 0
    return .select(new)
  }
}
