import Firn
import Testing

@MainActor @Suite struct CodableModelsTests {
  class Passenger: Object, Codable {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var name: String
    @Persisted var seat: String?
    @Persisted var bags: List<Int>
  }

  class Airline: Object, Codable {
    @Persisted(primaryKey: true) var code: String
    @Persisted var name: String
    @Persisted(originProperty: "airline") var planes: LinkingObjects<Plane>

    enum CodingKeys: CodingKey {
      case code, name
    }
  }

  class Plane: Object {
    @Persisted var airline: Airline?
  }

  @Test func backlinksStayOut() throws {
    let realm = try makeRealm(Airline.self, Plane.self)
    let airline = try JSONDecoder().decode(Airline.self, from: Data(#"{"code": "B6", "name": "JetBlue"}"#.utf8))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(airline), as: UTF8.self) == #"{"code":"B6","name":"JetBlue"}"#)
    try realm.write {
      realm.add(airline)
      realm.create(Plane.self).airline = airline
    }
    #expect(airline.planes.count == 1)
  }

  @Test func decodeAndEncode() throws {
    let realm = try makeRealm(Passenger.self)
    let data = Data(#"{"id": "507f1f77bcf86cd799439011", "name": "Ada", "bags": [12, 7]}"#.utf8)
    let passenger = try JSONDecoder().decode(Passenger.self, from: data)
    try realm.write { realm.add(passenger, update: .modified) }
    let text = try JSONEncoder().encode(Passenger(value: passenger))
    #expect(passenger.realm == realm && passenger.bags.sum() == 19)
    let again = try JSONDecoder().decode(Passenger.self, from: text)
    #expect(again.id == passenger.id && again.name == "Ada" && again.seat == nil && Array(again.bags) == [12, 7])
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(passenger) }
  }
}
