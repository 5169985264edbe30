internal import Glibc

/// A piece of the sphere: a square on a face of the cube around it, seen from the centre.
///
/// Each face is divided into four again and again, 30 times. The smallest cells, of one or two centimetres, have numbers,
/// face by face and in the order of a Z on each level, so that those in a cell of any level follow one another. Great
/// circles are straight lines on a face. A face is 2 wide in its coordinates.
package struct PlaceCell: Hashable, Sendable {
  static let levelMax = 30

  var face: Int { Int(narrowFace) }
  var level: Int { Int(narrowLevel) }
  /// Its place on the face, counted in cells of the level.
  var i: Int { Int(narrowI) }
  var j: Int { Int(narrowJ) }

  private let narrowI: Int32
  private let narrowJ: Int32
  private let narrowFace: UInt8
  private let narrowLevel: UInt8

  static let faces = (0..<6).map { PlaceCell(face: $0, level: 0, i: 0, j: 0) }

  var children: [PlaceCell] { (0..<4).map(child) }

  /// One of the four cells in it, in the order of their numbers.
  func child(_ index: Int) -> PlaceCell {
    PlaceCell(face: face, level: level + 1, i: 2 * i + (index & 1), j: 2 * j + index >> 1)
  }

  // MARK: Numbers

  /// The numbers of the smallest cells in it.
  var numbers: ClosedRange<UInt64> {
    let below = UInt64(2 * (Self.levelMax - level))
    let first = UInt64(face) << 60 | Self.interleaved(i, j) << below
    return first...(first + (1 << below - 1))
  }

  /// The numbers of all smallest cells.
  package static let allNumbers: ClosedRange<UInt64> = 0...(6 << 60 - 1)

  /// The number of the smallest cell that a point lies in.
  package static func number(of point: SpherePoint) -> UInt64 {
    let place = FacePlace(point)
    return UInt64(place.face) &<< 60 | interleaved(place.index(place.u), place.index(place.v))
  }

  /// The smallest cell with a number.
  init(number: UInt64) {
    self.init(
      face: Int(number >> 60), level: Self.levelMax, i: Self.evenBits(number), j: Self.evenBits(number >> 1))
  }

  init(face: Int, level: Int, i: Int, j: Int) {
    narrowFace = UInt8(truncatingIfNeeded: face)
    narrowLevel = UInt8(truncatingIfNeeded: level)
    narrowI = Int32(truncatingIfNeeded: i)
    narrowJ = Int32(truncatingIfNeeded: j)
  }

  @inline(__always)
  private static func interleaved(_ i: Int, _ j: Int) -> UInt64 { spread(i) | spread(j) &<< 1 }

  /// The bits of a number of up to 32 bits, each followed by a zero.
  @inline(__always)
  private static func spread(_ number: Int) -> UInt64 {
    var bits = UInt64(truncatingIfNeeded: number)
    bits = (bits | bits &<< 16) & 0x0000_FFFF_0000_FFFF
    bits = (bits | bits &<< 8) & 0x00FF_00FF_00FF_00FF
    bits = (bits | bits &<< 4) & 0x0F0F_0F0F_0F0F_0F0F
    bits = (bits | bits &<< 2) & 0x3333_3333_3333_3333
    return (bits | bits &<< 1) & 0x5555_5555_5555_5555
  }

  @inline(__always)
  private static func evenBits(_ number: UInt64) -> Int {
    var bits = number & 0x0555_5555_5555_5555
    bits = (bits | bits >> 1) & 0x3333_3333_3333_3333
    bits = (bits | bits >> 2) & 0x0F0F_0F0F_0F0F_0F0F
    bits = (bits | bits >> 4) & 0x00FF_00FF_00FF_00FF
    bits = (bits | bits >> 8) & 0x0000_FFFF_0000_FFFF
    return Int((bits | bits >> 16) & 0xFFFF_FFFF)
  }

  // MARK: Space

  var width: Double { 2 / Double(1 << level) }
  var u: ClosedRange<Double> { -1 + Double(i) * width ... -1 + Double(i + 1) * width }
  var v: ClosedRange<Double> { -1 + Double(j) * width ... -1 + Double(j + 1) * width }

  var center: SpherePoint {
    FacePlace(face: face, u: -1 + (Double(i) + 0.5) * width, v: -1 + (Double(j) + 0.5) * width).point
  }

  /// An angle from the centre beyond which nothing of it lies.
  var radius: Double {
    // Seen from the centre of the cube a face shrinks outwards, by the distance of what is seen or more.
    let (u, v) = (Self.least(u), Self.least(v))
    return width * 0.7072 / (1 + u * u + v * v).squareRoot() + PlaceCell.margin
  }

  /// How near to zero a range comes.
  @inline(__always)
  private static func least(_ range: ClosedRange<Double>) -> Double { max(0, range.lowerBound, -range.upperBound) }

  /// An angle from the centre of a smallest cell beyond which nothing of it lies.
  static let radiusOfSmallest = 2e-9

  /// The centre of the smallest cell with a number.
  @inline(__always)
  static func center(ofNumber number: UInt64) -> SpherePoint {
    let width = 2 / Double(1 &<< levelMax)
    return FacePlace(
      face: Int(number &>> 60), u: -1 + (Double(evenBits(number)) + 0.5) * width,
      v: -1 + (Double(evenBits(number &>> 1)) + 0.5) * width
    ).point
  }

  /// How far from each other points may be found that rounding has moved apart, in radians and on faces; less than a
  /// micrometre.
  static let margin = 1e-13
}

/// A place on a face of the cube.
struct FacePlace {
  /// Twice the number of the axis that the face is on, and one more on its negative side.
  let face: Int
  /// The coordinates along the axes that follow, each from -1 to 1.
  let u: Double
  let v: Double

  init(face: Int, u: Double, v: Double) {
    self.face = face
    self.u = u
    self.v = v
  }

  @inline(__always)
  init(_ point: SpherePoint) {
    let (x, y, z) = (point.x.magnitude, point.y.magnitude, point.z.magnitude)
    let axis = x >= y ? (x >= z ? 0 : 2) : (y >= z ? 1 : 2)
    let (along, u, v) = Self.components(point, axis)
    self.init(face: 2 &* axis &+ (along < 0 ? 1 : 0), u: u / along.magnitude, v: v / along.magnitude)
  }

  /// The components of a point as a face sees it: out of the face, and along it.
  @inline(__always)
  static func components(_ point: SpherePoint, _ axis: Int) -> (along: Double, u: Double, v: Double) {
    switch axis {
    case 0: (point.x, point.y, point.z)
    case 1: (point.y, point.z, point.x)
    default: (point.z, point.x, point.y)
    }
  }

  @inline(__always)
  var point: SpherePoint {
    let along = face & 1 == 0 ? 1.0 : -1.0
    switch face >> 1 {
    case 0: return SpherePoint(direction: along, u, v)
    case 1: return SpherePoint(direction: v, along, u)
    default: return SpherePoint(direction: u, v, along)
    }
  }

  /// The number of the smallest cell along one coordinate.
  @inline(__always)
  func index(_ coordinate: Double) -> Int {
    let count = Double(1 &<< PlaceCell.levelMax)
    return Int(max(0, min(count - 1, (coordinate + 1) * (count / 2))))
  }
}
