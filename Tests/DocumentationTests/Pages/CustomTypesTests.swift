import Firn
import Testing

@MainActor @Suite struct CustomTypesTests {
  class Invoice: Object {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var total: Decimal128
  }

  struct Rights: OptionSet, PersistableRawRepresentable {
    let rawValue: Int
    static let read = Rights(rawValue: 1)
    static let write = Rights(rawValue: 2)
  }

  struct Distance: CustomPersistable {
    typealias PersistedType = Double
    var metres: Double
    init(persistedValue: Double) { metres = persistedValue }
    var persistableValue: Double { metres }
  }

  class Ride: Object {
    @Persisted var distance: Distance
  }

  class MoneyObject: EmbeddedObject {
    @Persisted var amount: Decimal128
    @Persisted var currency: String
  }

  struct Money: CustomPersistable {
    typealias PersistedType = MoneyObject
    var amount: Decimal128
    var currency: String
    init(persistedValue: MoneyObject) {
      amount = persistedValue.amount
      currency = persistedValue.currency
    }
    var persistableValue: MoneyObject { MoneyObject(value: [amount, currency] as [Any]) }
  }

  class Fare: Object {
    @Persisted var price: Money
    @Persisted var refund: Money?
    @Persisted var fees: Map<String, Money>
  }

  @Test func querying() throws {
    let realm = try makeRealm(Ride.self, Fare.self, MoneyObject.self)
    let price = Money(persistedValue: MoneyObject(value: ["19.99", "EUR"]))
    try realm.write {
      for metres in [5.0, 900, 1500] { realm.create(Ride.self).distance = Distance(persistedValue: metres) }
      let fare = realm.create(Fare.self)
      fare.price = price
      fare.fees["seat"] = Money(persistedValue: MoneyObject(value: ["5", "EUR"]))
      realm.create(Fare.self).price = Money(persistedValue: MoneyObject(value: [30, "EUR"]))
    }
    let trips = realm.objects(Ride.self)
    let far = trips.where { $0.distance > Distance(persistedValue: 1000) }
    let near = trips.where { $0.distance.persistableValue < 10 }
    #expect(far.map(\.distance.metres) == [1500] && near.map(\.distance.metres) == [5])

    let fares = realm.objects(Fare.self)
    let same = fares.where { $0.price == price }
    let cheap = fares.where { $0.price.persistableValue.amount < 20 }
    #expect(same.count == 1 && same.first?.isSameObject(as: cheap.first) == true && cheap.count == 1)
    #expect(same.first?.refund == nil && same.first?.fees["seat"]?.amount == 5)
  }

  @Test func identifiersAndRawValues() throws {
    let (first, second) = (Invoice(), Invoice())
    #expect(first.id != second.id && first.total == 0)
    #expect(Rights([.read, .write]).rawValue == 3)
  }
}
