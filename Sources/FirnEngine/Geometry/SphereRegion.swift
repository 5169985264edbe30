/// A part of the sphere that places are looked for in.
package enum SphereRegion: Hashable, Sendable {
  case cap(SphereCap)
  case polygon(SpherePolygon)

  @inline(__always)
  package func contains(_ point: SpherePoint) -> Bool {
    switch self {
    case .cap(let cap): cap.contains(point)
    case .polygon(let polygon): polygon.contains(point)
    }
  }

  /// Cells that together hold the region; ascending.
  ///
  /// - Parameter most: About how many there may be.
  package func covering(most: Int) -> [CellRange] {
    switch self {
    case .cap(let cap): cap.covering(most: most)
    case .polygon(let polygon): polygon.covering(most: most)
    }
  }
}
