import Foundation
import TestSupport
import Testing

@testable import FirnEngine

/// Shapes on the sphere against what S2 says of them: see `Fixture/make.py`.
@Suite struct SphereRegionTests {
  /// A line of the fixture.
  struct Shape {
    /// Nil when the shape is invalid.
    var region: SphereRegion?
    var isValid: Bool
    var points: [(point: SpherePoint, isInside: Bool?)]
  }

  static let lines = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixture/shapes.txt")
    return try! String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
  }()

  static func point(_ text: some StringProtocol) -> SpherePoint {
    let numbers = text.split(separator: ",").map { Double($0)! }
    return SpherePoint(latitude: numbers[0], longitude: numbers[1])
  }

  static func shape(_ line: String) -> Shape {
    let words = line.split(separator: " ")
    let end = words.firstIndex { $0 == "+" || $0 == "!" }!
    let given = words[1..<end]
    let region: SphereRegion?
    switch words[0] {
    case "circle": region = .cap(SphereCap(center: point(given[1]), radius: Double(given[2])!))
    case "box":
      let (corner, other) = (given[1].split(separator: ","), given[2].split(separator: ","))
      let corners = [corner, [other[0], corner[1]], other, [corner[0], other[1]]]
      region = (try? SpherePolygon(outer: corners.map { point($0.joined(separator: ",")) })).map { .polygon($0) }
    default:
      let rings = given.split(separator: "/").map { $0.map { point($0) } }
      region = (try? SpherePolygon(outer: rings[0], holes: Array(rings.dropFirst()))).map { .polygon($0) }
    }
    let points = words[(end + 1)...].map { word in
      (point(word.dropLast()), word.last == "~" ? nil : word.last == "+")
    }
    return Shape(region: region, isValid: words[end] == "+", points: points)
  }

  @Test func shapesAreValidWhenS2SaysSo() {
    var (valid, invalid) = (0, 0)
    for line in Self.lines {
      let shape = Self.shape(line)
      #expect((shape.region != nil) == shape.isValid, "\(line.prefix(300))")
      if shape.isValid { valid += 1 } else { invalid += 1 }
    }
    #expect(valid > 1500 && invalid > 200)
  }

  @Test func pointsLieInShapesWhenS2SaysSo() {
    var count = 0
    for line in Self.lines {
      let shape = Self.shape(line)
      guard let region = shape.region, shape.isValid else { continue }
      for (point, isInside) in shape.points {
        guard let isInside else {
          _ = region.contains(point)
          continue
        }
        count += 1
        #expect(region.contains(point) == isInside, "\(point) \(line.prefix(300))")
      }
    }
    #expect(count > 10_000)
  }

  @Test func coveringsHoldTheirRegions() {
    for (number, line) in Self.lines.enumerated() {
      let shape = Self.shape(line)
      guard let region = shape.region else { continue }
      let covering = region.covering(most: [1, 8, 32, 100][number % 4])
      for (range, next) in zip(covering, covering.dropFirst()) { #expect(range.upper < next.lower) }
      for (point, _) in shape.points {
        let cell = PlaceCell.number(of: point)
        let range = covering.first { $0.lower <= cell && cell <= $0.upper }
        let isInside = region.contains(point)
        #expect(!isInside || range != nil, "\(point) \(line.prefix(300))")
        #expect(isInside || range?.isInside != true, "\(point) \(line.prefix(300))")
      }
    }
  }

  /// As an index of places knows them.
  private func relation(_ region: SphereRegion, _ point: SpherePoint) -> CellRelation {
    let center = PlaceCell.center(ofNumber: PlaceCell.number(of: point))
    switch region {
    case .cap(let cap): return cap.relation(toCellAbout: center)
    case .polygon(let polygon): return polygon.relation(toCellAbout: center)
    }
  }

  @Test func cellsDecideAboutMostPointsAndAreNeverWrong() {
    var (decided, all) = (0, 0)
    for line in Self.lines {
      let shape = Self.shape(line)
      guard let region = shape.region else { continue }
      for (point, _) in shape.points {
        let relation = relation(region, point)
        all += 1
        if relation == .boundary { continue }
        decided += 1
        #expect((relation == .inside) == region.contains(point), "\(point) \(line.prefix(300))")
      }
    }
    #expect(decided > all / 2)
  }

  @Test func cellsAreNeverWrongCloseToARim() throws {
    var random = SeededRandom.printed("cells on a rim")
    var kinds: [CellRelation: Int] = [:]
    for _ in 0..<200 {
      let center = (Double.random(in: -89...89, using: &random), Double.random(in: -180...180, using: &random))
      let radii: [Double] = [1e-9, 1e-8, 1e-3, 0.3, .pi / 2, 2, 3.1, .pi - 1e-9]
      let radius = radii[random.below(8)]
      let middle = SpherePoint(latitude: center.0, longitude: center.1)
      let away = middle.reference
      let corners = ring(5, 0.1, around: (center.0 * 0.8, center.1))
      let regions: [SphereRegion] = [
        .cap(SphereCap(center: middle, radius: radius)), .polygon(try SpherePolygon(outer: corners)),
      ]
      for _ in 0..<40 {
        let shift = Double.random(in: -6e-9...6e-9, using: &random)
        let angle = radius + shift
        let onRim = SpherePoint(
          direction: middle.x * cos(angle) + away.x * sin(angle), middle.y * cos(angle) + away.y * sin(angle),
          middle.z * cos(angle) + away.z * sin(angle))
        let (a, b, t) = (corners[0], corners[1], Double.random(in: 0...1, using: &random))
        let nearEdge = SpherePoint(
          direction: a.x + t * (b.x - a.x) + shift, a.y + t * (b.y - a.y) - shift / 2, a.z + t * (b.z - a.z))
        for (region, point) in zip(regions, [onRim, nearEdge]) {
          let relation = relation(region, point)
          kinds[relation, default: 0] += 1
          if relation != .boundary { #expect((relation == .inside) == region.contains(point), "\(region) \(point)") }
        }
      }
    }
    let expected: [CellRelation] = [.inside, .outside, .boundary]
    for relation in expected { #expect(kinds[relation, default: 0] > 300) }
  }

  // MARK: Extremes

  /// Places around a centre, a regular polygon but for every second one, which may lie elsewhere.
  private func ring(_ count: Int, _ radius: Double, inner: Double = 1, around center: (Double, Double) = (10, 20))
    -> [SpherePoint]
  {
    (0..<count).map { place in
      let angle = 2 * .pi * Double(place) / Double(count)
      let distance = place % 2 == 0 ? radius : radius * inner
      return SpherePoint(
        latitude: center.0 + distance * sin(angle),
        longitude: center.1 + distance * cos(angle) / cos(center.0 * .pi / 180))
    }
  }

  @Test(arguments: [1.0, 0.01]) func manyVerticesMakeAPolygon(inner: Double) throws {
    // With the small factor a star, whose 10,000 long edges all pass close to the middle.
    let polygon = try SpherePolygon(outer: ring(10_000, 5, inner: inner))
    #expect(polygon.contains(SpherePoint(latitude: 10, longitude: 20)))
    #expect(!polygon.contains(SpherePoint(latitude: 15.1, longitude: 20)))
    var crossed = ring(10_000, 5, inner: inner)
    crossed.swapAt(5000, 5004)
    #expect(throws: InvalidPolygon.crossingEdges) { try SpherePolygon(outer: crossed) }
  }

  @Test func manyHolesMakeAPolygon() throws {
    let holes = (0..<2000).map { ring(4, 0.01, around: (8 + Double($0 / 50) * 0.1, 18 + Double($0 % 50) * 0.05)) }
    let polygon = try SpherePolygon(outer: ring(100, 5), holes: holes)
    #expect(!polygon.contains(SpherePoint(latitude: 8.1, longitude: 18.05)))
    #expect(polygon.contains(SpherePoint(latitude: 8.1, longitude: 18.075)))
    #expect(throws: InvalidPolygon.nestedHoles) {
      try SpherePolygon(outer: ring(100, 5), holes: holes + [ring(4, 0.001, around: (8.1, 18.05))])
    }
  }

  @Test func ringsThatAreNoPolygonSayWhy() {
    let outer = ring(8, 5)
    let hole = ring(4, 1)
    func reason(_ outer: [SpherePoint], _ holes: [SpherePoint]...) -> InvalidPolygon? {
      do throws(InvalidPolygon) {
        _ = try SpherePolygon(outer: outer, holes: holes)
        return nil
      } catch {
        return error
      }
    }
    #expect(reason(outer, hole) == nil)
    #expect(reason([outer[0], outer[1], outer[1], outer[0]]) == .tooFewVertices)
    #expect(reason([outer[0], outer[1], outer[2], outer[1]]) == .repeatedVertex)
    #expect(reason([outer[0], outer[0].opposite, outer[2]]) == .oppositeVertices)
    #expect(reason([outer[0], outer[4], outer[2], outer[6]]) == .crossingEdges)
    #expect(reason(outer, [outer[0], outer[1], hole[0]]) == .sharedEdge)
    #expect(reason(outer, [outer[0], hole[1], outer[2]]) == .sharedVertices)
    #expect(reason(outer, ring(4, 1, around: (40, 20))) == .holeOutside)
    #expect(reason(outer, hole, ring(4, 0.5)) == .nestedHoles)
  }
}
