import Foundation
import TestSupport
import Testing

@testable import Firn

/// Observing projections, with and without key paths, where the realm is.
@Suite struct ProjectionObservingTests {
  /// What an observer of a projection was told, one line a call.
  private final class Calls<P: ProjectionObservable> {
    var lines: [String] = []
    var changes: [[PropertyChange]] = []
    var projections: [P] = []

    func take(_ change: ObjectChange<P>) {
      switch change {
      case .change(let projection, let changes):
        projections.append(projection)
        self.changes.append(changes)
        lines.append(changes.map(\.name).joined(separator: " "))
      case .deleted: lines.append("deleted")
      case .error: lines.append("error")
      }
    }
  }

  @Test func exactlyTheProjectedPropertiesAreWatched() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let track = realm.objects(ProjectedTrack.self)[0]
      let calls = Calls<TrackLine>()
      let line = TrackLine(projecting: track)
      let token = line.observe { calls.take($0) }
      realm.refresh()
      #expect(calls.lines.isEmpty)
      try realm.write { track.subtitle = "not projected" }
      realm.refresh()
      #expect(calls.lines.isEmpty)
      try realm.write {
        track.codes.append(1)
        track.seconds = 7
        track.title = "t0"
      }
      realm.refresh()
      // In the order of the root's schema, then of declaration; an equal value counts.
      #expect(calls.lines == ["title shout length"])
      #expect(calls.projections[0] === line)
      #expect(calls.changes[0].map { $0.newValue as? String } == ["t0", "T0", nil])
      #expect(calls.changes[0].map { $0.oldValue as? String } == ["t0", "T0", nil])
      #expect(calls.changes[0][2].newValue as? Int == 7)
      #expect(calls.changes[0][2].oldValue as? Int == 0)
      try realm.write { track.mood = .loud }
      realm.refresh()
      #expect(calls.changes[1][0].oldValue as? ProjectedTrack.Mood == .calm)
      #expect(calls.changes[1][0].newValue as? ProjectedTrack.Mood == .loud)
      withExtendedLifetime(token) {}
    }
  }

  @Test func allMembersBehindAChangedLinkAreListed() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let track = realm.objects(ProjectedTrack.self)[0]
      let label = try #require(track.label)
      let calls = Calls<TrackLine>()
      let token = TrackLine(projecting: track).observe { calls.take($0) }
      // One of the two is written behind the link; what both show is listed, and so is the link.
      try realm.write { label.city = "Salem" }
      realm.refresh()
      #expect(calls.lines == ["country city house"])
      #expect(calls.changes[0][1].newValue as? String == "Salem")
      // The present content of what was linked to.
      #expect(calls.changes[0][1].oldValue as? String == "Salem")
      let other = ProjectedLabel(value: ["country": "FR"])
      try realm.write {
        label.country = "UK"
        track.label = other
      }
      realm.refresh()
      #expect(calls.lines.count == 2)
      #expect(calls.changes[1].map { $0.oldValue as? String } == ["UK", "Salem", nil])
      #expect(calls.changes[1].map { $0.newValue as? String } == ["FR", nil, nil])
      #expect((calls.changes[1][2].oldValue as? ProjectedLabel)?.city == "Salem")
      // Links that are nil are nothing to read, although the member is declared with `!`.
      try realm.write { track.label = nil }
      realm.refresh()
      #expect(calls.changes[2].map { $0.newValue == nil } == [true, true, true])
      try realm.write { track.label = other }
      realm.refresh()
      #expect(calls.changes[3].map { $0.oldValue == nil } == [true, true, true])
      #expect(calls.changes[3][0].newValue as? String == "FR")
      withExtendedLifetime(token) {}
    }
  }

  @Test func projectedCollectionsWatchOnlyTheirList() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let track = realm.objects(ProjectedTrack.self)[0]
      let calls = Calls<TrackLine>()
      let token = TrackLine(projecting: track).observe { calls.take($0) }
      try realm.write { track.players[0].nick = "Zed" }
      realm.refresh()
      #expect(calls.lines.isEmpty)
      try realm.write { track.players.remove(at: 0) }
      realm.refresh()
      #expect(calls.lines == ["nicks players"])
      #expect((calls.changes[0][0].newValue as? ProjectedCollection<String>).map { Array($0) } == ["Bob"])
      #expect(calls.changes[0].allSatisfy { $0.oldValue == nil })
      try realm.write {
        track.guests.removeAll()
        track.scores["a"] = 1
        track.studio = ProjectedStudio(value: ["town": "York", "rooms": 2] as [String: Any])
      }
      realm.refresh()
      #expect(calls.lines.last == "town ages scores")
      try realm.write { track.studio?.rooms = 5 }
      realm.refresh()
      #expect(calls.lines.count == 2)
      try realm.write { track.studio?.town = "Bath" }
      realm.refresh()
      #expect(calls.lines.last == "town")
      #expect(calls.changes.last?[0].newValue as? String == "Bath")
      withExtendedLifetime(token) {}
    }
  }

  @Test func keyPathsChooseAmongTheMembers() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let track = realm.objects(ProjectedTrack.self)[0]
      let line = TrackLine(projecting: track)
      let (names, typed, none, both, empty) = (
        Calls<TrackLine>(), Calls<TrackLine>(), Calls<TrackLine>(), Calls<TrackLine>(), Calls<TrackLine>()
      )
      let tokens = [
        line.observe(keyPaths: ["label.country", "nothing", "subtitle"]) { names.take($0) },
        line.observe(keyPaths: [\.length, \.nicks]) { typed.take($0) },
        line.observe(keyPaths: ["codes"]) { none.take($0) },
        line.observe(keyPaths: ["title", "label"]) { both.take($0) },
        line.observe(keyPaths: [String]()) { empty.take($0) },
      ]
      try realm.write {
        track.subtitle = "s"
        track.codes.append(1)
        track.title = "x"
      }
      realm.refresh()
      try realm.write {
        track.label?.country = "FR"
        track.seconds = 5
        track.players.removeLast()
      }
      realm.refresh()
      try realm.write { track.label = nil }
      realm.refresh()
      try realm.write { realm.delete(track) }
      realm.refresh()
      // Only members whose whole path is listed.
      #expect(names.lines == ["country", "country", "deleted"])
      #expect(typed.lines == ["length nicks players", "deleted"])
      #expect(none.lines == ["deleted"])
      #expect(both.lines == ["title shout", "house", "deleted"])
      #expect(
        empty.lines == ["title shout", "length country city house nicks players", "country city house", "deleted"])
      withExtendedLifetime(tokens) {}
    }
  }

  @Test func inheritedMembersAreWatched() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let track = realm.objects(ProjectedTrack.self)[0]
      let calls = Calls<LongTrackLine>()
      let nothing = Calls<NothingOfTrack>()
      let tokens = [
        LongTrackLine(projecting: track).observe { calls.take($0) },
        NothingOfTrack(projecting: track).observe { nothing.take($0) },
      ]
      try realm.write {
        track.subtitle = "s"
        track.title = "x"
      }
      realm.refresh()
      #expect(calls.lines == ["title shout subtitle"])
      try realm.write { realm.delete(track) }
      realm.refresh()
      #expect(nothing.lines == ["deleted"])
      withExtendedLifetime(tokens) {}
    }
  }

  @Test func commitsThatWereNotDeliveredAreOneChange() throws {
    try onOwnThread {
      let configuration = Projecting.configuration()
      let realm = try Projecting.realm(3, configuration)
      let track = realm.objects(ProjectedTrack.self)[0]
      let calls = Calls<TrackLine>()
      let token = TrackLine(projecting: track).observe { calls.take($0) }
      realm.refresh()
      for number in 1...3 {
        try Projecting.elsewhere(configuration) { realm in
          realm.objects(ProjectedTrack.self)[0].seconds = number
          realm.objects(ProjectedTrack.self)[0].title += "!"
        }
      }
      realm.refresh()
      #expect(calls.lines == ["title shout length"])
      #expect(calls.changes[0][0].oldValue as? String == "t0")
      #expect(calls.changes[0][0].newValue as? String == "t0!!!")
      #expect(calls.changes[0][2].oldValue as? Int == 0)
      #expect(calls.changes[0][2].newValue as? Int == 3)
      // A skipped commit is not told.
      try realm.write(withoutNotifying: [token]) { track.title = "skipped" }
      realm.refresh()
      #expect(calls.lines.count == 1)
      token.invalidate()
      try realm.write { track.title = "after" }
      realm.refresh()
      #expect(calls.lines.count == 1)
    }
  }

  @Test func resultsAreObservedAsThoseOfTheRoot() throws {
    try onOwnThread {
      let realm = try Projecting.realm(4)
      let lines = realm.objects(TrackLine.self)
      let tracks = realm.objects(ProjectedTrack.self)
      var all: [String] = []
      var ofTitles: [String] = []
      var sorted: [String] = []
      func note(_ change: RealmCollectionChange<Results<TrackLine>>) -> String {
        switch change {
        case .initial(let lines): "initial \(lines.count)"
        case .update(_, let deletions, let insertions, let modifications):
          "\(deletions) \(insertions) \(modifications)"
        case .error: "error"
        }
      }
      let tokens = [
        lines.observe { all.append(note($0)) },
        lines.observe(keyPaths: ["title"]) { ofTitles.append(note($0)) },
        lines.sorted(by: \.length, ascending: false).observe(keyPaths: [\.title]) { sorted.append(note($0)) },
      ]
      realm.refresh()
      try realm.write { tracks[1].subtitle = "not projected" }
      realm.refresh()
      try realm.write { tracks[2].title = "x" }
      realm.refresh()
      try realm.write { tracks[3].seconds = -1 }
      realm.refresh()
      try realm.write { realm.delete(tracks[0]) }
      realm.refresh()
      #expect(all == ["initial 4", "[] [] [1]", "[] [] [2]", "[] [] [3]", "[0] [] []"])
      #expect(ofTitles == ["initial 4", "[] [] [2]", "[0] [] []"])
      #expect(sorted == ["initial 4", "[] [] [1]", "[0] [3] []", "[2] [] []"])
      withExtendedLifetime(tokens) {}
    }
  }

  @Test func observersOfOneProjectionPayNothingForOthers() throws {
    try onOwnThread {
      let realm = try Projecting.realm(2000)
      let lines = Array(realm.objects(TrackLine.self))
      let calls = Calls<TrackLine>()
      let tokens = lines.map { $0.observe { calls.take($0) } }
      realm.refresh()
      let before = realm.instance.observers().visitCount
      try realm.write { lines[77].length = 5 }
      realm.refresh()
      #expect(calls.lines == ["length"])
      #expect(realm.instance.observers().visitCount - before == 1)
      withExtendedLifetime(tokens) {}
    }
  }
}
