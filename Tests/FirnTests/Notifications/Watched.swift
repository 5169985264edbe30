import Foundation

@testable import Firn

final class WatchedTeam: Object {
  @Persisted var name: String
  @Persisted var rank: Int
  @Persisted var leader: WatchedItem?
}

final class WatchedItem: Object {
  enum Mood: String, PersistableEnum { case calm, loud }

  @Persisted(primaryKey: true) var id: Int
  @Persisted var number: Int
  @Persisted var score: Double
  @Persisted var text: String?
  @Persisted var mood: Mood
  @Persisted var small: Int8
  @Persisted var team: WatchedTeam?
  @Persisted var friends: List<WatchedItem>
  @Persisted var codes: List<Int>
}

enum Watched {
  static func configuration() -> Realm.Configuration {
    Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, objectTypes: [WatchedTeam.self, WatchedItem.self])
  }

  /// A realm of the calling thread with numbered items.
  static func realm(_ count: Int, _ configuration: Realm.Configuration = configuration()) throws -> Realm {
    let realm = try Realm(configuration: configuration)
    try realm.write { for id in 0..<count { realm.add(item(id)) } }
    return realm
  }

  static func item(_ id: Int) -> WatchedItem {
    let item = WatchedItem()
    item.id = id
    item.number = id
    return item
  }

  /// Lets the thread's run loop run until nothing is left to do.
  static func runLoop() {
    for _ in 0..<3 { RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.01)) }
  }

  /// Lets the run loop run until a condition holds, for at most ten seconds.
  static func runLoop(until isDone: () -> Bool) {
    let end = Date(timeIntervalSinceNow: 10)
    while !isDone(), Date() < end { RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.005)) }
  }
}

/// Follows a collection by its changes alone, and says when that leads astray.
final class Follower<Collection: RandomAccessCollection> where Collection.Index == Int {
  private(set) var rows: [Collection.Element] = []
  private(set) var calls = 0
  private(set) var initialCalls = 0
  private(set) var mistake: String?
  private(set) var last: (deletions: [Int], insertions: [Int], modifications: [Int])?

  func take(_ change: RealmCollectionChange<Collection>) {
    calls += 1
    switch change {
    case .initial(let collection):
      initialCalls += 1
      if calls != 1 { mistake = "the initial call was not the first" }
      rows = Array(collection)
    case .update(let collection, let deletions, let insertions, let modifications):
      last = (deletions, insertions, modifications)
      for list in [deletions, insertions, modifications] where zip(list, list.dropFirst()).contains(where: { $0 >= $1 })
      {
        mistake = "positions do not ascend"
      }
      if !Set(deletions).isDisjoint(with: modifications) { mistake = "a deletion is a modification" }
      if (deletions + modifications).contains(where: { !rows.indices.contains($0) }) {
        mistake = "outside of the old rows"
        return
      }
      if (deletions + insertions + modifications).isEmpty { mistake = "an empty change" }
      // Nil: to be read again.
      var old: [Collection.Element?] = rows
      for position in modifications { old[position] = nil }
      for position in deletions.reversed() { old.remove(at: position) }
      for position in insertions {
        if position > old.count {
          mistake = "outside of the new rows"
          return
        }
        old.insert(nil, at: position)
      }
      if old.count != collection.count {
        mistake = "the counts differ"
        return
      }
      rows = old.enumerated().map { $1 ?? collection[$0] }
      check(collection, "right after a change")
    case .error: mistake = "an error"
    }
  }

  /// Takes over what a skipped commit made of the collection.
  func adopt(_ collection: Collection) { rows = Array(collection) }

  func check(_ collection: Collection, _ when: String) {
    if !same(rows, Array(collection)) { mistake = mistake ?? "the rows differ \(when)" }
  }

  private func same(_ left: [Collection.Element], _ right: [Collection.Element]) -> Bool {
    left.count == right.count
      && zip(left, right).allSatisfy { left, right in
        if let left = left as? ObjectBase, let right = right as? ObjectBase { return left._key == right._key }
        return (left as? AnyHashable) == (right as? AnyHashable)
      }
  }
}
