import Firn
import Foundation
import TestSupport
import Testing

/// Observers of predicates of Foundation are told exactly what changed, also through links, whoever evaluates them.
@Suite struct FoundationPredicateHistoryTests {
  private final class Watcher {
    let hounds: HoundCase
    let results: Results<Hound>
    var token: NotificationToken?
    var told: [Int] = []
    var failure: String?

    init(_ hounds: HoundCase, _ results: Results<Hound>) { (self.hounds, self.results) = (hounds, results) }

    func take(_ change: RealmCollectionChange<Results<Hound>>) {
      switch change {
      case .initial(let results): told = results.map(\.id)
      case .update(let results, let deletions, let insertions, let modifications):
        do {
          told = try applied(told, deletions: deletions, insertions: insertions, modifications: modifications) {
            results[$0].id
          }
        } catch { failure = "\(error)" }
      case .error(let error): failure = "\(error)"
      }
    }
  }

  @Test(arguments: 0..<6)
  func observersFollow(round: Int) throws {
    try onOwnThread {
      var random = SeededRandom.printed("observed predicates of Foundation \(round)")
      let realm = try Hounds.realm()
      let all = realm.objects(Hound.self)
      let watchers = HoundCase.all.enumerated().map { index, hounds in
        let found = all.where(hounds.predicate)
        return Watcher(hounds, index % 3 == 0 ? found.sorted(by: \.age) : found)
      }
      for watcher in watchers { watcher.token = watcher.results.observe { watcher.take($0) } }
      realm.refresh()
      for step in 0..<60 {
        try realm.write { for _ in 0...random.below(4) { Hounds.change(realm, &random, countMax: 12) } }
        realm.refresh()
        for watcher in watchers {
          let expected = FoundationPredicateTests.naive(watcher.hounds.predicate, realm)
          #expect(watcher.failure == nil, "step \(step): \(watcher.hounds)")
          #expect(Set(watcher.told) == Set(expected), "step \(step): \(watcher.hounds)")
          #expect(watcher.told == Array(watcher.results.map(\.id)), "step \(step): \(watcher.hounds)")
        }
      }
    }
  }
}
