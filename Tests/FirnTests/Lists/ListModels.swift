import Foundation
import Testing

@testable import Firn

enum ListTestColour: String, PersistableEnum {
  case red, green, blue
}

class ListTestOwner: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var ints: List<Int>
  @Persisted var optionalInts: List<Int?>
  @Persisted var bytes: List<Int8>
  @Persisted var flags: List<Bool>
  @Persisted var floats: List<Float>
  @Persisted var doubles: List<Double>
  @Persisted var strings: List<String>
  @Persisted var optionalStrings: List<String?>
  @Persisted var data: List<Data>
  @Persisted var dates: List<Date>
  @Persisted var uuids: List<UUID>
  @Persisted var optionalUUIDs: List<UUID?>
  @Persisted var colours: List<ListTestColour>
  @Persisted var optionalColours: List<ListTestColour?>
  @Persisted var items: List<ListTestItem>
}

class ListTestItem: Object {
  @Persisted var number: Int
  @Persisted var children: List<ListTestItem>

  convenience init(_ number: Int) {
    self.init()
    self.number = number
  }
}

class ListTestSpecialItem: ListTestItem {
  @Persisted var extra: Int
}

func makeListRealm(_ name: String = UUID().uuidString) -> Realm {
  try! Realm(
    configuration: Realm.Configuration(
      inMemoryIdentifier: name, objectTypes: [ListTestOwner.self, ListTestItem.self, ListTestSpecialItem.self]))
}

extension Realm {
  func makeListOwner(_ id: Int = 1) -> ListTestOwner {
    let owner = ListTestOwner()
    owner.id = id
    try! write { add(owner) }
    return owner
  }
}

struct ListTestRandom: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state &* 0x2545_F491_4F6C_DD1D
  }
}
