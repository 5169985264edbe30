@testable import Firn

/// Six flights, and subscribers of those that are late.
enum LateFlights {
  static func fill(_ store: RealmStore) async throws {
    try await store.write { realm in
      for number in 0..<6 {
        realm.create(ResumedFlight.self, value: ["id": "f\(number)", "delay": number] as [String: Any])
      }
    }
  }

  static func changes(_ store: RealmStore, after token: ResumeToken? = nil, _ keyPaths: [String]? = nil)
    -> ResumableChangeStream<ResumedFlight>
  {
    store.resumableChanges(after: token, keyPaths: keyPaths) { $0.objects(ResumedFlight.self).where { $0.delay > 2 } }
  }

  /// What a subscriber is told that comes back.
  static func resumption(
    _ store: RealmStore, after token: ResumeToken, _ keyPaths: [String]? = nil
  ) async -> Told? {
    for await change in changes(store, after: token, keyPaths) { return Told(change) }
    return nil
  }

  static func write(_ store: RealmStore, _ body: @escaping @Sendable (Realm) -> Void) async throws {
    try await store.write { body($0) }
  }
}

/// What a subscriber of late flights was told.
struct Told: Equatable {
  var start: ResumedStart?
  var upserted: [String] = []
  var removed: [RealmStore.HistoryValue] = []
  var authors: [String] = []

  init(resumed upserted: [String], _ removed: [String], by authors: [String] = []) {
    (start, self.upserted, self.authors) = (.resumed, upserted, authors)
    self.removed = removed.map { .string($0) }
  }

  init(_ change: ResumableChange<ResumedFlight>) {
    switch change {
    case .initial: start = .initial
    case .resumed: start = .resumed
    case .reset: start = .reset
    case .update: start = nil
    }
    upserted = change.delta?.upserted.map(\.id) ?? []
    removed = change.delta?.removedKeys ?? []
    authors = change.delta?.causes.compactMap(\.author) ?? []
  }
}
