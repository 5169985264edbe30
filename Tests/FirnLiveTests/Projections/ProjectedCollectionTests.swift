import Foundation
import TestSupport
import Testing

@testable import Firn

@Suite struct ProjectedCollectionTests {
  @Test func showsAPropertyOfEachObject() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let track = realm.objects(ProjectedTrack.self)[0]
      let nicks = track.players.projectTo.nick
      #expect(nicks.count == 2)
      #expect(nicks.startIndex == 0)
      #expect(nicks.endIndex == 2)
      #expect(Array(nicks) == ["Ann", "Bob"])
      #expect(nicks.first == "Ann")
      #expect(nicks.last == "Bob")
      #expect(nicks.reversed() == ["Bob", "Ann"])
      #expect(nicks.index(of: "Bob") == 1)
      #expect(nicks.index(of: "Cy") == nil)
      #expect(nicks.index(matching: NSPredicate(format: "age > 20")) == 1)
      #expect(nicks.realm == realm)
      #expect(!nicks.isInvalidated)
      #expect(nicks.description == "ProjectedCollection<String> {\n\t[0] Ann\n\t[1] Bob\n}")
      #expect(track.guests.projectTo.age.sorted() == [20, 21])
      #expect(realm.objects(ProjectedPlayer.self).projectTo.age.max() == 21)
      #expect(ProjectedTrack().players.projectTo.nick.isEmpty)
      #expect(ProjectedTrack().players.projectTo.nick.description == "ProjectedCollection<String> {\n}")
      let labels = track.players.projectTo.label
      #expect(labels[0] == nil)
    }
  }

  @Test func isWrittenThrough() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let track = realm.objects(ProjectedTrack.self)[0]
      let nicks = track.players.projectTo.nick
      try realm.write {
        nicks[0] = "Zed"
        track.players.append(ProjectedPlayer(value: ["nick": "Cy"]))
        nicks[2] += "!"
      }
      #expect(Array(nicks) == ["Zed", "Bob", "Cy!"])
      #expect(track.players[0].nick == "Zed")
    }
  }

  @Test func freezesAndThaws() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let track = realm.objects(ProjectedTrack.self)[0]
      let nicks = track.players.projectTo.nick
      let frozen = nicks.freeze()
      try realm.write { track.players.removeLast() }
      #expect(frozen.isFrozen)
      #expect(!nicks.isFrozen)
      let carried = Unchecked(frozen)
      try onOwnThread { #expect(Array(carried.value) == ["Ann", "Bob"]) }
      #expect(frozen.thaw().map { Array($0) } == ["Ann"])
      #expect(nicks.thaw().map { Array($0) } == ["Ann"])
      try realm.write { realm.delete(track) }
      #expect(nicks.isInvalidated)
      #expect(frozen.thaw() == nil)
      #expect(frozen.count == 2)
    }
  }

  @Test func observersHearWhatTheSourceIsTold() throws {
    try onOwnThread {
      let realm = try Projecting.realm()
      let track = realm.objects(ProjectedTrack.self)[0]
      var all: [String] = []
      var ofNicks: [String] = []
      func note(_ change: RealmCollectionChange<ProjectedCollection<String>>) -> String {
        switch change {
        case .initial(let nicks): "initial \(Array(nicks))"
        case .update(let nicks, let deletions, let insertions, let modifications):
          "\(deletions) \(insertions) \(modifications) \(Array(nicks))"
        case .error: "error"
        }
      }
      let nicks = track.players.projectTo.nick
      let tokens = [
        nicks.observe { all.append(note($0)) },
        nicks.observe(keyPaths: ["nick"]) { ofNicks.append(note($0)) },
      ]
      realm.refresh()
      // Any change of an element counts without key paths.
      try realm.write { track.players[0].age = 5 }
      realm.refresh()
      try realm.write { track.players[1].nick = "Bo" }
      realm.refresh()
      try realm.write {
        track.players.remove(at: 0)
        track.players.append(ProjectedPlayer(value: ["nick": "Cy"]))
      }
      realm.refresh()
      try realm.write { realm.delete(track) }
      realm.refresh()
      let both = [
        "[] [] [1] [\"Ann\", \"Bo\"]", "[0] [1] [] [\"Bo\", \"Cy\"]", "[0, 1] [] [] []",
      ]
      #expect(all == ["initial [\"Ann\", \"Bob\"]", "[] [] [0] [\"Ann\", \"Bob\"]"] + both)
      #expect(ofNicks == ["initial [\"Ann\", \"Bob\"]"] + both)
      withExtendedLifetime(tokens) {}
    }
  }
}
