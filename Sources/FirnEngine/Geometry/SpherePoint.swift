internal import Glibc

/// A point of the unit sphere.
///
/// Components are zero or at least 1e-60 in size, so that products of three of them are exact sums of doubles.
package struct SpherePoint: Hashable, Sendable, BitwiseCopyable {
  package let x: Double
  package let y: Double
  package let z: Double

  init(_ x: Double, _ y: Double, _ z: Double) {
    self.x = Self.flushed(x)
    self.y = Self.flushed(y)
    self.z = Self.flushed(z)
  }

  /// A place in degrees. A pole is one point, whatever the longitude; the antimeridian is the same from both sides.
  package init(latitude: Double, longitude: Double) {
    let (sinLatitude, cosLatitude) = Self.sinCos(latitude)
    let (sinLongitude, cosLongitude) = Self.sinCos(longitude)
    self.init(cosLatitude * cosLongitude, cosLatitude * sinLongitude, sinLatitude)
  }

  /// Tiny numbers are zero, and there is one zero.
  @inline(__always)
  private static func flushed(_ component: Double) -> Double { component.magnitude < 1e-60 ? 0 : component }

  /// Exact at multiples of 90 degrees.
  @inline(__always)
  private static func sinCos(_ degrees: Double) -> (sin: Double, cos: Double) {
    let quadrant = (degrees / 90).rounded()
    // The difference is exact, as both sides are within a factor of two of each other or one is zero.
    let rest = (degrees - quadrant * 90) * (.pi / 180)
    let (sin, cos) = (Glibc.sin(rest), Glibc.cos(rest))
    switch Int(quadrant) & 3 {
    case 0: return (sin, cos)
    case 1: return (cos, -sin)
    case 2: return (-sin, -cos)
    default: return (-cos, sin)
    }
  }

  // MARK: Vectors

  @inline(__always)
  func dot(_ other: SpherePoint) -> Double { x * other.x + y * other.y + z * other.z }

  var opposite: SpherePoint { SpherePoint(-x, -y, -z) }

  /// The square of the straight line between two points.
  @inline(__always)
  func chord2(to other: SpherePoint) -> Double {
    let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
    return dx * dx + dy * dy + dz * dz
  }

  /// The angle between two points, also exact where they are close together or almost opposite.
  package func angle(to other: SpherePoint) -> Double {
    let chord2 = chord2(to: other)
    if chord2 <= 2 { return 2 * asin(chord2.squareRoot() / 2) }
    return .pi - 2 * asin(min(1, self.chord2(to: other.opposite).squareRoot() / 2))
  }

  /// A direction at right angles to two points, in the sense of a screw from this to the other; also where they are close
  /// together.
  func cross(_ other: SpherePoint) -> (x: Double, y: Double, z: Double) {
    let (sx, sy, sz) = (other.x + x, other.y + y, other.z + z)
    let (dx, dy, dz) = (other.x - x, other.y - y, other.z - z)
    return ((sy * dz - sz * dy) / 2, (sz * dx - sx * dz) / 2, (sx * dy - sy * dx) / 2)
  }

  /// The point in a direction.
  init(direction x: Double, _ y: Double, _ z: Double) {
    let length = (x * x + y * y + z * z).squareRoot()
    self.init(x / length, y / length, z / length)
  }

  /// Some point a quarter of the way round from this one, always the same.
  var reference: SpherePoint {
    let axis = x.magnitude < y.magnitude ? (x.magnitude < z.magnitude ? 0 : 2) : (y.magnitude < z.magnitude ? 1 : 2)
    // At right angles to this and to an axis tilted a little, so that it is on no edge that programs write.
    let (tx, ty, tz) = (axis == 0 ? 1 : 0.012, axis == 1 ? 1 : 0.0053, axis == 2 ? 1 : 0.00457)
    return SpherePoint(direction: y * tz - z * ty, z * tx - x * tz, x * ty - y * tx)
  }

  /// The order in which coinciding planes are told apart.
  func precedes(_ other: SpherePoint) -> Bool {
    if x != other.x { return x < other.x }
    if y != other.y { return y < other.y }
    return z < other.z
  }
}
