import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Firn

@Suite struct ValueProjectionTests {
  @Test func valuesAreMadeOfWhatIsThere() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let rows = realm.objects(ProjectedTrack.self).sorted(by: \.id, ascending: false).values(as: TrackRow.self)
      #expect(rows.map(\.title) == ["t2", "t1", "t0"])
      #expect(rows.map(\.country) == [nil, "US", "US"])
      #expect(rows.map(\.nicks) == [[], ["Ann", "Bob"], ["Ann", "Bob"]])
      try realm.write { realm.deleteAll() }
      #expect(rows[0].title == "t2")
      #expect(realm.objects(ProjectedTrack.self).values(as: TrackRow.self).isEmpty)
    }
  }

  @Test func onlyWhatCameOrChangedIsMadeAnew() throws {
    try onOwnThread {
      let realm = try Projecting.realm(1000)
      let made = MadeRows.start()
      let tracks = realm.objects(ProjectedTrack.self)
      var calls = 0
      var rows: [TrackRow] = []
      let token = tracks.where { $0.seconds >= 0 }.observe(as: TrackRow.self) { change in
        calls += 1
        switch change {
        case .initial(let values), .update(let values, _, _, _): rows = values
        case .error: break
        }
      }
      func madeBy(_ body: () -> Void) throws -> Int {
        let before = made.count
        try realm.write(body)
        realm.refresh()
        return made.count - before
      }
      realm.refresh()
      #expect(made.count == 1000)
      #expect(try madeBy { tracks[500].title = "x" } == 1)
      #expect(rows[500].title == "x")
      // Not declared: no value, no call.
      #expect(calls == 2)
      #expect(try madeBy { tracks[500].mood = .loud } == 0)
      #expect(try madeBy { tracks[0].players[0].age += 1 } == 0)
      #expect(calls == 2)
      // Declared behind a list: both tracks that the player is in.
      #expect(try madeBy { tracks[0].players[0].nick = "Zed" } == 2)
      #expect(rows[0].nicks == ["Zed", "Bob"])
      #expect(try madeBy { realm.delete(tracks[3]) } == 0)
      #expect(rows.count == 999)
      #expect(try madeBy { tracks[700].seconds = -1 } == 0)
      #expect(try madeBy { for id in 2000..<2005 { realm.create(ProjectedTrack.self, value: ["id": id]) } } == 5)
      #expect(rows.count == 1003)
      #expect(rows.last?.id == 2004)
      // Everything at once.
      let count = try madeBy {
        realm.delete(tracks[10])
        tracks[20].title = "y"
        realm.create(ProjectedTrack.self, value: ["id": 3000])
        tracks[0].label?.country = "FR"
      }
      // All but the last of the first thousand have the label; one of them went before, one left the query, one goes now.
      #expect(count == 996 + 1)
      #expect(rows == tracks.where { $0.seconds >= 0 }.values(as: TrackRow.self))
      withExtendedLifetime(token) {}
    }
  }

  @Test func listsAndSetsAreObservedAsValuesToo() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let players = realm.objects(ProjectedTrack.self)[0].players
      var log: [String] = []
      let token = players.observe(as: PlayerName.self) { change in
        switch change {
        case .initial(let names): log.append("\(names.map(\.nick))")
        case .update(let names, let deletions, let insertions, let modifications):
          log.append("\(deletions) \(insertions) \(modifications) \(names.map(\.nick))")
        case .error: break
        }
      }
      realm.refresh()
      try realm.write {
        players.swapAt(0, 1)
        players.append(ProjectedPlayer(value: ["nick": "Cy"]))
      }
      realm.refresh()
      try realm.write { players.removeAll() }
      realm.refresh()
      #expect(
        log == [
          "[\"Ann\", \"Bob\"]", "[1] [0, 2] [] [\"Bob\", \"Ann\", \"Cy\"]", "[0, 1, 2] [] [] []",
        ])
      withExtendedLifetime(token) {}
    }
  }

  @Test func oneObjectIsObservedAsAValue() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let track = realm.objects(ProjectedTrack.self)[0]
      let made = MadeRows.start()
      var rows: [TrackRow?] = []
      let token = track.observe(as: TrackRow.self) { rows.append($0) }
      realm.refresh()
      try realm.write { track.mood = .loud }
      realm.refresh()
      #expect(rows.isEmpty)
      try realm.write { track.label?.country = "FR" }
      realm.refresh()
      try realm.write { track.players[1].nick = "Bo" }
      try realm.write { track.title = "x" }
      realm.refresh()
      #expect(rows.map { $0?.country } == ["FR", "FR", "FR"])
      #expect(rows.last??.nicks == ["Ann", "Bo"])
      #expect(made.count == rows.count)
      try realm.write { realm.delete(track) }
      realm.refresh()
      #expect(rows.last == .some(nil))
      withExtendedLifetime(token) {}
    }
  }

  @Test func keyPathsThatReadNothingStoredTrap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread {
        _ = try Projecting.realm().objects(ProjectedTrack.self).observe(as: NotesRow.self) { _ in }
      }
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
    #expect(text?.contains("does not lead to a persisted property") == true)
  }
}

private struct PlayerName: ValueProjection {
  let nick: String
  static var keyPaths: [PartialKeyPath<ProjectedPlayer>] { [\.nick] }
  init(projecting player: ProjectedPlayer) { nick = player.nick }
}

private struct NotesRow: ValueProjection {
  static var keyPaths: [PartialKeyPath<ProjectedTrack>] { [\.notes] }
  init(projecting track: ProjectedTrack) {}
}
