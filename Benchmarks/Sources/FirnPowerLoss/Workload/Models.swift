import Firn
import Foundation

/// How many commits there were, and of which workload. Changed by every commit.
class Counter: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var number: Int
  @Persisted var seed: String
  /// How often the store was migrated.
  @Persisted var migrationCount: Int
}

/// A property of each kind.
class Item: Object {
  @Persisted(primaryKey: true) var slot: Int
  @Persisted(indexed: true) var name: String
  @Persisted var optional: Int?
  @Persisted var real: Double
  @Persisted var date: Date
  @Persisted var flag: Bool
  @Persisted var data: Data
  @Persisted var numbers: List<Int>
  @Persisted var texts: List<String>
  @Persisted var tags: MutableSet<String>
  @Persisted var counts: Map<String, Int>
  @Persisted var any: AnyRealmValue
  @Persisted var parent: Item?
  @Persisted var children: List<Item>
  @Persisted var spot: Spot?
  @Persisted var path: List<Spot>
  @Persisted(originProperty: "parent") var childrenByParent: LinkingObjects<Item>
}

class Spot: EmbeddedObject {
  @Persisted var x: Int
  @Persisted var y: Double
  @Persisted var label: String
}

/// One of very many.
class Row: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var value: Int
  @Persisted var text: String
}

/// The class that migrations change, as even and odd versions of the schema have it.
enum Remarks {
  static let className = "Remark"

  static func type(_ schemaVersion: UInt64) -> ObjectBase.Type {
    schemaVersion % 2 == 0 ? Even.Remark.self : Odd.Remark.self
  }

  enum Odd {
    class Remark: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var score: Int
      @Persisted var label: String

      override static func _realmObjectName() -> String? { Remarks.className }
      override static func shouldIncludeInDefaultSchema() -> Bool { false }
    }
  }

  enum Even {
    class Remark: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var score: String
      @Persisted var label: String
      @Persisted var added = 7

      override static func _realmObjectName() -> String? { Remarks.className }
      override static func shouldIncludeInDefaultSchema() -> Bool { false }
    }
  }
}
