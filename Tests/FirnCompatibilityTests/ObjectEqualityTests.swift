import Firn
import Testing

final class EqualByName: Object {
  @Persisted var name: String

  override func isEqual(_ object: Any?) -> Bool { (object as? EqualByName)?.name == name }
  override func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

@Suite struct ObjectEqualityTests {
  @Test func overridden() {
    let (first, second, other) = (EqualByName(value: ["a"]), EqualByName(value: ["a"]), EqualByName(value: ["b"]))
    #expect(first == second && first != other && Set([first, second, other]).count == 2)
    let list = List<EqualByName>()
    list.append(objectsIn: [other, first])
    #expect(list.contains(second) && Array(list) == [other, second])
    #expect(first.isEqual(second) && !first.isEqual(nil) && !first.isEqual("a"))
  }

  @Test func notOverridden() {
    let (first, second) = (OrderedItem(1), OrderedItem(1))
    #expect(first.isEqual(first) && !first.isEqual(second) && !first.isEqual(nil) && first != second)
  }
}
