import FirnDurability
import Foundation
import TestSupport

@testable import Firn

/// A class of parcels, in one of its generations.
protocol ResumedParcel: Object {
  var id: String { get set }
  var amount: Int { get set }
  var note: String? { get set }
  /// Everything that there is to see.
  var text: String { get }
}

enum ResumedBefore {
  final class Parcel: Object, ResumedParcel {
    @Persisted(primaryKey: true) var id: String
    @Persisted var weight: Int
    @Persisted var note: String?

    var amount: Int {
      get { weight }
      set { weight = newValue }
    }
    var text: String { "\(weight) \(note ?? "-")" }

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}

/// One property more, and one class.
enum ResumedAdded {
  final class Parcel: Object, ResumedParcel {
    @Persisted(primaryKey: true) var id: String
    @Persisted var weight: Int
    @Persisted var note: String?
    @Persisted var color = "red"
    @Persisted var depot: Depot?

    var amount: Int {
      get { weight }
      set {
        weight = newValue
        if newValue % 3 == 0 { color = "blue \(newValue)" }
      }
    }
    var text: String { "\(weight) \(note ?? "-") \(color) \(depot?.id ?? -1)" }

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  final class Depot: Object {
    @Persisted(primaryKey: true) var id: Int

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}

/// A property has another name, and another is no longer there.
enum ResumedRenamed {
  final class Parcel: Object, ResumedParcel {
    @Persisted(primaryKey: true) var id: String
    @Persisted(indexed: true) var mass: Int
    @Persisted var note: String?

    var amount: Int {
      get { mass }
      set { mass = newValue }
    }
    var text: String { "mass \(mass) \(note ?? "-")" }

    override class var renamedProperties: [String: String] { ["weight": "mass"] }
    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}

/// What a program of one generation does with its parcels.
struct ResumedGeneration: Sendable {
  let name: String
  let types: @Sendable () -> [ObjectBase.Type]
  /// Of all parcels and of heavy ones, where the files of such say that they stopped.
  let makeSubscribers: @Sendable (_ folder: String) async throws -> [any AnyResumingSubscriber]
  let write: @Sendable (Realm, inout SeededRandom) -> Void
  let amountName: String

  static let all = [
    make("before", "weight", ResumedBefore.Parcel.self) { [ResumedBefore.Parcel.self] },
    make("added", "weight", ResumedAdded.Parcel.self) { [ResumedAdded.Parcel.self, ResumedAdded.Depot.self] },
    make("renamed", "mass", ResumedRenamed.Parcel.self) { [ResumedRenamed.Parcel.self] },
  ]

  private static func make<Parcel: ResumedParcel>(
    _ name: String, _ amountName: String, _ type: Parcel.Type, _ types: @escaping @Sendable () -> [ObjectBase.Type]
  ) -> ResumedGeneration {
    ResumedGeneration(
      name: name, types: types,
      makeSubscribers: { folder in
        var subscribers: [any AnyResumingSubscriber] = []
        for (index, condition) in ["TRUEPREDICATE", "\(amountName) > 4"].enumerated() {
          let subscriber = ResumingSubscriber<Parcel>(nil, { $0.objects(Parcel.self).filter(condition) }) {
            ($0.id, $0.text)
          }
          try await subscriber.keep(in: "\(folder)/parcels \(index).json")
          subscribers.append(subscriber)
        }
        return subscribers
      }, write: { realm, random in write(Parcel.self, realm, &random) }, amountName: amountName)
  }

  private static func write<Parcel: ResumedParcel>(
    _ type: Parcel.Type, _ realm: Realm, _ random: inout SeededRandom
  ) {
    let parcels = realm.objects(Parcel.self)
    switch random.below(8) {
    case 0, 1, 2:
      let id = "p\(random.below(16))"
      if let old = realm.object(ofType: Parcel.self, forPrimaryKey: id) {
        if random.chance(60) { return }
        // It comes back under its key.
        realm.delete(old)
      }
      realm.create(Parcel.self, value: ["id": id]).amount = random.below(10)
    case 3: if let parcel = parcels.randomElement(using: &random) { realm.delete(parcel) }
    case 4: parcels.randomElement(using: &random)?.note = random.chance(30) ? nil : "note \(random.below(5))"
    case 5: if random.chance(10) { realm.deleteAll() }
    default: parcels.randomElement(using: &random)?.amount = random.below(10)
    }
  }

  /// Makes the configuration that of a program of this generation.
  ///
  /// - Parameter writes: Whether a migration writes something of which the journal knows nothing.
  func use(_ configuration: inout Realm.Configuration, version: UInt64, writes: Bool) {
    configuration.objectTypes = types()
    configuration.schemaVersion = version
    let amountName = amountName
    configuration.migrationBlock = { migration, _ in
      if !writes { return }
      migration.enumerateObjects(ofType: "Parcel") { _, new in
        guard let new, let amount = new[amountName] as? Int else { return }
        if amount == 3 { migration.delete(new) } else { new[amountName] = (amount + 1) % 10 }
      }
    }
  }
}
