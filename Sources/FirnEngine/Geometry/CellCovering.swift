/// How a region stands to a cell.
enum CellRelation {
  case outside, boundary, inside
}

/// A cell as a region sees it.
protocol RegionCell {
  var cell: PlaceCell { get }
  var relation: CellRelation { get }
  /// The four cells in it.
  func split() -> [Self]
}

/// Numbers of the smallest cells, of a few cells that together hold a region.
package struct CellRange: Hashable, Sendable {
  package var lower: UInt64
  package var upper: UInt64
  /// Whether the region holds all of them.
  package var isInside: Bool
}

/// Cells that together hold a region, as ascending ranges of numbers with gaps between them, or with another answer to
/// whether the region holds all of them.
enum CellCovering {
  /// - Parameter most: About how many ranges there may be.
  static func ranges<Cell: RegionCell>(of faces: [Cell], most: Int) -> [CellRange] {
    var inside: [PlaceCell] = []
    // The biggest come first.
    var open = faces.filter { $0.relation == .boundary }
    for face in faces where face.relation == .inside { inside.append(face.cell) }
    var next = 0
    while next < open.count, open.count - next + inside.count < most, open[next].cell.level < PlaceCell.levelMax {
      for child in open[next].split() {
        switch child.relation {
        case .outside: break
        case .inside: inside.append(child.cell)
        case .boundary: open.append(child)
        }
      }
      next += 1
    }
    return merged(
      inside.map { CellRange($0, isInside: true) } + open[next...].map { CellRange($0.cell, isInside: false) })
  }

  private static func merged(_ ranges: [CellRange]) -> [CellRange] {
    var merged: [CellRange] = []
    for range in ranges.sorted(by: { $0.lower < $1.lower }) {
      if let last = merged.last, last.upper + 1 == range.lower, last.isInside == range.isInside {
        merged[merged.count - 1].upper = range.upper
      } else {
        merged.append(range)
      }
    }
    return merged
  }
}

extension CellRange {
  fileprivate init(_ cell: PlaceCell, isInside: Bool) {
    let numbers = cell.numbers
    self.init(lower: numbers.lowerBound, upper: numbers.upperBound, isInside: isInside)
  }
}
