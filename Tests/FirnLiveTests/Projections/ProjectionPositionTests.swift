import TestSupport
import Testing

@testable import Firn

private final class Positions: Projection<ProjectedTrack> {
  @Projected(\ProjectedTrack.players[1].nick) var second
  @Projected(\ProjectedTrack.players.last!.label!.city) var lastCity
  @Projected(\ProjectedTrack.players[0].label!.tracks[1].title) var fellow
  @Projected(\ProjectedTrack.guests[1].age) var guestAge
  @Projected(\ProjectedTrack.guests.first?.nick) var guest
  @Projected(\ProjectedTrack.codes[1]) var code
  @Projected(\ProjectedTrack.codes.first!) var firstCode
  @Projected(\ProjectedTrack.codes[-1]) var noCode
  @Projected(\ProjectedTrack.scores["x"]!) var score
  @Projected(\ProjectedTrack.lead) var lead
}

private final class Summary: Projection<ProjectedTrack> {
  @Projected(\ProjectedTrack.summary) var summary
  @Projected(\ProjectedTrack.lineUp) var lineUp
}

extension ProjectedTrack {
  /// Relies on a studio being there.
  fileprivate var summary: String { title + " in " + studio!.town }
  /// Relies on players being there.
  fileprivate var lineUp: String { title + " by " + players[0].nick }
  /// Reads an element that need not be there.
  fileprivate var lead: String { players[0].nick }
}

/// Members that lead to single elements of collections, which may lack them.
@Suite struct ProjectionPositionTests {
  /// What a description says of each member.
  private func values(_ line: Positions) -> [String] {
    line.description.split(separator: "\n").compactMap { $0.split(separator: " = ").dropFirst().first.map(String.init) }
  }

  @Test func elementsThatAreNotThereAreNil() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let track = realm.objects(ProjectedTrack.self)[0]
      let line = Positions(projecting: track)
      var told: [String: String] = [:]
      let token = line.observe { (change: ObjectChange<Positions>) in
        guard case .change(_, let changes) = change else { return }
        told = [:]
        for change in changes { told[change.name] = change.newValue.map { "\($0)" } ?? "nil" }
      }
      #expect(
        values(line) == ["Bob;", "nil;", "nil;", "21;", "Optional(\"Ann\");"] + [
          "nil;", "nil;", "nil;", "nil;", "Ann;",
        ])

      try realm.write {
        track.codes.append(objectsIn: [7, 8])
        track.scores["x"] = 9
        for player in track.players { player.label = track.label }
        track.players.append(track.players[1])
      }
      realm.refresh()
      #expect(
        told == [
          "second": "Bob", "lastCity": "Boston", "fellow": "t1", "lead": "Ann", "code": "8", "firstCode": "7",
          "noCode": "nil", "score": "9",
        ])

      try realm.write {
        track.codes.removeLast()
        track.scores["x"] = nil
        track.scores["y"] = 1
        track.players.removeSubrange(1...)
        track.guests.removeAll()
        realm.delete(realm.objects(ProjectedTrack.self)[1])
      }
      realm.refresh()
      #expect(
        told == [
          "second": "nil", "lastCity": "Boston", "fellow": "nil", "lead": "Ann", "guestAge": "nil", "guest": "nil",
          "code": "nil", "firstCode": "7", "noCode": "nil", "score": "nil",
        ])

      try realm.write {
        track.codes.removeAll()
        track.players.removeAll()
      }
      realm.refresh()
      #expect(
        told == [
          "second": "nil", "lastCity": "nil", "fellow": "nil", "lead": "nil", "code": "nil", "firstCode": "nil",
          "noCode": "nil",
        ])
      #expect(values(line) == Array(repeating: "nil;", count: 10))
      withExtendedLifetime(token) {}
    }
  }

  @Test func unmanagedRootsMayLackElementsToo() {
    let track = ProjectedTrack()
    let line = Positions(projecting: track)
    #expect(values(line) == Array(repeating: "nil;", count: 10))
    track.codes.append(3)
    #expect(values(line)[6] == "3;")
  }

  /// The names of the members that changed, each with its old and its new value.
  private final class Changes { var told: [[String?]] = [] }

  private func watch(_ track: ProjectedTrack) -> (Changes, NotificationToken) {
    let summary = Changes()
    let token = Summary(projecting: track).observe { (change: ObjectChange<Summary>) in
      guard case .change(_, let changes) = change else { return }
      summary.told += changes.map { [$0.name, $0.oldValue as? String, $0.newValue as? String] }
    }
    return (summary, token)
  }

  @Test func oldValuesOfComputedPropertiesAreOfTheWholeObject() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let track = realm.objects(ProjectedTrack.self)[0]
      try realm.write { track.studio = ProjectedStudio(value: ["town": "Oslo"]) }
      let (summary, token) = watch(track)
      try onOwnThread { [configuration = realm.configuration] in
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.objects(ProjectedTrack.self)[0].title = "new" }
      }
      realm.refresh()
      // Collections have no old value.
      #expect(summary.told == [["summary", "t0 in Oslo", "new in Oslo"], ["lineUp", nil, "new by Ann"]])
      withExtendedLifetime(token) {}
    }
  }

  @Test func computedMembersThatLackWhatTheyReadAreNil() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let track = realm.objects(ProjectedTrack.self)[0]
      try realm.write { track.studio = ProjectedStudio(value: ["town": "Oslo"]) }
      let (summary, token) = watch(track)
      realm.refresh()
      try realm.write { track.studio = nil }
      realm.refresh()
      #expect(summary.told == [["summary", "t0 in Oslo", nil]])
      summary.told = []
      try realm.write { track.players.removeAll() }
      realm.refresh()
      #expect(summary.told == [["lineUp", nil, nil]])
      withExtendedLifetime(token) {}
    }
  }
}
