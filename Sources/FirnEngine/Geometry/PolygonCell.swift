/// An edge of a polygon.
struct PolygonEdge: Sendable {
  let a: SpherePoint
  let b: SpherePoint
  let ring: Int
  /// At right angles to it.
  private let normal: SpherePoint

  init(a: SpherePoint, b: SpherePoint, ring: Int) {
    self.a = a
    self.b = b
    self.ring = ring
    let (x, y, z) = a.cross(b)
    normal = SpherePoint(direction: x, y, z)
  }

  /// Whether its great circle comes near the smallest cell about a point.
  @inline(__always)
  func isNear(cellAbout center: SpherePoint) -> Bool { normal.dot(center).magnitude <= PlaceCell.radiusOfSmallest }
}

/// What a polygon looks like in a cell: the edges that come near it, and on which side of them its centre lies.
struct PolygonCell: RegionCell {
  let edges: [PolygonEdge]
  let cell: PlaceCell
  let center: SpherePoint
  let isCenterInside: Bool
  /// Parts of one edge are neighbours.
  let segments: [FaceSegment]

  /// A whole face.
  init(_ edges: [PolygonEdge], face: PlaceCell, holdsOrigin: Bool) {
    self.edges = edges
    cell = face
    center = face.center
    var isInside = holdsOrigin
    var segments: [FaceSegment] = []
    for (place, edge) in edges.enumerated() {
      if EdgeCrossing.isCrossed(from: SphereRing.origin, to: center, edge.a, edge.b) { isInside.toggle() }
      let number = Int32(place)
      guard let middle = edge.middle else {
        if let whole = FaceSegment(number, from: edge.a, to: edge.b, onFace: face.face) { segments.append(whole) }
        continue
      }
      for (a, b) in [(edge.a, middle), (middle, edge.b)] {
        if let half = FaceSegment(number, from: a, to: b, onFace: face.face) { segments.append(half) }
      }
    }
    self.segments = segments
    isCenterInside = isInside
  }

  private init(_ cell: PlaceCell, in parent: PolygonCell) {
    edges = parent.edges
    self.cell = cell
    center = cell.center
    isCenterInside = parent.contains(center)
    segments = parent.segments.filter { $0.meets(cell) }
  }

  var relation: CellRelation { segments.isEmpty ? (isCenterInside ? .inside : .outside) : .boundary }

  func split() -> [PolygonCell] { cell.children.map { PolygonCell($0, in: self) } }

  /// Whether a point of the cell lies in the polygon: on the way from the centre only edges near the cell are crossed.
  private func contains(_ point: SpherePoint) -> Bool {
    var isInside = isCenterInside
    var last: Int32 = -1
    for segment in segments where segment.edge != last {
      last = segment.edge
      let edge = edges[Int(last)]
      if EdgeCrossing.isCrossed(from: center, to: point, edge.a, edge.b) { isInside.toggle() }
    }
    return isInside
  }
}

extension PolygonEdge {
  /// A point on an edge that is longer than about a quarter of the way round, where it is divided; nil for others.
  fileprivate var middle: SpherePoint? {
    if a.dot(b) > 0 { return nil }
    // A quarter of the way round from one end: at right angles to it and to the normal.
    let (nx, ny, nz) = a.opposite.cross(b)
    let n = SpherePoint(direction: -nx, -ny, -nz)
    return SpherePoint(direction: n.y * a.z - n.z * a.y, n.z * a.x - n.x * a.z, n.x * a.y - n.y * a.x)
  }
}
