import Foundation

/// Places that lie evenly on the globe, from a fixed seed, and what is asked about them.
final class PlaceDataset: Sendable {
  let places: [Place]
  /// Each holds a hundredth of the globe, and neither a pole nor a part of the antimeridian.
  let circles: [Circle]
  /// The same as ranges of latitudes and longitudes.
  let boxes: [Box]
  /// What to find neighbours of.
  let points: [Place]

  static let neighbourCount = 10

  init(count: Int, seed: UInt64 = 20_261_125) {
    var random = SeededGenerator(seed: seed)
    places = (0..<count).map { _ in Place(&random, latitudes: -90...90, longitudes: -180...180) }
    circles = (0..<20).map { _ in Circle(center: Place(&random, latitudes: -60...60, longitudes: -140...140)) }
    boxes = (0..<20).map { _ in Box(center: Place(&random, latitudes: -45...45, longitudes: -140...140)) }
    points = (0..<1_000).map { _ in Place(&random, latitudes: -60...60, longitudes: -150...150) }
  }

  /// Where the object with a number goes that is moved or added in some round.
  func place(_ number: Int, round: Int) -> Place { places[(number &* 7_919 &+ round) % places.count] }

  func count(in circle: Circle) -> Int { places.count { circle.contains($0) } }

  func count(in box: Box) -> Int { places.count { box.contains($0) } }

  /// The ids of the nearest places, the nearest first.
  func nearest(to point: Place) -> [Int] {
    var nearest = NearestFew(limit: Self.neighbourCount)
    for (id, place) in places.enumerated() { nearest.offer(id, -point.cosine(to: place)) }
    return nearest.ids
  }
}

struct Place: Sendable {
  var latitude: Double
  var longitude: Double

  /// Evenly by area.
  fileprivate init(
    _ random: inout SeededGenerator, latitudes: ClosedRange<Double>, longitudes: ClosedRange<Double>
  ) {
    let sines = sin(latitudes.lowerBound * .pi / 180)...sin(latitudes.upperBound * .pi / 180)
    latitude = asin(.random(in: sines, using: &random)) * 180 / .pi
    longitude = .random(in: longitudes, using: &random)
  }

  /// The point of the unit sphere.
  var vector: SIMD3<Double> {
    let (latitude, longitude) = (latitude * .pi / 180, longitude * .pi / 180)
    return [cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude)]
  }

  func cosine(to other: Place) -> Double { (vector * other.vector).sum() }
}

struct Circle: Sendable {
  let center: Place
  let radius = acos(0.98)

  /// The least latitudes and longitudes that hold it.
  var bounds: Box {
    let height = radius * 180 / .pi
    let width = asin(sin(radius) / cos(center.latitude * .pi / 180)) * 180 / .pi
    return Box(
      latitudes: (center.latitude - height)...(center.latitude + height),
      longitudes: (center.longitude - width)...(center.longitude + width))
  }

  func contains(_ place: Place) -> Bool { center.cosine(to: place) >= 0.98 }
}

struct Box: Sendable {
  let latitudes: ClosedRange<Double>
  let longitudes: ClosedRange<Double>

  init(latitudes: ClosedRange<Double>, longitudes: ClosedRange<Double>) {
    self.latitudes = latitudes
    self.longitudes = longitudes
  }

  /// 20 degrees high.
  fileprivate init(center: Place) {
    let latitudes = (center.latitude - 10)...(center.latitude + 10)
    let height = sin(latitudes.upperBound * .pi / 180) - sin(latitudes.lowerBound * .pi / 180)
    let width = 0.01 * 4 * .pi / height * 180 / .pi
    self.init(latitudes: latitudes, longitudes: (center.longitude - width / 2)...(center.longitude + width / 2))
  }

  @inline(__always)
  func contains(_ place: Place) -> Bool {
    latitudes.contains(place.latitude) && longitudes.contains(place.longitude)
  }

  /// The same for sides that are great circles.
  func isSpannedAround(_ place: Place) -> Bool {
    let corners = [
      (latitudes.lowerBound, longitudes.lowerBound), (latitudes.lowerBound, longitudes.upperBound),
      (latitudes.upperBound, longitudes.upperBound), (latitudes.upperBound, longitudes.lowerBound),
    ].map { Place(latitude: $0.0, longitude: $0.1).vector }
    let point = place.vector
    return corners.indices.allSatisfy { index in
      let (a, b) = (corners[index], corners[(index + 1) % 4])
      let normal = SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
      return (normal * point).sum() >= 0
    }
  }
}

extension Place {
  fileprivate init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// The few of many that have the least rank.
struct NearestFew {
  private let limit: Int
  private var found: [(rank: Double, id: Int)] = []

  init(limit: Int) { self.limit = limit }

  var ids: [Int] { found.map(\.id) }

  @inline(__always)
  mutating func offer(_ id: Int, _ rank: Double) {
    if found.count == limit, rank >= found[limit - 1].rank { return }
    found.insert((rank, id), at: found.firstIndex { $0.rank > rank } ?? found.count)
    if found.count > limit { found.removeLast() }
  }
}
