// Must compile: Scripts/check-imports. Asynchronous code opens the realm of the main actor with `try await Realm()`.
import Firn

@MainActor func countEvents() async throws -> Int {
  let realm = try await Realm()
  return realm.objects(Event.self).count
}

func countEventsElsewhere() async throws -> Int {
  let realm = try await Realm()
  return try await realm.asyncWrite { realm in realm.objects(Event.self).count }
}
