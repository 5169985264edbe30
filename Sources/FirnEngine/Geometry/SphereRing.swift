internal import Glibc

/// A closed way on the sphere: points, each joined to the next by the short way, and the last one to the first. What it
/// bounds is the side that is smaller than half of the sphere.
struct SphereRing: Hashable, Sendable {
  /// With the inner side to the left.
  let vertices: [SpherePoint]
  /// Whether the ring bounds ``origin``.
  let holdsOrigin: Bool

  /// A point that is on no edge that programs write.
  static let origin = SpherePoint(direction: 0.5374194, 0.2901227, -0.7918363)

  /// - Parameter points: In either direction; equal neighbours count once.
  init(_ points: [SpherePoint]) throws(InvalidPolygon) {
    var vertices: [SpherePoint] = []
    for point in points where vertices.last != point { vertices.append(point) }
    while vertices.count > 1, vertices.last == vertices.first { vertices.removeLast() }
    if vertices.count < 3 { throw .tooFewVertices }
    if Set(vertices).count < vertices.count { throw .repeatedVertex }
    for (a, b) in Self.edges(vertices) where a == b.opposite { throw .oppositeVertices }
    if Self.curvature(vertices) < 0 { vertices.reverse() }
    self.vertices = vertices
    // The angle at a vertex tells on which side the vertex counts, and the edges on the way from the origin the rest.
    let v1 = vertices[1]
    let isVertexInside = Orientation.isOrdered(v1.reference, vertices[0], vertices[2], about: v1)
    holdsOrigin = isVertexInside != Self.isParityOdd(vertices, to: v1)
  }

  var edges: [(SpherePoint, SpherePoint)] { Self.edges(vertices) }

  private static func edges(_ vertices: [SpherePoint]) -> [(SpherePoint, SpherePoint)] {
    vertices.indices.map { (vertices[$0], vertices[$0 + 1 == vertices.count ? 0 : $0 + 1]) }
  }

  /// Whether the way from the origin to a point crosses an odd number of edges.
  private static func isParityOdd(_ vertices: [SpherePoint], to point: SpherePoint) -> Bool {
    var isOdd = false
    var last = vertices[vertices.count - 1]
    for vertex in vertices {
      if EdgeCrossing.isCrossed(from: origin, to: point, last, vertex) { isOdd.toggle() }
      last = vertex
    }
    return isOdd
  }

  /// - Complexity: O(vertices).
  func contains(_ point: SpherePoint) -> Bool { holdsOrigin != Self.isParityOdd(vertices, to: point) }

  /// A full turn to the left less the area on the left: negative when that is more than half of the sphere.
  private static func curvature(_ vertices: [SpherePoint]) -> Double {
    var sum = 0.0
    for place in vertices.indices {
      let a = vertices[place]
      let b = vertices[(place + 1) % vertices.count]
      let c = vertices[(place + 2) % vertices.count]
      let (p, q) = (a.cross(b), b.cross(c))
      let (x, y, z) = (p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x)
      let turn = atan2((x * x + y * y + z * z).squareRoot(), p.x * q.x + p.y * q.y + p.z * q.z)
      sum += Orientation.sign(a, b, c) > 0 ? turn : -turn
    }
    return sum
  }

  /// A cap that holds what the ring bounds; nil when it would be as big as half of the sphere.
  var cap: SphereCap? {
    let (x, y, z) = vertices.reduce((0.0, 0.0, 0.0)) { ($0.0 + $1.x, $0.1 + $1.y, $0.2 + $1.z) }
    if x * x + y * y + z * z < 1e-12 { return nil }
    let center = SpherePoint(direction: x, y, z)
    let radius = vertices.reduce(0) { max($0, center.angle(to: $1)) } + PlaceCell.margin
    return radius < 1.5 ? SphereCap(center: center, radius: radius) : nil
  }
}

/// Why rings are no polygon.
package enum InvalidPolygon: String, Error, Sendable {
  case tooFewVertices = "a ring has fewer than three different vertices"
  case repeatedVertex = "a ring has a vertex twice"
  case oppositeVertices = "an edge joins two opposite points of the globe"
  case crossingEdges = "edges cross"
  case sharedEdge = "two rings share an edge"
  case sharedVertices = "two rings share more than one vertex"
  case holeOutside = "a hole lies outside of the outer ring"
  case nestedHoles = "a hole lies in another"
}
