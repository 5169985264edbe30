import Firn
import Foundation

private enum Readme {
  class Flight: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var destination: String
    @Persisted var delay: Int?
  }

  static func start() throws {
    let realm = try Realm(fileURL: URL(fileURLWithPath: "board.firn"))
    let late = realm.objects(Flight.self).where { $0.delay > 30 }.sorted(by: \.delay)
    let token = late.observe { change in
      if case .update(let flights, let deletions, let insertions, let modifications) = change {
        print(flights.count, deletions, insertions, modifications)
      }
    }
    try realm.write {
      realm.create(Flight.self, value: ["id": "B6 123", "destination": "BOS", "delay": 45], update: .modified)
    }
    token.invalidate()
  }

  static func serve(_ url: URL) async throws {
    let store = try await RealmStore.open(.init(fileURL: url))
    try await store.write { realm in
      realm.object(ofType: Flight.self, forPrimaryKey: "B6 123")?.delay = 60
    }
  }
}
