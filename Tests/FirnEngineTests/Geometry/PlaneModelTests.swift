import Foundation
import TestSupport
import Testing

@testable import FirnEngine

/// Polygons as they are seen from a middle: on the plane that touches the sphere there, their edges are straight lines,
/// and a naive test tells which points lie inside.
@Suite struct PlaneModelTests {
  private struct Polygon {
    let middle: SpherePoint
    let right: SpherePoint
    let up: SpherePoint
    /// Counter-clockwise around the middle.
    var corners: [(x: Double, y: Double)] = []

    /// Corners at random angles and up to 85° away. In one half of the polygons most of them lie close together, so that
    /// few long edges stand beside many short ones.
    init(_ random: inout SeededRandom) {
      middle = SpherePoint(
        latitude: .random(in: -90...90, using: &random), longitude: .random(in: -180...180, using: &random))
      right = middle.reference
      up = SpherePoint(
        direction: middle.y * right.z - middle.z * right.y, middle.z * right.x - middle.x * right.z,
        middle.x * right.y - middle.y * right.x)
      let start = Double.random(in: 0...1, using: &random)
      var turns = [0, 0.34, 0.67].map { start + $0 + Double.random(in: -0.05...0.05, using: &random) }
      let width = [1, 0.05][random.below(2)]
      for _ in 0..<[0, 2, 12, 60][random.below(4)] { turns.append(start + .random(in: 0...width, using: &random)) }
      for turn in Set(turns.map { $0 - $0.rounded(.down) }).sorted() {
        let distance = tan(Double.random(in: 0.01...85, using: &random) * .pi / 180)
        corners.append((distance * cos(2 * .pi * turn), distance * sin(2 * .pi * turn)))
      }
    }

    func point(_ x: Double, _ y: Double) -> SpherePoint {
      SpherePoint(
        direction: middle.x + x * right.x + y * up.x, middle.y + x * right.y + y * up.y,
        middle.z + x * right.z + y * up.z)
    }

    /// Nil close to an edge, where rounding decides.
    func holds(_ x: Double, _ y: Double) -> Bool? {
      var isInside = false
      for (a, b) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
        let cross = (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)
        let scale = hypot(b.x - a.x, b.y - a.y) * (1 + hypot(x, y)) * (1 + max(hypot(a.x, a.y), hypot(b.x, b.y)))
        if cross.magnitude < 1e-9 * scale { return nil }
        if (a.y > y) != (b.y > y), (cross > 0) == (b.y > a.y) { isInside.toggle() }
      }
      return isInside
    }
  }

  /// A place anywhere on the plane, or beside an edge.
  private func place(_ polygon: Polygon, _ random: inout SeededRandom) -> (x: Double, y: Double) {
    if random.below(2) == 0 {
      let angle = Double.random(in: 0...2 * .pi, using: &random)
      let distance = tan(Double.random(in: 0...88, using: &random) * .pi / 180)
      return (distance * cos(angle), distance * sin(angle))
    }
    let number = random.below(polygon.corners.count)
    let (a, b) = (polygon.corners[number], polygon.corners[(number + 1) % polygon.corners.count])
    let t = Double.random(in: 0...1, using: &random)
    let (x, y) = (a.x + t * (b.x - a.x), a.y + t * (b.y - a.y))
    let away = [1e-7, 1e-4, 0.02][random.below(3)] * (random.below(2) == 0 ? 1 : -1)
    return (x * (1 + away), y * (1 + away))
  }

  @Test func polygonsHoldThePointsThatTheyHoldOnThePlane() throws {
    var random = SeededRandom.printed("polygons on a plane")
    var counts = [false: 0, true: 0]
    for _ in 0..<250 {
      let polygon = Polygon(&random)
      let region = SphereRegion.polygon(try SpherePolygon(outer: polygon.corners.map(polygon.point)))
      let covering = region.covering(most: [8, 100][random.below(2)])
      func check(_ point: SpherePoint, _ isInside: Bool) {
        counts[isInside, default: 0] += 1
        #expect(region.contains(point) == isInside, "\(point) in \(polygon)")
        let cell = PlaceCell.number(of: point)
        let range = covering.first { $0.lower <= cell && cell <= $0.upper }
        #expect(!isInside || range != nil, "\(point) is not covered, \(polygon)")
        #expect(isInside || range?.isInside != true, "\(point) is covered as if inside, \(polygon)")
      }
      for _ in 0..<60 {
        let (x, y) = place(polygon, &random)
        guard let isInside = polygon.holds(x, y) else { continue }
        check(polygon.point(x, y), isInside)
        // The other half of the sphere has nothing of the polygon.
        check(polygon.point(x, y).opposite, false)
      }
    }
    #expect(counts.values.allSatisfy { $0 > 1_000 })
  }
}
