import TestSupport
import Testing

@testable import FirnEngine

@Suite struct PlaceCellTests {
  @Test func theCellOfAPointIsInTheCellsAboveItAndNearby() {
    var random = SeededRandom.printed("cells")
    for _ in 0..<2000 {
      let point = SpherePoint(
        latitude: .random(in: -90...90, using: &random), longitude: .random(in: -180...180, using: &random))
      let number = PlaceCell.number(of: point)
      let cell = PlaceCell(number: number)
      #expect(cell.numbers == number...number)
      #expect(cell.center.angle(to: point) <= cell.radius)
      var above = PlaceCell.faces.first { $0.numbers.contains(number) }
      while let next = above, next.level < PlaceCell.levelMax {
        #expect(next.center.angle(to: point) <= next.radius)
        let children = next.children
        #expect(children.map { $0.numbers.count }.reduce(0, +) == next.numbers.count)
        above = children.first { $0.numbers.contains(number) }
      }
      #expect(above == cell)
    }
  }

  @Test func facesHoldAllNumbersInOrder() {
    for (face, next) in zip(PlaceCell.faces, PlaceCell.faces.dropFirst()) {
      #expect(face.numbers.upperBound + 1 == next.numbers.lowerBound)
    }
    #expect(PlaceCell.faces[5].numbers.upperBound < UInt64(Int64.max))
  }

  /// Edges and corners of the cube: a face each of two or three that meet there takes them.
  @Test func bordersOfFacesBelongToOneOfThem() {
    var random = SeededRandom.printed("borders of faces")
    let signs = [-1.0, 1]
    var points: [SpherePoint] = []
    for a in signs {
      for b in signs {
        for c in signs { points.append(SpherePoint(direction: a, b, c)) }
        for rest in [0, 0.5, -0.99, 1e-12, .random(in: -1...1, using: &random)] {
          points += [
            SpherePoint(direction: a, b, rest), SpherePoint(direction: a, rest, b), SpherePoint(direction: rest, a, b),
          ]
        }
      }
    }
    for point in points {
      let number = PlaceCell.number(of: point)
      let cell = PlaceCell(number: number)
      #expect(cell.center.angle(to: point) <= cell.radius, "\(point)")
      let face = FacePlace(point).face
      #expect(PlaceCell.faces[face].numbers.contains(number))
      #expect(PlaceCell.center(ofNumber: number).angle(to: point) <= PlaceCell.radiusOfSmallest)
      for radius in [0, 1e-9, 0.01, 1] {
        let cap = SphereCap(center: point, radius: radius)
        for most in [1, 8, 128] {
          let covering = SphereRegion.cap(cap).covering(most: most)
          #expect(covering.contains { $0.lower <= number && number <= $0.upper }, "\(point) \(radius)")
        }
      }
    }
    // Their components are equal in size, but for rounding of the length.
    #expect(points.contains { $0.x == $0.y } && points.contains { $0.x == $0.y && $0.y == $0.z })
  }

  @Test func polesAndTheAntimeridianAreOnePlace() {
    let pole = SpherePoint(latitude: 90, longitude: 0)
    for longitude in [-180.0, -33.3, 90, 180] {
      #expect(SpherePoint(latitude: 90, longitude: longitude) == pole)
      #expect(SpherePoint(latitude: -90, longitude: longitude) == pole.opposite)
    }
    #expect(SpherePoint(latitude: 12.5, longitude: 180) == SpherePoint(latitude: 12.5, longitude: -180))
  }
}
