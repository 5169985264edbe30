import FirnCombine
import FirnEngine

@testable import Firn

/// Follows a collection by the changes that arrive alone, and says when these lead astray.
///
/// Used where changes arrive, and by the test while nothing can arrive.
final class Follower: @unchecked Sendable {
  let name: String
  private(set) var rows: [String] = []
  private(set) var mistakes: [String] = []
  private(set) var changeCount = 0
  /// What the test does with a change that arrived.
  var onArrival: (Realm?) -> Void = { _ in }
  /// Kept until the next change, when the test wants that.
  var kept: Any?
  var keeps = false

  init(_ name: String) { self.name = name }

  func fail(_ text: String) { mistakes.append("\(name): \(text)") }

  func take<C: RealmCollection>(_ change: RealmCollectionChange<C>) {
    guard let collection = change.collection else { return fail("an error") }
    follow(change, Self.rows(collection))
    kept = keeps ? change : nil
    onArrival(collection.isInvalidated ? nil : collection.realm)
  }

  func take(_ change: RealmCollectionChange<LiveGroups<Int, Int>>) {
    guard let groups = change.collection else { return fail("an error") }
    follow(change, Self.rows(groups))
    kept = keeps ? change : nil
  }

  /// A live value comes only when it is another one than before.
  func take(value: String) {
    if rows == [value] { fail("\(value) again") }
    move(to: [value], isInitial: nil)
  }

  /// What it has from now on.
  func move(to new: [String], isInitial: Bool?) {
    changeCount += 1
    if let isInitial, isInitial != (changeCount == 1) { fail(isInitial ? "initial twice" : "no initial") }
    rows = new
  }

  /// What it has before anything comes, of things without a first value.
  func begin(with rows: [String]) { self.rows = rows }

  private func follow<C>(_ change: RealmCollectionChange<C>, _ new: [String]) {
    var isInitial = true
    defer { move(to: new, isInitial: isInitial) }
    if case .update(_, let deletions, let insertions, let modifications) = change {
      isInitial = false
      if deletions + insertions + modifications == [] { fail("an empty change") }
      var old: [String?] = rows
      if (deletions + modifications).contains(where: { !old.indices.contains($0) }) {
        return fail("\(change.text) outside of \(rows)")
      }
      for position in modifications { old[position] = nil }
      for position in deletions.reversed() { old.remove(at: position) }
      for position in insertions {
        if position > old.count { return fail("\(change.text) outside of what comes") }
        old.insert(nil, at: position)
      }
      let told = old.enumerated().map { $1 ?? (new.indices.contains($0) ? new[$0] : "outside") }
      if told != new { fail("\(change.text) makes \(told) of \(rows), and there is \(new)") }
    }
  }

  func take(_ change: RealmMapChange<Map<String, Int>>) {
    changeCount += 1
    switch change {
    case .initial(let map):
      if changeCount != 1 { fail("initial twice") }
      rows = Self.rows(map)
      onArrival(map.realm)
    case .update(let map, let deletions, let insertions, let modifications):
      var told = Dictionary(uniqueKeysWithValues: rows.map { ($0.split(separator: "=")[0].description, $0) })
      let new = Dictionary(uniqueKeysWithValues: Self.rows(map).map { ($0.split(separator: "=")[0].description, $0) })
      for key in deletions where told.removeValue(forKey: key) == nil { fail("deletes '\(key)', which was not there") }
      for key in insertions where told.updateValue(new[key] ?? "", forKey: key) != nil {
        fail("inserts '\(key)' again")
      }
      for key in modifications where told.updateValue(new[key] ?? "", forKey: key) == nil {
        fail("modifies no '\(key)'")
      }
      if told != new { fail("\(change.text) makes \(told) of \(rows), and there is \(new)") }
      rows = Self.rows(map)
      kept = keeps ? change : nil
      onArrival(map.isInvalidated ? nil : map.realm)
    case .error: fail("an error")
    }
  }

  /// What is told is what a collection has.
  func expect(_ found: [String], _ when: String) {
    if rows != found { fail("has \(rows) \(when), and there is \(found)") }
  }

  static func rows<C: RealmCollection>(_ collection: C) -> [String] {
    if collection.isInvalidated { return [] }
    return collection.map { element in
      switch element {
      case let person as Person: "\(person.id) \(person.age) \(person.name)"
      case let card as Card: text(card)
      default: "\(element)"
      }
    }
  }

  static func rows(_ groups: LiveGroups<Int, Int>) -> [String] {
    if groups.isInvalidated { return [] }
    return groups.map { "\($0.key):\($0.count):\($0.values)" }
  }

  static func text(_ card: Card) -> String { "\(card.title) at \(card.place ?? "none")" }

  static func rows(_ map: Map<String, Int>) -> [String] {
    if map.isInvalidated { return [] }
    return map.map { "\($0.key)=\($0.value)" }.sorted()
  }
}
