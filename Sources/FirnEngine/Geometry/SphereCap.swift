internal import Glibc

/// All points within an angle of a centre, those at that distance included.
package struct SphereCap: Hashable, Sendable {
  package let center: SpherePoint
  /// In radians; half a turn and more is the whole sphere.
  package let radius: Double
  /// The end of a diameter from which distances are measured: short ones are exact, so of a big cap the complement's.
  private let pole: SpherePoint
  private let limit2: Double

  package init(center: SpherePoint, radius: Double) {
    self.center = center
    self.radius = radius
    let isBig = radius > .pi / 2
    pole = isBig ? center.opposite : center
    let half = sin(isBig ? max(0, .pi - radius) / 2 : radius / 2)
    limit2 = 4 * half * half
  }

  @inline(__always)
  package func contains(_ point: SpherePoint) -> Bool {
    let distance2 = pole.chord2(to: point)
    return radius > .pi / 2 ? distance2 >= limit2 : distance2 <= limit2
  }
}

extension SphereCap {
  struct Cell: RegionCell {
    let cap: SphereCap
    let cell: PlaceCell
    let relation: CellRelation

    init(_ cap: SphereCap, _ cell: PlaceCell) {
      self.cap = cap
      self.cell = cell
      let distance = cap.center.angle(to: cell.center)
      let reach = cell.radius
      if distance - reach > cap.radius {
        relation = .outside
      } else {
        relation = distance + reach <= cap.radius ? .inside : .boundary
      }
    }

    func split() -> [Cell] { cell.children.map { Cell(cap, $0) } }
  }

  func covering(most: Int) -> [CellRange] {
    CellCovering.ranges(of: PlaceCell.faces.map { Cell(self, $0) }, most: most)
  }
}
