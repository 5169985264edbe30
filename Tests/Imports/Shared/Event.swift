// What Scripts/check-imports adds to each of the files beside this folder. Their imports hold for it.

class Event: Object {
  @Persisted(primaryKey: true) var id = UUID()
  @Persisted var moment = Date()
  @Persisted var payload: Data?
  @Persisted var notes: List<String>

  var page: URL? { URL(string: "https://example.org/\(id.uuidString)") }
  var age: TimeInterval { -moment.timeIntervalSinceNow }
}

func open(_ folder: URL) throws -> Realm { try Realm(fileURL: folder.appendingPathComponent("events.firn")) }

func newest(_ realm: Realm) -> Results<Event> {
  let order = SortDescriptor(keyPath: "moment", ascending: false)
  return realm.objects(Event.self).where { $0.moment < Date.now }.sorted(by: [order])
}

func bytes(_ event: Event) throws -> Data { try JSONEncoder().encode(Array(event.notes)) }
