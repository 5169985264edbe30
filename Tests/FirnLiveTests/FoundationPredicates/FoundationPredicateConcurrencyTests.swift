import Firn
import Foundation
import TestSupport
import Testing

/// Predicates of Foundation on several threads while others commit: one predicate, one closure and one compiled condition
/// for all of them.
@Suite struct FoundationPredicateConcurrencyTests {
  @Test func threadsEvaluateWhileOthersCommit() throws {
    let configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, objectTypes: [Hound.self, HoundHome.self])
    let keeper = try Realm(configuration: configuration)
    try keeper.write {
      for id in 0..<60 { keeper.create(Hound.self, value: ["id": id, "name": "a"]) }
    }
    // Each commit gives all hounds one age and a name as long, so that a version has all of them or none.
    let translated = #Predicate<Hound> { $0.age == 3 }
    let closure = #Predicate<Hound> { $0.name.count == 4 }
    let mixed = #Predicate<Hound> { $0.age == 3 && $0.name.count == 4 && $0.parents.isEmpty }
    let writers = (0..<2).map { number in
      { @Sendable () -> Void in
        do {
          let realm = try Realm(configuration: configuration)
          for round in 0..<60 {
            let age = (round + number) % 5
            try realm.write {
              for hound in realm.objects(Hound.self) {
                hound.age = age
                hound.name = String(repeating: "x", count: age + 1)
              }
            }
          }
        } catch { Issue.record("\(error)") }
      }
    }
    let readers = (0..<3).map { number in
      { @Sendable () -> Void in
        do {
          let realm = try Realm(configuration: configuration)
          for _ in 0..<60 {
            realm.refresh()
            let hounds = number == 0 ? realm.objects(Hound.self) : realm.freeze().objects(Hound.self)
            let counts = [translated, closure, mixed].map { hounds.where($0).count }
            if Set(counts).count > 1 || !(counts[0] == 0 || counts[0] == 60) { Issue.record("\(counts)") }
          }
        } catch { Issue.record("\(error)") }
      }
    }
    JoinedThread.runAll(writers + readers)
  }
  /// Frozen results share the condition of those that they were made of.
  @Test func frozenVersionsAreReadBesideEachOther() throws {
    let configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, objectTypes: [Hound.self, HoundHome.self])
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for id in 0..<60 { realm.create(Hound.self, value: ["id": id, "name": "four"]) }
    }
    let hounds = realm.objects(Hound.self).where(#Predicate { $0.name.count == 4 && $0.parents.isEmpty })
    let versions = try (0..<3).map { count in
      try realm.write { for hound in realm.objects(Hound.self).prefix(count) { hound.name = "other" } }
      return try Frozen(hounds)
    }
    let readers = versions.enumerated().map { (count, frozen) in
      { @Sendable () -> Void in
        for _ in 0..<200 {
          // Evaluated anew each time.
          let found = frozen.withValue { $0.sorted(by: \.id).count }
          if found != 60 - count { Issue.record("\(found) without \(count)") }
        }
      }
    }
    JoinedThread.runAll(readers)
  }
}
