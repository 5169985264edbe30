import Foundation

@testable import Firn

final class SectionTeam: Object {
  @Persisted var name: String
  @Persisted var rank: Int
  @Persisted var players: List<SectionPlayer>
  @Persisted var scores: List<Int>
  @Persisted(originProperty: "team") var members: LinkingObjects<SectionPlayer>
}

final class SectionPlayer: Object {
  enum Mood: String, PersistableEnum { case calm, loud, odd }

  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var group: String?
  @Persisted var number: Int
  @Persisted var score: Double
  @Persisted var mood: Mood
  @Persisted var team: SectionTeam?
  @Persisted var mixed: AnyRealmValue

  convenience init(_ id: Int, _ name: String = "", group: String? = nil, number: Int = 0) {
    self.init()
    self.id = id
    self.name = name
    self.group = group
    self.number = number
  }
}

final class SectionPlayerCard: Projection<SectionPlayer> {
  @Projected(\SectionPlayer.name) var title: String
  @Projected(\SectionPlayer.group) var kind: String?
  @Projected(\SectionPlayer.id) var id: Int
}

enum Sectioned {
  static func configuration() -> Realm.Configuration {
    Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, objectTypes: [SectionTeam.self, SectionPlayer.self])
  }

  /// A realm of the calling thread with players whose names begin with their groups.
  static func realm(_ names: [String] = []) throws -> Realm {
    let realm = try Realm(configuration: configuration())
    try realm.write {
      for (id, name) in names.enumerated() {
        realm.add(SectionPlayer(id, name, group: name.first.map(String.init), number: id))
      }
    }
    return realm
  }
}

/// A change in the form that tests compare.
struct ToldChange: Equatable {
  var deletions: [[Int]] = []
  var insertions: [[Int]] = []
  var modifications: [[Int]] = []
  var inserted: [Int] = []
  var deleted: [Int] = []
}

/// Notes the calls of an observer.
final class SectionWatcher<Collection> {
  private(set) var initialCalls = 0
  private(set) var changes: [ToldChange] = []

  func take(_ change: SectionedResultsChange<Collection>) {
    switch change {
    case .initial: initialCalls += 1
    case .update(_, let deletions, let insertions, let modifications, let inserted, let deleted):
      changes.append(
        ToldChange(
          deletions: deletions.map(Array.init), insertions: insertions.map(Array.init),
          modifications: modifications.map(Array.init), inserted: Array(inserted), deleted: Array(deleted)))
    }
  }

  /// What came since the last look.
  func takeChanges() -> [ToldChange] {
    defer { changes = [] }
    return changes
  }
}
