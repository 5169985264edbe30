/// The edges of a polygon by cells, which are divided until few short edges are left in each.
final class PolygonTree: Sendable {
  private struct Node {
    var cell: PlaceCell
    var center: SpherePoint
    var isCenterInside: Bool
    /// The first of the four nodes in it; -1 of a leaf.
    var firstChild = -1
    /// Those of a leaf among ``leafEdges``.
    var edges = 0..<0

    init(_ cell: PolygonCell) {
      self.cell = cell.cell
      center = cell.center
      isCenterInside = cell.isCenterInside
    }
  }

  let faces: [PolygonCell]
  /// The faces come first.
  private let nodes: [Node]
  private let leafEdges: [PolygonEdge]
  /// Whether two edges cross.
  let hasCrossing: Bool

  /// More edges of a leaf than this are longer than it.
  private static let shortMax = 8

  init(_ edges: [PolygonEdge], holdsOrigin: Bool) {
    faces = PlaceCell.faces.map { PolygonCell(edges, face: $0, holdsOrigin: holdsOrigin) }
    var nodes = faces.map(Node.init)
    var leafEdges: [PolygonEdge] = []
    var hasCrossing = false
    var open = Array(zip(0..., faces))
    while !hasCrossing, let (place, cell) = open.popLast() {
      if cell.cell.level < PlaceCell.levelMax, cell.shortCount > Self.shortMax {
        nodes[place].firstChild = nodes.count
        for child in cell.split() {
          open.append((nodes.count, child))
          nodes.append(Node(child))
        }
        continue
      }
      let start = leafEdges.count
      var last: Int32 = -1
      for segment in cell.segments where segment.edge != last {
        last = segment.edge
        leafEdges.append(edges[Int(last)])
      }
      nodes[place].edges = start..<leafEdges.count
      hasCrossing = Self.areCrossing(leafEdges[start...])
    }
    self.nodes = nodes
    self.leafEdges = leafEdges
    self.hasCrossing = hasCrossing
  }

  private static func areCrossing(_ edges: ArraySlice<PolygonEdge>) -> Bool {
    for (place, edge) in zip(edges.indices, edges) {
      for other in edges[(place + 1)...] where EdgeCrossing.areCrossing(edge.a, edge.b, other.a, other.b) {
        return true
      }
    }
    return false
  }

  func contains(_ point: SpherePoint) -> Bool {
    withLeaf(holding: point) { Self.contains(point, $0, $1) }
  }

  /// How the polygon stands to the smallest cell about a point. No leaf holds a part of one only.
  func relation(toCellAbout center: SpherePoint) -> CellRelation {
    withLeaf(holding: center) { leaf, edges in
      if edges.contains(where: { $0.isNear(cellAbout: center) }) { return .boundary }
      return Self.contains(center, leaf, edges) ? .inside : .outside
    }
  }

  @inline(__always)
  private func withLeaf<Result>(
    holding point: SpherePoint, _ body: (borrowing Node, UnsafeBufferPointer<PolygonEdge>) -> Result
  ) -> Result {
    let place = FacePlace(point)
    return nodes.withUnsafeBufferPointer { nodes in
      var node = place.face
      while nodes[node].firstChild >= 0 {
        let cell = nodes[node].cell
        let middle = cell.width / 2
        let isRight = place.u >= cell.u.lowerBound + middle
        let isUpper = place.v >= cell.v.lowerBound + middle
        node = nodes[node].firstChild + (isRight ? 1 : 0) + (isUpper ? 2 : 0)
      }
      return leafEdges.withUnsafeBufferPointer { edges in
        body(nodes[node], UnsafeBufferPointer(rebasing: edges[nodes[node].edges]))
      }
    }
  }

  @inline(__always)
  private static func contains(
    _ point: SpherePoint, _ leaf: borrowing Node, _ edges: UnsafeBufferPointer<PolygonEdge>
  ) -> Bool {
    var isInside = leaf.isCenterInside
    let center = leaf.center
    for edge in edges where EdgeCrossing.isCrossed(from: center, to: point, edge.a, edge.b) { isInside.toggle() }
    return isInside
  }
}

extension PolygonCell {
  /// How many edges are no longer than the cell is wide.
  fileprivate var shortCount: Int {
    let width = cell.width
    return segments.reduce(0) { $0 + ($1.length <= width ? 1 : 0) }
  }
}
