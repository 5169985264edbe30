import Firn
import Testing

final class RuleListOwner: Object {
  @Persisted var numbers: List<Int>
  @Persisted var names: List<String?>
}

/// Lists that no realm manages.
@Suite struct ListRuleTests {
  @Test func literalsSubscriptsAndChanges() {
    let owner = RuleListOwner()
    owner.numbers.append(objectsIn: [1, 2, 3])
    owner.numbers.insert(0, at: 0)
    owner.numbers[3] = 30
    owner.numbers.move(from: 0, to: 2)
    #expect(Array(owner.numbers) == [1, 2, 0, 30])
    owner.numbers.swapAt(0, 3)
    owner.numbers.removeLast()
    #expect(Array(owner.numbers) == [30, 2, 0])
    owner.names.append(objectsIn: ["a", nil])
    #expect(Array(owner.names) == ["a", nil])
    #expect(owner.numbers.realm == nil)
    #expect(!owner.numbers.isInvalidated && !owner.numbers.isFrozen)
  }

  @Test func anAssignedListIsCopiedIntoTheOneThatIsThere() {
    let owner = RuleListOwner()
    let list = owner.numbers
    let other = List<Int>()
    other.append(objectsIn: [1, 2])
    owner.numbers = other
    #expect(owner.numbers === list)
    #expect(Array(list) == [1, 2])
    other.append(3)
    #expect(list.count == 2)
  }
}
