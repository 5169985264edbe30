import FirnEngine
import Foundation
import Observation
import TestSupport
import Testing

@testable import Firn

/// Something that a scope may read: how it is read, what a naive look makes of it, and what touches it.
private struct Readable {
  let name: String
  let read: () -> Void
  /// The value as text.
  let look: () -> String
  /// Whether a write may count, by the names of what was written.
  let isTouched: (Set<String>) -> Bool
}

/// Scopes that read at random, and transactions that write at random. A scope must be told when something that it read is
/// another one, and must not when nothing was touched that it read.
@Suite("Observation: histories")
struct ObservationHistoryTests {
  private static let count = environmentNumber("FIRN_LIVE_HISTORIES") ?? 20

  @Test func scopesAreToldOfWhatTheyRead() async throws {
    let first = UInt64.random(in: 0...UInt64(UInt32.max))
    print("Observation histories: seed \(first)")
    for seed in 0..<UInt64(Self.count) {
      try onOwnThread { try Self.run(first &+ seed) }
      try await MainActor.run { try Self.run(first &+ seed) }
    }
  }

  private static func run(_ seed: UInt64) throws {
    var random = SeededRandom(seed)
    let configuration = Tracked.configuration()
    let realm = try Realm(configuration: configuration)
    try realm.write { Tracked.fill(realm, 6) }
    realm.autorefresh = false
    let readables = readables(realm)
    var scopes: [(scope: Scope, reads: [(Readable, String)], told: Int)] = []
    var tolds = 0
    for step in 0..<25 {
      for _ in 0..<random.below(4) {
        let read = (0...random.below(3)).map { _ in readables[random.below(readables.count)] }
        let scope = Scope { for readable in read { readable.read() } }
        scopes.append((scope, read.map { ($0, $0.look()) }, 0))
      }
      var written: Set<String> = []
      let script = random.next()
      var commits = 1
      if random.chance(50) {
        if random.chance(20) {
          struct Cancel: Error {}
          try? realm.write {
            var random = SeededRandom(script)
            write(realm, &random, &written)
            throw Cancel()
          }
          commits = 0
        } else {
          try realm.write {
            var random = SeededRandom(script)
            write(realm, &random, &written)
          }
        }
      } else {
        commits = 1 + random.below(3)
        for commit in 0..<commits {
          written.formUnion(
            try onOwnThread {
              var (random, written) = (SeededRandom(script &+ UInt64(commit)), Set<String>())
              let realm = try Realm(configuration: configuration)
              try realm.write { write(realm, &random, &written) }
              return written
            })
        }
        realm.refresh()
      }
      for index in scopes.indices where scopes[index].told == 0 {
        let (scope, reads, _) = scopes[index]
        let now = reads.map { $0.0.look() }
        let (isOther, isTouched) = (now != reads.map(\.1), reads.contains { $0.0.isTouched(written) })
        let told = scope.count
        let what =
          "seed \(seed), step \(step): \(reads.map { "\($0.0.name) \($0.1)" }), now \(now), "
          + "written \(written.sorted()) in \(commits)"
        #expect(told <= 1, "\(what)")
        if isOther { #expect(told == 1, "\(what)") }
        if !isTouched, !isOther { #expect(told == 0, "\(what)") }
        scopes[index].told = told
        tolds += told
        // Several commits may have led back to where it was.
        if told == 0 { scopes[index].reads = zip(reads, now).map { ($0.0, $1) } }
      }
    }
    #expect(tolds > 0, "seed \(seed)")
    // What nobody waits for is forgotten, here by the next two moves.
    scopes = []
    for _ in 0..<2 { try realm.write { realm.create(Kennel.self, value: ["id": Int(random.next() >> 2)]) } }
    let waiting = try #require(realm.instance.tracking).liveCount
    #expect(realm.placeCount == waiting, "seed \(seed)")
  }

  private static func write(_ realm: Realm, _ random: inout SeededRandom, _ written: inout Set<String>) {
    for _ in 0...random.below(3) {
      let pups = Array(realm.objects(Pup.self))
      guard !pups.isEmpty else { return }
      let pup = pups[random.below(pups.count)]
      let id = pup.id
      switch random.below(12) {
      case 0, 1, 2:
        pup.age = random.below(10)
        written.insert("age \(id)")
      case 3:
        pup.name = "n\(random.below(5))"
        written.insert("name \(id)")
      case 4:
        pup.kennel = random.chance(30) ? nil : realm.kennel(random.below(2))
        written.formUnion(["kennel \(id)", "links"])
      case 5:
        if pup.tags.count > 2, random.chance(50) { pup.tags.removeFirst() } else { pup.tags.append(random.below(9)) }
        written.insert("tags \(id)")
      case 6:
        pup.marks["\(random.below(3))"] = random.chance(30) ? nil : random.below(9)
        written.insert("marks \(id)")
      case 7:
        let friend = pups[random.below(pups.count)]
        pup.friends.append(friend)
        written.insert("friends \(id)")
      case 8:
        let kennel = realm.kennel(random.below(2))
        kennel.name = "k\(random.below(5))"
        written.insert("kennel name")
      case 9:
        let id = 1000 + random.below(1_000_000_000)
        realm.create(Pup.self, value: ["id": id, "age": random.below(10)])
        written.insert("pups")
      case 10 where pups.count > 3:
        realm.delete(pup)
        written.formUnion(["pups", "deleted \(id)", "links", "friends"])
      default:
        pup.colours.insert("c\(random.below(9))")
        written.insert("colours \(id)")
      }
    }
  }

  private static func readables(_ realm: Realm) -> [Readable] {
    var all: [Readable] = []
    func add(_ name: String, _ read: @escaping () -> String, _ isTouched: @escaping (Set<String>) -> Bool) {
      all.append(Readable(name: name, read: { _ = read() }, look: read, isTouched: isTouched))
    }
    for pup in realm.objects(Pup.self) {
      // Kept by the closures: what is read does not depend on a search.
      let id = pup.id
      let accessor = realm.object(ofType: Pup.self, forPrimaryKey: id).unsafelyUnwrapped
      func isGone(_ written: Set<String>) -> Bool { written.contains("deleted \(id)") }
      add("age \(id)", { "\(accessor.age)" }, { $0.contains("age \(id)") || isGone($0) })
      add("name \(id)", { accessor.name }, { $0.contains("name \(id)") || isGone($0) })
      add("exists \(id)", { "\(accessor.isInvalidated)" }, isGone)
      add(
        "kennel \(id)", { accessor.isInvalidated ? "" : accessor.kennel?.name ?? "" },
        { $0.contains("kennel \(id)") || $0.contains("kennel name") || isGone($0) })
      add("tags \(id)", { "\(Array(accessor.tags))" }, { $0.contains("tags \(id)") || isGone($0) })
      add("marks \(id)", { "\(accessor.marks["1"] ?? -1)" }, { $0.contains("marks \(id)") || isGone($0) })
      add(
        "friends \(id)", { "\(accessor.friends.count)" },
        { $0.contains("friends \(id)") || $0.contains("friends") || isGone($0) })
    }
    let pups = realm.objects(Pup.self)
    let isAboutAges: (Set<String>) -> Bool = { $0.contains("pups") || $0.contains { $0.hasPrefix("age") } }
    add("count", { "\(pups.count)" }, { $0.contains("pups") })
    for bound in [2, 5, 8] {
      let old = pups.where { $0.age > bound }
      add("older than \(bound)", { "\(old.map { ObjectIdentifier(type(of: $0)) }.count)" }, isAboutAges)
      let sorted = old.sorted(by: \.age)
      add("first of \(bound)", { sorted.first.map { "\($0.id)" } ?? "" }, isAboutAges)
      add("sum of \(bound)", { "\(old.sum(of: \.age) as Int)" }, isAboutAges)
    }
    for kennel in realm.objects(Kennel.self) {
      let accessor = realm.object(ofType: Kennel.self, forPrimaryKey: kennel.id).unsafelyUnwrapped
      add("dogs of \(kennel.id)", { "\(accessor.dogs.map(\.id).sorted())" }, { $0.contains("links") })
    }
    return all
  }
}
