/// Whether edges, the short ways between points on great circles, cross.
enum EdgeCrossing {
  /// Whether two edges cross in a point inside of both. Edges that share an end do not.
  @inline(__always)
  static func areCrossing(_ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint, _ d: SpherePoint) -> Bool {
    // All four triangles of the ends have one orientation.
    let acb = -Orientation.sign(a, b, c)
    if acb == 0 || Orientation.sign(a, b, d) != acb { return false }
    return -Orientation.sign(c, d, b) == acb && Orientation.sign(c, d, a) == acb
  }

  /// Whether one leaves or enters what an edge of a closed way bounds when one goes from `a` to `b`. Where the edges share
  /// an end it is one of those that meet there, so that the number of all edges that are crossed is right.
  @inline(__always)
  static func isCrossed(from a: SpherePoint, to b: SpherePoint, _ c: SpherePoint, _ d: SpherePoint) -> Bool {
    let acb = -Orientation.sign(a, b, c)
    if acb != 0 {
      let bda = Orientation.sign(a, b, d)
      if bda == -acb { return false }
      if bda != 0 { return -Orientation.sign(c, d, b) == acb && Orientation.sign(c, d, a) == acb }
    }
    return isCrossedAtEnd(a, b, c, d)
  }

  @inline(never)
  private static func isCrossedAtEnd(
    _ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint, _ d: SpherePoint
  ) -> Bool {
    if a == b || c == d { return false }
    if a == c { return b == d || Orientation.isOrdered(a.reference, d, b, about: a) }
    if b == d { return Orientation.isOrdered(b.reference, c, a, about: b) }
    if a == d { return b == c || Orientation.isOrdered(a.reference, c, b, about: a) }
    if b == c { return Orientation.isOrdered(b.reference, d, a, about: b) }
    return false
  }
}
