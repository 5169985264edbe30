internal import Glibc

/// All points within an angle of a centre, those at that distance included.
package struct SphereCap: Hashable, Sendable {
  package let center: SpherePoint
  /// In radians; half a turn and more is the whole sphere.
  package let radius: Double
  /// The end of a diameter from which distances are measured: short ones are exact, so of a big cap the complement's.
  private let pole: SpherePoint
  private let limit2: Double
  private let limit: Double

  package init(center: SpherePoint, radius: Double) {
    self.center = center
    self.radius = radius
    let isBig = radius > .pi / 2
    pole = isBig ? center.opposite : center
    let half = sin(isBig ? max(0, .pi - radius) / 2 : radius / 2)
    limit2 = 4 * half * half
    limit = 2 * half
  }

  @inline(__always)
  package func contains(_ point: SpherePoint) -> Bool {
    let distance2 = pole.chord2(to: point)
    return radius > .pi / 2 ? distance2 >= limit2 : distance2 <= limit2
  }

  /// How it stands to all that lies within a small angle of a point; a little less may be called the boundary.
  @inline(__always)
  func relation(to point: SpherePoint, reach: Double) -> CellRelation {
    // Straight lines are shorter than angles.
    let distance = pole.chord2(to: point).squareRoot()
    if distance + reach < limit { return radius > .pi / 2 ? .outside : .inside }
    if distance - reach > limit { return radius > .pi / 2 ? .inside : .outside }
    return .boundary
  }
}

extension SphereCap {
  /// How it stands to the smallest cell about a point.
  @inline(__always)
  func relation(toCellAbout center: SpherePoint) -> CellRelation {
    relation(to: center, reach: PlaceCell.radiusOfSmallest)
  }

  struct Cell: RegionCell {
    let cap: SphereCap
    let cell: PlaceCell
    let relation: CellRelation

    init(_ cap: SphereCap, _ cell: PlaceCell) {
      self.cap = cap
      self.cell = cell
      relation = cap.relation(to: cell.center, reach: cell.radius)
    }

    func split() -> [Cell] { cell.children.map { Cell(cap, $0) } }
  }

  func covering(most: Int) -> [CellRange] {
    CellCovering.ranges(of: PlaceCell.faces.map { Cell(self, $0) }, most: most)
  }
}
