/// Where the parts of the screen are, for a size. Parts that find no room are empty.
///
///     header                                wide and high enough:
///     notice, while there is one
///     board                                 board
///     log, if there is room                 delays by airline │ weather
///     footer                                                  │ flights by status
///                                                             │ log
struct BoardLayout: Equatable {
  let header: ScreenArea
  let notice: ScreenArea
  let board: ScreenArea
  let airlines: ScreenArea
  let weather: ScreenArea
  /// A row for each status where there is room, else one for all.
  let statuses: ScreenArea
  let log: ScreenArea
  /// Figures of the store, then keys; one row only on low screens, which is for the keys.
  let figures: ScreenArea
  let keys: ScreenArea

  init(_ size: ScreenSize, noticeLineCount: Int, airportCount: Int) {
    var rest = ScreenArea(row: 0, column: 0, width: size.width, height: size.height)
    header = rest.takeTop(1)
    notice = rest.takeTop(rest.height > 2 ? min(noticeLineCount, max(1, rest.height / 6)) : 0)
    keys = rest.takeBottom(rest.height > 2 ? 1 : 0)
    figures = rest.takeBottom(rest.height > 4 ? 1 : 0)
    let hasPanels = size.width >= 60 && size.height >= 16
    var bottom = rest.takeBottom(hasPanels ? max(8, size.height * 2 / 5) : rest.height >= 9 ? rest.height / 3 : 0)
    airlines = bottom.takeLeft(hasPanels ? size.width * 2 / 5 : 0)
    if hasPanels { _ = bottom.takeLeft(1) }
    weather = bottom.takeTop(hasPanels ? airportCount + 1 : 0)
    let statusCount = DepartureLine.Status.allCases.count
    statuses = bottom.takeTop(!hasPanels ? 0 : bottom.height >= statusCount + 7 ? statusCount + 1 : 2)
    log = bottom
    board = rest
  }
}
