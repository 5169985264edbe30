import FirnEngine
import Foundation
import TestSupport
import Testing

@testable import Firn

/// Something whose changes can be streamed, with a subscriber that checks them.
struct StreamedFace: Sendable, CustomTestStringConvertible {
  let name: String
  /// Follows the changes of a store until they end or the task is cancelled, checking each; pauses at random. Returns what
  /// checks all that was seen.
  let follow:
    @Sendable (isolated (any Actor)?, StreamSubject, ChangeDelivery, UInt64) async throws -> StreamedFace.Check

  /// - Parameter cancelled: When it was cancelled, so many versions were noted; nil when it was not.
  typealias Check = @Sendable (_ cancelled: Int?) throws -> Void

  var testDescription: String { name }

  static let all: [StreamedFace] =
    [
      items("all objects") { $0.objects(FacedItem.self) },
      items("equality") { $0.objects(FacedItem.self).where { $0.group == 1 } },
      items("range, sorted") { realm in realm.objects(FacedItem.self).where { $0.number > 10 }.sorted(by: \.weight) },
      items("distinct") { $0.objects(FacedItem.self).distinct(by: [\.group]) },
      items("window") { $0.objects(FacedItem.self).sorted(by: \.number).limit(5) },
      items("behind a link") { realm in realm.objects(FacedItem.self).where { $0.owner.name == "owner 1" } },
      items("list") { owner($0)?.items },
      items("query on a list") { realm in owner(realm).map { $0.items.where { $0.number > 5 } } },
      items("set") { owner($0)?.favourites },
      items("backlinks") { owner($0)?.owned },
      items("type erased") { AnyRealmCollection($0.objects(FacedItem.self)) },
      collection("values", { owner($0)?.codes }, { $0 }),
      collection("sorted values", { owner($0)?.codes.sorted() }, { $0 }),
      collection(
        "projections", { $0.objects(FacedLine.self).sorted(by: \.number) }, { "\($0.number) \($0.ownerName ?? "-")" }),
      rows, map, object, sections, sectionsByBlock, section, value, groups, versions,
    ]

  static func owner(_ realm: Realm) -> FacedOwner? { realm.object(ofType: FacedOwner.self, forPrimaryKey: 1) }

  private static func items<C: RealmCollection>(
    _ name: String, _ make: @escaping @Sendable (Realm) -> C?
  ) -> StreamedFace where C.Element == FacedItem {
    collection(name, make, { StreamedItem($0) })
  }

  private static func collection<C: RealmCollection, Row: Equatable & Sendable>(
    _ name: String, _ make: @escaping @Sendable (Realm) -> C?, _ row: @escaping @Sendable (C.Element) -> Row
  ) -> StreamedFace {
    face(
      name, stream: { subject, delivery in make(subject.store.freeze().realm)?.changes(delivery) },
      read: { content in content.withValue { $0.map(row) } }, naive: { realm in make(realm).map { $0.map(row) } },
      apply: { old, delta, new in
        try applied(
          old, deletions: delta.deletions, insertions: delta.insertions, modifications: delta.modifications, "\(name)"
        ) { new[$0] }
      })
  }

  private static let rows = face(
    "rows",
    stream: { subject, delivery in
      subject.store.freeze().objects(FacedItem.self).changes(as: FacedRow.self, delivery)
    },
    read: { $0.map { "\($0.number) \($0.ownerName ?? "-")" } },
    naive: { realm in realm.objects(FacedItem.self).map { "\($0.number) \($0.owner?.name ?? "-")" } },
    apply: { old, delta, new in
      try applied(old, deletions: delta.deletions, insertions: delta.insertions, modifications: delta.modifications) {
        new[$0]
      }
    })

  private static let map = face(
    "map", stream: { subject, delivery in owner(subject.store.freeze().realm)?.shelf.changes(delivery) },
    read: { content in content.withValue { entries($0) } }, naive: { realm in owner(realm).map { entries($0.shelf) } },
    apply: { old, delta, new in
      var rows = old
      for key in delta.deletions { try #require(rows.removeValue(forKey: key) != nil) }
      for key in delta.insertions {
        try #require(rows[key] == nil)
        rows[key] = new[key]
      }
      for key in delta.modifications {
        try #require(rows[key] != nil)
        rows[key] = new[key]
      }
      return rows
    })

  private static func entries(_ map: Map<String, FacedItem?>) -> [String: StreamedItem?] {
    var entries: [String: StreamedItem?] = [:]
    for key in map.keys { entries.updateValue(map[key].flatMap { $0 }.map { StreamedItem($0) }, forKey: key) }
    return entries
  }

  private static let object = face(
    "object", stream: { subject, delivery in owner(subject.store.freeze().realm)?.changes(delivery) },
    read: { content in content.withValue { ownerProperties($0) } },
    naive: { realm in owner(realm).map { ownerProperties($0) } },
    apply: { old, delta, new in
      var rows = old
      for name in delta.properties { rows[name] = new[name] }
      return rows
    })

  private static func ownerProperties(_ owner: FacedOwner) -> [String: String] {
    [
      "name": owner.name, "items": "\(Array(owner.items.map(\.id)))",
      "favourites": "\(owner.favourites.map(\.id).sorted())", "codes": "\(Array(owner.codes))",
      "shelf": "\(owner.shelf.keys.map { "\($0) \(owner.shelf[$0]??.id ?? -1)" })",
    ]
  }

  private static let value = face(
    "value",
    stream: { subject, delivery in
      subject.store.freeze().objects(FacedItem.self).liveValue { ($0.count, $0.sum(of: \.number)) }.changes(delivery)
    },
    read: { "\($0)" },
    naive: { realm in
      let items = realm.objects(FacedItem.self)
      return "(\(items.count), \(items.sum(of: \.number) as Int))"
    },
    apply: { old, _, new in new })

  private static let groups = face(
    "groups",
    stream: { subject, delivery in
      subject.store.freeze().objects(FacedItem.self).grouped(by: \.group) { $0.sum(of: \.number) }.changes(delivery)
    },
    read: { groups in groups.map { [$0.key, $0.count, $0.values] } },
    naive: { realm in
      Dictionary(grouping: realm.objects(FacedItem.self), by: \.group).sorted { $0.key < $1.key }.map { key, items in
        [key, items.count, items.reduce(0) { $0 + $1.number }]
      }
    },
    apply: { old, delta, new in
      try applied(old, deletions: delta.deletions, insertions: delta.insertions, modifications: delta.modifications) {
        new[$0]
      }
    })

  private static let sections = sectioned("sections") { $0.objects(FacedItem.self).sectioned(by: \.group) }

  private static let sectionsByBlock = sectioned("sections by a block") { realm in
    realm.objects(FacedItem.self).sectioned(
      by: { $0.number % 3 }, sortDescriptors: [SortDescriptor(keyPath: "number")])
  }

  private static func sectioned(
    _ name: String, _ make: @escaping @Sendable (Realm) -> SectionedResults<Int, FacedItem>
  ) -> StreamedFace {
    face(
      name, stream: { subject, delivery in make(subject.store.freeze().realm).changes(delivery) },
      read: { content in content.withValue { $0.map { $0.map { StreamedItem($0) } } } },
      naive: { realm in make(realm).map { $0.map { StreamedItem($0) } } },
      apply: { old, delta, new in try delta.applied(to: old, new) })
  }

  private static let section = face(
    "one section",
    stream: { subject, delivery in
      subject.store.freeze().objects(FacedItem.self).sectioned(by: \.group).first { $0.key == 1 }?.changes(delivery)
    },
    read: { content in content.withValue { $0.map { StreamedItem($0) } } },
    naive: { realm in
      // As the sections have it: in the order of the sort.
      realm.objects(FacedItem.self).where { $0.group == 1 }.map { StreamedItem($0) }
    },
    apply: { old, delta, new in
      if !delta.insertedSections.isEmpty || !delta.deletedSections.isEmpty { return new }
      return try applied(
        old, deletions: delta.deletions.map(\.item), insertions: delta.insertions.map(\.item),
        modifications: delta.modifications.map(\.item)
      ) { new[$0] }
    })

  private static let versions = face(
    "versions", stream: { subject, delivery in subject.store.changes(delivery) },
    read: { realm in realm.objects(FacedItem.self).count * 1000 + realm.objects(FacedOwner.self).count },
    naive: { realm in realm.objects(FacedItem.self).count * 1000 + realm.objects(FacedOwner.self).count },
    apply: { old, delta, new in
      var count = old
      for (name, unit) in [("FacedItem", 1000), ("FacedOwner", 1)] {
        guard let delta = delta[name] else { continue }
        count += unit * (delta.insertionCount - delta.deletionCount)
      }
      return count
    })

  private static func face<Content: Sendable, Delta: Sendable, Rows: Equatable & Sendable>(
    _ name: String,
    stream: @escaping @Sendable (StreamSubject, ChangeDelivery) -> ChangeStream<Content, Delta>?,
    read: @escaping @Sendable (Content) -> Rows, naive: @escaping @Sendable (Realm) -> Rows?,
    apply: @escaping @Sendable (Rows, Delta, Rows) throws -> Rows
  ) -> StreamedFace {
    StreamedFace(name: name) { actor, subject, delivery, seed in
      let begun = subject.versionCount
      guard let stream = stream(subject, delivery) else { return { _ in } }
      var random = SeededRandom(seed)
      var rows: Rows?
      var all: [Rows] = []
      var isDeleted = false
      for await change in stream {
        actor?.preconditionIsolated()
        let comment: Comment = "\(name), \(delivery), seed \(seed)"
        switch change {
        case .initial(let content):
          try #require(rows == nil, comment)
          rows = read(content)
        case .reset(let content):
          try #require(delivery == .latest, comment)
          rows = read(content)
        case .update(let content, let delta, _):
          let old = try #require(rows, comment)
          let new = read(content)
          try #require(try apply(old, delta, new) == new, comment)
          rows = new
        case .deleted: isDeleted = true
        }
        if let rows { all.append(rows) }
        if random.chance(40) { for _ in 0..<random.below(200) { await Task.yield() } }
      }
      return { [all, isDeleted] cancelled in
        let comment: Comment = "\(name), \(delivery), seed \(seed)"
        if let cancelled {
          return try subject.checkAllWasThere(
            all, naive, begun - 1..<max(begun, cancelled + 1), leavesOut: delivery != .everyCommit, comment)
        }
        // It began when the store was closed already.
        if all.isEmpty, !isDeleted { return }
        let last = naive(subject.store.freeze().realm)
        try #require(isDeleted == (last == nil), comment)
        if !isDeleted { try #require(all.last == last, "\(name), \(delivery), seed \(seed): at the end") }
        if delivery == .everyCommit { try subject.checkNothingIsLeftOut(all, naive, comment) }
      }
    }
  }
}

/// What an item shows.
struct StreamedItem: Equatable, Sendable {
  let id: Int
  let text: String

  init(_ item: FacedItem) {
    id = item.id
    text = "\(item.group) \(item.number) \(item.weight.bitPattern) \(item.name ?? "-") \(item.owner?.name ?? "-")"
  }
}

/// A store that is written to, and the versions it had.
final class StreamSubject: Sendable {
  let store: RealmStore
  private let versions = Guarded<[FrozenRealm]>([])

  init(_ store: RealmStore) { self.store = store }

  func note() {
    let version = store.freeze()
    versions.withLock { $0.append(version) }
  }

  func forget() { versions.withLock { $0 = [] } }

  var versionCount: Int { versions.withLock { $0.count } }

  /// Fails unless what was seen is, in order, what some versions of these had. One of them may not have been noted yet.
  ///
  /// - Parameter leavesOut: Whether some may be missing in between.
  func checkAllWasThere<Rows: Equatable>(
    _ seen: [Rows], _ naive: (Realm) -> Rows?, _ range: Range<Int>, leavesOut: Bool, _ comment: Comment
  ) throws {
    let all = versions.withLock { Array($0[range.clamped(to: $0.indices)]) }
    var rest = Self.distinct(all.map { naive($0.realm) })[...]
    let seen = Self.distinct(seen)
    if !leavesOut {
      try #require(seen.isEmpty || rest.indices.contains { rest[$0...].starts(with: seen) }, comment)
      return
    }
    for rows in seen {
      let place = try #require(rest.firstIndex(of: rows), comment)
      rest = rest[(place + 1)...]
    }
  }

  private static func distinct<Rows: Equatable>(_ all: [Rows?]) -> [Rows] {
    var distinct: [Rows] = []
    for case let rows? in all where distinct.last != rows { distinct.append(rows) }
    return distinct
  }

  /// Fails when a version differed from the one before and the subscriber has not seen it.
  func checkNothingIsLeftOut<Rows: Equatable>(
    _ seen: [Rows], _ naive: (Realm) -> Rows?, _ comment: Comment
  ) throws {
    let distinct = Self.distinct(versions.withLock { $0 }.map { naive($0.realm) })
    let told = Self.distinct(seen)
    // It began somewhere.
    try #require(told.count <= distinct.count && told == Array(distinct.suffix(told.count)), comment)
  }
}

extension SectionsDelta {
  /// What sections are after it.
  func applied<Row>(to old: [[Row]], _ new: [[Row]]) throws -> [[Row]] {
    var rows: [[Row?]] = old
    for place in modifications { rows[place.section][place.item] = nil }
    for place in deletions.reversed() { rows[place.section].remove(at: place.item) }
    for section in deletedSections.reversed() { rows.remove(at: section) }
    for section in insertedSections { rows.insert([], at: section) }
    for place in insertions { rows[place.section].insert(nil, at: place.item) }
    try #require(rows.map(\.count) == new.map(\.count))
    return rows.enumerated().map { section, rows in rows.enumerated().map { $1 ?? new[section][$0] } }
  }
}
