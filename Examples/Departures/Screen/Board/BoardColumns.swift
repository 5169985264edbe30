/// The columns of the board that fit into a width, and how wide each is.
struct BoardColumns {
  enum Column: CaseIterable {
    case time, flight, origin, destination, status, delay, aircraft

    var title: String {
      switch self {
      case .time: "TIME"
      case .flight: "FLIGHT"
      case .origin: "FROM"
      case .destination: "TO"
      case .status: "STATUS"
      case .delay: "DELAY"
      case .aircraft: "AIRCRAFT"
      }
    }

    fileprivate var widthMin: Int {
      switch self {
      case .time, .delay: 5
      case .flight: 7
      case .origin: 4
      case .destination: 8
      case .status: 6
      case .aircraft: 12
      }
    }

    /// Its share of the columns that are left over, up to `widthMax`.
    fileprivate var weight: Int {
      switch self {
      case .time, .delay, .flight, .origin: 0
      case .destination, .aircraft: 2
      case .status: 1
      }
    }

    fileprivate var widthMax: Int {
      switch self {
      case .destination, .aircraft: 32
      case .status: 9
      default: widthMin
      }
    }
  }

  /// From left to right.
  let columns: [(column: Column, start: Int, width: Int)]

  /// What narrow boards leave out first.
  private static let dropOrder: [Column] = [.aircraft, .origin, .delay, .destination, .status, .flight]

  init(width: Int) {
    var chosen = Column.allCases
    func needed() -> Int { chosen.reduce(0) { $0 + $1.widthMin } + chosen.count - 1 }
    for column in BoardColumns.dropOrder where needed() > width { chosen.removeAll { $0 == column } }
    let gap = width >= needed() + chosen.count + 20 ? 2 : 1
    var left = max(0, width - needed() - (gap - 1) * (chosen.count - 1))
    var widths = chosen.map(\.widthMin)
    // Status first, which needs little, so that the rest is shared by those that can use it all.
    for position in chosen.indices where chosen[position] == .status {
      let more = min(left, chosen[position].widthMax - widths[position])
      widths[position] += more
      left -= more
    }
    var weights = chosen.reduce(0) { $0 + ($1 == .status ? 0 : $1.weight) }
    for position in chosen.indices where chosen[position] != .status && chosen[position].weight > 0 {
      let weight = chosen[position].weight
      let more = min(left * weight / weights, chosen[position].widthMax - widths[position])
      widths[position] += more
      left -= more
      weights -= weight
    }
    var columns: [(Column, Int, Int)] = []
    var start = 0
    for (column, width) in zip(chosen, widths) {
      columns.append((column, start, width))
      start += width + gap
    }
    self.columns = columns
  }
}
