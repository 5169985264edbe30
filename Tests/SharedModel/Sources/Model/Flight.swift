import RealmSwift

public class Flight: RealmSwift.Object {
  @Persisted(primaryKey: true) public var id: String
  @Persisted public var delay: Int
  @Persisted public var stops: RealmSwift.List<String>
}
