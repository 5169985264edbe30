import Firn
import Foundation

/// The class of persons after it has changed. Not in the default schema: the name is that of the other one.
enum Migrated {
  /// With one more property.
  enum Added {
    class Person: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var name: String
      @Persisted var age: Int
      @Persisted var score: Double
      @Persisted(indexed: true) var city: String
      @Persisted var created: Date
      @Persisted var active: Bool
      @Persisted var best: Person?
      @Persisted var nick = "unknown"

      override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
  }

  /// With an ordered index over numbers.
  enum OrderedByAge {
    class Person: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var name: String
      @Persisted(index: .ordered) var age: Int
      @Persisted var score: Double
      @Persisted(indexed: true) var city: String
      @Persisted var created: Date
      @Persisted var active: Bool
      @Persisted var best: Person?

      override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
  }

  /// With an ordered index over texts that are nearly all different.
  enum OrderedByName {
    class Person: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted(index: .ordered) var name: String
      @Persisted var age: Int
      @Persisted var score: Double
      @Persisted(indexed: true) var city: String
      @Persisted var created: Date
      @Persisted var active: Bool
      @Persisted var best: Person?

      override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
  }

  /// With another name for a property.
  enum Renamed {
    class Person: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var fullName: String
      @Persisted var age: Int
      @Persisted var score: Double
      @Persisted(indexed: true) var city: String
      @Persisted var created: Date
      @Persisted var active: Bool
      @Persisted var best: Person?

      override class var renamedProperties: [String: String] { ["name": "fullName"] }
      override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
  }

  /// With another type for half of the properties.
  enum Half {
    class Person: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var name: String?
      @Persisted var age: Int?
      @Persisted var score: Double?
      @Persisted(indexed: true) var city: String?
      @Persisted var created: Date
      @Persisted var active: Bool
      @Persisted var best: Person?

      override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
  }

  /// With another type for all properties that can have one.
  enum All {
    class Person: Object {
      @Persisted(primaryKey: true) var id: Int?
      @Persisted var name: String?
      @Persisted var age: Int?
      @Persisted var score: Double?
      @Persisted(indexed: true) var city: String?
      @Persisted var created: Date?
      @Persisted var active: Bool?
      @Persisted var best: Person?

      override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
  }
}
