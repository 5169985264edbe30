import Foundation
import Synchronization

final class PlainSpot {
  let id: Int
  var latitude: Double
  var longitude: Double

  init(id: Int, _ place: Place) {
    self.id = id
    latitude = place.latitude
    longitude = place.longitude
  }
}

/// Objects with places, under a mutex like all that plain Swift shares.
final class PlainSpots: Sendable {
  private let spots: Mutex<[PlainSpot]>

  init(filledWith dataset: PlaceDataset) {
    spots = Mutex(dataset.places.enumerated().map { PlainSpot(id: $0.offset, $0.element) })
  }

  func count(in circle: Circle) -> Int {
    let bounds = circle.bounds
    return spots.withLock { spots in
      spots.count { Self.isIn(bounds, $0) && Self.distance($0, circle.center) <= circle.radius }
    }
  }

  func count(in box: Box) -> Int {
    spots.withLock { spots in spots.count { Self.isIn(box, $0) } }
  }

  func nearest(to point: Place) -> [Int] {
    spots.withLock { spots in
      var nearest = NearestFew(limit: PlaceDataset.neighbourCount)
      for spot in spots { nearest.offer(spot.id, Self.haversine(spot, point)) }
      return nearest.ids
    }
  }

  @inline(__always)
  private static func isIn(_ box: Box, _ spot: PlainSpot) -> Bool {
    box.latitudes.contains(spot.latitude) && box.longitudes.contains(spot.longitude)
  }

  private static func distance(_ spot: PlainSpot, _ point: Place) -> Double {
    2 * asin(haversine(spot, point).squareRoot())
  }

  @inline(__always)
  private static func haversine(_ spot: PlainSpot, _ point: Place) -> Double {
    let half = Double.pi / 360
    let (rise, way) = (sin((spot.latitude - point.latitude) * half), sin((spot.longitude - point.longitude) * half))
    return rise * rise + cos(spot.latitude * 2 * half) * cos(point.latitude * 2 * half) * way * way
  }
}

extension PlainTrials {
  static func countInCircle(_ stage: Stage) throws -> Trial {
    let (dataset, spots) = (stage.places, stage.sharedPlainSpots())
    let expected = dataset.circles.reduce(0) { $0 + dataset.count(in: $1) }
    return {
      var found = 0
      let sample = sample(per: dataset.circles.count) {
        for circle in dataset.circles { found += spots.count(in: circle) }
      }
      try expect(found, expected, "places in circles in plain Swift")
      return sample
    }
  }

  static func countInBox(_ stage: Stage) throws -> Trial {
    let (dataset, spots) = (stage.places, stage.sharedPlainSpots())
    let expected = dataset.boxes.reduce(0) { $0 + dataset.count(in: $1) }
    return {
      var found = 0
      let sample = sample(per: dataset.boxes.count) {
        for box in dataset.boxes { found += spots.count(in: box) }
      }
      try expect(found, expected, "places in boxes in plain Swift")
      return sample
    }
  }

  static func findNearest(_ stage: Stage) throws -> Trial {
    let (dataset, spots) = (stage.places, stage.sharedPlainSpots())
    let points = dataset.points.suffix(5)
    let expected = dataset.nearest(to: dataset.points[dataset.points.count - 1])
    return {
      var ids: [Int] = []
      let sample = sample(per: points.count) {
        for point in points { ids = spots.nearest(to: point) }
      }
      try expect(ids, expected, "neighbours in plain Swift")
      return sample
    }
  }
}
