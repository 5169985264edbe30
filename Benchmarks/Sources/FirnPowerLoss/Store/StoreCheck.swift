import Firn
import Foundation

/// Compares versions of a store with what its commits make of nothing.
struct StoreCheck {
  let workload: Workload
  /// The state that was made last; most versions are compared in the order of their commits.
  private var state = PlainState()

  init(_ workload: Workload) { self.workload = workload }

  /// How many commits a version has. Ends the process when it is not the state that these commits make.
  mutating func commitCount(_ realm: Realm, schemaVersion: UInt64, _ what: String) -> Int {
    let counters = realm.objects(Counter.self)
    if counters.count > 1 { Outcome.found(.different, "\(what) has \(counters.count) counters.") }
    let count = counters.first?.number ?? 0
    if let counter = counters.first {
      if counter.seed != "\(workload.seed)" {
        Outcome.found(.different, "\(what) has the commits of seed \(counter.seed), and not of \(workload.seed).")
      }
      if counter.migrationCount != Int(schemaVersion) - 1 {
        Outcome.found(
          .different, "\(what) was migrated \(counter.migrationCount) times, and has schema version \(schemaVersion).")
      }
    }
    move(to: count)
    let differences = state.differences(from: realm, schemaVersion: schemaVersion)
    if !differences.isEmpty {
      let lines = differences.prefix(5).map { $0.prefix(600) }.joined(separator: "; ")
      Outcome.found(.different, "\(what) is not what \(count) commits make, in \(differences.count) places: \(lines)")
    }
    return count
  }

  private mutating func move(to count: Int) {
    if state.commitCount > count { state = PlainState() }
    while state.commitCount < count { state.apply(workload.changes(ofCommit: state.commitCount + 1)) }
  }
}
