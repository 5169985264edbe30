/// On which side of great circles points lie. Never wrong, and never undecided for three different points: where they lie
/// in one plane with the centre, they count as moved a little, always in the same way.
enum Orientation {
  /// 1 when `c` lies left of the way from `a` to `b`, -1 when it lies right of it, 0 when two of the points are the same.
  @inline(__always)
  static func sign(_ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint) -> Int {
    let determinant =
      (a.y * b.z - a.z * b.y) * c.x + (a.z * b.x - a.x * b.z) * c.y + (a.x * b.y - a.y * b.x) * c.z
    // Rounding of unit vectors adds up to less.
    if determinant > 8e-16 { return 1 }
    if determinant < -8e-16 { return -1 }
    return carefulSign(a, b, c)
  }

  @inline(never)
  private static func carefulSign(_ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint) -> Int {
    if a == b || b == c || c == a { return 0 }
    let sign = signByDifferences(a, b, c)
    return sign != 0 ? sign : exactSign(a, b, c)
  }

  /// The same from the differences of points that are close together, which are almost exact; 0 when that is not enough.
  private static func signByDifferences(_ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint) -> Int {
    let (ab2, bc2, ca2) = (a.chord2(to: b), b.chord2(to: c), c.chord2(to: a))
    // The shorter two edges meet in one of the points.
    if ab2 >= bc2, ab2 >= ca2 { return sign(from: c, a, b, ca2, bc2) }
    if bc2 >= ca2 { return sign(from: a, b, c, ab2, ca2) }
    return sign(from: b, c, a, bc2, ab2)
  }

  @inline(__always)
  private static func sign(
    from origin: SpherePoint, _ p: SpherePoint, _ q: SpherePoint, _ length2: Double, _ otherLength2: Double
  ) -> Int {
    let (px, py, pz) = (p.x - origin.x, p.y - origin.y, p.z - origin.z)
    let (qx, qy, qz) = (q.x - origin.x, q.y - origin.y, q.z - origin.z)
    let determinant =
      (py * qz - pz * qy) * origin.x + (pz * qx - px * qz) * origin.y + (px * qy - py * qx) * origin.z
    let most = 1e-15 * (length2 * otherLength2).squareRoot()
    return determinant > most ? 1 : (determinant < -most ? -1 : 0)
  }

  private static func exactSign(_ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint) -> Int {
    var (first, second, third) = (a, b, c)
    var parity = 1
    if second.precedes(first) { (first, second, parity) = (second, first, -parity) }
    if third.precedes(second) { (second, third, parity) = (third, second, -parity) }
    if second.precedes(first) { (first, second, parity) = (second, first, -parity) }
    let sign = ExactSign.signOfDeterminant(first, second, third)
    return parity * (sign != 0 ? sign : perturbedSign(first, second, third))
  }

  /// The sign when the components are moved by amounts of which each is much smaller than the one before, in the order
  /// z, y, x of `a`, then of `b`, then of `c`; by Edelsbrunner and Mücke. The points ascend.
  private static func perturbedSign(_ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint) -> Int {
    let terms: [() -> Int] = [
      { ExactSign.signOfDifference(b.x, c.y, b.y, c.x) },
      { ExactSign.signOfDifference(b.z, c.x, b.x, c.z) },
      { ExactSign.signOfDifference(b.y, c.z, b.z, c.y) },
      { ExactSign.signOfDifference(c.x, a.y, c.y, a.x) },
      { sign(c.x) },
      { -sign(c.y) },
      { ExactSign.signOfDifference(c.z, a.x, c.x, a.z) },
      { sign(c.z) },
      { ExactSign.signOfDifference(c.y, a.z, c.z, a.y) },
      { ExactSign.signOfDifference(a.x, b.y, a.y, b.x) },
      { -sign(b.x) },
      { sign(b.y) },
      { sign(a.x) },
    ]
    for term in terms {
      let sign = term()
      if sign != 0 { return sign }
    }
    return 1
  }

  private static func sign(_ number: Double) -> Int { number > 0 ? 1 : (number < 0 ? -1 : 0) }

  /// Whether `a`, `b` and `c` are met in this order when one turns to the left about `o`, both ends included.
  static func isOrdered(_ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint, about o: SpherePoint) -> Bool {
    var count = 0
    if sign(b, o, a) >= 0 { count += 1 }
    if sign(c, o, b) >= 0 { count += 1 }
    if sign(a, o, c) > 0 { count += 1 }
    return count >= 2
  }
}
