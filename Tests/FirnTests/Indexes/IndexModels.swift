import Firn
import Foundation

// Generations of the same classes, with other indexes. None is in the default schema.

enum Unindexed {
  final class Flight: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var number: String?
    @Persisted var status: String
    @Persisted var departure: Date
    @Persisted var delay: Int?
    @Persisted var from: Airport?

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  final class Airport: Object {
    @Persisted var city: String
    @Persisted var position: Position?

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  final class Position: EmbeddedObject {
    @Persisted var latitude: Double
    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  static var types: [ObjectBase.Type] { [Flight.self, Airport.self, Position.self] }
}

/// With an index of every kind.
enum Indexed {
  final class Flight: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(index: .hash) var number: String?
    @Persisted(indexed: true) var status: String
    @Persisted(index: .ordered) var departure = Date(timeIntervalSinceReferenceDate: 0)
    @Persisted(index: .ordered) var delay: Int?
    @Persisted var from: Airport?

    override static func shouldIncludeInDefaultSchema() -> Bool { false }

    override class func indexes() -> [Index] {
      [
        Index(\Flight.status, \Flight.departure), Index(\Flight.from?.city),
        Index(\Flight.from?.position?.latitude, \Flight.delay), Index(\Flight.from, \Flight.departure),
      ]
    }
  }

  final class Airport: Object {
    @Persisted(index: .ordered) var city: String
    @Persisted var position: Position?

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  final class Position: EmbeddedObject {
    @Persisted var latitude: Double
    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  static var types: [ObjectBase.Type] { [Flight.self, Airport.self, Position.self] }
}

/// With unique indexes.
enum Strict {
  final class Flight: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(index: .unique) var number: String?
    @Persisted var status: String
    @Persisted var departure: Date
    @Persisted var delay: Int?
    @Persisted var from: Airport?

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
    override class func indexes() -> [Index] { [.unique(\Flight.from?.city, \Flight.departure)] }
  }

  final class Airport: Object {
    @Persisted var city: String
    @Persisted var position: Position?

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  final class Position: EmbeddedObject {
    @Persisted var latitude: Double
    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  static var types: [ObjectBase.Type] { [Flight.self, Airport.self, Position.self] }
}
