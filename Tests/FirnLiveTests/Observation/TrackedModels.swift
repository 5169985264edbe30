import Foundation
import Observation
import TestSupport

@testable import Firn

final class Kennel: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted(originProperty: "kennel") var dogs: LinkingObjects<Pup>
}

final class Collar: EmbeddedObject {
  @Persisted var colour: String
}

enum Mood: String, PersistableEnum {
  case calm, wild
}

final class Pup: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var age: Int
  @Persisted(indexed: true) var name: String
  @Persisted var weight: Double?
  @Persisted var mood: Mood
  @Persisted var note: AnyRealmValue
  @Persisted var collar: Collar?
  @Persisted var kennel: Kennel?
  @Persisted var friends: List<Pup>
  @Persisted var tags: List<Int>
  @Persisted var marks: Map<String, Int>
  @Persisted var colours: MutableSet<String>
}

final class PupCard: Projection<Pup> {
  @Projected(\Pup.name) var title
  @Projected(\Pup.kennel?.name) var home
}

enum Tracked {
  static func configuration(_ isOn: Bool = true) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, objectTypes: [Pup.self, Kennel.self, Collar.self])
    configuration.tracksObservation = isOn
    return configuration
  }

  /// A realm with kennels 0 to 1 and some pups, of which those with even numbers are in kennel 0.
  static func realm(_ isOn: Bool = true, pups: Int = 4) throws -> Realm {
    let realm = try Realm(configuration: configuration(isOn))
    try realm.write { fill(realm, pups) }
    return realm
  }

  static func fill(_ realm: Realm, _ pups: Int) {
    let kennels = (0..<2).map { realm.create(Kennel.self, value: ["id": $0, "name": "kennel \($0)"]) }
    for id in 0..<pups {
      let pup = realm.create(Pup.self, value: ["id": id, "age": id, "name": "pup \(id)"])
      if id % 2 == 0 { pup.kennel = kennels[0] }
      pup.tags.append(objectsIn: [1, 2])
      pup.marks["a"] = 1
      pup.colours.insert("red")
    }
  }
}

extension Realm {
  func pup(_ id: Int) -> Pup { objects(Pup.self).first { $0.id == id }.unsafelyUnwrapped }
  func kennel(_ id: Int) -> Kennel { objects(Kennel.self).first { $0.id == id }.unsafelyUnwrapped }

  var placeCount: Int { instance.tracking?.placeCount ?? 0 }
}

/// A scope of Observation, and how often it was told of a change.
final class Scope: Sendable {
  private let told = Counter()

  @discardableResult
  init(_ apply: () -> Void, onChange: @escaping @Sendable () -> Void = {}) {
    withObservationTracking(apply) { [told] in
      told.add()
      onChange()
    }
  }

  var count: Int { told.count }
}

func counts(_ scopes: Scope...) -> [Int] { scopes.map(\.count) }

/// Runs a test with the realm of a thread, which is at home there, that of a task, and that of the main thread.
func everywhere(_ body: @escaping @Sendable () throws -> Void) async throws {
  try onOwnThread(body)
  try body()
  try await MainActor.run(body: body)
}
