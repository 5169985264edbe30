import Foundation
import TestSupport

@testable import Firn

final class ProjectedLabel: Object {
  @Persisted var country: String
  @Persisted var city: String?
  @Persisted(originProperty: "label") var tracks: LinkingObjects<ProjectedTrack>
}

final class ProjectedStudio: EmbeddedObject {
  @Persisted var town: String
  @Persisted var rooms: Int
}

final class ProjectedPlayer: Object {
  @Persisted var nick: String
  @Persisted var age: Int
  @Persisted var label: ProjectedLabel?
}

class ProjectedTrack: Object {
  enum Mood: Int, PersistableEnum { case calm, loud }

  @Persisted(primaryKey: true) var id: Int
  @Persisted var title: String
  @Persisted var subtitle: String?
  @Persisted var seconds: Int
  @Persisted var mood: Mood
  @Persisted var label: ProjectedLabel?
  @Persisted var studio: ProjectedStudio?
  @Persisted var players: List<ProjectedPlayer>
  @Persisted var guests: MutableSet<ProjectedPlayer>
  @Persisted var scores: Map<String, Int>
  @Persisted var codes: List<Int>
  /// Not stored.
  var notes = "none"
}

/// A class without primary key, whose live accessors are equal only to themselves.
final class ProjectedLoose: Object {
  @Persisted var name: String
}

/// All forms of members.
class TrackLine: Projection<ProjectedTrack> {
  @Projected(\ProjectedTrack.title) var title
  @Projected(\ProjectedTrack.seconds) var length
  @Projected(\ProjectedTrack.mood) var mood
  @Projected(\ProjectedTrack.label!.country) var country
  @Projected(\ProjectedTrack.label?.city) var city
  @Projected(\ProjectedTrack.label) var house
  @Projected(\ProjectedTrack.studio?.town) var town
  @Projected(\ProjectedTrack.players.projectTo.nick) var nicks: ProjectedCollection<String>
  @Projected(\ProjectedTrack.guests.projectTo.age) var ages: ProjectedCollection<Int>
  @Projected(\ProjectedTrack.players) var players
  @Projected(\ProjectedTrack.scores) var scores
  @Projected(\ProjectedTrack.title.localizedUppercase) var shout
  /// Not projected, and of the instance.
  var mark = 0
}

/// Adds a member to another projection.
final class LongTrackLine: TrackLine {
  @Projected(\ProjectedTrack.subtitle) var subtitle
}

/// Required values behind links.
final class TrackPlaces: Projection<ProjectedTrack> {
  @Projected(\ProjectedTrack.id) var id
  @Projected(\ProjectedTrack.label?.country) var country
  @Projected(\ProjectedTrack.studio?.rooms) var rooms
}

final class TrackTitle: Projection<ProjectedTrack> {
  @Projected(\ProjectedTrack.title) var title
}

final class NothingOfTrack: Projection<ProjectedTrack> {}

final class LooseLine: Projection<ProjectedLoose>, ObjectKeyIdentifiable {
  @Projected(\ProjectedLoose.name) var name
}

final class LabelLine: Projection<ProjectedLabel> {
  @Projected(\ProjectedLabel.tracks) var tracks
  @Projected(\ProjectedLabel.tracks.projectTo.title) var titles: ProjectedCollection<String>
}

final class StudioLine: Projection<ProjectedStudio> {
  @Projected(\ProjectedStudio.town) var place
}

final class NoPartOfTrack: Projection<ProjectedTrack> {
  @Projected(\ProjectedTrack.title) var title
  @Projected(\ProjectedTrack.notes) var notes
}

enum Projecting {
  static func configuration() -> Realm.Configuration {
    Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString,
      objectTypes: [
        ProjectedLabel.self, ProjectedStudio.self, ProjectedPlayer.self, ProjectedTrack.self, ProjectedLoose.self,
      ])
  }

  /// A realm of the calling thread with tracks "t0" and so on; all but the last have the label of Boston, the first two have
  /// players.
  static func realm(_ count: Int = 3, _ configuration: Realm.Configuration = configuration()) throws -> Realm {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      let label = realm.create(ProjectedLabel.self, value: ["country": "US", "city": "Boston"])
      let players = ["Ann", "Bob"].enumerated().map { index, nick in
        realm.create(ProjectedPlayer.self, value: ["nick": nick, "age": 20 + index] as [String: Any])
      }
      for id in 0..<count {
        let track = ProjectedTrack(value: ["id": id, "title": "t\(id)", "seconds": 100 * id] as [String: Any])
        if id < count - 1 { track.label = label }
        if id < 2 {
          track.players.append(objectsIn: players)
          track.guests.insert(objectsIn: players)
        }
        realm.add(track)
      }
    }
    return realm
  }

  static func elsewhere(_ configuration: Realm.Configuration, _ body: @escaping @Sendable (Realm) -> Void) throws {
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      try realm.write { body(realm) }
    }
  }
}
