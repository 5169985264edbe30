import Foundation
import GRDB

extension GRDBTrials {
  private static let overlaps = "south <= ? AND north >= ? AND west <= ? AND east >= ?"

  private static func bounds(_ box: Box) -> StatementArguments {
    [box.latitudes.upperBound, box.latitudes.lowerBound, box.longitudes.upperBound, box.longitudes.lowerBound]
  }

  static func countInCircle(_ stage: Stage) throws -> Trial {
    let dataset = stage.places
    let expected = dataset.circles.reduce(0) { $0 + dataset.count(in: $1) }
    let arguments = dataset.circles.map { circle in
      let center = circle.center.vector
      return bounds(circle.bounds) + [center.x, center.y, center.z]
    }
    return try count(
      stage.sharedGRDBSpots(),
      "SELECT COUNT(*) FROM spot_tree WHERE \(overlaps) AND x * ? + y * ? + z * ? >= 0.98", arguments, expected)
  }

  static func countInBox(_ stage: Stage) throws -> Trial {
    let dataset = stage.places
    let expected = dataset.boxes.reduce(0) { $0 + dataset.count(in: $1) }
    return try count(
      stage.sharedGRDBSpots(),
      """
      SELECT COUNT(*) FROM spot_tree
      WHERE \(overlaps) AND latitude <= ? AND latitude >= ? AND longitude <= ? AND longitude >= ?
      """, dataset.boxes.map { bounds($0) + bounds($0) }, expected)
  }

  private static func count(
    _ fixture: GRDBSpots, _ sql: String, _ arguments: [StatementArguments], _ expected: Int
  ) -> Trial {
    {
      var found = 0
      let sample = try sample(per: arguments.count) {
        for arguments in arguments {
          found += try fixture.queue.read { database in
            try Int.fetchOne(database.cachedStatement(sql: sql), arguments: arguments) ?? 0
          }
        }
      }
      try expect(found, expected, "places in GRDB")
      return sample
    }
  }

  static func findNearest(_ stage: Stage) throws -> Trial {
    let (dataset, fixture) = (stage.places, try stage.sharedGRDBSpots())
    let expected = dataset.nearest(to: dataset.points[dataset.points.count - 1])
    // Half of the side of a square with about 40 places.
    let reach = (4 * Double.pi * 40 / Double(dataset.places.count)).squareRoot() / 2
    return {
      var ids: [Int] = []
      let sample = try sample(per: dataset.points.count) {
        for point in dataset.points { ids = try fixture.queue.read { try nearest(to: point, within: reach, in: $0) } }
      }
      try expect(ids, expected, "neighbours in GRDB")
      return sample
    }
  }

  private static func nearest(to point: Place, within reach: Double, in database: Database) throws -> [Int] {
    let statement = try database.cachedStatement(
      sql: """
        SELECT id, x * ? + y * ? + z * ? AS cosine FROM spot_tree WHERE \(overlaps) ORDER BY cosine DESC LIMIT ?
        """)
    var reach = reach
    while true {
      let height = reach * 180 / .pi
      let width = asin(min(1, sin(reach) / cos(point.latitude * .pi / 180))) * 180 / .pi
      let box = Box(
        latitudes: (point.latitude - height)...(point.latitude + height),
        longitudes: (point.longitude - width)...(point.longitude + width))
      let vector = point.vector
      let arguments = [vector.x, vector.y, vector.z] + bounds(box) + [PlaceDataset.neighbourCount]
      let rows = try Row.fetchAll(statement, arguments: arguments)
      // Those in the corners of the square are no nearest ones.
      if rows.count == PlaceDataset.neighbourCount, let last = rows.last, acos(last[1] as Double) <= reach {
        return rows.map { $0[0] }
      }
      reach *= 2
    }
  }

  static func indexPlaces(_ stage: Stage) throws -> Trial {
    let fixture = try GRDBSpots(filledWith: stage.places, isIndexed: false)
    return {
      let sample = try sample(per: 1) { try fixture.addIndex() }
      try fixture.removeIndex()
      return sample
    }
  }

  static func placeIndexMemory(_ stage: Stage) throws -> Trial {
    let with = try stage.sharedGRDBSpots().pageByteCount()
    let without = try GRDBSpots(filledWith: stage.places, isIndexed: false).pageByteCount()
    let sample = Sample(value: Double(with - without) / Double(stage.places.places.count))
    return { sample }
  }

  static func movePlace(_ stage: Stage) throws -> Trial {
    try besideUnindexed(stage) { fixture, isIndexed in
      let (dataset, ids) = (stage.places, PlaceCommits.ids(stage.places))
      var round = 0
      return {
        round += 1
        return try nanoseconds(per: ids.count) {
          for (number, id) in ids.enumerated() {
            try fixture.queue.write { database in
              try GRDBSpots.move(id, to: dataset.place(number, round: round), isIndexed: isIndexed, in: database)
            }
          }
        }
      }
    }
  }

  static func addPlace(_ stage: Stage) throws -> Trial {
    try besideUnindexed(stage) { fixture, isIndexed in
      var next = stage.places.places.count
      return {
        defer { next += PlaceCommits.countPerPass }
        return try add(next..<(next + PlaceCommits.countPerPass), stage.places, fixture, isIndexed)
      }
    }
  }

  static func deletePlace(_ stage: Stage) throws -> Trial {
    try besideUnindexed(stage) { fixture, isIndexed in
      let ids = stage.places.places.count..<(stage.places.places.count + PlaceCommits.countPerPass)
      return {
        _ = try add(ids, stage.places, fixture, isIndexed)
        return try nanoseconds(per: ids.count) {
          for id in ids {
            try fixture.queue.write { try GRDBSpots.delete(id, isIndexed: isIndexed, from: $0) }
          }
        }
      }
    }
  }

  private static func add(
    _ ids: Range<Int>, _ dataset: PlaceDataset, _ fixture: GRDBSpots, _ isIndexed: Bool
  ) throws -> Double {
    try nanoseconds(per: ids.count) {
      for id in ids {
        try fixture.queue.write { database in
          try GRDBSpots.insert(id, dataset.place(id, round: 0), isIndexed: isIndexed, into: database)
        }
      }
    }
  }

  private static func besideUnindexed(
    _ stage: Stage, _ commits: (GRDBSpots, Bool) -> () throws -> Double
  ) throws -> Trial {
    let with = commits(try GRDBSpots(filledWith: stage.places, isIndexed: true), true)
    let without = commits(try GRDBSpots(filledWith: stage.places, isIndexed: false), false)
    return {
      let plain = try without()
      return Sample(
        value: try with(), asides: [.init(label: PlaceCommits.unindexedLabel, value: plain, unit: .nanoseconds)])
    }
  }
}
