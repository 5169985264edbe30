import Firn

extension Loop {
  static var places: [Loop] {
    [
      Loop("geo", "count places in a circle", turns: 50) {
        let dataset = PlaceDataset(count: personCount)
        let spots = try SpotFixture<Indexed.Spot>(filledWith: dataset)
        let circles = dataset.circles.compactMap { circle in
          GeoCircle(center: (circle.center.latitude, circle.center.longitude), radiusInRadians: circle.radius)
        }
        return { turnCount in
          for turn in 0..<turnCount {
            let circle = circles[turn % circles.count]
            blackHole(spots.realm.objects(Indexed.Spot.self).where { $0.location.geoWithin(circle) }.count)
          }
        }
      },
      Loop("geo", "find ten places next to one", turns: 100) {
        let dataset = PlaceDataset(count: personCount)
        let spots = try SpotFixture<Indexed.Spot>(filledWith: dataset)
        let points = dataset.points.compactMap { GeoPoint(latitude: $0.latitude, longitude: $0.longitude) }
        return { turnCount in
          for turn in 0..<turnCount {
            let nearest = spots.realm.objects(Indexed.Spot.self).nearest(to: points[turn], by: \.location)
            for (spot, _) in nearest.prefix(PlaceDataset.neighbourCount) { blackHole(spot.id) }
          }
        }
      },
      Loop("geo", "add places with an index", turns: 500) {
        let dataset = PlaceDataset(count: personCount)
        let spots = try SpotFixture<Indexed.Spot>(filledWith: dataset)
        return { turnCount in
          try spots.realm.write {
            for turn in 0..<turnCount {
              let spot = Indexed.Spot()
              spot.id = personCount + turn
              spot.location = SpotLocation(dataset.place(turn, round: 1))
              spots.realm.add(spot)
            }
          }
        }
      },
    ]
  }
}
