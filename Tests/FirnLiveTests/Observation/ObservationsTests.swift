import Observation
import TestSupport
import Testing

@testable import Firn

/// Follows `Observations` on the main actor.
@MainActor private final class Loop<Value: Sendable> {
  let seen = Seen<Value>()
  private let task: Task<Void, Never>

  init(_ emit: @escaping @MainActor @Sendable () -> Value) {
    let seen = seen
    task = Task { @MainActor in for await value in Observations({ emit() }) { seen.add(value) } }
  }

  deinit { task.cancel() }
}

@MainActor @Suite("Observations of objects, collections and results")
struct ObservationsTests {
  @Test func propertiesLinksListsAndResults() async throws {
    let realm = try Tracked.realm()
    let pup = realm.pup(0)
    let old = realm.objects(Pup.self).where { $0.age > 1 }
    let age = Loop { pup.age }
    let home = Loop { pup.kennel?.name }
    let tags = Loop { Array(pup.tags) }
    let marks = Loop { pup.marks["a"] }
    let count = Loop { old.count }
    let sum = Loop { realm.objects(Pup.self).reduce(0) { $0 + $1.age } }
    let dogs = Loop { realm.object(ofType: Kennel.self, forPrimaryKey: 0)?.dogs.count }
    let names = Loop { old.sorted(by: \.name).map(\.name) }
    try await eventually { age.seen.values == [0] && home.seen.values == ["kennel 0"] && tags.seen.values == [[1, 2]] }
    try await eventually { marks.seen.values == [1] && count.seen.values == [2] && sum.seen.values == [6] }
    try await eventually { dogs.seen.values == [2] && names.seen.values == [["pup 2", "pup 3"]] }

    try realm.write { pup.age = 5 }
    try await eventually { age.seen.values == [0, 5] && count.seen.values == [2, 3] && sum.seen.values == [6, 11] }
    try await eventually { names.seen.values.last == ["pup 0", "pup 2", "pup 3"] }
    try realm.write { pup.kennel = realm.kennel(1) }
    try await eventually { home.seen.values == ["kennel 0", "kennel 1"] && dogs.seen.values == [2, 1] }
    try realm.write { realm.kennel(1).name = "new" }
    try await eventually { home.seen.values.last == "new" }
    try realm.write { pup.tags.append(3) }
    try await eventually { tags.seen.values == [[1, 2], [1, 2, 3]] }
    try realm.write { pup.marks["a"] = 8 }
    try await eventually { marks.seen.values == [1, 8] }
    try realm.write { realm.delete(realm.pup(3)) }
    try await eventually {
      count.seen.values.last == 2 && sum.seen.values.last == 8 && names.seen.values.last?.count == 2
    }
    #expect(age.seen.values == [0, 5] && home.seen.values.count == 3)
  }

  @Test func commitsOfOthers() async throws {
    let configuration = Tracked.configuration()
    let store = try await RealmStore.open(configuration)
    try await store.write { Tracked.fill($0, 4) }
    let realm = try await Realm(configuration: configuration)
    let pup = realm.pup(1)
    let age = Loop { pup.age }
    try await eventually { age.seen.values == [1] }
    for round in 10..<20 {
      try await store.write { $0.pup(1).age = round }
      try await eventually { age.seen.values.last == round }
    }
    #expect(age.seen.values == [1] + Array(10..<20))
  }
}
