import Firn
import Testing

/// The function that code for Apple's platforms puts around loops.
@Suite struct AutoreleasePoolTests {
  private enum Refusal: Error { case refused }

  @Test func givesWhatTheBlockGives() throws {
    let (realm, owner) = try Ordered.owner { $0.ints.append(1) }
    var rounds = 0
    for number in 2...3 {
      autoreleasepool {
        rounds += 1
        realm.beginWrite()
        owner.ints.append(number)
        realm.cancelWrite()
      }
    }
    #expect(rounds == 2 && autoreleasepool { owner.ints.count } == 1)
    #expect(autoreleasepool(invoking: { owner.ints.first }) == 1)
  }

  @Test func throwsWhatTheBlockThrows() throws {
    #expect(throws: Refusal.refused) {
      try autoreleasepool { throw Refusal.refused }
    }
    let realm = try autoreleasepool { try Ordered.realm() }
    try autoreleasepool { try realm.write { realm.add(OrderedItem(1)) } }
    #expect(realm.objects(OrderedItem.self).count == 1)
  }

  @Test func throwsNoMoreThanTheBlock() throws {
    func pooled<Value>(_ block: () throws -> Value) rethrows -> Value { try autoreleasepool { try block() } }
    #expect(pooled { 7 } == 7, "a function that rethrows may call it")
    func refuse() throws(Refusal) -> Int { throw .refused }
    do {
      _ = try autoreleasepool(invoking: refuse)
    } catch .refused {
      return
    }
    Issue.record("It threw nothing.")
  }

  @Test func closesARealmWithItsLastReference() throws {
    weak var kept: OrderedOwner?
    try autoreleasepool {
      let owner = try Ordered.owner().owner
      kept = owner
      #expect(kept != nil)
    }
    #expect(kept == nil)
  }
}
