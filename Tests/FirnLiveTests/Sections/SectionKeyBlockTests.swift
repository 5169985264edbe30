import FirnEngine
import Foundation
import TestSupport
import Testing

@testable import Firn

/// Blocks for keys that do more than to read.
@Suite struct SectionKeyBlockTests {
  @Test func theBlockEndsObservers() throws {
    try onOwnThread {
      for endsItself in [false, true] {
        let realm = try Sectioned.realm(["bo", "al", "cy"])
        let hook = Hook()
        let sections = hook.sections(of: realm)
        var told = 0
        let players = realm.objects(SectionPlayer.self)
        var tokens: [NotificationToken] = []
        for index in 0..<40 {
          tokens.append(players.where { $0.number >= index - 40 }.observe { _ in told += 1 })
          if index == 20 { tokens.append(sections.observe { _ in told += 1 }) }
        }
        realm.refresh()
        #expect(told == 41)
        let ended = Unchecked(tokens)
        hook.action = {
          for (index, token) in ended.value.enumerated() where endsItself || index != 21 { token.invalidate() }
        }
        try realm.write { realm.add(SectionPlayer(9, "da", group: "d")) }
        realm.refresh()
        hook.action = {}
        #expect(told == (endsItself ? 41 : 42))
        try realm.write { realm.add(SectionPlayer(10, "da", group: "d")) }
        realm.refresh()
        #expect(told == (endsItself ? 41 : 43))
      }
    }
  }

  /// An observer that is added takes up what was committed, by which the block ends the only other one.
  @Test func theBlockEndsTheLastObserver() throws {
    try onOwnThread {
      let realm = try Sectioned.realm(["bo"])
      let hook = Hook()
      let token = Unchecked(hook.sections(of: realm).observe { _ in })
      realm.refresh()
      try realm.write { realm.add(SectionPlayer(9, "x", group: "b")) }
      hook.action = { token.value.invalidate() }
      let player = realm.objects(SectionPlayer.self).first!
      var told = 0
      let observing = player.observe { (_: ObjectChange<SectionPlayer>) in told += 1 }
      #expect(realm.instance.notifications?.observerCount == 1)
      try realm.write { player.number += 1 }
      realm.refresh()
      #expect(told == 1)
      observing.invalidate()
    }
  }

  /// The evaluated content stays, though the realm shows another version.
  @Test func valuesThatAreMadeMoveTheRealmOn() throws {
    try onOwnThread {
      let configuration = Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [NoisyShelf.self])
      let realm = try Realm(configuration: configuration)
      let shelf = NoisyShelf()
      shelf.values.append(objectsIn: (0..<2_000).map { Noisy(persistedValue: $0) })
      try realm.write { realm.add(shelf) }
      let isHeld = Unchecked(Counter())
      Noisy.action = {
        let version = realm.instance.heldVersion().number
        replaceAll(configuration) { $0.objects(NoisyShelf.self).first?.values.removeAll() }
        realm.refresh()
        #expect(realm.instance.heldVersion().number > version)
        if realm.instance.store.graph.heldVersions.contains(where: { $0.number == version }) { isHeld.value.add() }
      }
      let sections = shelf.values.sectioned(by: { $0.number % 3 })
      #expect(sections.count == 3)
      #expect(isHeld.value.count == 1)
    }
  }

  @Test func theBlockObserves() throws {
    try onOwnThread {
      let realm = try Sectioned.realm(["bo", "al", "cy"])
      let hook = Hook()
      let watched = Watched()
      let sections = hook.sections(of: realm)
      let configuration = realm.configuration
      let token = sections.observe { watched.take($0) }
      realm.refresh()
      let made = Unchecked(Tokens())
      hook.action = {
        let realm = try! Realm(configuration: configuration)
        guard made.value.tokens.count < 20 else { return }
        made.value.tokens.append(realm.objects(SectionPlayer.self).observe { _ in made.value.calls += 1 })
        made.value.tokens.append(realm.objects(SectionPlayer.self).first!.observe { _ in made.value.calls += 1 })
      }
      for id in 10..<30 {
        try realm.write {
          realm.add(SectionPlayer(id, "x\(id)", group: "\(id % 4)"))
          realm.objects(SectionPlayer.self).first!.number = id
        }
        // Takes up what was committed, outside of a delivery.
        let other = realm.objects(SectionPlayer.self).last!.observe { _ in }
        realm.refresh()
        #expect(watched.names == hook.expected(realm))
        other.invalidate()
      }
      #expect(made.value.tokens.count == 20)
      #expect(made.value.calls > 100)
      token.invalidate()
      for token in made.value.tokens { token.invalidate() }
    }
  }

  @Test func theBlockObservesForAMoment() throws {
    try onOwnThread {
      let realm = try Sectioned.realm(["bo"])
      let hook = Hook()
      let players = Unchecked(realm.objects(SectionPlayer.self))
      let token = hook.sections(of: realm).observe { _ in }
      realm.refresh()
      hook.action = {
        players.value.first!.observe { (_: ObjectChange<SectionPlayer>) in }.invalidate()
        players.value.observe { _ in }.invalidate()
      }
      try realm.write { realm.add(SectionPlayer(10, "x", group: "b")) }
      realm.refresh()
      hook.action = {}
      try realm.write { realm.add(SectionPlayer(11, "x", group: "b")) }
      realm.refresh()
      #expect(realm.instance.notifications?.observerCount == 1)
      token.invalidate()
      #expect(realm.instance.notifications?.observerCount == 0)
    }
  }

  /// What the block observes waits until it is settled what the commit that is skipped changed.
  @Test func theBlockObservesWhileACommitIsSkipped() throws {
    try onOwnThread {
      let realm = try Sectioned.realm(["bo"])
      let hook = Hook()
      let watched = Watched()
      let token = hook.sections(of: realm).observe { watched.take($0) }
      let made = Unchecked(Tokens())
      let writing = realm.objects(SectionPlayer.self).observe { change in
        guard case .update = change, made.value.calls == 0 else { return }
        made.value.calls += 1
        try! realm.write { realm.add(SectionPlayer(11, "told", group: "c")) }
        hook.action = {
          made.value.tokens.append(realm.objects(SectionPlayer.self).first!.observe { _ in })
        }
        try! realm.write(withoutNotifying: [token]) { realm.add(SectionPlayer(12, "skipped", group: "a")) }
        hook.action = {}
      }
      realm.refresh()
      try realm.write { realm.add(SectionPlayer(10, "first", group: "b")) }
      realm.refresh()
      #expect(made.value.calls == 1 && made.value.tokens.count == 2)
      #expect(watched.names.map(\.count) == [2, 1])
      for token in [token, writing] + made.value.tokens { token.invalidate() }
    }
  }

  @Test func theBlockRefreshes() throws {
    try onOwnThread {
      let realm = try Sectioned.realm(["bo", "al", "cy"])
      let hook = Hook()
      let watched = Watched()
      let configuration = realm.configuration
      let token = hook.sections(of: realm).observe { watched.take($0) }
      realm.refresh()
      hook.action = {
        let realm = try! Realm(configuration: configuration)
        realm.refresh()
      }
      for id in 10..<40 {
        try realm.write { realm.add(SectionPlayer(id, "x\(id)", group: "\(id % 4)")) }
        if id % 2 == 0 {
          let configuration = Unchecked(configuration)
          try onOwnThread {
            let realm = try Realm(configuration: configuration.value)
            try realm.write { realm.add(SectionPlayer(1000 + id, "y\(id)", group: "\(id % 5)")) }
          }
        }
        let other = realm.objects(SectionPlayer.self).first!.observe { _ in }
        realm.refresh()
        #expect(watched.names == hook.expected(realm))
        other.invalidate()
      }
      token.invalidate()
    }
  }

  @Test func theBlockInvalidatesTheRealm() throws {
    try onOwnThread {
      let realm = try Sectioned.realm(["bo", "al", "cy"])
      let hook = Hook()
      let configuration = realm.configuration
      var told = 0
      let token = hook.sections(of: realm).observe { _ in told += 1 }
      let players = realm.objects(SectionPlayer.self).observe { _ in told += 1 }
      realm.refresh()
      #expect(told == 2)
      hook.action = { (try! Realm(configuration: configuration)).invalidate() }
      try realm.write { realm.add(SectionPlayer(9, "x", group: "g")) }
      realm.refresh()
      #expect(told == 4)
      // Outside of a delivery: an observer of an object takes up what was committed.
      try realm.write { realm.add(SectionPlayer(10, "y", group: "g")) }
      let player = realm.objects(SectionPlayer.self).last!
      let observing = player.observe { (_: ObjectChange<SectionPlayer>) in told += 1 }
      #expect(!player.isInvalidated)
      hook.action = {}
      try realm.write { player.number += 1 }
      realm.refresh()
      #expect(told == 9)
      for token in [token, players, observing] { token.invalidate() }
    }
  }

  @Test(arguments: 0..<3) func theBlockReturnsNoStoredValue(index: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
      try onOwnThread {
        let realm = try Sectioned.realm(["bo", "al"])
        let list = List<AnyRealmValue>()
        let keys = [AnyRealmValue.list(list), .dictionary(Map()), .object(realm.objects(SectionPlayer.self)[0])]
        let key = Unchecked(keys[index])
        let sections = realm.objects(SectionPlayer.self).sectioned(sortDescriptors: ["id"]) { _ in
          key.value
        }
        _ = sections.count
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Links are not supported as section keys"), "\(text)")
  }

  @Test func theBlockWritesWhenObservingStarts() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread {
        let realm = try Sectioned.realm(["bo", "al", "cy"])
        let hook = Hook()
        let configuration = realm.configuration
        hook.action = {
          let realm = try! Realm(configuration: configuration)
          try! realm.write { realm.objects(SectionPlayer.self).first!.number += 1 }
        }
        let token = hook.sections(of: realm).observe { _ in }
        realm.refresh()
        token.invalidate()
      }
    }
    expectRefusal(result)
  }

  private func expectRefusal(_ result: ExitTest.Result?) {
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("A block for the keys of sections wrote to the Realm that it is called for"), "\(text)")
  }

  @Test func theBlockWrites() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread {
        let realm = try Sectioned.realm(["bo", "al", "cy"])
        let hook = Hook()
        let token = hook.sections(of: realm).observe { _ in }
        realm.refresh()
        let configuration = realm.configuration
        hook.action = {
          let realm = try! Realm(configuration: configuration)
          try! realm.write { realm.objects(SectionPlayer.self).first!.number += 1 }
        }
        try realm.write { realm.add(SectionPlayer(9, "x", group: "g")) }
        realm.refresh()
        token.invalidate()
      }
    }
    expectRefusal(result)
  }
}

private final class Tokens {
  var tokens: [NotificationToken] = []
  var calls = 0
}

/// Writes on another thread, more than once, so that memory of versions that nobody holds is used again.
private func replaceAll(_ configuration: Realm.Configuration, _ body: @escaping @Sendable (Realm) -> Void) {
  JoinedThread.run {
    do {
      let realm = try Realm(configuration: configuration)
      for _ in 0..<3 { try realm.write { body(realm) } }
    } catch {
      Issue.record(error)
    }
  }
}

/// Values that are made by code of users.
private struct Noisy: CustomPersistable {
  typealias PersistedType = Int

  static nonisolated(unsafe) var action: (() -> Void)?
  let number: Int

  init(persistedValue: Int) {
    number = persistedValue
    let action = Self.action
    Self.action = nil
    action?()
  }

  var persistableValue: Int { number }
}

private final class NoisyShelf: Object {
  @Persisted var values: List<Noisy>
}

/// What a block for keys does besides.
private final class Hook: @unchecked Sendable {
  var action: () -> Void = {}

  func sections(of realm: Realm) -> SectionedResults<String, SectionPlayer> {
    realm.objects(SectionPlayer.self).sectioned(sortDescriptors: ["group", "id"]) { [self] player in
      let action = action
      self.action = {}
      action()
      self.action = action
      return player.group ?? ""
    }
  }

  func expected(_ realm: Realm) -> [[String]] {
    let action = action
    self.action = {}
    defer { self.action = action }
    return sections(of: realm).map { $0.map(\.name) }
  }
}

/// Follows sections by their changes.
private final class Watched {
  var names: [[String]] = []

  func take(_ change: SectionedResultsChange<SectionedResults<String, SectionPlayer>>) {
    switch change {
    case .initial(let sections): names = sections.map { $0.map(\.name) }
    case .update(let sections, let deletions, let insertions, _, let inserted, let deleted):
      for path in deletions.sorted().reversed() { names[path.section].remove(at: path.item) }
      for section in deleted.reversed() { names.remove(at: section) }
      for section in inserted { names.insert([], at: section) }
      for path in insertions.sorted() { names[path.section].insert(sections[path].name, at: path.item) }
    }
  }
}
