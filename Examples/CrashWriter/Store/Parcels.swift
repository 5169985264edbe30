public import Firn

// Generations of the same class. None is in the default schema.

public enum FirstParcels {
  public final class Parcel: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted public var weight: Int
    @Persisted(indexed: true) public var place: String
    @Persisted public var sender: String?
    @Persisted public var stops: List<Int>
    @Persisted public var previous: Parcel?

    override public static func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}

/// Other types of properties, among them the primary key, and another value in each.
public enum AlteredParcels {
  public final class Parcel: Object {
    @Persisted(primaryKey: true) public var id: String
    @Persisted public var weight: Double
    @Persisted(indexed: true) public var place: String
    @Persisted public var sender: String
    @Persisted public var stops: List<String>
    @Persisted public var previous: Parcel?

    override public static func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}

/// More properties, and one more class.
public enum ExtendedParcels {
  public final class Parcel: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted public var weight: Int
    @Persisted(indexed: true) public var place: String
    @Persisted public var sender: String?
    @Persisted public var stops: List<Int>
    @Persisted public var previous: Parcel?
    @Persisted public var note = "none"
    @Persisted(indexed: true) public var isInsured = true
    @Persisted public var depot: Depot?

    override public static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  public final class Depot: Object {
    @Persisted public var name: String

    override public static func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}
