import Foundation
import TestSupport
import Testing

@testable import Firn

/// Results of projections, and queries by their members.
@Suite struct ProjectionResultsTests {
  @Test func resultsAreLiveAndMakeANewProjectionEachTime() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let lines = realm.objects(TrackLine.self)
      #expect(lines.count == 3)
      #expect(lines.map(\.title) == ["t0", "t1", "t2"])
      #expect(lines[1].title == "t1")
      #expect(lines.first?.title == "t0")
      #expect(lines.last?.title == "t2")
      #expect(lines[0] !== lines[0])
      #expect(lines[0] == lines[0])
      #expect(lines.index(of: lines[2]) == 2)
      #expect(lines.firstIndex(of: lines[1]) == 1)
      #expect(lines.contains(lines[1]))
      #expect(!lines.contains(TrackLine(projecting: ProjectedTrack())))
      #expect(lines.index(of: TrackLine(projecting: ProjectedTrack())) == nil)
      #expect(lines.objects(at: [0, 2]).map(\.title) == ["t0", "t2"])
      #expect(lines.description.hasPrefix("Results<TrackLine> <0x"))
      try realm.write { realm.create(ProjectedTrack.self, value: ["id": 7, "title": "t7"] as [String: Any]) }
      #expect(lines.count == 4)
      #expect(lines.last?.title == "t7")
      let kept = Array(lines)
      #expect(kept.map(\.title) == ["t0", "t1", "t2", "t7"])
      #expect(AnyRealmCollection(lines).map(\.title) == ["t0", "t1", "t2", "t7"])
      #expect(TrackLine.className() == "ProjectedTrack")
    }
  }

  @Test func deletedObjectsAreStillVisited() throws {
    try onOwnThread {
      let realm = try Projecting.realm(5)
      var seen: [String] = []
      try realm.write {
        for line in realm.objects(TrackTitle.self) {
          seen.append(line.title)
          if seen.count == 1 { realm.delete(realm.objects(ProjectedTrack.self).where { $0.id == 3 }) }
        }
      }
      #expect(seen == ["t0", "t1", "t2", "t3", "t4"])
    }
  }

  @Test func textsUseTheNamesOfTheRoot() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let lines = realm.objects(TrackLine.self)
      #expect(lines.filter("seconds >= 100").map(\.length) == [100, 200])
      #expect(lines.filter("label.country == 'US'").count == 2)
      #expect(lines.sorted(byKeyPath: "seconds", ascending: false).map(\.length) == [200, 100, 0])
      #expect(lines.distinct(by: ["mood"]).count == 1)
      #expect(lines.max(ofProperty: "seconds") == 200)
      #expect(lines.value(forKey: "title") as? [String] == ["t0", "t1", "t2"])
      try realm.write { lines.setValue("x", forKey: "title") }
      #expect(Set(lines.map(\.title)) == ["x"])
      #expect(lines.index(matching: "seconds == 200") == 2)
    }
  }

  @Test func conditionsUseTheMembers() throws {
    try onOwnThread {
      let realm = try Projecting.realm(4)
      try realm.write {
        let studio = ProjectedStudio(value: ["town": "Salem", "rooms": 1] as [String: Any])
        realm.objects(ProjectedTrack.self)[0].studio = studio
        realm.objects(ProjectedTrack.self)[1].mood = .loud
      }
      let lines = realm.objects(LongTrackLine.self)
      #expect(lines.where { $0.length > 100 }.map(\.length) == [200, 300])
      #expect(lines.where { $0.length > 0 && $0.country == "US" }.map(\.length) == [100, 200])
      #expect(lines.where { $0.city == nil }.map(\.length) == [300])
      #expect(lines.where { $0.house.city == "Boston" }.count == 3)
      #expect(lines.where { $0.house == nil }.count == 1)
      #expect(lines.where { $0.town.starts(with: "Sal") }.map(\.length) == [0])
      #expect(lines.where { $0.mood == .loud }.map(\.length) == [100])
      #expect(lines.where { $0.subtitle == nil }.count == 4)
      #expect(lines.where { $0.title.in(["t1", "t3"]) }.map(\.length) == [100, 300])
      #expect(lines.where { $0.players.count == 2 }.map(\.length) == [0, 100])
      #expect(lines.where { $0.players.nick == "Bob" }.map(\.length) == [0, 100])
      #expect(lines.index(matching: { $0.length == 200 }) == 2)
      let label = realm.objects(ProjectedLabel.self)[0]
      #expect(lines.where { $0.house == label }.count == 3)
    }
  }

  @Test func requiredValuesAreNilBehindALinkThatIs() throws {
    try onOwnThread {
      let realm = try Projecting.realm(4)
      try realm.write {
        realm.objects(ProjectedTrack.self)[1].studio = ProjectedStudio(value: ["town": "Salem", "rooms": 1])
      }
      let places = realm.objects(TrackPlaces.self)
      #expect(places.where { $0.country == nil }.map(\.id) == [3])
      #expect(places.where { $0.country != nil }.map(\.id) == [0, 1, 2])
      #expect(places.where { $0.country == "US" || $0.country == nil }.count == 4)
      #expect(places.where { $0.country.in(["US", nil]) }.count == 4)
      #expect(places.where { $0.rooms == nil }.map(\.id) == [0, 2, 3])
      #expect(places.where { !($0.rooms == nil) }.map(\.id) == [1])
      let tracks = realm.objects(ProjectedTrack.self)
      for (text, ids) in [
        ("label.country == nil", [3]), ("label.country != nil", [0, 1, 2]), ("nil == label.country", [3]),
        ("studio.rooms == nil", [0, 2, 3]), ("label.country IN {nil, 'x'}", [3]),
        ("ANY players.label.country == nil", [0, 1]), ("NONE players.label.country == nil", [2, 3]),
      ] {
        #expect(tracks.filter(text).map(\.id) == ids, "\(text)")
        let observed = tracks.filter(text).observe { _ in }
        realm.refresh()
        #expect(tracks.filter(text).map(\.id) == ids, "observed: \(text)")
        observed.invalidate()
      }
      let missing = tracks.filter("label.country == nil")
      var deleted: [Int] = []
      let token = missing.observe { change in
        if case .update(_, let deletions, _, _) = change { deleted += deletions }
      }
      realm.refresh()
      try realm.write { tracks[3].label = realm.objects(ProjectedLabel.self)[0] }
      realm.refresh()
      #expect(deleted == [0] && missing.isEmpty)
      token.invalidate()
    }
  }

  @Test func conditionsReachIntoProjectedCollections() throws {
    try onOwnThread {
      let realm = try Projecting.realm(4)
      let lines = realm.objects(TrackLine.self)
      try realm.write {
        let player = realm.create(ProjectedPlayer.self, value: ["nick": "Cy", "age": 40] as [String: Any])
        lines[2].players.append(player)
        lines[2].rootObject.guests.insert(player)
      }
      #expect(lines.where { $0.nicks == "Bob" }.map(\.length) == [0, 100])
      #expect(lines.where { $0.nicks.contains("Cy") }.map(\.length) == [200])
      #expect(lines.where { $0.nicks != "Bob" }.map(\.length) == [0, 100, 200])
      #expect(lines.where { $0.nicks.containsAny(in: ["Cy", "Ann"]) }.count == 3)
      #expect(lines.where { $0.ages > 30 }.map(\.length) == [200])
      #expect(lines.where { $0.ages.max < 30 }.map(\.length) == [0, 100])
      #expect(lines.where { $0.ages.sum == 41 }.map(\.length) == [0, 100])
    }
  }

  @Test func resultsAreSortedAndDistinctByMembers() throws {
    try onOwnThread {
      let realm = try Projecting.realm(4)
      let lines = realm.objects(TrackLine.self)
      #expect(lines.sorted(by: \.length, ascending: false).map(\.length) == [300, 200, 100, 0])
      // Null links come last.
      #expect(lines.sorted(by: \.country, ascending: false).first?.length == 300)
      #expect(lines.distinct(by: [\.country]).map(\.length) == [0])
      #expect(lines.sorted(by: [SortDescriptor(keyPath: \TrackLine.length, ascending: false)]).first?.length == 300)
      #expect(
        lines.where { $0.length < 300 }.sorted(by: \.title, ascending: false).limit(2).map(\.title) == ["t2", "t1"])
    }
  }

  @Test func frozenResultsAreReadAnywhere() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let frozen = Unchecked(realm.objects(TrackTitle.self).where { $0.title != "t1" }.freeze())
      try realm.write { realm.deleteAll() }
      try onOwnThread { #expect(frozen.value.map(\.title) == ["t0", "t2"]) }
      #expect(frozen.value.thaw()?.count == 0)
    }
  }
}
