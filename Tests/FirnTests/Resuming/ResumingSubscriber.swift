import Foundation
import Testing

@testable import Firn

/// How a subscription began.
enum ResumedStart: Sendable {
  case initial, resumed, reset
}

/// Something whose changes can be resumed, with a subscriber that keeps what it is told.
struct ResumedFace: Sendable {
  enum Telling: Sendable {
    /// Whenever history reaches back.
    case always
    /// Not where links changed.
    case sometimes
    case never
  }

  let name: String
  let telling: Telling
  let makeSubscriber: @Sendable () -> any AnyResumingSubscriber

  static let all: [ResumedFace] = [
    flights("all") { $0.objects(ResumedFlight.self) },
    flights("range") { $0.objects(ResumedFlight.self).where { $0.delay > 4 } },
    flights("sorted") { $0.objects(ResumedFlight.self).where { $0.delay > 2 }.sorted(by: \.delay) },
    flights("sorted behind a link") { $0.objects(ResumedFlight.self).sorted(byKeyPath: "airport.city") },
    flights("behind a link") { $0.objects(ResumedFlight.self).where { $0.airport.city == "A" } },
    flights("no link") { $0.objects(ResumedFlight.self).where { $0.airport == nil } },
    flights("behind a list") { $0.objects(ResumedFlight.self).filter("ANY stops.city == 'B'") },
    flights("count") { $0.objects(ResumedFlight.self).filter("stops.@count > 1") },
    flights("sum") { $0.objects(ResumedFlight.self).filter("meals.@sum > 4") },
    flights("set") { $0.objects(ResumedFlight.self).where { $0.tags.contains("t1") } },
    flights("embedded") { $0.objects(ResumedFlight.self).filter("crew.captain == 'c1'") },
    flights("mixed") { $0.objects(ResumedFlight.self).filter("extra[0] == 1 OR extra == 2") },
    flights("subquery") {
      $0.objects(ResumedFlight.self).filter("SUBQUERY(stops, $s, $s.city == 'A' AND $s.id > 1).@count > 0")
    },
    flights("filtered twice") {
      $0.objects(ResumedFlight.self).sorted(by: \.delay).where { $0.delay < 7 }.where { $0.note != nil }
    },
    flights("foundation") { realm in realm.objects(ResumedFlight.self).filter(#Predicate { $0.delay % 2 == 0 }) },
    flights("key path", ["delay"]) {
      "\($0.delay)"
    } of: {
      $0.objects(ResumedFlight.self)
    },
    flights("key path, condition", ["note"]) {
      $0.note ?? "-"
    } of: {
      $0.objects(ResumedFlight.self).where { $0.delay > 3 }
    },
    flights("key path behind a link", ["airport.city"]) {
      $0.airport?.city ?? "-"
    } of: {
      $0.objects(ResumedFlight.self).where { $0.delay > 1 }
    },
    airports("condition on backlinks", nil) {
      $0.city
    } of: {
      $0.objects(ResumedAirport.self).filter("flights.@count > 1")
    },
    airports("key path behind backlinks", ["flights.delay"]) {
      "\($0.flights.map(\.delay).sorted())"
    } of: {
      $0.objects(ResumedAirport.self)
    },
    flights("limited", telling: .never) { $0.objects(ResumedFlight.self).sorted(by: \.delay).limit(3) },
    flights("distinct", telling: .never) { $0.objects(ResumedFlight.self).distinct(by: [\.delay]) },
    ResumedFace(name: "keyless", telling: .never) {
      ResumingSubscriber<ResumedNotice>(nil, { $0.objects(ResumedNotice.self) }) { ("\($0._key)", "\($0.number)") }
    },
  ]

  private static func flights(
    _ name: String, _ keyPaths: [String]? = nil, telling: Telling = .always,
    _ text: @escaping @Sendable (ResumedFlight) -> String = { $0.text },
    of results: @escaping @Sendable (Realm) -> Results<ResumedFlight>
  ) -> ResumedFace {
    ResumedFace(name: name, telling: telling) {
      ResumingSubscriber<ResumedFlight>(keyPaths, results) { ($0.id, text($0)) }
    }
  }

  private static func airports(
    _ name: String, _ keyPaths: [String]?, _ text: @escaping @Sendable (ResumedAirport) -> String,
    of results: @escaping @Sendable (Realm) -> Results<ResumedAirport>
  ) -> ResumedFace {
    ResumedFace(name: name, telling: .sometimes) {
      ResumingSubscriber<ResumedAirport>(keyPaths, results) { ("\($0.id)", text($0)) }
    }
  }
}

protocol AnyResumingSubscriber: Sendable {
  /// Subscribes where it stopped, and follows until the task is cancelled or the store closed, or so many elements
  /// came.
  /// Returns how it began; nil when it was cancelled before.
  func follow(_ store: RealmStore, upTo count: Int) async throws -> ResumedStart?

  /// Goes on from what a file says, if there is one, and keeps there from now on what it is told.
  func keep(in file: String) async throws
}

/// Keeps what it is told, and compares it with the content at each element.
actor ResumingSubscriber<Model: Object>: AnyResumingSubscriber {
  private let keyPaths: [String]?
  private let results: @Sendable (Realm) -> Results<Model>
  private let row: @Sendable (Model) -> (key: String, text: String)
  private var rows: [String: String] = [:]
  /// In its text form.
  private var token: String?
  private var file: String?

  private struct Kept: Codable {
    let rows: [String: String]
    let token: String?
  }

  init(
    _ keyPaths: [String]?, _ results: @escaping @Sendable (Realm) -> Results<Model>,
    _ row: @escaping @Sendable (Model) -> (key: String, text: String)
  ) {
    (self.keyPaths, self.results, self.row) = (keyPaths, results, row)
  }

  func keep(in file: String) throws {
    self.file = file
    guard let data = FileManager.default.contents(atPath: file) else { return }
    let kept = try JSONDecoder().decode(Kept.self, from: data)
    (rows, token) = (kept.rows, kept.token)
  }

  func follow(_ store: RealmStore, upTo count: Int) async throws -> ResumedStart? {
    let token = try token.map { try #require(ResumeToken($0)) }
    var start: ResumedStart?
    var taken = 0
    for await change in store.resumableChanges(after: token, keyPaths: keyPaths, of: results) {
      switch change {
      case .initial:
        #expect(start == nil && token == nil)
        start = .initial
      case .resumed:
        #expect(start == nil && token != nil)
        start = .resumed
      case .update: #expect(start != nil)
      case .reset: start = start ?? .reset
      }
      try apply(change)
      taken += 1
      if taken == count { break }
    }
    return start
  }

  private func apply(_ change: ResumableChange<Model>) throws {
    let content = all(change.content)
    if let delta = change.delta {
      let upserted = Dictionary(
        delta.upserted.map { $0.withValue(row) }.map { ($0.key, $0.text) }, uniquingKeysWith: { $1 })
      #expect(upserted.count == delta.upserted.count, "each once")
      rows.merge(upserted) { $1 }
      var removed: Set<String> = []
      for value in delta.removedKeys {
        let key =
          switch value {
          case .string(let key): key
          case .int(let key): "\(key)"
          default: try #require(nil as String?, "a key \(value)")
          }
        #expect(removed.insert(key).inserted && content[key] == nil, "each once, and not what is there")
        rows[key] = nil
      }
      #expect(Set(delta.content.map { $0.withValue(row).key }) == Set(content.keys))
    } else {
      rows = content
    }
    if rows != content { throw ResumeFault(rows, content, change.delta == nil ? "reset" : "delta") }
    token = change.token.description
    if let file {
      try JSONEncoder().encode(Kept(rows: rows, token: token)).write(to: URL(fileURLWithPath: file), options: .atomic)
    }
  }

  /// What a subscriber has is not what there is.
  private struct ResumeFault: Error, CustomStringConvertible {
    let description: String

    init(_ rows: [String: String], _ content: [String: String], _ place: String) {
      let keys = Set(rows.keys).union(content.keys).filter { rows[$0] != content[$0] }.sorted()
      description =
        "\(place): " + keys.map { "\($0): \(rows[$0] ?? "none"), not \(content[$0] ?? "none")" }.joined(separator: "; ")
    }
  }

  private func all(_ content: Frozen<Results<Model>>) -> [String: String] {
    content.withValue { results in
      Dictionary(uniqueKeysWithValues: results.map { self.row($0) }.map { ($0.key, $0.text) })
    }
  }
}
