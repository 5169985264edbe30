import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Firn

/// Projections observed on queues and actors while others write.
@Suite struct ConcurrencyProjectionTests {
  private final class Latest<Value: Sendable>: Sendable {
    private let state = Mutex<(value: Value, mistakes: [String])?>(nil)
    func set(_ value: Value, _ mistakes: [String] = []) {
      state.withLock { $0 = (value, ($0?.mistakes ?? []) + mistakes) }
    }
    var value: Value? { state.withLock { $0?.value } }
    var mistakes: [String] { state.withLock { $0?.mistakes ?? [] } }
  }

  private func wait(_ isDone: @escaping @Sendable () -> Bool) async {
    for _ in 0..<4000 where !isDone() { try? await Task.sleep(for: .milliseconds(5)) }
    #expect(isDone())
  }

  /// Follows by positions alone, wherever it is called.
  private final class Follower: @unchecked Sendable {
    // State  guarded by
    // rows   the queue or actor that the follower is used on
    var rows: [String] = []

    func take<C: RandomAccessCollection>(_ change: RealmCollectionChange<C>, _ text: (C.Element) -> String) -> [String]
    where C.Index == Int {
      switch change {
      case .initial(let lines): rows = lines.map(text)
      case .update(let lines, let deletions, let insertions, let modifications):
        guard
          let next = try? applied(
            rows, deletions: deletions, insertions: insertions, modifications: modifications, new: { text(lines[$0]) })
        else { return ["positions"] }
        rows = next
        if rows != lines.map(text) { return ["\(rows), not \(lines.map(text))"] }
      case .error: return ["an error"]
      }
      return []
    }
  }

  /// Two writers, each with commits of its own.
  private func write(_ configuration: Realm.Configuration, _ commitCount: Int = 150) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<2 {
        group.addTask {
          try onOwnThread {
            let realm = try Realm(configuration: configuration)
            var random = SeededRandom(UInt64(writer))
            for number in 0..<commitCount {
              try realm.write {
                let tracks = realm.objects(ProjectedTrack.self)
                switch random.below(4) {
                case 0:
                  realm.create(
                    ProjectedTrack.self,
                    value: ["id": 1000 * (writer + 1) + number, "title": "n\(number)"] as [String: Any])
                case 1: if tracks.count > 3 { realm.delete(tracks[1 + random.below(tracks.count - 1)]) }
                case 2: tracks[random.below(tracks.count)].title = "w\(writer) \(number)"
                default: tracks[0].players.append(realm.objects(ProjectedPlayer.self)[0])
                }
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private actor Place {
    func observeValues(
      _ configuration: Realm.Configuration, _ block: @Sendable @escaping (RealmCollectionChange<[TrackRow]>) -> Void
    ) async throws -> NotificationToken {
      let realm = try await Realm(configuration: configuration, actor: self)
      return await realm.objects(ProjectedTrack.self).observe(as: TrackRow.self, on: self) { place, change in
        place.assertIsolated()
        block(change)
      }
    }

    func observeValue(
      _ configuration: Realm.Configuration, _ block: @Sendable @escaping (TrackRow?) -> Void
    ) async throws -> NotificationToken {
      let realm = try await Realm(configuration: configuration, actor: self)
      return await realm.objects(ProjectedTrack.self)[0].observe(as: TrackRow.self, on: self) { place, row in
        place.assertIsolated()
        block(row)
      }
    }

    func observeTitle(
      _ configuration: Realm.Configuration, all: @Sendable @escaping (String) -> Void,
      typed: @Sendable @escaping (String) -> Void, deleted: @Sendable @escaping () -> Void
    ) async throws -> [NotificationToken] {
      let realm = try await Realm(configuration: configuration, actor: self)
      let line = realm.objects(TrackTitle.self)[0]
      return [
        await line.observe(on: self) { place, change in
          place.assertIsolated()
          switch change {
          case .change(let line, _): all(line.title)
          case .deleted: deleted()
          case .error: break
          }
        },
        await line.observe(keyPaths: [\.title], on: self) { _, change in
          if case .change(_, let changes) = change { typed(changes.first?.newValue as? String ?? "") }
        },
      ]
    }
  }

  @Test func observersElsewhereSeeEveryChangeExactly() async throws {
    let configuration = Projecting.configuration()
    let store = try await RealmStore.open(configuration)
    try onOwnThread { _ = try Projecting.realm(4, configuration) }
    let queue = DispatchQueue(label: "projections")
    let place = Place()
    let lines = Latest<[String]>()
    let values = Latest<[String]>()
    let onActor = Latest<[String]>()
    let title = Latest<String>()
    let nicks = Latest<Int>()
    let (linesFollower, valuesFollower, actorFollower) = (Follower(), Follower(), Follower())
    let tokens = try onOwnThread {
      let realm = try Realm(configuration: configuration)
      return [
        realm.objects(TrackTitle.self).observe(on: queue) { change in
          dispatchPrecondition(condition: .onQueue(queue))
          let mistakes = linesFollower.take(change) { $0.title }
          lines.set(linesFollower.rows, mistakes)
        },
        realm.objects(ProjectedTrack.self).observe(as: TrackRow.self, on: queue) { change in
          dispatchPrecondition(condition: .onQueue(queue))
          let mistakes = valuesFollower.take(change) { $0.title }
          values.set(valuesFollower.rows, mistakes)
        },
        realm.objects(TrackTitle.self)[0].observe(on: queue) { change in
          dispatchPrecondition(condition: .onQueue(queue))
          if case .change(let line, let changes) = change {
            title.set(line.title, changes.map(\.name) == ["title"] ? [] : ["\(changes)"])
          }
        },
        realm.objects(TrackLine.self)[0].nicks.observe(on: queue) { change in
          switch change {
          case .initial(let all), .update(let all, _, _, _): nicks.set(all.count)
          case .error: break
          }
        },
      ]
    }
    let token = try await place.observeValues(configuration) { change in
      let mistakes = actorFollower.take(change) { $0.title }
      onActor.set(actorFollower.rows, mistakes)
    }
    try await write(configuration)
    let expected = Array(store.freeze().objects(ProjectedTrack.self).map(\.title))
    let nickCount = store.freeze().objects(TrackLine.self)[0].nicks.count
    await wait { lines.value == expected && values.value == expected && onActor.value == expected }
    await wait { title.value == nil || title.value == expected[0] }
    await wait { nicks.value == nickCount }
    #expect(lines.mistakes + values.mistakes + onActor.mistakes + title.mistakes == [])
    for token in tokens { token.invalidate() }
    token.invalidate()
    try await store.close()
  }

  @Test func projectionsAreObservedOnActors() async throws {
    let configuration = Projecting.configuration()
    let store = try await RealmStore.open(configuration)
    try onOwnThread { _ = try Projecting.realm(2, configuration) }
    let place = Place()
    let (all, typed, deletions) = (Latest<String>(), Latest<String>(), Latest<Bool>())
    let tokens = try await place.observeTitle(
      configuration, all: { all.set($0) }, typed: { typed.set($0) }, deleted: { deletions.set(true) })
    let (row, elsewhere) = (Latest<TrackRow?>(), Latest<TrackRow?>())
    let queue = DispatchQueue(label: "rows")
    let more = [
      try await place.observeValue(configuration) { row.set($0) },
      try onOwnThread {
        try Realm(configuration: configuration).objects(ProjectedTrack.self)[0]
          .observe(as: TrackRow.self, on: queue) { elsewhere.set($0) }
      },
    ]
    try await write(configuration, 60)
    try await store.write { realm in realm.objects(ProjectedTrack.self)[0].title = "last" }
    await wait { all.value == "last" && typed.value == "last" }
    await wait { row.value??.title == "last" && elsewhere.value??.title == "last" }
    try await store.write { realm in realm.delete(realm.objects(ProjectedTrack.self)[0]) }
    await wait { deletions.value == true && row.value == .some(nil) && elsewhere.value == .some(nil) }
    for token in more { token.invalidate() }
    for token in tokens { token.invalidate() }
    try await store.close()
  }
}
