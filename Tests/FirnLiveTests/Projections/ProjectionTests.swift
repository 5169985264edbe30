import Foundation
import TestSupport
import Testing

@testable import Firn

/// Declaring projections, reading and writing them.
@Suite struct ProjectionTests {
  @Test func membersShowWhatTheirKeyPathsLeadTo() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let track = realm.objects(ProjectedTrack.self)[0]
      try realm.write {
        track.studio = ProjectedStudio(value: ["town": "Salem", "rooms": 2] as [String: Any])
        track.scores["a"] = 1
        track.mood = .loud
      }
      let line = TrackLine(projecting: track)
      #expect(line.rootObject === track)
      #expect(line.title == "t0")
      #expect(line.length == 0)
      #expect(line.mood == .loud)
      #expect(line.country == "US")
      #expect(line.city == "Boston")
      #expect(line.house?.city == "Boston")
      #expect(line.town == "Salem")
      #expect(Array(line.nicks) == ["Ann", "Bob"])
      #expect(line.ages.sorted() == [20, 21])
      #expect(line.players.count == 2)
      #expect(line.scores["a"] == 1)
      #expect(line.shout == "T0")
      try realm.write { track.label = nil }
      #expect(line.city == nil)
      #expect(line.house == nil)
    }
  }

  @Test func membersOfSuperclassesAreThere() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let line = LongTrackLine(projecting: realm.objects(ProjectedTrack.self)[0])
      try realm.write { line.subtitle = "s" }
      #expect(line.title == "t0")
      #expect(line.rootObject.subtitle == "s")
      let labels = ProjectionMembers.of(line).all.map(\.label)
      #expect(labels.first == "title")
      #expect(labels.last == "subtitle")
      #expect(labels.count == 13)
    }
  }

  @Test func originPathsEndWithTheLastStoredProperty() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let members = ProjectionMembers.of(TrackLine(projecting: realm.objects(ProjectedTrack.self)[0])).all
      #expect(
        members.map { $0.origin.joined(separator: ".") } == [
          "title", "seconds", "mood", "label.country", "label.city", "label", "studio.town", "players", "guests",
          "players", "scores", "title",
        ])
      let label = ProjectionMembers.of(LabelLine(projecting: ProjectedLabel())).all
      #expect(label.map(\.origin) == [["tracks"], ["tracks"]])
    }
  }

  @Test func membersAreWrittenThroughWritableKeyPaths() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let track = realm.objects(ProjectedTrack.self)[0]
      let line = TrackLine(projecting: track)
      try realm.write {
        line.title = "new"
        line.country = "FR"
        line.mood = .loud
        line.house = nil
        line.nicks[1] = "Bo"
        line.scores["x"] = 4
      }
      #expect(track.title == "new")
      #expect(realm.objects(ProjectedLabel.self)[0].country == "FR")
      #expect(track.mood == .loud)
      #expect(track.label == nil)
      #expect(track.players[1].nick == "Bo")
      #expect(track.scores["x"] == 4)
    }
  }

  @Test func unmanagedRootsAreProjectedToo() {
    let track = ProjectedTrack()
    track.title = "a"
    track.players.append(ProjectedPlayer(value: ["nick": "N"]))
    let line = TrackLine(projecting: track)
    #expect(line.title == "a")
    #expect(Array(line.nicks) == ["N"])
    line.title = "b"
    line.nicks[0] = "M"
    #expect(track.title == "b")
    #expect(track.players[0].nick == "M")
    #expect(line.realm == nil)
    #expect(!line.isInvalidated)
    #expect(!line.isFrozen)
    #expect(line == TrackLine(projecting: track))
    #expect(line != TrackLine(projecting: ProjectedTrack()))
  }

  @Test func embeddedRootsAreProjectedToo() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let track = realm.objects(ProjectedTrack.self)[0]
      try realm.write { track.studio = ProjectedStudio(value: ["town": "Salem", "rooms": 1] as [String: Any]) }
      let line = StudioLine(projecting: try #require(track.studio))
      #expect(line.place == "Salem")
      try realm.write { line.place = "York" }
      #expect(track.studio?.town == "York")
      let same = try #require(line.freeze().thaw())
      #expect(same == line)
      try realm.write { track.studio = nil }
      #expect(line.isInvalidated)
    }
  }

  @Test func backlinksAreProjected() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let line = LabelLine(projecting: realm.objects(ProjectedLabel.self)[0])
      #expect(line.tracks.map(\.id) == [0, 1])
      #expect(Array(line.titles) == ["t0", "t1"])
    }
  }

  @Test func equalityIsThatOfRows() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      try realm.write { for name in ["a", "b"] { realm.create(ProjectedLoose.self, value: ["name": name]) } }
      let rows = realm.objects(ProjectedLoose.self)
      let (one, same, other) = (
        LooseLine(projecting: rows[0]), LooseLine(projecting: rows[0]), LooseLine(projecting: rows[1])
      )
      // The class has no primary key: its accessors differ, and the projections do not.
      #expect(rows[0] != rows[0])
      #expect(one == same)
      #expect(one.hashValue == same.hashValue)
      #expect(one != other)
      #expect(Set([one, same, other]).count == 2)
      #expect(one.id == same.id)
      #expect(one.id != other.id)
      #expect(one.freeze() != one)
      #expect(one.freeze() == same.freeze())
      try realm.write { realm.delete(one.rootObject) }
      #expect(one == one)
      #expect(one.isInvalidated)
    }
  }

  @Test func freezingAndThawingActOnTheRoot() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let line = TrackLine(projecting: realm.objects(ProjectedTrack.self)[0])
      let frozen = line.freeze()
      #expect(frozen.isFrozen && frozen.rootObject.isFrozen && frozen.realm?.isFrozen == true)
      #expect(frozen.freeze() === frozen)
      #expect(line.thaw() === line)
      try realm.write {
        line.title = "new"
        line.nicks[0] = "Z"
      }
      #expect(frozen.title == "t0")
      #expect(frozen.nicks.isFrozen)
      #expect(Array(frozen.nicks) == ["Ann", "Bob"])
      let carried = Unchecked(frozen)
      try onOwnThread { #expect(carried.value.title == "t0") }
      let thawed = try #require(frozen.thaw())
      #expect(thawed.title == "new")
      #expect(thawed == line)
      try realm.write { realm.delete(line.rootObject) }
      #expect(frozen.thaw() == nil)
      #expect(line.isInvalidated)
      #expect(line.realm == nil)
    }
  }

  @Test func descriptionsListMembersWithTheirPaths() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let track = realm.objects(ProjectedTrack.self)[0]
      let title = TrackTitle(projecting: track)
      let address = "\(Unmanaged.passUnretained(title).toOpaque())"
      #expect(
        title.description == "TrackTitle<ProjectedTrack> <\(address)> {\n\t\ttitle(\\.title) = t0;\n}")
      let line = LongTrackLine(projecting: track)
      let lines = line.description.split(separator: "\n").map(String.init)
      #expect(lines[2] == "\tlength(\\.seconds) = 0;")
      #expect(lines.contains("\tcountry(\\.label.country) = US;"))
      #expect(lines.contains("\tcity(\\.label.city) = Optional(\"Boston\");"))
      #expect(lines.contains("\tsubtitle(\\.subtitle) = nil;"))
      try realm.write { track.label = nil }
      #expect(line.description.contains("\tcountry(\\.label.country) = nil;"))
      try realm.write { realm.delete(track) }
      #expect(line.description == "[invalid object]")
    }
  }

  @Test func thereAreThreadSafeReferences() throws {
    try onOwnThread {
      let configuration = Projecting.configuration()
      let realm = try Projecting.realm(3, configuration)
      let line = LongTrackLine(projecting: realm.objects(ProjectedTrack.self)[1])
      let reference = ThreadSafeReference(to: line)
      let results = ThreadSafeReference(to: realm.objects(TrackTitle.self).where { $0.title != "t0" })
      let nicks = ThreadSafeReference(to: line.nicks)
      @ThreadSafe var wrapped: LongTrackLine? = line
      let isDone = try onOwnThread { [_wrapped] in
        let realm = try Realm(configuration: configuration)
        let line = try #require(realm.resolve(reference))
        #expect(type(of: line) == LongTrackLine.self)
        #expect(line.title == "t1")
        #expect(line.realm == realm)
        #expect(realm.resolve(results)?.map(\.title) == ["t1", "t2"])
        #expect(realm.resolve(nicks).map { Array($0) } == ["Ann", "Bob"])
        #expect(_wrapped.wrappedValue?.title == "t1")
        return true
      }
      #expect(isDone)
      let gone = ThreadSafeReference(to: line)
      try realm.write { realm.delete(line.rootObject) }
      #expect(realm.resolve(gone) == nil)
    }
  }

  @Test func writeBlocksReturnThemFrozen() async throws {
    let store = try await RealmStore.open(Projecting.configuration())
    let line = try await store.write { realm in
      realm.create(ProjectedTrack.self, value: ["id": 9, "title": "nine"] as [String: Any])
      return realm.objects(TrackTitle.self)[0]
    }
    try await store.write { realm in realm.objects(TrackTitle.self)[0].title = "ten" }
    #expect(line.title == "nine")
    try await store.write { realm in realm.objects(TrackTitle.self)[0].title = "nine" }
    #expect(store.freeze().objects(TrackTitle.self).map(\.title) == ["nine"])
  }
}
