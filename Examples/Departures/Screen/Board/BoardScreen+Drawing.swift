extension BoardScreen {
  /// The screen in a size. Draws what there is room for; the smallest screens show the clock and some departures.
  package mutating func draw(_ size: ScreenSize) -> Frame {
    var frame = Frame(size)
    let noticeLines = notice?.split(separator: "\n") ?? []
    let layout = BoardLayout(size, noticeLineCount: noticeLines.count, airportCount: weather.count)
    pageRowCount = max(1, layout.board.height - 1)
    keepRowsInView()
    drawHeader(in: layout.header, of: &frame)
    for (row, line) in noticeLines.enumerated() {
      frame.write(line, in: layout.notice, row: row, column: 1, Style(.green, isBold: true))
    }
    drawBoard(in: layout.board, of: &frame)
    drawAirlines(in: layout.airlines, of: &frame)
    drawWeather(in: layout.weather, of: &frame)
    drawStatuses(in: layout.statuses, of: &frame)
    drawLog(in: layout.log, of: &frame)
    drawFigures(in: layout.figures, of: &frame)
    drawKeys(in: layout.keys, of: &frame)
    return frame
  }

  private func drawHeader(in area: ScreenArea, of frame: inout Frame) {
    let clock = status?.time ?? "--:--"
    let name = status.map { "\($0.name) departures" } ?? "Departures"
    let pace = status.map(BoardScreen.pace) ?? ["starting"]
    let day = status?.day ?? ""
    // The clock and the pace first, then what is selected; name and day have what is left.
    let essential = BoardScreen.joined([clock] + pace, width: area.width - 2)
    let filters = [vicinity.map { "to \($0)" }, selection.airport, selection.airline].compactMap { $0 }
    let choice = (filters.isEmpty ? ["all flights"] : filters) + ["by \(selection.order)"]
    let right = BoardScreen.joined(choice, width: area.width - 4 - essential.displayWidth)
    let room = area.width - 2 - (right.isEmpty ? 0 : right.displayWidth + 2)
    frame.write(BoardScreen.joined([clock] + pace + [name, day], width: room), in: area, column: 1)
    if !right.isEmpty { frame.writeRight(right + " ", in: area) }
    frame.paint(row: area.row, .bar)
  }

  private static func pace(_ status: BoardStatus) -> [String] {
    if status.isDayOver { return ["the day is over"] }
    return (status.isPaused ? ["paused"] : []) + ["\(short(status.minutesPerSecond)) min/s"]
  }

  private func drawBoard(in area: ScreenArea, of frame: inout Frame) {
    guard area.height > 0 else { return }
    let margin = area.width < 40 ? 0 : 1
    let inner = ScreenArea(row: area.row, column: margin, width: area.width - 2 * margin, height: area.height)
    let columns = BoardColumns(width: inner.width).columns
    var rows = inner
    // On the lowest screens every row is for a departure.
    if area.height > 2 {
      let head = rows.takeTop(1)
      for (column, start, width) in columns {
        frame.write(column.title, in: head, column: start, width: width, .title)
      }
    }
    if departures.isEmpty {
      frame.write(status == nil ? "" : "no departures", in: rows, .faint)
    }
    for (row, departure) in departures.dropFirst(firstRow).prefix(rows.height).enumerated() {
      for (column, start, width) in columns {
        let (text, style) = BoardScreen.field(column, of: departure, width: width)
        let position = column == .delay ? start + max(0, width - text.displayWidth) : start
        frame.write(text, in: rows, row: row, column: position, width: start + width - position, style)
      }
    }
  }

  private static func field(
    _ column: BoardColumns.Column, of departure: DepartureLine, width: Int
  ) -> (text: String, style: Style) {
    let status = departure.status
    switch column {
    case .time: return (departure.time, .plain)
    case .flight: return (departure.flight, Style(isBold: true))
    case .origin: return (departure.origin, .plain)
    case .destination: return (departure.destination, .plain)
    case .status: return (width < 9 ? status.shortText : status.rawValue, status.style)
    case .delay:
      let minutes = departure.delayMinutes ?? 0
      let text = minutes == 0 ? "" : minutes > 0 ? "+\(minutes)" : "\(minutes)"
      return (text, Style(minutes >= 60 ? .red : minutes > 0 ? .yellow : .green))
    case .aircraft: return (departure.aircraft, .faint)
    }
  }

  private func drawAirlines(in area: ScreenArea, of frame: inout Frame) {
    var rows = area
    frame.writeTitle("delays by airline", in: rows.takeTop(1))
    let worst = airlines.filter { $0.departureCount > 0 }.prefix(rows.height)
    let longest = max(1, worst.first?.averageDelayMinutes ?? 1)
    let nameWidth = max(0, min(18, rows.width - 20))
    for (row, airline) in worst.enumerated() {
      frame.write(airline.code, in: rows, row: row, column: 1, width: 2, Style(isBold: true))
      frame.write(airline.name, in: rows, row: row, column: 4, width: nameWidth)
      let minutes = "\(airline.averageDelayMinutes) min"
      let barStart = 4 + nameWidth + 9
      frame.write(minutes, in: rows, row: row, column: barStart - 1 - minutes.displayWidth)
      let room = rows.width - barStart - 1
      let length = room > 0 ? max(0, airline.averageDelayMinutes) * room / longest : 0
      let color: Style.Color = airline.averageDelayMinutes >= 60 ? .red : .yellow
      frame.write(String(repeating: "█", count: length), in: rows, row: row, column: barStart, Style(color))
    }
  }

  private func drawWeather(in area: ScreenArea, of frame: inout Frame) {
    var rows = area
    frame.writeTitle("weather", in: rows.takeTop(1))
    for (row, line) in weather.prefix(rows.height).enumerated() {
      frame.write(line.airport, in: rows, row: row, column: 1, Style(isBold: true))
      let figures = line.figures.isEmpty ? ["no observation yet"] : line.figures
      frame.write(BoardScreen.joined(figures, width: rows.width - 6), in: rows, row: row, column: 5)
    }
  }

  private func drawStatuses(in area: ScreenArea, of frame: inout Frame) {
    var rows = area
    frame.writeTitle("flights by status", in: rows.takeTop(1))
    guard rows.height >= DepartureLine.Status.allCases.count else { return drawStatusRow(in: rows, of: &frame) }
    let most = max(1, statuses.map(\.flightCount).max() ?? 1)
    for (row, line) in statuses.enumerated() {
      frame.write(line.status.rawValue, in: rows, row: row, column: 1, line.status.style)
      let count = "\(line.flightCount)"
      frame.write(count, in: rows, row: row, column: 16 - count.displayWidth)
      frame.write(line.delayText, in: rows, row: row, column: 22 - line.delayText.displayWidth, .faint)
      let room = max(0, rows.width - 25)
      frame.write(
        String(repeating: "█", count: line.flightCount * room / most), in: rows, row: row, column: 24, line.status.style
      )
    }
  }

  /// All of them in one row, as many as there is room for.
  private func drawStatusRow(in area: ScreenArea, of frame: inout Frame) {
    var column = 1
    for line in statuses {
      let texts = [line.status.shortText, "\(line.flightCount)", line.delayText].filter { !$0.isEmpty }
      let text = texts.joined(separator: " ")
      guard column + text.displayWidth < area.width else { return }
      frame.write(text, in: area, column: column, line.status.style)
      column += text.displayWidth + 2
    }
  }

  private func drawLog(in area: ScreenArea, of frame: inout Frame) {
    var rows = area
    frame.writeTitle("changes", in: rows.takeTop(1))
    for (row, line) in log.suffix(rows.height).enumerated() {
      frame.write(line.time, in: rows, row: row, column: 1, .faint)
      frame.write(line.text, in: rows, row: row, column: 7, line.status.style)
    }
  }

  private func drawFigures(in area: ScreenArea, of frame: inout Frame) {
    guard let figures else { return }
    frame.write(BoardScreen.joined(figures.texts, width: area.width - 2), in: area, column: 1, .faint)
  }

  private func drawKeys(in area: ScreenArea, of frame: inout Frame) {
    let isWide = area.width >= 40
    let keys =
      isWide
      ? [
        "q quit", "space pause", "+ - speed", "a airport", "l airline", "s sort", "K kill", "esc all", "arrows scroll",
      ] : ["q quit", "spc", "+-", "a", "l", "s", "K"]
    frame.write(BoardScreen.joined(keys, width: area.width - 2), in: area, column: 1)
    frame.paint(row: area.row, width: area.height > 0 ? .max : 0, .bar)
  }

  /// As many texts as fit into a width, with gaps between them.
  private static func joined(_ texts: [String], width: Int) -> String {
    var line = ""
    for text in texts where !text.isEmpty {
      let longer = line.isEmpty ? text : line + "  " + text
      guard longer.displayWidth <= width else { break }
      line = longer
    }
    return line
  }
}
