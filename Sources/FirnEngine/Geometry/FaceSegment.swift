/// The part of an edge that lies on a face of the cube, where it is a straight line. A little more than lies there, so that
/// rounding loses nothing.
struct FaceSegment {
  /// The edge among those of the polygon.
  let edge: Int32
  private let u0: Double
  private let v0: Double
  private let du: Double
  private let dv: Double

  /// Nil when nothing of the edge lies on the face.
  ///
  /// - Parameters:
  ///   - a: One end of the edge or of a part of it.
  ///   - b: The other end, at most about a quarter of the way round.
  init?(_ edge: Int32, from a: SpherePoint, to b: SpherePoint, onFace face: Int) {
    let (aAlong, au, av) = FacePlace.components(a, face >> 1)
    let (bAlong, bu, bv) = FacePlace.components(b, face >> 1)
    let side = face & 1 == 0 ? 1.0 : -1.0
    let (aw, bw) = (aAlong * side, bAlong * side)
    // On the straight line from a to b each side of the face is where two components are equal.
    var clip = Clip()
    let wide = 1 + 4 * PlaceCell.margin
    clip.keep(aw * wide - au, bw * wide - bu)
    clip.keep(aw * wide + au, bw * wide + bu)
    clip.keep(aw * wide - av, bw * wide - bv)
    clip.keep(aw * wide + av, bw * wide + bv)
    if clip.isEmpty { return nil }
    func place(_ t: Double) -> (Double, Double) {
      let w = aw + t * (bw - aw)
      return ((au + t * (bu - au)) / w, (av + t * (bv - av)) / w)
    }
    let (start, end) = (place(clip.start), place(clip.end))
    guard start.0.isFinite, start.1.isFinite, end.0.isFinite, end.1.isFinite else { return nil }
    self.edge = edge
    (u0, v0) = start
    (du, dv) = (end.0 - start.0, end.1 - start.1)
  }

  /// How long it is on the face, at least in one direction.
  var length: Double { max(du.magnitude, dv.magnitude) }

  /// Whether something of it may lie in a cell of its face.
  @inline(__always)
  func meets(_ cell: PlaceCell) -> Bool {
    let (u, v) = (cell.u, cell.v)
    let margin = PlaceCell.margin
    var clip = Clip()
    clip.keep(u0 - u.lowerBound + margin, u0 + du - u.lowerBound + margin)
    clip.keep(u.upperBound + margin - u0, u.upperBound + margin - u0 - du)
    clip.keep(v0 - v.lowerBound + margin, v0 + dv - v.lowerBound + margin)
    clip.keep(v.upperBound + margin - v0, v.upperBound + margin - v0 - dv)
    return !clip.isEmpty
  }
}

/// A part of a line, from 0 to 1, where some linear functions are not negative.
private struct Clip {
  private(set) var start = 0.0
  private(set) var end = 1.0

  var isEmpty: Bool { start > end }

  /// - Parameters:
  ///   - first: The function at 0.
  ///   - last: The function at 1.
  @inline(__always)
  mutating func keep(_ first: Double, _ last: Double) {
    if first >= 0, last >= 0 { return }
    if first < 0, last < 0 {
      start = 2
    } else if first < 0 {
      start = max(start, first / (first - last))
    } else {
      end = min(end, first / (first - last))
    }
  }
}
