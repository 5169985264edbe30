import Firn

extension FirnTrials {
  static func countInCircle(_ stage: Stage) throws -> Trial {
    let dataset = stage.places
    let circles = try dataset.circles.map { circle in
      try geo(GeoCircle(center: (circle.center.latitude, circle.center.longitude), radiusInRadians: circle.radius))
    }
    let expected = dataset.circles.reduce(0) { $0 + dataset.count(in: $1) }
    return try count(
      stage, circles.map { circle in { $0.location.geoWithin(circle) } }, expected, "places in circles in Firn")
  }

  static func countInBox(_ stage: Stage) throws -> Trial {
    let dataset = stage.places
    let boxes = try dataset.boxes.map { box in
      try geo(
        GeoBox(
          bottomLeft: (box.latitudes.lowerBound, box.longitudes.lowerBound),
          topRight: (box.latitudes.upperBound, box.longitudes.upperBound)))
    }
    let expected = dataset.boxes.reduce(0) { sum, box in sum + dataset.places.count { box.isSpannedAround($0) } }
    return try count(
      stage, boxes.map { box in { $0.location.geoWithin(box) } }, expected, "places in boxes in Firn")
  }

  private static func count(
    _ stage: Stage, _ areWithin: [(Query<Indexed.Spot>) -> Query<Bool>], _ expected: Int, _ name: String
  ) throws -> Trial {
    let spots = try stage.sharedFirnSpots().realm.objects(Indexed.Spot.self)
    return {
      var found = 0
      let sample = sample(per: areWithin.count) {
        for isWithin in areWithin { found += spots.where(isWithin).count }
      }
      try expect(found, expected, name)
      return sample
    }
  }

  static func findNearest(_ stage: Stage) throws -> Trial {
    let dataset = stage.places
    let spots = try stage.sharedFirnSpots().realm.objects(Indexed.Spot.self)
    let points = try dataset.points.map { try geo(GeoPoint(latitude: $0.latitude, longitude: $0.longitude)) }
    let expected = dataset.nearest(to: dataset.points[points.count - 1])
    return {
      var ids: [Int] = []
      let sample = sample(per: points.count) {
        for point in points {
          ids.removeAll(keepingCapacity: true)
          for (spot, _) in spots.nearest(to: point, by: \.location).prefix(PlaceDataset.neighbourCount) {
            ids.append(spot.id)
          }
        }
      }
      try expect(ids, expected, "neighbours in Firn")
      return sample
    }
  }

  private static func geo<Shape>(_ shape: Shape?) throws -> Shape {
    guard let shape else { throw WrongAnswer(description: "a shape that is none") }
    return shape
  }

  /// What an opening costs above one without the index.
  static func indexPlaces(_ stage: Stage) throws -> Trial {
    let dataset = stage.places
    let source = try TemporaryFolder()
    var written = FirnFileFixture.configuration(in: source, .onCheckpoint, .never)
    written.objectTypes = [Unindexed.Spot.self, SpotLocation.self]
    try fill(written, with: dataset)
    return {
      let opening = try open(source.copy(), Unindexed.Spot.self, dataset.places.count)
      let sample = try open(source.copy(), Indexed.Spot.self, dataset.places.count)
      return Sample(
        value: sample - opening, asides: [.init(label: Migrations.plainLabel, value: opening, unit: .nanoseconds)])
    }
  }

  private static func fill(_ configuration: Realm.Configuration, with dataset: PlaceDataset) throws {
    let store = try waitFor { try await RealmStore.open(configuration) }
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.addSpots(Unindexed.Spot.self, at: dataset.places) }
    }
    try waitFor { try await store.close() }
  }

  private static func open<Kind: PlacedObject>(
    _ folder: TemporaryFolder, _ type: Kind.Type, _ expectedCount: Int
  ) throws -> Double {
    var written = FirnFileFixture.configuration(in: folder, .everyCommit)
    written.objectTypes = [Kind.self, SpotLocation.self]
    let configuration = written
    var store: RealmStore?
    let opening = try nanoseconds(per: 1) { store = try waitFor { try await RealmStore.open(configuration) } }
    try expect(store?.freeze().objects(Kind.self).count, expectedCount, "places in the files")
    withExtendedLifetime(folder) { store = nil }
    return opening
  }

  static func placeIndexMemory(_ stage: Stage) throws -> Trial {
    let count = stage.places.places.count
    let with = try stage.sharedFirnSpots().engineByteCount()
    let without = try SpotFixture<Unindexed.Spot>(filledWith: stage.places).engineByteCount()
    let sample = Sample(
      value: Double(with - without) / Double(count),
      asides: [.init(label: "the object with its place", value: Double(without) / Double(count), unit: .bytes)])
    return { sample }
  }
}
