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

  @Test func polesAndTheAntimeridianAreOnePlace() {
    let pole = SpherePoint(latitude: 90, longitude: 0)
    for longitude in [-180.0, -33.3, 90, 180] {
      #expect(SpherePoint(latitude: 90, longitude: longitude) == pole)
      #expect(SpherePoint(latitude: -90, longitude: longitude) == pole.opposite)
    }
    #expect(SpherePoint(latitude: 12.5, longitude: 180) == SpherePoint(latitude: 12.5, longitude: -180))
  }
}
