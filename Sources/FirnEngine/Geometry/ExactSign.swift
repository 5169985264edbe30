/// A sum of doubles and of their products without any rounding.
///
/// The parts do not overlap and ascend by size, so the last one has the sign of the sum. Factors are zero or between
/// 1e-60 and 1e60 in size.
struct ExactSign {
  private var parts: [Double] = []

  /// Negative, zero or positive.
  var sign: Int { parts.last.map { $0 > 0 ? 1 : -1 } ?? 0 }

  mutating func add(_ value: Double) {
    var carried = value
    var kept: [Double] = []
    kept.reserveCapacity(parts.count + 1)
    for part in parts {
      let sum = carried + part
      let virtual = sum - carried
      let error = (carried - (sum - virtual)) + (part - virtual)
      if error != 0 { kept.append(error) }
      carried = sum
    }
    if carried != 0 { kept.append(carried) }
    parts = kept
  }

  mutating func add(_ a: Double, times b: Double) {
    let product = a * b
    add((-product).addingProduct(a, b))
    add(product)
  }

  mutating func add(_ a: Double, times b: Double, times c: Double) {
    let product = a * b
    add((-product).addingProduct(a, b), times: c)
    add(product, times: c)
  }

  /// The sign of `a * b - c * d`.
  static func signOfDifference(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Int {
    var sum = ExactSign()
    sum.add(a, times: b)
    sum.add(-c, times: d)
    return sum.sign
  }

  /// The sign of the determinant of three points.
  static func signOfDeterminant(_ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint) -> Int {
    var sum = ExactSign()
    sum.add(a.x, times: b.y, times: c.z)
    sum.add(-a.x, times: b.z, times: c.y)
    sum.add(a.y, times: b.z, times: c.x)
    sum.add(-a.y, times: b.x, times: c.z)
    sum.add(a.z, times: b.x, times: c.y)
    sum.add(-a.z, times: b.y, times: c.x)
    return sum.sign
  }
}
