import Foundation
import TestSupport
import Testing

@testable import Firn

private class Counting: Projection<ProjectedTrack> {
  /// What the initialiser read.
  let seconds: Int
  @Projected(\ProjectedTrack.title) var title
  @Projected(\ProjectedTrack.players.projectTo.nick) var nicks: ProjectedCollection<String>

  required init(projecting track: ProjectedTrack) {
    seconds = track.seconds
    super.init(projecting: track)
  }
}

private final class Unwrapped: Projection<ProjectedTrack> {
  @Projected(\ProjectedTrack.subtitle!.count) var subtitleLength
  @Projected(\ProjectedTrack.label!.city!.count) var cityLength
}

private final class FirstCity: Projection<ProjectedTrack> {
  @Projected(\ProjectedTrack.players[0].label!.city) var firstCity
  @Projected(\ProjectedTrack.label) var house
}

private class Generic<Track: ProjectedTrack>: Projection<Track> {
  @Projected(\Track.title) var title
}

private final class Derived: Generic<ProjectedTrack> {
  @Projected(\ProjectedTrack.seconds) var length
}

/// Projections of unusual classes, kept in unusual places.
@Suite struct ProjectionEdgeTests {
  @Test func initialisersMayReadTheObject() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let lines = realm.objects(Counting.self)
      #expect(lines.map(\.seconds) == [0, 100, 200])
      #expect(lines.where { $0.title == "t1" }.map(\.seconds) == [100])
      #expect(lines.where { $0.nicks == "Bob" }.map(\.seconds) == [0, 100])
      #expect(lines.sorted(by: \.title, ascending: false).map(\.seconds) == [200, 100, 0])
      var changes: [[String]] = []
      let token = lines[1].observe(keyPaths: [\.title]) { (change: ObjectChange<Counting>) in
        if case .change(_, let all) = change { changes.append(all.map(\.name)) }
      }
      try realm.write { realm.objects(ProjectedTrack.self)[1].title = "new" }
      realm.refresh()
      #expect(changes == [["title"]])
      withExtendedLifetime(token) {}
    }
  }

  @Test func nilIsReportedWhereAKeyPathUnwrapsIt() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let track = realm.objects(ProjectedTrack.self)[0]
      let line = Unwrapped(projecting: track)
      #expect(line.description.contains("subtitleLength(\\.subtitle) = nil;"))
      var changes: [[Int?]] = []
      let token = line.observe { (change: ObjectChange<Unwrapped>) in
        if case .change(_, let all) = change {
          for change in all { changes.append([change.oldValue as? Int, change.newValue as? Int]) }
        }
      }
      try realm.write { track.subtitle = "four" }
      realm.refresh()
      try realm.write { track.subtitle = nil }
      realm.refresh()
      try realm.write { track.label?.city = nil }
      realm.refresh()
      #expect(changes == [[nil, 4], [4, nil], [nil, nil]])
      withExtendedLifetime(token) {}
    }
  }

  @Test func onlyTheBeginningOfAPathIsComparedWithTheRoot() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let track = realm.objects(ProjectedTrack.self)[2]
      let line = FirstCity(projecting: track)
      // There is no first player.
      #expect(line.description.contains("firstCity(\\.players.label.city) = nil;"))
      var names: [String] = []
      let token = line.observe { (change: ObjectChange<FirstCity>) in
        if case .change(_, let all) = change { names += all.map(\.name) }
      }
      try realm.write { track.label = realm.objects(ProjectedLabel.self)[0] }
      realm.refresh()
      #expect(names == ["house"])
      withExtendedLifetime(token) {}
    }
  }

  @Test func projectedCollectionsAreComparedAsTheRootsProperties() throws {
    try onOwnThread {
      let realm = try Projecting.realm(4)
      let lines = realm.objects(TrackLine.self)
      let tracks = realm.objects(ProjectedTrack.self)
      for age in 19...22 {
        let pairs = [
          (lines.where { $0.ages < age }, tracks.where { $0.guests.age < age }),
          (lines.where { $0.ages <= age }, tracks.where { $0.guests.age <= age }),
          (lines.where { $0.ages > age }, tracks.where { $0.guests.age > age }),
          (lines.where { $0.ages >= age }, tracks.where { $0.guests.age >= age }),
          (lines.where { $0.ages == age }, tracks.where { $0.guests.age == age }),
          (lines.where { $0.ages != age }, tracks.where { $0.guests.age != age }),
        ]
        for (projected, own) in pairs { #expect(projected.map(\.length) == own.map(\.seconds)) }
      }
    }
  }

  @Test func genericClassesAndTheirSubclassesAreProjections() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let lines = realm.objects(Derived.self)
      #expect(lines.where { $0.title == "t2" && $0.length > 100 }.count == 1)
      #expect(realm.objects(Generic<ProjectedTrack>.self).sorted(by: \.title, ascending: false).first?.title == "t2")
      #expect(ProjectionMembers.of(lines[0]).all.map(\.label) == ["title", "length"])
    }
  }

  @Test func projectionsThatAreKeptStayWithTheirRows() throws {
    try onOwnThread {
      let realm = try Projecting.realm(700)
      let lines = realm.objects(TrackTitle.self)
      let expected = (0..<700).map { "t\($0)" }
      #expect(Array(lines).map(\.title) == expected)
      #expect(lines.map { $0.rootObject }.map(\.title) == expected)
      #expect(
        zip(lines, lines.dropFirst()).map { "\($0.title) \($1.title)" }
          == zip(expected, expected.dropFirst()).map { "\($0) \($1)" })
      var last: TrackTitle?
      for (number, line) in lines.enumerated() {
        if let last { #expect(last.title == "t\(number - 1)") }
        if number.isMultiple(of: 3) { last = line } else { last = nil }
      }
      var known: [TrackTitle: Int] = [:]
      for (number, line) in lines.enumerated() { known[line] = number }
      #expect(known.count == 700)
      #expect(known[lines[77]] == 77)
      let all = Set(lines)
      let gone = lines[5]
      try realm.write { realm.delete(gone.rootObject) }
      #expect(all.count == 700)
      #expect(all.map(\.isInvalidated).filter { $0 }.count == 1)
      let kept = Array(lines)
      realm.invalidate()
      #expect(kept.map(\.isInvalidated) == kept.map { _ in true })
    }
  }

  @Test func elementsMayRepeatOrBeNil() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let track = realm.objects(ProjectedTrack.self)[0]
      let player = track.players[0]
      let labels = track.players.projectTo.label
      try realm.write {
        track.players.append(player)
        player.label = track.label
      }
      #expect(track.players.projectTo.nick.index(of: "Ann") == 0)
      #expect(Array(track.players.projectTo.nick) == ["Ann", "Bob", "Ann"])
      #expect(labels.index(of: nil) == 1)
      #expect(labels.index(of: track.label) == 0)
      try realm.write {
        labels[2] = nil
        track.players.projectTo.nick[2] = "Zoe"
      }
      #expect(labels[0] == nil)
      #expect(Array(track.players.projectTo.nick) == ["Zoe", "Bob", "Zoe"])
    }
  }

  @Test func observersComeAndGoWhileTheyAreTold() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let line = realm.objects(TrackTitle.self)[0]
      var tokens: [NotificationToken] = []
      var log: [String] = []
      tokens.append(
        line.observe { (_: ObjectChange<TrackTitle>) in
          log.append("first \(line.title)")
          realm.refresh()
          if tokens.count == 2 {
            tokens[1].invalidate()
            tokens.append(line.observe { (_: ObjectChange<TrackTitle>) in log.append("third \(line.title)") })
            try? realm.write { line.title += "!" }
          }
        })
      tokens.append(line.observe { (_: ObjectChange<TrackTitle>) in log.append("second \(line.title)") })
      try realm.write { line.title = "a" }
      realm.refresh()
      realm.refresh()
      #expect(Set(log) == ["first a", "first a!", "third a!"])
      #expect(log.count == 3)
    }
  }
}
