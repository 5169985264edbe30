import Firn

extension FirnTrials {
  static func movePlace(_ stage: Stage) throws -> Trial {
    try besideUnindexed(stage, updates)
  }

  static func addPlace(_ stage: Stage) throws -> Trial {
    try besideUnindexed(stage, additions)
  }

  static func deletePlace(_ stage: Stage) throws -> Trial {
    try besideUnindexed(stage, deletions)
  }

  /// The same commits with the index and without, in turns.
  private static func besideUnindexed(
    _ stage: Stage, _ commits: (any SpotCommits, PlaceDataset) throws -> () throws -> Double
  ) throws -> Trial {
    let with = try commits(SpotFixture<Indexed.Spot>(filledWith: stage.places), stage.places)
    let without = try commits(SpotFixture<Unindexed.Spot>(filledWith: stage.places), stage.places)
    return {
      let plain = try without()
      return Sample(
        value: try with(), asides: [.init(label: PlaceCommits.unindexedLabel, value: plain, unit: .nanoseconds)])
    }
  }

  private static func updates(_ fixture: any SpotCommits, _ dataset: PlaceDataset) -> () throws -> Double {
    let ids = PlaceCommits.ids(dataset)
    var round = 0
    return {
      round += 1
      return try fixture.move(ids, dataset, round)
    }
  }

  private static func additions(_ fixture: any SpotCommits, _ dataset: PlaceDataset) -> () throws -> Double {
    var next = dataset.places.count
    return {
      defer { next += PlaceCommits.countPerPass }
      return try fixture.add(next..<(next + PlaceCommits.countPerPass), dataset)
    }
  }

  private static func deletions(_ fixture: any SpotCommits, _ dataset: PlaceDataset) throws -> () throws -> Double {
    // Those that passes delete are added first, between the others by place.
    var next = dataset.places.count
    return {
      let ids = next..<(next + PlaceCommits.countPerPass)
      next = ids.upperBound
      _ = try fixture.add(ids, dataset)
      return try fixture.delete(ids)
    }
  }
}

private protocol SpotCommits {
  /// Each returns the time per commit.
  func move(_ ids: [Int], _ dataset: PlaceDataset, _ round: Int) throws -> Double
  func add(_ ids: Range<Int>, _ dataset: PlaceDataset) throws -> Double
  func delete(_ ids: Range<Int>) throws -> Double
}

extension SpotFixture: SpotCommits {
  private func spots(_ ids: some Sequence<Int>) -> [Kind] {
    ids.compactMap { realm.object(ofType: Kind.self, forPrimaryKey: $0) }
  }

  fileprivate func move(_ ids: [Int], _ dataset: PlaceDataset, _ round: Int) throws -> Double {
    let coordinates = spots(ids).compactMap { $0.location?.coordinates }
    return try nanoseconds(per: coordinates.count) {
      for (number, coordinates) in coordinates.enumerated() {
        let place = dataset.place(number, round: round)
        try realm.write {
          coordinates[0] = place.longitude
          coordinates[1] = place.latitude
        }
      }
    }
  }

  fileprivate func add(_ ids: Range<Int>, _ dataset: PlaceDataset) throws -> Double {
    try nanoseconds(per: ids.count) {
      for id in ids {
        let spot = Kind()
        spot.id = id
        spot.location = SpotLocation(dataset.place(id, round: 0))
        try realm.write { realm.add(spot) }
      }
    }
  }

  fileprivate func delete(_ ids: Range<Int>) throws -> Double {
    let spots = spots(ids)
    return try nanoseconds(per: spots.count) {
      for spot in spots { try realm.write { realm.delete(spot) } }
    }
  }
}
