import Firn
import Foundation
import Testing

final class RuleOrder: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(deleteRule: .cascade) var lines: List<RuleLine>
  @Persisted(deleteRule: .cascade) var next: RuleOrder?
  @Persisted(deleteRule: .deny) var invoice: RuleInvoice?
  @Persisted(deleteRule: .deny) var claims: List<RuleInvoice>
  @Persisted(deleteRule: .nullify) var customer: RuleCustomer?
}

final class RuleLine: Object {
  @Persisted var text: String
  @Persisted(deleteRule: .cascade) var invoice: RuleInvoice?
  @Persisted(originProperty: "lines") var orders: LinkingObjects<RuleOrder>
}

final class RuleInvoice: Object {
  @Persisted(primaryKey: true) var number: String
}

final class RuleCustomer: Object {
  @Persisted var name: String
  @Persisted var orders: List<RuleOrder>
}

final class RuleBundle: Object {
  @Persisted(deleteRule: .cascade) var chosen: MutableSet<RuleLine>
  @Persisted(deleteRule: .cascade) var named: Map<String, RuleLine?>
  @Persisted(deleteRule: .deny) var kept: Map<String, RuleInvoice?>
}

private let ruleTypes: [ObjectBase.Type] = [
  RuleOrder.self, RuleLine.self, RuleInvoice.self, RuleCustomer.self, RuleBundle.self,
]

private func ruleRealm() throws -> Realm { try Realm(configuration: relationsConfiguration(ruleTypes)) }

/// What `@Persisted(deleteRule:)` promises, which the reference's API does not have.
@Suite struct DeleteRuleTests {
  @Test func nullifyIsTheDefault() throws {
    let realm = try ruleRealm()
    let customer = RuleCustomer()
    let order = RuleOrder(value: ["id": 1, "customer": customer] as [String: Any])
    try realm.write {
      realm.add(order)
      customer.orders.append(order)
    }
    try realm.write { realm.delete(order) }
    #expect(customer.orders.isEmpty && !customer.isInvalidated)
    let other = RuleOrder(value: ["id": 2, "customer": customer] as [String: Any])
    try realm.write {
      realm.add(other)
      realm.delete(customer)
    }
    #expect(other.customer == nil && !other.isInvalidated, "rules say nothing about links to what is deleted")
  }

  @Test func cascadeDeletesTheTargets() throws {
    let realm = try ruleRealm()
    let order = RuleOrder(value: ["id": 1, "lines": [["a", ["i1"]], ["b", NSNull()], ["c"]]] as [String: Any])
    try realm.write { realm.add(order) }
    let line = order.lines[0]
    let kept = order.lines[1]
    try realm.write { order.lines.remove(at: 1) }
    #expect(!kept.isInvalidated && realm.objects(RuleLine.self).count == 3, "taking out of a list deletes nothing")
    try realm.write {
      realm.delete(order)
      #expect(line.isInvalidated && line.text == "a", "at once, and the last values stay readable")
    }
    #expect(realm.objects(RuleLine.self).count == 1 && realm.objects(RuleInvoice.self).isEmpty)
    try realm.write { realm.delete(kept) }
    #expect(realm.isEmpty)
  }

  @Test func cascadesFollowCyclesAndLongChains() throws {
    let realm = try ruleRealm()
    let count = 20_000
    try realm.write {
      var last: RuleOrder?
      for id in 0..<count {
        let order = realm.create(RuleOrder.self, value: ["id": id])
        order.next = last
        last = order
      }
      realm.object(ofType: RuleOrder.self, forPrimaryKey: 0)?.next = last
    }
    let middle = try #require(realm.object(ofType: RuleOrder.self, forPrimaryKey: count / 2))
    try realm.write { realm.delete(middle) }
    #expect(realm.isEmpty && middle.isInvalidated)
  }

  @Test func sharedTargetsGoWithTheFirst() throws {
    let realm = try ruleRealm()
    let line = RuleLine(value: ["a"])
    let (one, two) = (RuleOrder(value: [1, [line]] as [Any]), RuleOrder(value: [2, [line, line]] as [Any]))
    try realm.write { realm.add([one, two]) }
    try realm.write { realm.delete(one) }
    #expect(line.isInvalidated && two.lines.isEmpty)
  }

  @Test func denyThrowsAtCommitAndNamesBoth() throws {
    let realm = try ruleRealm()
    let order = RuleOrder(value: ["id": 7, "invoice": ["i9"], "lines": [["a"]]] as [String: Any])
    try realm.write { realm.add(order) }
    let error = #expect(throws: Realm.Error.self) { try realm.write { realm.delete(order) } }
    #expect(error?.code == .deletionDenied)
    for part in ["'RuleOrder' with primary key '7'", "'invoice'", "'RuleInvoice' with primary key 'i9'", ".deny"] {
      #expect(error?.localizedDescription.contains(part) == true, "\(part) in \(error?.localizedDescription ?? "")")
    }
    #expect(realm.objects(RuleOrder.self).count == 1 && realm.objects(RuleLine.self).count == 1, "all is rolled back")
    #expect(!realm.isInWriteTransaction)
    let again = try #require(realm.object(ofType: RuleOrder.self, forPrimaryKey: 7))
    #expect(again.invoice?.number == "i9")
    try realm.write {
      realm.delete(again)
      realm.delete(realm.objects(RuleInvoice.self))
    }
    #expect(realm.isEmpty, "the targets may go in the same transaction")
    try realm.write {
      let value: [String: Any] = ["id": 1, "invoice": ["i1"], "claims": [["i2"]]]
      let order = realm.create(RuleOrder.self, value: value)
      order.invoice = nil
      order.claims.removeAll()
      realm.delete(order)
    }
    #expect(realm.objects(RuleInvoice.self).count == 2, "or the property may be cleared before")
  }

  @Test func denyConcernsListsAndCascades() throws {
    let realm = try ruleRealm()
    try realm.write {
      realm.create(RuleOrder.self, value: ["id": 1, "next": ["id": 2, "claims": [["i1"], ["i2"]]]] as [String: Any])
    }
    let error = #expect(throws: Realm.Error.self) {
      try realm.write {
        if let order = realm.object(ofType: RuleOrder.self, forPrimaryKey: 1) { realm.delete(order) }
        realm.delete(realm.objects(RuleInvoice.self).where { $0.number == "i1" })
      }
    }
    #expect(error?.localizedDescription.contains("'RuleOrder' with primary key '2'") == true)
    #expect(error?.localizedDescription.contains("'RuleInvoice' with primary key 'i2'") == true)
    #expect(realm.objects(RuleOrder.self).count == 2 && realm.objects(RuleInvoice.self).count == 2)
    try realm.write { realm.deleteAll() }
    #expect(realm.isEmpty)
  }

  @Test func setsAndMapsHaveRulesToo() throws {
    let realm = try ruleRealm()
    let bundle = RuleBundle()
    bundle.chosen.insert(RuleLine(value: ["a"]))
    bundle.named["x"] = RuleLine(value: ["b"])
    bundle.named["y"] = RuleLine(value: ["c"])
    bundle.kept["z"] = RuleInvoice(value: ["i"])
    try realm.write { realm.add(bundle) }
    try realm.write { bundle.named.removeObject(for: "y") }
    #expect(throws: Realm.Error.self) { try realm.write { realm.delete(bundle) } }
    #expect(realm.objects(RuleLine.self).count == 3)
    try realm.write {
      realm.delete(realm.objects(RuleInvoice.self))
      realm.delete(realm.objects(RuleBundle.self))
    }
    #expect(realm.objects(RuleLine.self).map(\.text) == ["c"])
  }

  @Test func observersHearOfCascades() throws {
    try onOwnThread {
      let realm = try ruleRealm()
      let order = RuleOrder(value: ["id": 1, "lines": [["a"], ["b"]]] as [String: Any])
      try realm.write { realm.add(order) }
      let follower = RelationsFollower<Results<RuleLine>>()
      let lines = realm.objects(RuleLine.self)
      var isDeleted = false
      let tokens = [
        lines.observe { follower.take($0) },
        order.lines[1].observe { (change: ObjectChange<RuleLine>) in
          if case .deleted = change { isDeleted = true }
        },
      ]
      realm.refresh()
      try realm.write { realm.delete(order) }
      realm.refresh()
      #expect(follower.calls.last == .init([0, 1], [], []) && isDeleted)
      for token in tokens { token.invalidate() }
    }
  }

  @Test func cascadesAreInTheFile() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("rules-\(UUID().uuidString).firn")
    let configuration = Realm.Configuration(fileURL: url, objectTypes: ruleTypes)
    defer { _ = try? Realm.deleteFiles(for: configuration) }
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      try realm.write {
        realm.create(RuleOrder.self, value: ["id": 1, "lines": [["a", ["i1"]]]] as [String: Any])
        realm.create(RuleOrder.self, value: ["id": 2, "lines": [["b"]]] as [String: Any])
      }
      try realm.write { realm.delete(realm.objects(RuleOrder.self).where { $0.id == 1 }) }
    }
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      #expect(realm.objects(RuleLine.self).map(\.text) == ["b"] && realm.objects(RuleInvoice.self).isEmpty)
    }
  }
}
