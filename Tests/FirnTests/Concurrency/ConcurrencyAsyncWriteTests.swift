import Firn
import Foundation
import Testing

private class Entry: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var text: String
}

private func makeConfiguration() -> Realm.Configuration {
  .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [Entry.self])
}

private actor Clerk {
  let configuration: Realm.Configuration
  var realm: Realm?
  var written: [Int] = []

  init(_ configuration: Realm.Configuration) { self.configuration = configuration }

  func open() async throws -> Unchecked<Realm> {
    let realm = try await Realm.open(configuration: configuration)
    self.realm = realm
    return Unchecked(realm)
  }

  /// The block uses what belongs to the actor.
  func write(_ id: Int) async throws {
    let realm = realm!
    try await realm.asyncWrite {
      realm.create(Entry.self, value: [id])
      written.append(id)
    }
  }

  func writeElsewhere(_ realm: Unchecked<Realm>) async throws -> Frozen<Entry> {
    try await realm.value.asyncWrite { $0.create(Entry.self, value: [7, "elsewhere"]) }
  }

  func writeWithoutHop(_ realm: Unchecked<Realm>) async throws {
    try await realm.value.asyncWrite { _ = realm.value.create(Entry.self, value: [7]) }
  }
}

private actor Opener {
  private var realm: Realm!

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm.open(configuration: configuration)
  }

  func write(_ id: Int) async throws -> Int {
    try await realm.asyncWrite { _ = realm.create(Entry.self, value: [id]) }
    return realm.objects(Entry.self).count
  }
}

private func trapSaid(_ text: String, _ result: ExitTest.Result?) -> Bool {
  String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains(text)
}

@Suite struct ConcurrencyAsyncWriteTests {
  @MainActor private static func mainRealm(_ configuration: Realm.Configuration) async throws -> Unchecked<Realm> {
    let realm = try await Realm(configuration: configuration)
    #expect(try realm == Realm(configuration: configuration, queue: nil))
    return Unchecked(realm)
  }

  @Test func anActorOpensItsRealmInItsInitialiser() async throws {
    let opener = try await Opener(makeConfiguration())
    #expect(try await opener.write(1) == 1)
  }

  @Test func codeOfNoActorOpensARealmOfItsTask() async throws {
    let realm = try await Realm.open(configuration: makeConfiguration())
    try await realm.asyncWrite { _ = realm.create(Entry.self, value: [1]) }
    #expect(realm.objects(Entry.self).count == 1)
  }

  @Test func aRealmOfTheMainActorIsWrittenFromElsewhere() async throws {
    let configuration = makeConfiguration()
    let realm = try await Self.mainRealm(configuration)
    let unmanaged = Entry(value: [1, "brought in"])
    let entry = try await realm.value.asyncWrite { realm in
      MainActor.assertIsolated()
      #expect(realm.isInWriteTransaction)
      realm.add(unmanaged)
      return unmanaged
    }
    let typed: Frozen<Entry> = entry
    #expect(typed.text == "brought in")
    let found = try await realm.value.asyncWrite { $0.object(ofType: Entry.self, forPrimaryKey: 1) }
    #expect(found?.id == 1)
    let missing = try await realm.value.asyncWrite { $0.object(ofType: Entry.self, forPrimaryKey: 2) }
    #expect(missing == nil)
    let count = try await realm.value.asyncWrite { $0.objects(Entry.self).count }
    let typedCount: Int = count
    #expect(typedCount == 1)
    struct Refused: Error {}
    await #expect(throws: Refused.self) {
      try await realm.value.asyncWrite { realm in
        realm.deleteAll()
        throw Refused()
      }
    }
    #expect(try await Clerk(configuration).writeElsewhere(realm).text == "elsewhere")
    #expect(try await realm.value.asyncWrite { $0.objects(Entry.self).count } == 2)
  }

  @Test func aRealmOfAnActorIsWrittenFromElsewhere() async throws {
    let clerk = Clerk(makeConfiguration())
    let realm = try await clerk.open()
    let entry = try await realm.value.asyncWrite { realm in
      clerk.assertIsolated()
      return realm.create(Entry.self, value: [1, "from elsewhere"])
    }
    #expect(entry.text == "from elsewhere")
    try await clerk.write(2)
    #expect(await clerk.written == [2])
    try await Self.writeOnMainActor(realm, clerk)
    #expect(try await realm.value.asyncWrite { $0.objects(Entry.self).count } == 3)
  }

  @MainActor private static func writeOnMainActor(_ realm: Unchecked<Realm>, _ clerk: Clerk) async throws {
    let made = try await realm.value.asyncWrite { realm -> Entry? in
      clerk.assertIsolated()
      return realm.create(Entry.self, value: [3])
    }
    #expect(made?.id == 3)
  }

  @Test func aRealmOfATaskIsWrittenWhereItIs() async throws {
    let realm = try Realm(configuration: makeConfiguration(), queue: nil)
    let entry = try await realm.asyncWrite { $0.create(Entry.self, value: [1]) }
    #expect(entry.id == 1 && realm.objects(Entry.self).count == 1)
  }

  @Test func theDefaultConfigurationIsOpenedForTheMainActor() async {
    await #expect(processExitsWith: .success) {
      Realm.Configuration.defaultConfiguration = makeConfiguration()
      let realm = try await Self.mainActorDefault()
      // On a thread that is not the main one.
      try await realm.value.asyncWrite { realm in
        MainActor.assertIsolated()
        realm.create(Entry.self, value: [1])
      }
    }
  }

  @MainActor private static func mainActorDefault() async throws -> Unchecked<Realm> {
    let realm = try await Realm()
    guard try realm == Realm(queue: nil) else { fatalError("Not the realm of the main thread.") }
    return Unchecked(realm)
  }

  /// The main actor runs on other threads than the main one, which the first look must find out.
  @Test func theMainActorIsKnownFromTheStart() async {
    await #expect(processExitsWith: .success) {
      await Task.detached { await Task.yield() }.value
      try await Self.observeOnMainActor()
    }
  }

  @MainActor private static func observeOnMainActor() throws {
    // Traps in the realm of a task.
    let token = try Realm(configuration: makeConfiguration()).objects(Entry.self).observe { _ in }
    token.invalidate()
  }

  /// The block of code that belongs to no actor, with all that it uses.
  @Test func aBlockWithoutParameterIsRunWhereTheRealmIs() async throws {
    let configuration = makeConfiguration()
    let realm = try await Self.mainRealm(configuration)
    let unmanaged = Entry(value: [1, "captured"])
    var steps: [String] = []
    let entry = try await realm.value.asyncWrite {
      MainActor.assertIsolated()
      steps.append("ran")
      realm.value.add(unmanaged)
      return unmanaged
    }
    steps.append("returned")
    #expect(steps == ["ran", "returned"] && entry === unmanaged)
    #expect(entry.text == "captured", "the object itself, which is read here")
    let clerk = Clerk(configuration)
    let other = try await clerk.open()
    try await other.value.asyncWrite {
      clerk.assertIsolated()
      other.value.create(Entry.self, value: [2])
    }
    #expect(try await other.value.asyncWrite { other.value.objects(Entry.self).count } == 2)
  }

  @Test func aBlockWithoutParameterThatFailsElsewhereIsUndone() async throws {
    struct Refused: Error {}
    let clerk = Clerk(makeConfiguration())
    let realm = try await clerk.open()
    await #expect(throws: Refused.self) {
      try await realm.value.asyncWrite {
        realm.value.create(Entry.self, value: [1])
        throw Refused()
      }
    }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await realm.value.asyncWrite { _ = realm.value.create(Entry.self, value: [2]) }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await realm.value.asyncWrite { realm.value.objects(Entry.self).count } == 0)
  }

  @Test func blocksWithoutParameterOfAnotherActorNeverHop() async {
    let other = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try await Self.mainRealm(makeConfiguration())
      try await Clerk(makeConfiguration()).writeWithoutHop(realm)
    }
    #expect(trapSaid("asyncWrite was called by the actor 'Clerk' on a realm of the main actor", other))
    #expect(trapSaid("ConcurrencyAsyncWriteTests.swift", other) && trapSaid("give the block a parameter", other))
    let foreign = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let clerk = Clerk(makeConfiguration())
      let realm = try await clerk.open()
      try await Self.writeWithoutHop(realm)
    }
    #expect(trapSaid("asyncWrite was called by the main actor on a realm of the actor 'Clerk'", foreign))
  }

  @MainActor private static func writeWithoutHop(_ realm: Unchecked<Realm>) async throws {
    try await realm.value.asyncWrite { _ = realm.value.create(Entry.self, value: [1]) }
  }
}
