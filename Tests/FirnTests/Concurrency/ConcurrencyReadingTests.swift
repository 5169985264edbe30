import Foundation
import Synchronization
import Testing

@testable import Firn
@testable import FirnEngine

private class Reading: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var number: Int
  @Persisted var twice: Int
  @Persisted var name: String
  @Persisted(indexed: true) var tag: String
  @Persisted var note: String?
  @Persisted var next: Reading?

  func set(_ value: Int) {
    number = value
    twice = value * 2
    name = Self.name(value)
    tag = Self.tag(value)
    note = value % 2 == 0 ? nil : "odd \(value)"
  }

  static func name(_ value: Int) -> String { value % 3 == 0 ? "n\(value)" : "a longer name for number \(value)" }
  static func tag(_ value: Int) -> String { "tag \(value % 7)" }

  /// Whether what was written together is read together.
  var isConsistent: Bool {
    let value = number
    return twice == value * 2 && name == Self.name(value) && tag == Self.tag(value)
      && note == (value % 2 == 0 ? nil : "odd \(value)")
  }
}

/// What the threads of one test share.
private final class Shared: Sendable {
  let configuration: Realm.Configuration
  let isDone = Atomic<Bool>(false)
  /// The greatest value ever written.
  let greatest = Atomic<Int>(0)
  let reads = Atomic<Int>(0)
  /// Live objects of the writer's realm, and the realm.
  let objects = Guarded<[Unchecked<Reading>]>([])
  let realm = Guarded<Unchecked<Realm>?>(nil)
  let failures = Guarded<[String]>([])

  init() {
    configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Reading.self])
  }

  func check(_ condition: Bool, _ what: @autoclosure () -> String) {
    if !condition { failures.withLock { $0.append(what()) } }
  }

  /// Whether a value read alone is one that was written.
  func checkValues(_ object: Reading, _ who: String) {
    let number = object.number
    check(number >= 0 && number <= greatest.load(ordering: .acquiring), "\(who): number \(number)")
    let twice = object.twice
    check(twice % 2 == 0 && twice <= 2 * greatest.load(ordering: .acquiring), "\(who): twice \(twice)")
    let name = object.name
    let written = Int(name.drop { !$0.isNumber }) ?? -1
    check(name == Reading.name(written), "\(who): name \(name)")
    let tag = object.tag
    check(tag.count == 5 && tag.hasPrefix("tag "), "\(who): tag \(tag)")
    if let note = object.note { check(note.hasPrefix("odd "), "\(who): note \(note)") }
    if let next = object.next { check(next.id >= 0, "\(who): next") }
    reads.wrappingAdd(1, ordering: .relaxed)
  }

  func randomObject(_ random: inout SplitMix) -> Reading? {
    let number = random.next()
    return objects.withLock { $0.isEmpty ? nil : $0[Int(number % UInt64($0.count))] }?.value
  }
}

private struct SplitMix {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}

@Suite struct ConcurrencyReadingTests {
  static let rowCount = 300
  static let rounds = 250

  /// One thread writes, eight read what it shares and what they find for themselves. Everything read was committed, and
  /// what one version shows fits together.
  @Test func readersAreNeverWrongBesideAWriter() throws {
    let seed = UInt64.random(in: 0 ... .max)
    let shared = Shared()
    let store = try Store.open(shared.configuration)
    var bodies: [@Sendable () -> Void] = [{ Self.write(shared, seed) }]
    for reader in 0..<8 {
      bodies.append {
        var random = SplitMix(state: seed &+ UInt64(reader) &* 77)
        while shared.realm.withLock({ $0 == nil }) { usleep(100) }
        while !shared.isDone.load(ordering: .acquiring) {
          switch (reader + random.below(2)) % 5 {
          case 0: Self.readShared(shared, &random)
          case 1: Self.readFrozen(shared, store, &random)
          case 2: Self.lookUpAway(shared, &random)
          case 3: Self.readAtHome(shared, &random)
          default: Self.dropShared(shared, &random)
          }
        }
      }
    }
    JoinedThread.runAll(bodies)
    shared.objects.withLock { $0 = [] }
    shared.realm.withLock { $0 = nil }
    let failures = shared.failures.withLock { $0 }
    #expect(failures.isEmpty, "seed \(seed): \(failures.prefix(5))")
    #expect(shared.reads.load(ordering: .relaxed) > 0)
    store.graph.checkInvariants()
  }

  private static func write(_ shared: Shared, _ seed: UInt64) {
    var random = SplitMix(state: seed)
    var nextID = 0
    var value = 0
    let realm = try! Realm(configuration: shared.configuration)
    var own: [Reading] = []
    func add() {
      let object = Reading()
      object.id = nextID
      nextID += 1
      value += 1
      object.set(value)
      object.next = own.isEmpty ? nil : own[random.below(own.count)]
      realm.add(object)
      own.append(object)
    }
    shared.greatest.store(rowCount, ordering: .releasing)
    try! realm.write { for _ in 0..<rowCount { add() } }
    shared.objects.withLock { $0 = own.map { Unchecked($0) } }
    shared.realm.withLock { $0 = Unchecked(realm) }
    for round in 0..<rounds {
      shared.greatest.store(value + 100, ordering: .releasing)
      realm.beginWrite()
      for _ in 0..<20 {
        value += 1
        own[random.below(own.count)].set(value)
      }
      let before = own.count
      for _ in 0..<random.below(4) { add() }
      if round % 7 == 3 {
        own.removeLast(own.count - before)
        realm.cancelWrite()
        continue
      }
      let added = own[before...].map { Unchecked($0) }
      for _ in 0..<random.below(5) where own.count > 50 {
        let gone = own.remove(at: random.below(own.count))
        realm.delete(gone)
        shared.check(gone.isInvalidated, "a deleted object is valid")
      }
      try! realm.commitWrite()
      shared.objects.withLock { $0.append(contentsOf: added) }
      for _ in 0..<10 { shared.check(own[random.below(own.count)].isConsistent, "the writer reads something else") }
      if round % 10 == 0 {
        // Accessors of their own, released on this thread.
        for object in realm.objects(Reading.self) { shared.check(object.isConsistent, "iteration at home") }
      }
    }
    shared.isDone.store(true, ordering: .releasing)
  }

  private static func readShared(_ shared: Shared, _ random: inout SplitMix) {
    for _ in 0..<50 {
      guard let object = shared.randomObject(&random) else { return }
      shared.checkValues(object, "shared")
      if object.isInvalidated { shared.check(object.realm == nil, "an invalidated object has a realm") }
    }
  }

  private static func readFrozen(_ shared: Shared, _ store: Store, _ random: inout SplitMix) {
    let frozen = FrozenRealm(store.frozenHead())
    for _ in 0..<20 {
      guard let object = frozen.object(ofType: Reading.self, forPrimaryKey: random.below(rowCount)) else { continue }
      shared.check(object.isConsistent, "frozen: \(object.number) \(object.twice) \(object.name)")
      if let next = object.next { shared.check(next.isConsistent, "frozen link") }
    }
    var count = 0
    for object in frozen.objects(Reading.self) {
      count += 1
      shared.check(object.isConsistent, "frozen iteration")
    }
    shared.check(count == frozen.objects(Reading.self).count, "frozen count")
    letGo(frozen.realm)
  }

  /// To be called before what is frozen is released. ThreadSanitizer does not see reference counts; this shows it, through
  /// the lock that the last release takes, that what was read was read before.
  private static func letGo(_ realm: Realm) {
    withExtendedLifetime(realm) { _ = realm.instance.store.graph.tip }
  }

  private static func lookUpAway(_ shared: Shared, _ random: inout SplitMix) {
    guard let realm = shared.realm.withLock({ $0 })?.value else { return }
    for _ in 0..<20 {
      let id = random.below(rowCount)
      guard let object = realm.object(ofType: Reading.self, forPrimaryKey: id) else { continue }
      shared.check(object.id == id, "away: id")
      shared.checkValues(object, "away")
    }
    for object in realm.objects(Reading.self).prefix(20) { shared.checkValues(object, "away iteration") }
    let frozen = realm.freeze()
    for object in frozen.objects(Reading.self).prefix(20) { shared.check(object.isConsistent, "frozen away") }
    letGo(frozen)
  }

  private static func readAtHome(_ shared: Shared, _ random: inout SplitMix) {
    let realm = try! Realm(configuration: shared.configuration)
    for _ in 0..<3 {
      realm.refresh()
      for object in realm.objects(Reading.self) { shared.check(object.isConsistent, "own realm") }
      for _ in 0..<20 {
        guard let object = realm.object(ofType: Reading.self, forPrimaryKey: random.below(rowCount)) else { continue }
        shared.check(object.isConsistent, "own realm, look-up")
        shared.objects.withLock { $0.append(Unchecked(object)) }
      }
    }
  }

  /// Lets last references go while the writer deletes rows.
  private static func dropShared(_ shared: Shared, _ random: inout SplitMix) {
    for _ in 0..<10 {
      let number = random.next()
      let object = shared.objects.withLock { objects in
        objects.count < 200 ? nil : objects.remove(at: Int(number % UInt64(objects.count)))
      }
      if let object { shared.checkValues(object.value, "dropped") }
    }
  }

  /// An object made away from home of a row that goes in the same moment has values.
  @Test func lookUpsMeetDeletions() throws {
    let shared = Shared()
    shared.greatest.store(.max / 2, ordering: .releasing)
    let rounds = 200
    JoinedThread.runAll([
      {
        let realm = try! Realm(configuration: shared.configuration)
        shared.realm.withLock { $0 = Unchecked(realm) }
        for round in 0..<rounds {
          try! realm.write {
            let object = Reading()
            object.id = 1
            object.set(round)
            realm.add(object)
          }
          try! realm.write { realm.delete(realm.object(ofType: Reading.self, forPrimaryKey: 1)!) }
        }
        shared.isDone.store(true, ordering: .releasing)
      },
      { Self.chase(shared) }, { Self.chase(shared) },
    ])
    shared.realm.withLock { $0 = nil }
    #expect(shared.failures.withLock { $0 }.isEmpty)
  }

  private static func chase(_ shared: Shared) {
    var kept: [Reading] = []
    while !shared.isDone.load(ordering: .acquiring) {
      guard let realm = shared.realm.withLock({ $0 })?.value else { continue }
      guard let object = realm.object(ofType: Reading.self, forPrimaryKey: 1) else { continue }
      shared.checkValues(object, "chased")
      kept.append(object)
      if kept.count > 20 { kept.removeFirst(10) }
      for object in kept { shared.checkValues(object, "kept") }
    }
  }

  /// A thread that takes over the address of one that ended does not take over its realm.
  @Test func aNewThreadHasANewRealm() throws {
    let configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Reading.self])
    let first = Guarded<Unchecked<Realm>?>(nil)
    JoinedThread.run { first.withLock { $0 = Unchecked(try! Realm(configuration: configuration)) } }
    let old = try #require(first.withLock { $0 }).value
    JoinedThread.run {
      let realm = try! Realm(configuration: configuration)
      try! realm.write { realm.add(Reading()) }
      #expect(realm.objects(Reading.self).count == 1)
      #expect(try! Realm(configuration: configuration) == realm)
    }
    JoinedThread.run { #expect(try! Realm(configuration: configuration).objects(Reading.self).count == 1) }
    withExtendedLifetime(old) {}
  }
}
