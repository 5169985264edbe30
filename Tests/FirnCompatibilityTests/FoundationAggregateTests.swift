import Firn
import Foundation
import Testing

/// Aggregates for code that asks for a class of Foundation.
@Suite struct FoundationAggregateTests {
  @Test func aggregatesOfFoundation() throws {
    let (realm, owner) = try Ordered.owner { owner in
      for number in 1...3 {
        let item = OrderedItem(number, number: 10 * number)
        item.ratio = Float(number) / 4
        item.price = Decimal128(value: number)
        item.born = Date(timeIntervalSinceReferenceDate: Double(number))
        owner.items.append(item)
        owner.itemMap["\(number)"] = item
      }
      owner.ints.append(objectsIn: [4, 5])
    }
    let unmanaged = List<OrderedItem>()
    unmanaged.append(objectsIn: owner.items.map { OrderedItem(value: $0) })
    for items in [owner.items, unmanaged] {
      let least: NSNumber? = items.min(ofProperty: "number")
      let sum: NSNumber = items.sum(ofProperty: "number")
      let mean: NSNumber? = items.average(ofProperty: "number")
      let latest: NSDate? = items.max(ofProperty: "born")
      #expect(least == 10 && sum == 60 && mean == 20 && latest?.timeIntervalSinceReferenceDate == 3)
      #expect(items.max(ofProperty: "ratio") as NSNumber? == 0.75)
      #expect((items.sum(ofProperty: "price") as NSNumber).intValue == 6)
      #expect((items.min(ofProperty: "born") as NSDate?)?.timeIntervalSinceReferenceDate == 1)
      #expect(items.min(ofProperty: "number") as Int? == 10, "Swift's own numbers as before")
    }
    let map = owner.itemMap
    #expect(map.min(ofProperty: "number") as NSNumber? == 10 && map.max(ofProperty: "number") as NSNumber? == 30)
    #expect(map.sum(ofProperty: "number") as NSNumber == 60 && map.average(ofProperty: "number") as NSNumber? == 20)
    #expect((map.min(ofProperty: "born") as NSDate?)?.timeIntervalSinceReferenceDate == 1)
    #expect((map.max(ofProperty: "born") as NSDate?)?.timeIntervalSinceReferenceDate == 3)
    #expect(owner.ints.sum(ofProperty: "self") as NSNumber == 9)
    let none = realm.objects(OrderedItem.self).where { $0.id > 9 }
    #expect(none.max(ofProperty: "number") as NSNumber? == nil && none.sum(ofProperty: "number") as NSNumber == 0)
    #expect(none.average(ofProperty: "number") as NSNumber? == nil && none.min(ofProperty: "born") as NSDate? == nil)
  }

  @Test func aggregatesThatAreNoNumbers() async {
    let sum = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Ordered.owner().owner.items.sum(ofProperty: "name") as NSNumber
    }
    #expect(trapSaid("not supported", sum))
  }
}
