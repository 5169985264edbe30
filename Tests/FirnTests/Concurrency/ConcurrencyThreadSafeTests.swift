import Firn
import Foundation
import Testing

private class Kite: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var height: Int
  @Persisted var tails: List<String>
}

private func makeConfiguration() -> Realm.Configuration {
  .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [Kite.self])
}

private func addKites(_ configuration: Realm.Configuration) throws -> Realm {
  let realm = try Realm(configuration: configuration, queue: nil)
  try realm.write {
    realm.create(Kite.self, value: ["id": 1, "height": 10, "tails": ["red"]] as [String: Any])
    realm.create(Kite.self, value: ["id": 2, "height": 20] as [String: Any])
  }
  return realm
}

/// State   guarded by
/// all     their wrappers
private final class Sky: @unchecked Sendable {
  @ThreadSafe var kite: Kite?
  @ThreadSafe var all: Results<Kite>?
  @ThreadSafe var tails: List<String>?

  init(_ realm: Realm) {
    kite = realm.object(ofType: Kite.self, forPrimaryKey: 1)
    all = realm.objects(Kite.self)
    tails = kite?.tails
  }

  func raise(by metres: Int) throws {
    guard let kite, let realm = kite.realm else { return }
    try realm.write { kite.height += metres }
  }
}

private func height(@ThreadSafe of kite: Kite?) throws -> Int? {
  try onOwnThread { [_kite] in _kite.wrappedValue?.height }
}

private actor Wind {
  private var realm: Realm!

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm.open(configuration: configuration)
  }

  func blow(_ sky: Sky) async throws -> Bool {
    guard let kite = sky.kite else { return false }
    try await realm.asyncWrite { kite.height += 1 }
    return kite.realm == realm
  }
}

private func trapSaid(_ text: String, _ result: ExitTest.Result?) -> Bool {
  String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains(text)
}

@Suite struct ConcurrencyThreadSafeTests {
  @Test func everyThreadReadsAndWrites() throws {
    let configuration = makeConfiguration()
    try onOwnThread {
      let realm = try addKites(configuration)
      let sky = Sky(realm)
      for _ in 0..<3 {
        try onOwnThread {
          try sky.raise(by: 5)
          try sky.raise(by: 5)
          #expect(try sky.kite?.realm == Realm(configuration: configuration))
          #expect(sky.all?.count == 2 && sky.tails.map { Array($0) } == ["red"])
        }
      }
      // What was read elsewhere is not older here.
      #expect(sky.kite?.height == 40)
      #expect(sky.kite?.realm == realm)
    }
  }

  @Test func manyThreadsReadAndSetAtOnce() throws {
    let configuration = makeConfiguration()
    try onOwnThread {
      let sky = Sky(try addKites(configuration))
      JoinedThread.runAll(
        (0..<4).map { thread in
          {
            let realm = try! Realm(configuration: configuration)
            for number in 0..<200 {
              guard let kite = sky.kite, kite.realm == realm, [1, 2].contains(kite.id), sky.all?.count == 2 else {
                Issue.record("Not what was set: \(String(describing: sky.kite))")
                return
              }
              if number % 10 == thread {
                sky.kite = realm.object(ofType: Kite.self, forPrimaryKey: number / 10 % 2 + 1)
                try! realm.write { kite.height += 1 }
              }
            }
          }
        })
      #expect(sky.all?.sum(of: \.height) == 30 + 4 * 20)
    }
  }

  @Test func aDeletedObjectIsNilForEver() throws {
    try onOwnThread {
      let realm = try addKites(makeConfiguration())
      let sky = Sky(realm)
      try realm.write { realm.delete(realm.objects(Kite.self)) }
      #expect(sky.kite == nil && sky.tails == nil && sky.all?.count == 0)
      try realm.write { _ = realm.create(Kite.self, value: ["id": 1]) }
      #expect(sky.kite == nil && sky.tails == nil && sky.all?.count == 1)
      sky.kite = realm.objects(Kite.self).first
      #expect(sky.kite?.id == 1)
      sky.kite = nil
      #expect(sky.kite == nil)
    }
  }

  /// A realm that cannot move has not got it yet: nil, but not for ever.
  @Test func whatIsNotThereYetComes() throws {
    let configuration = makeConfiguration()
    try onOwnThread {
      let realm = try addKites(configuration)
      let sky = Sky(realm)
      var seen: [Int?] = []
      let token = realm.observe { _, realm in
        try! onOwnThread {
          let realm = try Realm(configuration: configuration)
          sky.kite = try realm.write { realm.create(Kite.self, value: ["id": 3]) }
        }
        seen.append(sky.kite?.id)
      }
      try realm.write {}
      token.invalidate()
      #expect(seen == [nil])
      realm.refresh()
      #expect(sky.kite?.id == 3)
    }
  }

  @Test func valuesAreAssignedOnAnyThread() throws {
    let configuration = makeConfiguration()
    try onOwnThread {
      let realm = try addKites(configuration)
      let sky = Sky(realm)
      try onOwnThread {
        sky.kite = try Realm(configuration: configuration).object(ofType: Kite.self, forPrimaryKey: 2)
      }
      #expect(sky.kite?.id == 2)
    }
  }

  @Test func parametersAreWrapped() throws {
    try onOwnThread {
      let realm = try addKites(makeConfiguration())
      #expect(try height(of: realm.objects(Kite.self).first) == 10)
      #expect(try height(of: nil) == nil)
    }
  }

  @Test func anActorReadsInItsRealm() async throws {
    let configuration = makeConfiguration()
    let sky = Sky(try addKites(configuration))
    let wind = try await Wind(configuration)
    #expect(try await wind.blow(sky))
    #expect(sky.kite?.height == 11)
  }

  @Test func unmanagedValuesAreRefused() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let sky = Sky(try addKites(makeConfiguration()))
      sky.kite = Kite()
    }
    #expect(trapSaid("Only managed objects may be wrapped", result))
  }

  @Test func readingAfterTheStoreWasClosedTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let configuration = makeConfiguration()
      let store = try await RealmStore.open(configuration)
      let sky = Sky(try addKites(configuration))
      try await store.close()
      print(sky.kite?.id ?? 0)
    }
    #expect(trapSaid("A property declared with @ThreadSafe was read", result))
  }
}
