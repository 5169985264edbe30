import Firn
import Testing

private final class StoredWeights: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var warmth: ValCelsius
  @Persisted var low: ValCelsius?
  @Persisted var parts: Map<String, StoredWeights?>
  @Persisted var list: List<StoredWeights>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Aggregates over properties of custom types, by what is stored.
@Suite struct CustomAggregateTests {
  private func owner() -> StoredWeights {
    let owner = StoredWeights(value: ["id": 100])
    for number in 1...3 {
      let part = StoredWeights(value: ["id": number])
      part.warmth = ValCelsius(degrees: Double(10 * number))
      part.low = number == 2 ? nil : ValCelsius(degrees: Double(-number))
      owner.parts["\(number)"] = part
      owner.list.append(part)
    }
    return owner
  }

  @Test func ofMapsAndLists() throws {
    let unmanaged = owner()
    let realm = try Realm(configuration: relationsConfiguration([StoredWeights.self]))
    let managed = owner()
    try realm.write { realm.add(managed) }
    for owner in [unmanaged, managed, managed.freeze()] {
      let (parts, list) = (owner.parts, owner.list)
      #expect(parts.min(of: \.warmth)?.degrees == 10 && parts.max(of: \.warmth)?.degrees == 30)
      #expect(parts.sum(of: \.warmth).degrees == 60 && parts.average(of: \.warmth)?.degrees == 20)
      #expect(parts.min(of: \.low)?.degrees == -3 && parts.max(of: \.low)?.degrees == -1)
      #expect(list.min(of: \.warmth)?.degrees == 10 && list.max(of: \.warmth)?.degrees == 30)
      #expect(list.sum(of: \.warmth).degrees == 60 && list.average(of: \.warmth)?.degrees == 20)
      #expect(list.min(of: \.low)?.degrees == -3 && list.max(of: \.low)?.degrees == -1)
    }
  }

  @Test func ofNothing() throws {
    let realm = try Realm(configuration: relationsConfiguration([StoredWeights.self]))
    let managed = StoredWeights()
    try realm.write {
      realm.add(managed)
      managed.parts["nil"] = .some(nil)
    }
    for owner in [StoredWeights(), managed] {
      #expect(owner.parts.min(of: \.warmth) == nil && owner.parts.average(of: \.warmth) == nil)
      #expect(owner.parts.sum(of: \.warmth).degrees == 0 && owner.list.sum(of: \.warmth).degrees == 0)
      #expect(owner.list.max(of: \.low) == nil && owner.parts.max(of: \.low) == nil)
    }
  }
}
