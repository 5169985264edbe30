import Firn
import Foundation
import Testing

/// Names that the library uses itself, which concerns no model.
class Awkward: Object {
  @Persisted(primaryKey: true) var key: Int
  @Persisted var slot: Int
  @Persisted var table: String
  @Persisted var context: Data?
  @Persisted var cluster: Double
  @Persisted var epoch: Date?
  @Persisted var instance: UUID
  @Persisted var registration: Int8
  @Persisted var lastValues: List<Int>
  @Persisted var isMoving: Bool
  @Persisted var tableIndex: Int
  @Persisted var model: Awkward?
  @Persisted var target: Awkward?
  @Persisted var value: String
  @Persisted var newValue: Int
  @Persisted var copyCount: Int
  @Persisted var initial: Bool
  @Persisted var allocated: Bool
}

@Suite struct AwkwardNamesTests {
  @Test func propertiesMayBeNamedAsInternals() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [Awkward.self]))
    let awkward = Awkward()
    awkward.key = 7
    awkward.slot = 8
    awkward.table = "t"
    awkward.epoch = Date(timeIntervalSince1970: 9)
    awkward.lastValues.append(objectsIn: [1, 2])
    awkward.isMoving = true
    awkward.model = awkward
    try realm.write { realm.add(awkward) }
    try realm.write {
      awkward.slot += 1
      awkward.cluster = 0.5
      awkward.context = Data([1])
      awkward.tableIndex = 3
      awkward.registration = -1
    }
    for _ in 0..<2 {
      let read = try #require(realm.object(ofType: Awkward.self, forPrimaryKey: 7))
      #expect(read.key == 7 && read.slot == 9 && read.table == "t" && read.epoch == Date(timeIntervalSince1970: 9))
      #expect(Array(read.lastValues) == [1, 2] && read.isMoving && read.model == awkward && read.cluster == 0.5)
      #expect(read.context == Data([1]) && read.tableIndex == 3 && read.registration == -1 && read.target == nil)
    }
    try realm.write { realm.delete(awkward) }
    #expect(awkward.isInvalidated && awkward.key == 7 && awkward.slot == 9 && awkward.table == "t")
  }
}
