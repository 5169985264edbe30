import Firn
import Foundation

final class SetModelOwner: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var ints: MutableSet<Int>
  @Persisted var optionalInts: MutableSet<Int?>
  @Persisted var doubles: MutableSet<Double>
  @Persisted var strings: MutableSet<String>
  @Persisted var data: MutableSet<Data?>
  @Persisted var items: MutableSet<SetModelItem>
  @Persisted var intMap: Map<String, Int>
  @Persisted var stringMap: Map<String, String?>
  @Persisted var itemMap: Map<String, SetModelItem?>
}

final class SetModelItem: Object {
  @Persisted(primaryKey: true) var id: Int
}
