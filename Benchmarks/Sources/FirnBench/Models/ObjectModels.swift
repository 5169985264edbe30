import Firn

final class NumberList: Object {
  @Persisted var numbers: List<Int>
}

final class Member: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var score: Double
  @Persisted var isActive: Bool
}

final class Hub: Object {
  @Persisted(originProperty: "hub") var spokes: LinkingObjects<Spoke>
}

final class Spoke: Object {
  @Persisted var hub: Hub?
}

/// An object with a set and a map.
class Gathering: Object {
  @Persisted var numbers: MutableSet<Int>
  @Persisted var counts: Map<String, Int>
}
