import Dispatch
import Foundation
import TestSupport
import Testing

@testable import Firn
@testable import FirnReactive

/// Random transactions beside observers of sections: what each has after a change is what sections made anew show.
@Suite struct SectionHistoryTests {
  static let count = environmentNumber("FIRN_LIVE_HISTORIES") ?? 60

  @Test func whatObserversHaveIsWhatIsThere() throws {
    var seeds = SeededRandom.printed("Section histories")
    for _ in 0..<Self.count {
      let seed = UInt64.random(in: 0...UInt64(UInt32.max), using: &seeds)
      try onOwnThread { try SectionHistory(seed).run() }
    }
  }
}

/// What an observer may have of a row.
private struct Row: Equatable {
  var id: Int
  var text: String

  init(_ player: SectionPlayer) {
    id = player.id
    text =
      "\(player.name) \(player.group ?? "-") \(player.number) \(player.score) \(player.mood) \(player.team?.rank ?? -1)"
  }
}

private final class SectionHistory {
  private let seed: UInt64
  private var random: SeededRandom
  private let realm: Realm
  private let queue = DispatchQueue(label: "sections")
  private let configuration = Sectioned.configuration()
  private var tokens: [NotificationToken] = []
  private var followers: [any SectionFollower] = []
  private var log: [String] = []

  init(_ seed: UInt64) throws {
    self.seed = seed
    random = SeededRandom(seed)
    realm = try Realm(configuration: configuration)
    try realm.write {
      for rank in 0..<3 { realm.create(SectionTeam.self, value: ["name": "t\(rank)", "rank": rank]) }
    }
    for _ in 0..<random.below(4) { try realm.write { change(realm, 12) } }
  }

  func run() throws {
    for _ in 0..<1 + random.below(3) { observe() }
    realm.refresh()
    for _ in 0..<15 {
      try step()
      try check()
    }
    for follower in followers { follower.checkInvariants() }
  }

  private var comment: Comment { "seed \(seed), history \(log.suffix(30))" }

  private func check() throws {
    do {
      for follower in followers { try follower.check(comment) }
    } catch {
      print(comment)
      throw error
    }
  }

  private func step() throws {
    switch random.below(8) {
    case 0: observe()
    case 1 where !tokens.isEmpty:
      // A commit that an observer makes itself.
      realm.refresh()
      try check()
      let index = random.below(tokens.count)
      // Else what it was not told yet is told after the commit.
      guard followers[index].seesEverything else { break }
      log.append("skip \(index)")
      try realm.write(withoutNotifying: [tokens[index]]) { change(realm, 4) }
      followers[index].readAnew()
    case 2:
      // What is taken to the observers in two parts and told in one.
      try realm.write { change(realm, 4) }
      guard let player = realm.objects(SectionPlayer.self).first else { break }
      log.append("fold")
      let token = player.observe { (_: ObjectChange<SectionPlayer>) in }
      try writeElsewhere()
      realm.refresh()
      token.invalidate()
    case 3: for _ in 0..<1 + random.below(4) { try writeElsewhere() }
    case 4: try realm.write { change(realm, 60) }
    default: try realm.write { change(realm, 3) }
    }
    realm.refresh()
  }

  private func writeElsewhere() throws {
    log.append("elsewhere")
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      realm.refresh()
      try realm.write { change(realm, 4) }
    }
  }

  // MARK: Changing

  private func change(_ realm: Realm, _ most: Int) {
    for _ in 0..<1 + random.below(most) { changeOne(realm) }
  }

  private func changeOne(_ realm: Realm) {
    let players = realm.objects(SectionPlayer.self)
    let teams = realm.objects(SectionTeam.self)
    let id = random.below(24)
    guard let player = realm.object(ofType: SectionPlayer.self, forPrimaryKey: id) else {
      log.append("add \(id)")
      let player = SectionPlayer(id)
      fill(player, teams)
      realm.add(player)
      if random.chance(50) { teams[0].players.append(player) }
      return
    }
    let list = teams[0].players
    switch random.below(12) {
    case 0, 1:
      log.append("delete \(id)")
      realm.delete(player)
      if random.chance(40) {
        let other = SectionPlayer(id)
        fill(other, teams)
        realm.add(other)
      }
    case 2:
      log.append("list \(id)")
      list.insert(player, at: random.below(list.count + 1))
    case 3: if !list.isEmpty { list.remove(at: random.below(list.count)) }
    case 4: if list.count > 1 { list.move(from: random.below(list.count), to: random.below(list.count)) }
    case 5:
      log.append("rank")
      teams[random.below(3)].rank = random.below(4)
    case 6: for player in players where player.number == 1 { player.number = 2 }
    default:
      log.append("write \(id)")
      fill(player, teams)
    }
  }

  /// Writes some properties, perhaps with the values that they have.
  private func fill(_ player: SectionPlayer, _ teams: Results<SectionTeam>) {
    let letters = ["a", "b", "c", "é", ""]
    for property in 0..<6 where random.chance(40) {
      switch property {
      case 0: player.name = letters[random.below(5)] + letters[random.below(5)]
      case 1: player.group = random.chance(30) ? nil : letters[random.below(5)]
      case 2: player.number = random.below(5)
      case 3: player.score = [.nan, 0, -0.0, 1.5, -.infinity][random.below(5)]
      case 4: player.mood = SectionPlayer.Mood.allCases[random.below(3)]
      default: player.team = random.chance(30) ? nil : teams[random.below(3)]
      }
    }
  }

  // MARK: Observing

  private func observe() {
    let source = random.below(7)
    let teams = realm.objects(SectionTeam.self)
    let all = realm.objects(SectionPlayer.self)
    let kind = random.below(10)
    log.append("observe source \(source) kind \(kind)")
    switch source {
    case 0, 1: observe(all, kind)
    case 2: observe(all.where { $0.number > 1 }, kind)
    case 3: observe(teams[0].players, kind)
    case 4: observe(teams[1].members, kind)
    case 5: observe(all.sorted(by: \.number).distinct(by: ["name"]), kind)
    default: observe(all.sorted(by: \.number).limit(7, offset: 1), kind)
    }
  }

  private func observe<C: RealmCollection>(_ players: C, _ kind: Int) where C.Element == SectionPlayer {
    let ascending = random.chance(50)
    switch kind {
    case 0: follow { players.sectioned(by: \.group, ascending: ascending) }
    case 1: follow { players.sectioned(by: \.number, ascending: ascending) }
    case 2: follow { players.sectioned(by: \.score, ascending: ascending) }
    case 3: follow { players.sectioned(by: \.mood, ascending: ascending) }
    case 4: follow { players.sectioned(by: \.team!.rank, sortDescriptors: ["team.rank", "name"]) }
    case 5: follow { players.sectioned(by: \.group, sortDescriptors: [SortDescriptor(keyPath: "group"), "number"]) }
    case 6: follow { players.sectioned(by: { $0.number % 2 }, sortDescriptors: ["name"]) }
    case 7: follow { players.sectioned(by: { $0.name.first.map(String.init) }, sortDescriptors: ["name"]) }
    case 8: follow { players.sectioned(by: { $0.team?.rank }, sortDescriptors: ["number", "name"]) }
    default:
      follow {
        players.sectioned(
          by: { Double($0.number) / 2 }, sortDescriptors: [SortDescriptor(keyPath: "score", ascending: false)])
      }
    }
  }

  private func follow<Key>(_ make: @escaping () -> SectionedResults<Key, SectionPlayer>) {
    let results = make()
    let keyPaths: [String]? = random.chance(25) ? ["mood"] : nil
    let all = Follower(results, make, seesEverything: keyPaths == nil)
    followers.append(all)
    tokens.append(results.observe(keyPaths: keyPaths) { all.take($0) })
    guard results.count > 0 else { return }
    let section = results[random.below(results.count)]
    let one = OneFollower(section, make)
    followers.append(one)
    tokens.append(section.observe { one.take($0) })
  }
}

private protocol SectionFollower {
  var seesEverything: Bool { get }
  func check(_ comment: Comment) throws
  func readAnew()
  func checkInvariants()
}

private final class Follower<Key: _Persistable & Hashable>: SectionFollower {
  private let results: SectionedResults<Key, SectionPlayer>
  private let make: () -> SectionedResults<Key, SectionPlayer>
  let seesEverything: Bool
  private var sections: [[Row]]?
  private var failure: (any Error)?
  private var wasCalled = false

  init(
    _ results: SectionedResults<Key, SectionPlayer>, _ make: @escaping () -> SectionedResults<Key, SectionPlayer>,
    seesEverything: Bool
  ) {
    (self.results, self.make, self.seesEverything) = (results, make, seesEverything)
  }

  private static func read(_ sections: SectionedResults<Key, SectionPlayer>) -> [[Row]] {
    sections.map { $0.map { Row($0) } }
  }

  func readAnew() { if sections != nil { sections = Self.read(make()) } }

  func checkInvariants() { results.core.live?.tree.checkInvariants() }

  func check(_ comment: Comment) throws {
    if let failure { throw failure }
    let fresh = make()
    let expected = Self.read(fresh)
    // What an observer with key paths was not told is no reason to be called.
    if seesEverything || wasCalled, let sections {
      if seesEverything {
        try #require(sections == expected, comment)
      } else {
        try #require(sections.map { $0.map(\.id) } == expected.map { $0.map(\.id) }, comment)
      }
    }
    wasCalled = false
    try #require(results.allKeys.map { "\($0)" } == fresh.allKeys.map { "\($0)" }, comment)
    try #require(Self.read(results) == expected, comment)
    for (section, rows) in expected.enumerated() {
      try #require(results[section].count == rows.count, comment)
      for item in rows.indices { try #require(Row(results[IndexPath(item: item, section: section)]) == rows[item]) }
    }
    try #require(expected.allSatisfy { !$0.isEmpty }, comment)
  }

  func take(_ change: SectionedResultsChange<SectionedResults<Key, SectionPlayer>>) {
    do {
      switch change {
      case .initial: sections = Self.read(make())
      case .update(_, let deletions, let insertions, let modifications, let inserted, let deleted):
        wasCalled = true
        let old = try #require(sections)
        try #require(
          !(deletions.isEmpty && insertions.isEmpty && modifications.isEmpty && inserted.isEmpty && deleted.isEmpty))
        for paths in [deletions, insertions, modifications] { try #require(paths == paths.sorted()) }
        try #require(deletions.allSatisfy { !deleted.contains($0.section) })
        let new = Self.read(make())
        var kept = old.indices.filter { !deleted.contains($0) }[...]
        var result: [[Row]] = []
        while !kept.isEmpty || inserted.contains(result.count) {
          let section = result.count
          try #require(section < new.count)
          let came = insertions.filter { $0.section == section }.map(\.item)
          if inserted.contains(section) {
            result.append(
              try applied([Row](), deletions: [], insertions: came, modifications: []) { new[section][$0] })
            continue
          }
          guard let index = kept.popFirst() else { break }
          result.append(
            try applied(
              old[index], deletions: deletions.filter { $0.section == index }.map(\.item), insertions: came,
              modifications: modifications.filter { $0.section == index }.map(\.item)
            ) { new[section][$0] })
        }
        sections = result
        try #require(result.map { $0.map(\.id) } == new.map { $0.map(\.id) })
      }
    } catch {
      print(change, sections ?? [])
      failure = failure ?? error
    }
  }
}

private final class OneFollower<Key: _Persistable & Hashable>: SectionFollower {
  private let section: ResultsSection<Key, SectionPlayer>
  private let make: () -> SectionedResults<Key, SectionPlayer>
  private var rows: [Row]??
  var seesEverything: Bool { true }
  private var failure: (any Error)?

  init(_ section: ResultsSection<Key, SectionPlayer>, _ make: @escaping () -> SectionedResults<Key, SectionPlayer>) {
    (self.section, self.make) = (section, make)
  }

  private var place: (index: Int, rows: [Row])? {
    let fresh = make()
    guard let index = fresh.core.sections.index(of: section.sectionKey) else { return nil }
    return (index, fresh[index].map { Row($0) })
  }

  func readAnew() { if rows != nil { rows = .some(place?.rows) } }
  func checkInvariants() {}

  func check(_ comment: Comment) throws {
    if let failure { throw failure }
    let expected = place?.rows
    if let rows { try #require(rows == expected, comment) }
    try #require(section.isInvalidated == (expected == nil), comment)
    if let expected { try #require(section.map { Row($0) } == expected, comment) }
  }

  func take(_ change: SectionedResultsChange<ResultsSection<Key, SectionPlayer>>) {
    do {
      switch change {
      case .initial: rows = .some(place?.rows)
      case .update(_, let deletions, let insertions, let modifications, let inserted, let deleted):
        let old = try #require(rows)
        let new = place
        if !deleted.isEmpty {
          try #require(old != nil && deletions.isEmpty && insertions.isEmpty && modifications.isEmpty)
          rows = .some(nil)
          return
        }
        let index = try #require(new?.index)
        if !inserted.isEmpty { try #require(old == nil && inserted == [index]) }
        try #require(insertions.allSatisfy { $0.section == index })
        rows = try applied(
          old ?? [], deletions: deletions.map(\.item), insertions: insertions.map(\.item),
          modifications: modifications.map(\.item)
        ) { new?.rows[$0] ?? Row(SectionPlayer()) }
      }
    } catch {
      print(change, rows as Any)
      failure = failure ?? error
    }
  }
}
