import Firn
import Testing

/// What observers of conditions on places are told.
@MainActor @Suite struct PlaceObservationTests {
  @Test func resultsFollowWhatIsWritten() throws {
    let world = try PlaceWorld()
    let (realm, shops) = (world.realm, world.shops)
    try world.add([PlaceSpot(85, 0), PlaceSpot(0, 0), nil])
    var counts: [Int] = []
    let token = shops.where { $0.spot.geoWithin(world.north) }.observe { change in
      switch change {
      case .initial(let found), .update(let found, _, _, _): counts.append(found.count)
      case .error: break
      }
    }
    realm.refresh()
    func write(_ body: () -> Void) throws {
      try realm.write(body)
      realm.refresh()
    }
    try write { shops[1].spot?.coordinates[1] = 88 }
    try write { shops[2].spot = PlaceSpot(89, 9) }
    try write { shops[0].spot?.type = "Line" }
    try write { shops[1].spot?.coordinates.removeAll() }
    try write { shops[1].spot?.coordinates.append(objectsIn: [3, 89]) }
    try write { realm.delete(shops[2]) }
    #expect(counts == [1, 2, 3, 2, 1, 2, 1])
    token.invalidate()
  }
}
