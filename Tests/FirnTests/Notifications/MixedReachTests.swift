import Foundation
import TestSupport
import Testing

@testable import Firn

/// The only way from the first class to the others is a mixed value, and from the second to the third a link.
private final class MixedStart: Object {
  @Persisted var serial: Int
  @Persisted var value: Int
  @Persisted var any: AnyRealmValue

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class MixedMiddle: Object {
  @Persisted var serial: Int
  @Persisted var value: Int
  @Persisted var next: MixedEnd?

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class MixedEnd: Object {
  @Persisted var serial: Int
  @Persisted var value: Int

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A row as the test sees it: its value, and the rows that it leads to, with how many steps it takes.
private struct MixedRow: Equatable {
  struct Target: Equatable {
    var serial: Int
    var steps: Int
  }

  var value: Int
  var targets: [Target] = []
}

/// Observers of collections are told of everything behind mixed values, whatever class it is of: compared with a naive
/// look at all that is reached. A list or dictionary in a mixed value is a step of its own.
@Suite struct MixedReachTests {
  private static func rows(_ realm: Realm) -> [Int: MixedRow] {
    var rows: [Int: MixedRow] = [:]
    func targets(_ value: AnyRealmValue, steps: Int = 1) -> [MixedRow.Target] {
      switch value {
      case .object(let object): [MixedRow.Target(serial: object["serial"] as? Int ?? -1, steps: steps)]
      case .list(let list): list.flatMap { targets($0, steps: steps + 1) }
      case .dictionary(let map): map.keys.sorted().flatMap { targets(map[$0] ?? .none, steps: steps + 1) }
      default: []
      }
    }
    for row in realm.objects(MixedStart.self) {
      rows[row.serial] = MixedRow(value: row.value, targets: targets(row.any))
    }
    for row in realm.objects(MixedMiddle.self) {
      let next = row.next.map { MixedRow.Target(serial: $0.serial, steps: 1) }
      rows[row.serial] = MixedRow(value: row.value, targets: next.map { [$0] } ?? [])
    }
    for row in realm.objects(MixedEnd.self) { rows[row.serial] = MixedRow(value: row.value) }
    return rows
  }

  private static func isTouched(_ serial: Int, _ old: [Int: MixedRow], _ new: [Int: MixedRow], depth: Int) -> Bool {
    guard let row = new[serial] else { return false }
    if let before = old[serial], before != row { return true }
    return row.targets.contains { depth >= $0.steps && isTouched($0.serial, old, new, depth: depth - $0.steps) }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>) func collectionsAreToldOfWhatMixedValuesLeadTo(seed: UInt64) throws {
    try onOwnThread {
      var random = SeededRandom(seed)
      let realm = try Realm(
        configuration: Realm.Configuration(
          inMemoryIdentifier: UUID().uuidString, objectTypes: [MixedStart.self, MixedMiddle.self, MixedEnd.self]))
      let (starts, middles) = (realm.objects(MixedStart.self), realm.objects(MixedMiddle.self))
      let ends = realm.objects(MixedEnd.self)
      try realm.write {
        for serial in 0..<4 {
          realm.create(MixedStart.self, value: ["serial": serial])
          realm.create(MixedMiddle.self, value: ["serial": 100 + serial])
          realm.create(MixedEnd.self, value: ["serial": 200 + serial])
        }
      }
      var told: [String: [Int]] = [:]
      func note<Row: Object>(_ name: String, _ change: RealmCollectionChange<Results<Row>>) {
        guard case .update(let rows, let deletions, let insertions, let modifications) = change else { return }
        #expect(deletions.isEmpty && insertions.isEmpty, "\(name), seed \(seed)")
        told[name] = modifications.map { rows[$0]["serial"] as? Int ?? -1 }
      }
      let tokens = [
        starts.observe { note("starts", $0) }, middles.observe { note("middles", $0) },
        starts.sorted(by: \.serial).where { $0.serial >= 2 }.observe { note("some starts", $0) },
      ]
      realm.refresh()
      func target() -> AnyRealmValue {
        switch random.below(4) {
        case 0: .object(starts[random.below(4)])
        case 1: .object(ends[random.below(4)])
        default: .object(middles[random.below(4)])
        }
      }
      for step in 0..<80 {
        let old = Self.rows(realm)
        told = [:]
        try realm.write {
          switch random.below(8) {
          case 0: starts[random.below(4)].any = .none
          case 1: starts[random.below(4)].any = target()
          case 2: starts[random.below(4)].any = .fromArray([.int(step), target(), .fromArray([target()])])
          case 3: starts[random.below(4)].any = .fromDictionary(["a": target(), "b": .string("b")])
          case 4: middles[random.below(4)].next = random.chance(30) ? nil : ends[random.below(4)]
          case 5: starts[random.below(4)].value += 1
          case 6: middles[random.below(4)].value += 1
          default: ends[random.below(4)].value += 1
          }
        }
        realm.refresh()
        let new = Self.rows(realm)
        if old == new { continue }
        let touched = [0..<4, 2..<4, 100..<104].map { $0.filter { Self.isTouched($0, old, new, depth: 3) } }
        for (name, expected) in zip(["starts", "some starts", "middles"], touched) {
          #expect(told[name] ?? [] == expected, "\(name), seed \(seed), step \(step)")
        }
      }
      for token in tokens { token.invalidate() }
    }
  }
}
