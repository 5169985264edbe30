import Testing

@testable import Firn

@Suite struct ListTrapTests {
  private func expect(_ message: String, in result: ExitTest.Result?) throws {
    let result = try #require(result)
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains(message), "\(text)")
  }

  @Test func outOfBounds() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = List<Int>()[0]
    }
    try expect("Index 0 is out of bounds (must be less than 0).", in: result)
  }

  @Test func outOfBoundsManaged() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = makeListRealm()
      let owner = realm.makeListOwner()
      try! realm.write {
        owner.ints.append(1)
        owner.ints.remove(at: 1)
      }
    }
    try expect("Index 1 is out of bounds (must be less than 1).", in: result)
  }

  @Test func negativeIndex() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      List<Int>().insert(1, at: -1)
    }
    try expect("Cannot pass a negative value", in: result)
  }

  @Test func removingTooMany() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      List<Int>().removeLast()
    }
    try expect(
      "It is not possible to remove more objects (1) from a list than it already contains (0)", in: result)
  }

  @Test func outsideOfATransaction() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      makeListRealm().makeListOwner().ints.append(1)
    }
    try expect("outside of a write transaction", in: result)
  }

  @Test func frozen() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = makeListRealm()
      let list = realm.makeListOwner().ints.freeze()
      try! realm.write { list.append(1) }
    }
    try expect("frozen", in: result)
  }

  @Test func objectsOfAnotherRealm() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = makeListRealm()
      let owner = realm.makeListOwner()
      let other = makeListRealm()
      let item = ListTestItem(1)
      try! other.write { other.add(item) }
      try! realm.write { owner.items.append(item) }
    }
    try expect("managed by another Realm", in: result)
  }

  @Test func objectsOfAnotherClass() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = makeListRealm()
      let owner = realm.makeListOwner()
      try! realm.write { owner.items.append(ListTestSpecialItem()) }
    }
    try expect("does not match List type", in: result)
  }

  @Test func listsOfDeletedObjects() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = makeListRealm()
      let owner = realm.makeListOwner()
      let list = owner.ints
      try! realm.write {
        realm.delete(owner)
        list.append(1)
      }
    }
    try expect("invalidated", in: result)
  }
}
