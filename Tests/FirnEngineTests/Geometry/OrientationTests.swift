import TestSupport
import Testing

@testable import FirnEngine

/// Signs of triples of points, exact and never undecided.
@Suite struct OrientationTests {
  /// Points of which many lie on one great circle, and many next to each other.
  private func point(_ random: inout SeededRandom) -> SpherePoint {
    switch random.below(5) {
    case 0: return SpherePoint(latitude: 0, longitude: Double(random.below(360) - 180))
    case 1: return SpherePoint(latitude: Double(random.below(13) - 6) * 15, longitude: 30)
    case 2:
      return SpherePoint(
        latitude: 10.nudged(random.below(3)), longitude: 20.nudged(random.below(3)))
    case 3: return SpherePoint(latitude: 90, longitude: 0)
    default:
      return SpherePoint(
        latitude: .random(in: -90...90, using: &random), longitude: .random(in: -180...180, using: &random))
    }
  }

  @Test func turningThePointsRoundKeepsTheSignAndExchangingTwoTurnsIt() {
    var random = SeededRandom.printed("orientation")
    for _ in 0..<20_000 {
      let (a, b, c) = (point(&random), point(&random), point(&random))
      let sign = Orientation.sign(a, b, c)
      #expect((sign == 0) == (a == b || b == c || c == a))
      #expect(Orientation.sign(b, c, a) == sign)
      #expect(Orientation.sign(c, b, a) == -sign)
      #expect(Orientation.sign(a, c, b) == -sign)
    }
  }

  @Test func theSumOfProductsIsExact() {
    // Rounded, it would be zero.
    let small = 0x1p-60
    #expect(ExactSign.signOfDifference(1 + 0x1p-52, 1 + 0x1p-52, 1 + 0x1p-51, 1) == 1)
    #expect(ExactSign.signOfDifference(small, small, 0, 1) == 1)
    #expect(ExactSign.signOfDifference(3, 5, 5, 3) == 0)
    let a = SpherePoint(1, 0x1p-60, 0)
    #expect(ExactSign.signOfDeterminant(a, SpherePoint(1, 0, 0), SpherePoint(0, 0, 1)) == -1)
  }

  @Test func turnsAboutAPointAreTransitive() {
    var random = SeededRandom.printed("order")
    for _ in 0..<5000 {
      let points = (0..<4).map { _ in point(&random) }
      guard Set(points).count == 4 else { continue }
      let (a, b, c, o) = (points[0], points[1], points[2], points[3])
      // One of the two orders holds, and only one.
      #expect(Orientation.isOrdered(a, b, c, about: o) != Orientation.isOrdered(c, b, a, about: o))
    }
  }
}

extension Double {
  fileprivate func nudged(_ count: Int) -> Double { (0..<count).reduce(self) { number, _ in number.nextUp } }
}

extension Int {
  fileprivate func nudged(_ count: Int) -> Double { Double(self).nudged(count) }
}
