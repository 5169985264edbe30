import Firn
import Foundation
import TestSupport
import Testing

/// Sort descriptors of Foundation put results in the order that they put arrays in.
@Suite struct FoundationSortingTests {
  @Test func theOrderIsThatOfArrays() throws {
    try onOwnThread {
      var random = SeededRandom.printed("sort descriptors of Foundation")
      let realm = try Hounds.realm()
      for _ in 0..<20 {
        try realm.write {
          for _ in 0..<60 { Hounds.change(realm, &random, countMax: 40, texts: HoundCondition.texts) }
          // Of which Foundation says that it is the same as everything.
          for hound in realm.objects(Hound.self) where hound.weight.isNaN { hound.weight = 7 }
        }
        let all = realm.objects(Hound.self)
        for order in [SortOrder.forward, .reverse] {
          let orders: [Foundation.SortDescriptor<Hound>] = [
            .init(\.age, order: order), .init(\.score, order: order), .init(\.weight, order: order),
            .init(\.born, order: order), .init(\.name, order: order), .init(\.nick, order: order),
            .init(\.kind, order: order), .init(\.name, comparator: .lexical, order: order),
          ]
          for descriptor in orders {
            let expected = Array(all).sorted(using: descriptor).map(\.id)
            #expect(all.sorted(using: descriptor).map(\.id) == expected, "\(descriptor)")
          }
          let two = [orders.randomElement(using: &random)!, orders.randomElement(using: &random)!]
          #expect(all.sorted(using: two).map(\.id) == Array(all).sorted(using: two).map(\.id), "\(two)")
          let marks = all.first?.marks
          let sorted = marks?.sorted(using: ComparableComparator(order: order))
          #expect(sorted.map { Array($0) } == marks.map { Array($0).sorted(using: ComparableComparator(order: order)) })
        }
      }
    }
  }

  @Test func namesStayApart() throws {
    try onOwnThread {
      let realm = try Hounds.realm()
      try realm.write { for id in 0..<3 { realm.create(Hound.self, value: ["id": id, "age": -id]) } }
      let all = realm.objects(Hound.self)
      let own = SortDescriptor(keyPath: \Hound.age)
      let foundations = Foundation.SortDescriptor(\Hound.age)
      #expect(all.sorted(by: [own]).map(\.id) == [2, 1, 0])
      #expect(all.sorted(using: foundations).map(\.id) == [2, 1, 0])
      let array: [Hound] = all.sorted(using: foundations)
      #expect(array.map(\.id) == [2, 1, 0])
      let live = all.sorted(using: foundations)
      try realm.write { all[0].age = -9 }
      #expect(live.map(\.id) == [0, 2, 1])
    }
  }

  @Test func otherOrdersAreRefused() async {
    let computed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Hounds.realm().objects(Hound.self).sorted(using: Foundation.SortDescriptor(\Hound.shout))
    }
    #expect(said("not a persisted property", computed))
    let linked = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Hounds.realm().objects(Hound.self).sorted(using: Foundation.SortDescriptor(\Hound.boss?.age))
    }
    #expect(said("not a persisted property", linked))
  }
}

private func said(_ text: String, _ result: ExitTest.Result?) -> Bool {
  String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains(text)
}
