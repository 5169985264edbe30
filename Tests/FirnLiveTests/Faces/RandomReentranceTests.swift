import FirnReactive
import Foundation
import TestSupport
import Testing

@testable import Firn

/// Callbacks, blocks for keys and what goes with them do whatever comes to mind; each observer's copy is compared.
@Suite struct RandomReentranceTests {
  /// The first seeds, or as many as the variable asks for from where it asks for; and some that found something once.
  static var seeds: [Int] {
    let first: Int = environmentNumber("FIRN_FIRST_SEED") ?? 0
    let count: Int = environmentNumber("FIRN_LIVE_HISTORIES") ?? 80
    return Array(first..<first + count) + [1442] + Array(10434..<10474)
  }

  @Test(arguments: seeds) func everythingFits(seed: Int) throws {
    try onOwnThread {
      weak var instance: RealmInstance?
      do {
        let chaos = try Chaos(UInt64(seed))
        instance = chaos.realm.instance
        chaos.run()
        chaos.finish()
      }
      RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.02))
      #expect(instance == nil, "seed \(seed)")
    }
  }
}

private final class Chaos: @unchecked Sendable {
  let realm: Realm
  let players: Results<SectionPlayer>
  /// Another accessor each time, since the realm may be invalidated.
  var team: SectionTeam { realm.objects(SectionTeam.self).first! }
  var random: SeededRandom
  var watchers: [Watcher] = []
  var depth = 0
  var budget = 0
  var inKeys = 0
  var nextID = 100
  let seed: UInt64
  var isQuiet = false
  var isServing = false

  init(_ seed: UInt64) throws {
    self.seed = seed
    realm = try Sectioned.realm(["bo", "al", "cy", "bi", "di"])
    let realm = realm
    try realm.write { realm.create(SectionTeam.self).players.append(objectsIn: realm.objects(SectionPlayer.self)) }
    players = realm.objects(SectionPlayer.self)
    random = SeededRandom(seed)
  }

  func roll(_ n: Int) -> Int { Int(random.next() % UInt64(n)) }

  func run() {
    for _ in 0..<3 { observe() }
    for _ in 0..<30 {
      budget = 12
      act()
      if roll(3) == 0 { realm.refresh() }
      if roll(8) == 0 { serve(0.001) }
      if roll(4) == 0 { settle() }
    }
  }

  func serve(_ seconds: Double) {
    isServing = true
    RunLoop.current.run(until: Date(timeIntervalSinceNow: seconds))
    isServing = false
  }

  /// Everything is told, and everybody has what a fresh read gives.
  func settle() {
    isQuiet = true
    if realm.isInWriteTransaction { try! realm.commitWrite() }
    for watcher in watchers {
      watcher.gate.open()
      watcher.token?.resume()
    }
    let end = Date(timeIntervalSinceNow: 1)
    repeat {
      serve(0.0005)
      realm.refresh()
    } while (realm.instance.asyncOperationCount > 0 || !watchers.allSatisfy { $0.fits(self) }) && Date() < end
    for (n, watcher) in watchers.enumerated() {
      #expect(watcher.fits(self), "seed \(seed) watcher \(n) \(watcher.kind): \(watcher.state) \(watcher.fresh(self))")
      #expect(watcher.misfits == 0, "seed \(seed) watcher \(n) \(watcher.kind)")
    }
    #expect(realm.instance.asyncOperationCount == 0, "seed \(seed)")
    isQuiet = false
  }

  func finish() {
    settle()
    isQuiet = true
    for watcher in watchers { watcher.end() }
    watchers = []
    let observers = realm.instance.notifications!
    #expect(observers.observerCount == 0 && observers.folded == nil, "seed \(seed)")
    #expect(observers.stage.viewCount == 0 && observers.stage.isWithoutSubscriptions, "seed \(seed)")
  }

  func change() {
    guard realm.isInWriteTransaction else { return }
    switch roll(4) {
    case 0: if players.count > 2 { realm.delete(players[roll(players.count)]) } else { fallthrough }
    case 1:
      nextID += 1
      let player = SectionPlayer(nextID, "x\(nextID)", group: "\(roll(4))", number: roll(10))
      realm.add(player)
      team.players.insert(player, at: roll(team.players.count + 1))
    case 2: players[roll(players.count)].group = "\(roll(4))"
    default: players[roll(players.count)].number = roll(10)
    }
  }

  func act() {
    if isQuiet || budget <= 0 || depth > 6 { return }
    budget -= 1
    depth += 1
    defer { depth -= 1 }
    let isMoving = realm.instance.notifications?.isMoving == true
    let mayWrite = !isMoving && inKeys == 0
    let choice = roll(16)
    switch choice {
    case 0, 1, 2:
      if !mayWrite { return }
      if realm.isInWriteTransaction { return change() }
      realm.beginWrite()
      if roll(3) == 0 { act() }
      if !realm.isInWriteTransaction { return }
      for _ in 0...roll(3) { change() }
      if !realm.isInWriteTransaction { return }
      if roll(6) == 0 { act() }
      if !realm.isInWriteTransaction { return }
      if roll(5) == 0 { realm.cancelWrite() } else { try! realm.commitWrite() }
    case 3: realm.refresh()
    case 4: if watchers.count < 12 { observe() }
    case 5: end()
    case 6:
      let watcher = watchers.isEmpty ? nil : watchers[roll(watchers.count)]
      if roll(2) == 0 {
        watcher?.gate.close()
      } else {
        watcher?.gate.open()
        watcher?.token?.resume()
      }
    case 7:
      // Run loops inside of one another lose their timers on this platform.
      if realm.isInWriteTransaction || isServing { return }
      serve(0.0005)
    case 8:
      if realm.isInWriteTransaction { return }
      let configuration = Unchecked(realm.configuration)
      nextID += 1
      let (id, group) = (nextID, "\(roll(4))")
      try! onOwnThread {
        let other = try Realm(configuration: configuration.value)
        try other.write { other.add(SectionPlayer(id, "y", group: group)) }
      }
    case 9: if !realm.isInWriteTransaction { realm.invalidate() }
    case 10:
      guard !realm.isInWriteTransaction, RunLoop.current.currentMode != nil else { return }
      realm.writeAsync { [self] in
        change()
      }
    case 11:
      if watchers.count < 12, let w = watchers.randomElement(using: &random) {
        w.onDeinit = { [unowned self] in act() }
      }
    case 12: if !realm.isInWriteTransaction { _ = Watcher(self, .sections, isKept: false) }
    case 13: _ = realm.freeze().objects(SectionPlayer.self).count
    case 14: _ = players.sectioned(by: \.group).count
    default: for _ in 0..<2 { act() }
    }
  }

  func end() {
    if watchers.isEmpty { return }
    if roll(5) == 0 {
      let all = watchers
      watchers = []
      for watcher in all { watcher.end() }
    } else {
      watchers.remove(at: roll(watchers.count)).end()
    }
  }

  func observe() {
    if realm.isInWriteTransaction { return }
    let kinds: [Watcher.Kind] = [.all, .some, .object, .sections, .sections, .realm, .list, .value, .groups]
    watchers.append(Watcher(self, kinds[roll(kinds.count)]))
  }

  func keyed(_ action: Bool = true) -> SectionedResults<String, SectionPlayer> {
    players.sectioned(sortDescriptors: ["group", "id"]) { [unowned self] player in
      if action, !isQuiet, roll(3) == 0 {
        inKeys += 1
        act()
        inKeys -= 1
      }
      return player.group ?? ""
    }
  }
}

private final class Bomb {
  let action: () -> Void
  init(_ action: @escaping () -> Void) { self.action = action }
  deinit { action() }
}

private final class Watcher {
  enum Kind { case all, some, object, sections, realm, list, value, groups }
  let kind: Kind
  var token: NotificationToken?
  let gate = DeliveryGate(isOpen: true)
  var state: [[String]] = []
  var misfits = 0
  var onDeinit: (() -> Void)?
  var object: SectionPlayer?
  var isStarted = false

  deinit { onDeinit?() }

  init(_ chaos: Chaos, _ kind: Kind, isKept: Bool = true) {
    self.kind = kind
    let bomb = Bomb { [unowned chaos] in chaos.act() }
    switch kind {
    case .all, .some:
      let results = kind == .all ? chaos.players : chaos.players.where { $0.number > 3 }.sorted(byKeyPath: "name")
      token = results._observed.observe(ObservationTarget(Self.self), nil, on: nil, gate: gate) {
        [weak self, unowned chaos] in
        withExtendedLifetime(bomb) {}
        self?.take($0)
        chaos.act()
      }
    case .object:
      guard let player = chaos.players.randomElement(using: &chaos.random) else { return }
      object = player
      state = [[player.group ?? "", "\(player.number)"]]
      token = player.observe { [weak self, unowned chaos] (change: ObjectChange<SectionPlayer>) in
        withExtendedLifetime(bomb) {}
        if case .change(let now, _) = change { self?.state = [[now.group ?? "", "\(now.number)"]] }
        if case .deleted = change { self?.state = [] }
        chaos.act()
      }
    case .sections:
      token = chaos.keyed()._observedSections.observe(ObservationTarget(Self.self), nil, on: nil, gate: gate) {
        [weak self, unowned chaos] in
        withExtendedLifetime(bomb) {}
        self?.take($0, chaos)
        chaos.act()
      }
    case .list:
      token = chaos.team.players._observed.observe(ObservationTarget(Self.self), nil, on: nil, gate: gate) {
        [weak self, unowned chaos] in
        withExtendedLifetime(bomb) {}
        self?.take($0)
        chaos.act()
      }
    case .value:
      token = Self.value(chaos)._observed.observe(ObservationTarget(Self.self), nil, on: nil, gate: gate) {
        [weak self, unowned chaos] value in
        withExtendedLifetime(bomb) {}
        self?.state = [["\(value)"]]
        chaos.act()
      }
    case .groups:
      token = Self.groups(chaos)._observed.observe(ObservationTarget(Self.self), nil, on: nil, gate: gate) {
        [weak self, unowned chaos] change in
        withExtendedLifetime(bomb) {}
        self?.take(change)
        chaos.act()
      }
    case .realm:
      token = chaos.realm.observe { [unowned chaos] _, _ in
        withExtendedLifetime(bomb) {}
        chaos.act()
      }
    }
    if !isKept { end() }
  }

  func end() {
    token?.invalidate()
    token = nil
  }

  private static func value(_ chaos: Chaos) -> LiveValue<Int> { chaos.players.liveValue { $0.sum(of: \.number) } }

  private static func groups(_ chaos: Chaos) -> LiveGroups<String?, Int> {
    chaos.players.grouped(by: \.group) { $0.sum(of: \.number) }
  }

  private static func line(_ group: LiveGroup<String?, Int>) -> String {
    "\(group.key ?? "-") \(group.count) \(group.values)"
  }

  private func take(_ change: RealmCollectionChange<LiveGroups<String?, Int>>) {
    switch change {
    case .initial(let groups): state = [groups.map(Self.line)]
    case .update(let groups, let deletions, let insertions, let modifications):
      var lines = state[0]
      for position in deletions.reversed() { lines.remove(at: position) }
      for position in insertions { lines.insert(Self.line(groups[position]), at: position) }
      let stayed = groups.indices.filter { !insertions.contains($0) }
      let kept = state[0].indices.filter { !deletions.contains($0) }
      for (old, new) in zip(kept, stayed) where modifications.contains(old) { lines[new] = Self.line(groups[new]) }
      state = [lines]
      if lines != groups.map(Self.line) { misfits += 1 }
    case .error: misfits += 1
    }
  }

  func fresh(_ chaos: Chaos) -> [[String]] {
    switch kind {
    case .list: return [chaos.team.players.map { String($0.id) }]
    case .value: return [["\(chaos.players.sum(of: \.number) as Int)"]]
    case .groups: return [Self.groups(chaos).map(Self.line)]
    default: return freshRows(chaos)
    }
  }

  private func freshRows(_ chaos: Chaos) -> [[String]] {
    switch kind {
    case .all: [chaos.players.map { String($0.id) }]
    case .some: [chaos.players.where { $0.number > 3 }.sorted(byKeyPath: "name").map { String($0.id) }]
    case .object:
      if let object, !object.isInvalidated { [[object.group ?? "", "\(object.number)"]] } else { [] }
    case .sections: chaos.keyed(false).map { $0.map { String($0.id) } }
    default: []
    }
  }

  func fits(_ chaos: Chaos) -> Bool {
    if token == nil || token?.isEnded == true { return true }
    if kind == .object, object?.isInvalidated == true { return true }
    return state == fresh(chaos)
  }

  private func take<Players: RealmCollection>(_ change: RealmCollectionChange<Players>)
  where Players.Element == SectionPlayer, Players.Index == Int {
    switch change {
    case .initial(let players):
      if isStarted { misfits += 1 }
      isStarted = true
      state = [players.map { String($0.id) }]
    case .update(let players, let deletions, let insertions, _):
      if !isStarted {
        misfits += 1
        return
      }
      var ids = state[0]
      for position in deletions.reversed() { if position < ids.count { ids.remove(at: position) } }
      for position in insertions where position <= ids.count && position < players.count {
        ids.insert(String(players[position].id), at: position)
      }
      state = [ids]
      if ids != players.map({ String($0.id) }) { misfits += 1 }
    case .error: misfits += 1
    }
  }

  private func take(_ change: SectionedResultsChange<SectionedResults<String, SectionPlayer>>, _ chaos: Chaos) {
    let wasQuiet = chaos.isQuiet
    chaos.isQuiet = true
    defer { chaos.isQuiet = wasQuiet }
    switch change {
    case .initial(let sections):
      if isStarted { misfits += 1 }
      isStarted = true
      state = sections.map { $0.map { String($0.id) } }
    case .update(let sections, let deletions, let insertions, _, let inserted, let deleted):
      if !isStarted {
        misfits += 1
        return
      }
      for path in deletions.sorted().reversed() { state[path.section].remove(at: path.item) }
      for section in deleted.reversed() { state.remove(at: section) }
      for section in inserted { state.insert([], at: section) }
      for path in insertions.sorted() {
        state[path.section].insert(String(sections[path].id), at: path.item)
      }
      if state != sections.map({ $0.map { String($0.id) } }) { misfits += 1 }
    }
  }
}
