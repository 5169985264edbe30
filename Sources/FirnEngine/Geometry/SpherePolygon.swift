/// What a ring bounds on the sphere, without holes.
///
/// It keeps its edges by the cells that they come near, so that a point is tested against few of them.
package final class SpherePolygon: Sendable {
  package let outer: [SpherePoint]
  private let rings: [SphereRing]
  private let edges: [PolygonEdge]
  private let tree: PolygonTree
  private let cap: SphereCap?

  /// - Parameters:
  ///   - outer: The vertices, without the first one again.
  ///   - holes: Rings inside of it.
  /// - Complexity: O(n log n) for n vertices, unless many long edges run close together: then O(n²).
  package init(outer: [SpherePoint], holes: [[SpherePoint]] = []) throws(InvalidPolygon) {
    var rings = [try SphereRing(outer)]
    for hole in holes { rings.append(try SphereRing(hole)) }
    self.outer = rings[0].vertices
    self.rings = rings
    edges = rings.enumerated().flatMap { ring, vertices in
      vertices.edges.map { PolygonEdge(a: $0.0, b: $0.1, ring: ring) }
    }
    cap = rings[0].cap
    tree = PolygonTree(edges, holdsOrigin: rings.reduce(false) { $0 != $1.holdsOrigin })
    if tree.hasCrossing { throw .crossingEdges }
    try Self.checkShared(rings)
    try Self.checkNesting(rings)
  }

  @inline(__always)
  package func contains(_ point: SpherePoint) -> Bool {
    if let cap, !cap.contains(point) { return false }
    return tree.contains(point)
  }

  /// How it stands to the smallest cell about a point; some of those that it holds or misses narrowly count as its boundary.
  @inline(__always)
  func relation(toCellAbout center: SpherePoint) -> CellRelation {
    if let cap, cap.relation(toCellAbout: center) == .outside { return .outside }
    return tree.relation(toCellAbout: center)
  }

  func covering(most: Int) -> [CellRange] { CellCovering.ranges(of: tree.faces, most: most) }

  // MARK: Validity

  private static func checkShared(_ rings: [SphereRing]) throws(InvalidPolygon) {
    struct Pair: Hashable {
      let first: Int
      let second: Int
    }
    if rings.count == 1 { return }
    var owners: [SpherePoint: [Int]] = [:]
    var shared: Set<Pair> = []
    var isShared = false
    for (ring, vertices) in rings.enumerated() {
      for vertex in vertices.vertices {
        for other in owners[vertex] ?? [] where !shared.insert(Pair(first: other, second: ring)).inserted {
          isShared = true
        }
        owners[vertex, default: []].append(ring)
      }
    }
    if !isShared { return }
    throw hasSharedEdge(rings) ? .sharedEdge : .sharedVertices
  }

  private static func hasSharedEdge(_ rings: [SphereRing]) -> Bool {
    var seen: Set<[SpherePoint]> = []
    return rings.contains { ring in
      ring.edges.contains { a, b in !seen.insert(a.precedes(b) ? [a, b] : [b, a]).inserted }
    }
  }

  /// Rings neither cross nor share more than a vertex, so that one of two other vertices tells.
  private static func checkNesting(_ rings: [SphereRing]) throws(InvalidPolygon) {
    func holds(_ outer: SphereRing, _ inner: SphereRing) -> Bool {
      let vertex = inner.vertices[0]
      return outer.contains(outer.vertices.contains(vertex) ? inner.vertices[1] : vertex)
    }
    let caps = rings.map(\.cap)
    for hole in rings.indices.dropFirst() {
      if !holds(rings[0], rings[hole]) { throw .holeOutside }
      for other in rings.indices.dropFirst() where other != hole {
        if let cap = caps[other], !cap.contains(rings[hole].vertices[0]) { continue }
        if holds(rings[other], rings[hole]) { throw .nestedHoles }
      }
    }
  }
}

extension SpherePolygon: Hashable {
  package static func == (left: SpherePolygon, right: SpherePolygon) -> Bool {
    left === right || left.rings == right.rings
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(rings) }
}
