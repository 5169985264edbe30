import Foundation
import TestSupport
import Testing

@testable import Firn

/// Observers of all kinds, with key paths and without, that look through up to four links, also in circles; commits of none
/// to a thousand writes, here and elsewhere. Who is told is compared with a naive look at all that is reached, before and
/// after.
@Suite struct ConcurrencyLinkedHistoryTests {
  private static let rounds =
    0..<(environmentNumber("FIRN_HISTORIES") ?? 12)

  @Test(arguments: rounds) func observersAreToldOfWhatLiesBehindLinks(round: Int) throws {
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    print("Linked history seed \(seed), round \(round)")
    try onOwnThread {
      let isBig = round % 4 == 3
      // Where many observe, one makes the step for all.
      let run = try ReachRun(seed, isBig: isBig, watcherMax: [60, 1, 3][round % 3])
      for step in 0..<(isBig ? 25 : 60) {
        let mistakes = try run.step()
        #expect(
          mistakes.isEmpty,
          "seed \(seed), round \(round), step \(step): \(mistakes.prefix(4)) after \(run.log.suffix(20))")
        if !mistakes.isEmpty { break }
      }
      // A single observer may hear of everything, or of nothing.
      if run.watcherMax > 3 { #expect(run.toldCount > 0 && run.silentCount > 0) }
      run.end()
    }
  }

  @Test func threeLinksCountAndFourDoNot() throws {
    try onOwnThread {
      let run = try ReachRun(1, isBig: false, watcherMax: 1)
      let realm = run.realm
      let chain = (
        try #require(realm.objects(Reach0.self).first), try #require(realm.objects(Reach2.self).first),
        try #require(realm.objects(Reach3.self).first), try #require(realm.objects(Reach4.self).first),
        try #require(realm.objects(Reach5.self).first)
      )
      try realm.write {
        chain.0.some.insert(chain.1)
        chain.1.next = chain.2
        chain.2.next = chain.3
        chain.3.next = chain.4
      }
      var calls = 0
      let token = realm.objects(Reach0.self).observe { _ in calls += 1 }
      realm.refresh()
      #expect(calls == 1)
      try realm.write { chain.4.value += 1 }
      realm.refresh()
      #expect(calls == 1)
      try realm.write { chain.3.value += 1 }
      realm.refresh()
      #expect(calls == 2)
      token.invalidate()
    }
  }
}

/// Someone who observes, and what it was told since the last look.
final class ReachWatcher {
  let name: String
  let paths: [String]?
  let isObject: Bool
  /// Those that it shows.
  let members: (Realm, ReachState) -> [Int]
  let isOrdered: Bool
  var token: NotificationToken?
  var isStarted = false
  var isActive = true
  var wasDeleted = false
  var calls = 0
  var initials = 0
  var positions: (deletions: [Int], insertions: [Int], modifications: [Int]) = ([], [], [])
  var before: [Int] = []
  /// Began or ended in a call: what it is told of that step is not looked at.
  var isPassedOver = false

  init(
    _ name: String, _ paths: [String]?, isObject: Bool = false, isOrdered: Bool,
    _ members: @escaping (Realm, ReachState) -> [Int]
  ) {
    (self.name, self.paths, self.isObject, self.isOrdered, self.members) = (name, paths, isObject, isOrdered, members)
  }

  func touched(_ serial: Int, _ span: ReachSpan) -> Bool {
    if let paths { return paths.contains { span.touched(serial, $0.split(separator: ".")[...]) } }
    return isObject ? span.written[serial] != nil : span.touched(serial, depth: 3)
  }
}

final class ReachRun {
  var random: SeededRandom
  let configuration: Realm.Configuration
  let realm: Realm
  let size: Int
  var watchers: [ReachWatcher] = []
  var log: [String] = []
  var toldCount = 0
  var silentCount = 0
  var nextSerial = 0
  var state: ReachState
  var maybe: [Int: Set<String>] = [:]
  let watcherMax: Int

  init(_ seed: UInt64, isBig: Bool, watcherMax: Int) throws {
    random = SeededRandom(seed)
    self.watcherMax = watcherMax
    size = isBig ? 300 : 7
    configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString,
      objectTypes: [Reach0.self, Reach1.self, Reach2.self, Reach3.self, Reach4.self, Reach5.self, ReachOwned.self])
    realm = try Realm(configuration: configuration)
    realm.autorefresh = false
    state = ReachState(realm)
    try realm.write {
      for _ in 0..<size { for table in 0..<6 { insert(realm, table) } }
      for _ in 0..<(6 * size) { link(realm) }
    }
    state = ReachState(realm)
  }

  func end() { for watcher in watchers { watcher.token?.invalidate() } }

  // MARK: Writing

  func pick<T: Object>(_ realm: Realm, _ type: T.Type) -> T? {
    let all = realm.objects(type)
    if all.isEmpty { return nil }
    // The first ones are linked to by many.
    return all[random.below(100) < 40 ? random.below(min(3, all.count)) : random.below(all.count)]
  }

  func value(_ old: Int) -> Int { (old + 1 + random.below(98)) % 100 }

  func insert(_ realm: Realm, _ table: Int, id: Int? = nil) {
    nextSerial += 1
    let serial = nextSerial
    switch table {
    case 0:
      let o = Reach0()
      (o.serial, o.value) = (serial, random.below(100))
      realm.add(o)
    case 1:
      let o = Reach1()
      (o.id, o.serial, o.value) = (id ?? serial, serial, random.below(100))
      realm.add(o)
    case 2:
      let o = Reach2()
      (o.serial, o.value) = (serial, random.below(100))
      realm.add(o)
    case 3:
      let o = Reach3()
      (o.serial, o.value) = (serial, random.below(100))
      realm.add(o)
    case 4:
      let o = Reach4()
      (o.serial, o.value) = (serial, random.below(100))
      realm.add(o)
    default:
      let o = Reach5()
      (o.serial, o.value) = (serial, random.below(100))
      realm.add(o)
    }
  }

  func note(_ serial: Int, _ property: String) { maybe[serial, default: []].insert(property) }

  func write(_ realm: Realm) {
    func set<T: Object>(
      _ type: T.Type, _ serial: KeyPath<T, Int>, _ property: ReferenceWritableKeyPath<T, Int>
    ) {
      guard let o = pick(realm, type) else { return }
      note(o[keyPath: serial], "value")
      log.append("value \(o[keyPath: serial])")
      o[keyPath: property] = value(o[keyPath: property])
    }
    switch random.below(7) {
    case 0: set(Reach0.self, \.serial, \.value)
    case 1: set(Reach1.self, \.serial, \.value)
    case 2: set(Reach2.self, \.serial, \.value)
    case 3: set(Reach3.self, \.serial, \.value)
    case 4: set(Reach4.self, \.serial, \.value)
    case 5: set(Reach5.self, \.serial, \.value)
    default:
      if let o = pick(realm, Reach0.self), let e = o.owned {
        note(e.serial, "value")
        log.append("value \(e.serial)")
        e.value = value(e.value)
      }
    }
  }

  func link(_ realm: Realm) {
    let isNull = random.chance(15)
    func done(_ serial: Int, _ property: String) {
      note(serial, property)
      log.append("\(property) \(serial)")
    }
    switch random.below(17) {
    case 0, 1:
      if let o = pick(realm, Reach0.self) {
        o.next = isNull ? nil : pick(realm, Reach1.self)
        done(o.serial, "next")
      }
    case 2:
      if let o = pick(realm, Reach0.self), let t = pick(realm, Reach1.self) {
        o.many.insert(t, at: random.below(o.many.count + 1))
        done(o.serial, "many")
      }
    case 3:
      if let o = pick(realm, Reach0.self), !o.many.isEmpty {
        o.many.remove(at: random.below(o.many.count))
        done(o.serial, "many")
      }
    case 4:
      if let o = pick(realm, Reach0.self) {
        o.named["k\(random.below(3))"] = .some(isNull ? nil : pick(realm, Reach1.self))
        done(o.serial, "named")
      }
    case 5, 6:
      if let o = pick(realm, Reach0.self), let t = pick(realm, Reach2.self) {
        if o.some.contains(t) { o.some.remove(t) } else { o.some.insert(t) }
        done(o.serial, "some")
      }
    case 7:
      if let o = pick(realm, Reach0.self) {
        let e = ReachOwned()
        nextSerial += 1
        e.serial = nextSerial
        o.owned = isNull ? nil : e
        if !isNull { o.owned?.next = pick(realm, Reach3.self) }
        done(o.serial, "owned")
      }
    case 8:
      if let o = pick(realm, Reach1.self) {
        o.up = isNull ? nil : pick(realm, Reach0.self)
        done(o.serial, "up")
      }
    case 9, 10:
      if let o = pick(realm, Reach1.self) {
        o.next = isNull ? nil : pick(realm, Reach2.self)
        done(o.serial, "next")
      }
    case 11:
      if let o = pick(realm, Reach2.self) {
        o.up = isNull ? nil : pick(realm, Reach0.self)
        done(o.serial, "up")
      }
    case 12:
      if let o = pick(realm, Reach2.self) {
        o.next = isNull ? nil : pick(realm, Reach3.self)
        done(o.serial, "next")
      }
    case 13:
      if let o = pick(realm, Reach2.self), let t = pick(realm, Reach3.self) {
        if o.many.count > 3 { o.many.removeFirst() } else { o.many.append(t) }
        done(o.serial, "many")
      }
    case 14:
      if let o = pick(realm, Reach2.self) {
        o.peer = isNull ? nil : pick(realm, Reach2.self)
        done(o.serial, "peer")
      }
    case 15:
      if let o = pick(realm, Reach3.self) {
        if random.chance(50) {
          o.next = isNull ? nil : pick(realm, Reach4.self)
          done(o.serial, "next")
        } else {
          o.back = isNull ? nil : pick(realm, Reach1.self)
          done(o.serial, "back")
        }
      }
    default:
      if let o = pick(realm, Reach4.self) {
        o.next = isNull ? nil : pick(realm, Reach5.self)
        done(o.serial, "next")
      }
    }
  }

  func delete(_ realm: Realm) {
    func go<T: Object>(_ o: T?, _ serial: (T) -> Int, _ table: Int) {
      guard let o else { return }
      log.append("delete \(serial(o)) of \(table)")
      realm.delete(o)
      if random.chance(70) { insert(realm, table) }
    }
    switch random.below(6) {
    case 0: go(pick(realm, Reach0.self), { $0.serial }, 0)
    case 1:
      guard let o = pick(realm, Reach1.self) else { return }
      let id = o.id
      let owners = Array(o.owners)
      log.append("reinsert \(o.serial) as \(nextSerial + 1)")
      realm.delete(o)
      insert(realm, 1, id: id)
      if random.chance(50) {
        for owner in owners {
          owner.next = realm.object(ofType: Reach1.self, forPrimaryKey: id)
          note(owner.serial, "next")
        }
      }
    case 2: go(pick(realm, Reach2.self), { $0.serial }, 2)
    case 3: go(pick(realm, Reach3.self), { $0.serial }, 3)
    case 4: go(pick(realm, Reach4.self), { $0.serial }, 4)
    default: go(pick(realm, Reach5.self), { $0.serial }, 5)
    }
  }

  func transact(_ realm: Realm) {
    var count = [0, 1, 1, 1, 1, 2, 3, 4, 5, 6, 9][random.below(11)]
    if random.chance(8) { count = size > 10 ? 1000 : 60 }
    let onlyValues = random.chance(50)
    for _ in 0..<count {
      if onlyValues {
        write(realm)
        continue
      }
      switch random.below(12) {
      case 0..<5: write(realm)
      case 5..<10: link(realm)
      case 10: insert(realm, random.below(6))
      default: if count < 100 { delete(realm) }
      }
    }
  }

  // MARK: Observing

  static let paths: [Int: [String]] = [
    0: [
      "value", "next.value", "next.next.value", "next.next.next.value", "next.next.next.next.value", "many.value",
      "many.next.value", "some.next.value", "some.many.next.value", "owned.value", "owned.next.value", "next.up.value",
      "next.owners.value", "many.owners", "named.value", "named.next.peer.value",
    ],
    1: [
      "value", "owners", "owners.value", "owners.some.value", "up.next.value", "next.peer.peer.value", "next.many",
      "up.many.next.many.value",
    ],
    2: [
      "value", "peer.peer.value", "many.value", "next.next.next.value", "many.next.next.value", "up.next.value",
      "next.back.owners.value",
    ],
    3: ["value", "next.value", "next.next.value", "back.value", "back.next.value", "back.owners.value"],
    4: ["value", "next.value", "next", "next.owners", "next.owners.value"],
    5: ["value", "owners", "owners.value", "owners.next"],
  ]

  static let predicates: [Int: [String]] = [
    0: [
      "value > 50", "next.value > 50", "next.next.value > 50", "next.next.next.value == 7 OR value < 30",
      "next.next.next.next.value > 40", "ANY many.value > 80", "ANY some.next.value > 60", "next == nil",
      "owned.value > 20",
      "many.@count > 1", "next.value == 3 OR next.value == 4 OR value == 9", "next.value BETWEEN {20, 60}",
    ],
    1: [
      "value > 50", "owners.@count > 0", "ANY owners.value > 50", "up.value > 50 AND value > 10",
      "next.peer.value > 30", "next.value == 5",
    ],
    2: ["value > 20", "peer.value > 50", "ANY many.value > 50", "next.next.value > 50", "up.next.value > 50"],
    3: ["next.next.value > 50", "back.value > 50", "ANY back.owners.value > 50"],
    4: ["next.value > 50"], 5: ["value > 50", "ANY owners.value > 50"],
  ]

  func somePaths(_ table: Int) -> [String]? {
    if random.chance(50) { return nil }
    let all = Self.paths[table]!
    return (0...random.below(2)).map { _ in all[random.below(all.count)] }
  }

  func add() {
    guard watchers.count < watcherMax else { return }
    switch random.below(6) {
    case 0: addResults(Reach0.self, 0) { $0.serial }
    case 1: addResults(Reach1.self, 1) { $0.serial }
    case 2: random.chance(50) ? addResults(Reach2.self, 2) { $0.serial } : addResults(Reach3.self, 3) { $0.serial }
    case 3: random.chance(50) ? addResults(Reach4.self, 4) { $0.serial } : addResults(Reach5.self, 5) { $0.serial }
    case 4: addCollection()
    default:
      switch random.below(6) {
      case 0: addObject(Reach0.self, 0) { $0.serial }
      case 1: addObject(Reach1.self, 1) { $0.serial }
      case 2: addObject(Reach2.self, 2) { $0.serial }
      case 3: addObject(Reach3.self, 3) { $0.serial }
      case 4: addObject(Reach4.self, 4) { $0.serial }
      default: addObject(Reach5.self, 5) { $0.serial }
      }
    }
  }

  func addResults<T: Object>(_ type: T.Type, _ table: Int, _ serial: @escaping (T) -> Int) {
    let predicate =
      random.chance(40) ? "TRUEPREDICATE" : Self.predicates[table]![random.below(Self.predicates[table]!.count)]
    let paths = somePaths(table)
    let watcher = ReachWatcher("results \(table) \(predicate) \(paths ?? ["*"])", paths, isOrdered: true) { realm, _ in
      realm.objects(type).filter(predicate).map(serial)
    }
    let results = realm.objects(type).filter(predicate)
    watcher.token = results.observe(keyPaths: paths) { [unowned self, unowned watcher] in take($0, watcher) }
    start(watcher)
  }

  func addCollection() {
    let linked = somePaths(1)
    guard let o = pick(realm, Reach0.self), let r1 = pick(realm, Reach1.self), let r2 = pick(realm, Reach2.self),
      let r5 = pick(realm, Reach5.self)
    else { return }
    let serial = o.serial
    func watch(_ what: String, _ paths: [String]?, _ owner: Int, _ property: String) -> ReachWatcher {
      ReachWatcher("\(what) of \(owner) \(paths ?? ["*"])", paths, isOrdered: false) { _, state in
        // Nulls count as elements of a map, and its keys order it.
        property == "named" ? state.rows[owner]?.links[property] ?? [] : state.targets(owner, property)
      }
    }
    let watcher: ReachWatcher
    switch random.below(6) {
    case 0:
      watcher = watch("list", linked, serial, "many")
      watcher.token = o.many.observe(keyPaths: linked) { [unowned self, unowned watcher] in take($0, watcher) }
    case 1:
      watcher = watch("map", linked, serial, "named")
      watcher.token = o.named.observe(keyPaths: linked) { [unowned self, unowned watcher] change in
        switch change {
        case .initial: watcher.initials += 1
        case .update: watcher.calls += 1
        case .error: break
        }
        called(watcher)
      }
    case 2:
      let paths = somePaths(2)
      watcher = watch("set", paths, serial, "some")
      watcher.token = o.some.observe(keyPaths: paths) { [unowned self, unowned watcher] in take($0, watcher) }
    case 3:
      let paths = somePaths(0)
      watcher = watch("owners", paths, r1.serial, "owners")
      watcher.token = r1.owners.observe(keyPaths: paths) { [unowned self, unowned watcher] in take($0, watcher) }
    case 4:
      let paths = somePaths(3)
      watcher = watch("list", paths, r2.serial, "many")
      watcher.token = r2.many.observe(keyPaths: paths) { [unowned self, unowned watcher] in take($0, watcher) }
    default:
      let paths = somePaths(4)
      watcher = watch("owners", paths, r5.serial, "owners")
      watcher.token = r5.owners.observe(keyPaths: paths) { [unowned self, unowned watcher] in take($0, watcher) }
    }
    start(watcher)
  }

  func addObject<T: Object>(_ type: T.Type, _ table: Int, _ serial: (T) -> Int) {
    guard let o = pick(realm, type) else { return }
    let paths = somePaths(table)
    let number = serial(o)
    let watcher = ReachWatcher(
      "object \(number) of \(table) \(paths ?? ["*"])", paths, isObject: true, isOrdered: false
    ) { _, state in
      state.rows[number] == nil ? [] : [number]
    }
    watcher.token = o.observe(keyPaths: paths) { [unowned self, unowned watcher] (change: ObjectChange<T>) in
      watcher.calls += 1
      if case .deleted = change { watcher.wasDeleted = true }
      called(watcher)
    }
    watcher.isStarted = true
    watcher.before = [number]
    start(watcher)
  }

  func start(_ watcher: ReachWatcher) {
    log.append("+ \(watcher.name)")
    watchers.append(watcher)
  }

  func take<C: RealmCollection>(_ change: RealmCollectionChange<C>, _ watcher: ReachWatcher) {
    switch change {
    case .initial: watcher.initials += 1
    case .update(_, let deletions, let insertions, let modifications):
      watcher.calls += 1
      watcher.positions = (deletions, insertions, modifications)
    case .error: break
    }
    called(watcher)
  }

  /// Observers come and go in calls.
  func called(_ watcher: ReachWatcher) {
    if random.chance(4), let other = watchers.randomElement(using: &random), other.isActive {
      other.isActive = false
      other.isPassedOver = true
      other.token?.invalidate()
      log.append("- in call \(other.name)")
    }
    if random.chance(4) {
      let count = watchers.count
      add()
      if watchers.count > count { watchers[count].isPassedOver = true }
    }
  }

  // MARK: Steps

  func step() throws -> [String] {
    for _ in 0..<random.below(6) { add() }
    if 2 * watchers.count > watcherMax, random.chance(watcherMax > 10 ? 100 : 25),
      let index = watchers.indices.randomElement(using: &random)
    {
      watchers.remove(at: index).token?.invalidate()
    }
    maybe = [:]
    log.append("step")
    if random.chance(40) {
      // Those that are new begin before the write.
      realm.refresh()
      for watcher in watchers where !watcher.isStarted && watcher.initials > 0 {
        watcher.isStarted = true
        watcher.before = watcher.members(realm, state)
        watcher.initials = 0
      }
      try realm.write { transact(realm) }
      log.append("own")
    } else {
      let commits = 1 + random.below(3)
      for _ in 0..<commits {
        let box = Unchecked(self)
        try onOwnThread {
          let other = try Realm(configuration: box.value.configuration)
          try other.write { box.value.transact(other) }
        }
        // Registered where the realm lags behind.
        if random.chance(40) { add() }
      }
      log.append("\(commits) elsewhere")
    }
    let wasStarted = watchers.map { ($0, $0.isStarted) }
    realm.refresh()
    let new = ReachState(realm)
    let must = ReachSpan(state, new, [:])
    let may = ReachSpan(state, new, maybe)
    var mistakes: [String] = []
    for (watcher, isStarted) in wasStarted {
      defer {
        watcher.calls = 0
        if !watcher.isPassedOver { watcher.initials = 0 }
      }
      let after = watcher.members(realm, new)
      let before = watcher.before
      watcher.before = after
      if watcher.isPassedOver || !watcher.isActive { continue }
      if !isStarted {
        if watcher.initials != 1 || watcher.calls != 0 {
          mistakes.append("\(watcher.name): first \(watcher.initials) \(watcher.calls)")
        }
        watcher.isStarted = true
        continue
      }
      let stayed = Set(before).intersection(after)
      let isOther = before != after
      let musts = stayed.filter { watcher.touched($0, must) }
      let mays = stayed.filter { watcher.touched($0, may) }
      let isMust = isOther || !musts.isEmpty
      // Something may have gone and come back.
      let isMay = isMust || !mays.isEmpty || (!watcher.isOrdered && watcher.mayBeWritten(maybe))
      if isMust, watcher.calls != 1 {
        mistakes.append("\(watcher.name): told \(watcher.calls), not 1: \(musts) \(before) \(after)")
      }
      if !isMay, watcher.calls != 0 {
        mistakes.append("\(watcher.name): told \(watcher.calls), not 0 \(watcher.positions)")
      }
      if isMust { toldCount += 1 } else { silentCount += 1 }
      if watcher.isOrdered, watcher.calls == 1 {
        let (old, now) = (Set(before), Set(after))
        let deletions = before.indices.filter { !now.contains(before[$0]) }
        let insertions = after.indices.filter { !old.contains(after[$0]) }
        let found = Set(watcher.positions.modifications.map { before[$0] })
        if !Set(deletions).isSubset(of: watcher.positions.deletions)
          || !Set(insertions).isSubset(of: watcher.positions.insertions)
          || !musts.isSubset(of: found) || !found.isSubset(of: mays)
        {
          mistakes.append("\(watcher.name): \(watcher.positions), not \((deletions, insertions, musts)), maybe \(mays)")
        }
      }
      if watcher.isObject, after.isEmpty {
        if !watcher.wasDeleted { mistakes.append("\(watcher.name): not told of its end") }
        watcher.isActive = false
      }
    }
    for watcher in watchers {
      if watcher.isPassedOver, watcher.isActive {
        // Registered in a call: those that follow have begun by the next step or with this one.
        watcher.isPassedOver = false
        watcher.isStarted = watcher.isObject || watcher.initials > 0
        watcher.before = watcher.members(realm, new)
        watcher.initials = 0
        watcher.calls = 0
      }
    }
    watchers.removeAll { !$0.isActive }
    state = new
    return mistakes
  }
}

extension ReachWatcher {
  /// Whether a collection itself was written, maybe back to what it was.
  func mayBeWritten(_ maybe: [Int: Set<String>]) -> Bool {
    let properties: Set<String> = ["many", "named", "some", "next"]
    return !isObject && maybe.values.contains { !$0.isDisjoint(with: properties) }
  }
}

private struct Unchecked<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
