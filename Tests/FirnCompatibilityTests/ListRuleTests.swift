import Firn
import Foundation
import Testing

final class RuleListOwner: Object {
  @Persisted var numbers: List<Int>
  @Persisted var names: List<String?>
}

/// Section 9: List.
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

  /// The same on an unmanaged and on a managed list.
  private func onBothKinds(_ body: (OrderedOwner) throws -> Void) throws {
    try body(OrderedOwner())
    let (realm, owner) = try Ordered.owner()
    try realm.write { try body(owner) }
  }

  @Test func everyWayToChangeAList() throws {
    try onBothKinds { owner in
      let list = owner.ints
      list.append(objectsIn: 0..<6)
      list.insert(60, at: 6)
      list.insert(contentsOf: [-2, -1], at: 0)
      #expect(Array(list) == [-2, -1, 0, 1, 2, 3, 4, 5, 60], "inserting at the count is appending")
      list.insert(contentsOf: [], at: 9)
      list.removeFirst()
      list.removeFirst(1)
      list.removeFirst(0)
      list.removeLast()
      #expect(Array(list) == [0, 1, 2, 3, 4, 5])
      list.removeLast(2)
      list.remove(at: 1)
      #expect(Array(list) == [0, 2, 3])
      list.replaceSubrange(1..., with: [7, 8, 9, 10])
      list.replaceSubrange(0..<0, with: [6])
      #expect(Array(list) == [6, 0, 7, 8, 9, 10])
      list.removeSubrange(..<2)
      list.removeSubrange(1...1)
      #expect(Array(list) == [7, 9, 10])
      list.append(objectsIn: [11, 12])
      list.remove(atOffsets: IndexSet([0, 2, 4]))
      #expect(Array(list) == [9, 11])
      list.replace(index: 1, object: 5)
      list[0] = 4
      owner.ints[0..<2] = owner.ints[0..<2]
      #expect(Array(list[0..<2]) == [4, 5] && list.first == 4 && list.last == 5)
      list.removeAll()
      #expect(list.isEmpty && list.first == nil && list.last == nil && list.index(of: 4) == nil)
    }
  }

  @Test func movingAndSwapping() throws {
    try onBothKinds { owner in
      let list = owner.strings
      list.append(objectsIn: ["a", "b", "c", "d", "e"])
      list.move(from: 0, to: 3)
      #expect(list.joined() == "bcdae", "the element ends at the position")
      list.move(from: 4, to: 1)
      #expect(list.joined() == "becda")
      list.move(from: 2, to: 2)
      list.swapAt(1, 1)
      #expect(list.joined() == "becda")
      list.swapAt(0, 4)
      #expect(list.joined() == "aecdb")
      list.move(fromOffsets: IndexSet([0, 1]), toOffset: 5)
      #expect(list.joined() == "edbac", "one by one: the second offset is one of the list as it is then")
      list.move(fromOffsets: IndexSet([3, 4]), toOffset: 0)
      #expect(list.joined() == "caedb", "several from behind the destination end in reverse")
    }
  }

  @Test func algorithmsOfTheStandardLibrary() throws {
    try onBothKinds { owner in
      let list = owner.ints
      list.append(objectsIn: [3, 1, 4, 1, 5, 9, 2, 6])
      owner.ints.sort()
      #expect(Array(list) == [1, 1, 2, 3, 4, 5, 6, 9])
      owner.ints.reverse()
      #expect(Array(list) == [9, 6, 5, 4, 3, 2, 1, 1])
      let pivot = owner.ints.partition { $0 > 3 }
      let descending: [Int] = list.sorted { $0 > $1 }
      #expect(list[..<pivot].allSatisfy { $0 <= 3 } && list[pivot...].allSatisfy { $0 > 3 } && pivot == 4)
      #expect(list.filter { $0 == 1 }.count == 2 && list.contains(9) && descending.first == 9)
    }
  }

  @Test func unmanagedListsReadLikeManagedOnes() throws {
    let items = List<OrderedItem>()
    items.append(objectsIn: [OrderedItem(1, "a", number: 5), OrderedItem(2, nil, number: 3)])
    #expect(items.index(of: items[1]) == 1 && items.index(of: OrderedItem(1, "a", number: 5)) == nil, "by identity")
    #expect(items.min(of: \.number) == 3 && items.max(ofProperty: "number") == 5 && items.sum(of: \.number) == 8)
    #expect(
      (items.average(ofProperty: "number") as Double?) == 4 && items.description.hasPrefix("List<OrderedItem> <0x"))
    #expect(items.value(forKey: "number") as? [Int] == [5, 3] && items.map(\.id) == [1, 2])
    #expect(items.objects(at: [1]).first?.id == 2)
    let same = List<OrderedItem>()
    #expect(same != items && List<OrderedItem>() == same, "empty lists are equal")
    same.append(objectsIn: items)
    #expect(same == items && same.hashValue != items.hashValue, "equal by their elements, hashed by instance")
  }

  @Test func objectsOfAManagedList() throws {
    let (realm, owner) = try Ordered.owner()
    let item = OrderedItem(1)
    try realm.write {
      owner.items.append(objectsIn: [item, item])
      #expect(item.realm == realm && owner.items.count == 2, "added to the realm; an object may be there twice")
      owner.items.insert(OrderedItem(2), at: 1)
    }
    let again = try #require(realm.object(ofType: OrderedItem.self, forPrimaryKey: 1))
    #expect(owner.items.index(of: again) == 0 && owner.items.index(of: OrderedItem(1)) == nil)
    try realm.write {
      owner["items"] = realm.objects(OrderedItem.self).sorted(byKeyPath: "id", ascending: false)
      #expect(owner.items.map(\.id) == [2, 1], "results are copied")
      owner.setValue(owner.items.where { $0.id == 1 }, forKey: "items")
      #expect(owner.items.map(\.id) == [1])
      realm.delete(item)
      #expect(owner.items.isEmpty)
    }
  }

  @Test func observersHearOfOperations() throws {
    try onOwnThread {
      let (realm, owner) = try Ordered.owner { $0.ints.append(objectsIn: [10, 20, 30]) }
      let follower = OrderedFollower<List<Int>>()
      let token = owner.ints.observe { follower.take($0) }
      realm.refresh()
      func told(_ change: () -> Void) throws -> String {
        let before = follower.calls.count
        try realm.write { change() }
        realm.refresh()
        #expect(follower.values == Array(owner.ints))
        return follower.calls.dropFirst(before).joined(separator: " | ")
      }
      #expect(try told { owner.ints[1] = 20 } == "[] [] [1]", "an equal value is a modification")
      #expect(try told { owner.ints.move(from: 0, to: 2) } == "[0] [2] []")
      #expect(
        try told {
          owner.ints.move(from: 1, to: 1)
          owner.ints.swapAt(2, 2)
        } == "", "nothing was done")
      #expect(
        try told {
          owner.ints.remove(at: 0)
          owner.ints.insert(20, at: 0)
        } == "[0] [0] []", "removed and added again is both")
      #expect(
        try told {
          owner.ints.append(1)
          owner.ints.removeLast()
        } == "", "nothing is left of it")
      let other = List<Int>()
      other.append(objectsIn: [20, 30])
      #expect(try told { owner.ints = other } == "[0, 1, 2] [0, 1] []", "assigning replaces everything")
      #expect(try told { owner.ints = owner.ints } == "", "but not by itself")
      #expect(try told { realm.delete(owner) } == "[0, 1] [] []", "one last change")
      token.invalidate()
    }
  }

  // MARK: Traps

  @Test func positionsAndNumbersOutOfBounds() async {
    let beyond = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, owner) = try Ordered.owner { $0.ints.append(1) }
      try realm.write { owner.ints.insert(5, at: 2) }
    }
    #expect(trapSaid("Index 2 is out of bounds (must be less than 2)", beyond))
    let negative = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, owner) = try Ordered.owner { $0.ints.append(1) }
      try realm.write { owner.ints[-1] = 3 }
    }
    #expect(trapSaid("Cannot pass a negative value", negative))
    let many = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, owner) = try Ordered.owner { $0.ints.append(1) }
      try realm.write { owner.ints.removeFirst(2) }
    }
    #expect(trapSaid("It is not possible to remove more objects (2) from a list than it already contains (1)", many))
    let fewer = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      List<Int>().removeLast(-1)
    }
    #expect(trapSaid("negative number (-1)", fewer))
    let objects = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Ordered.owner().owner.ints.objects(at: [3])
    }
    #expect(trapSaid("out of bounds", objects))
  }

  @Test func objectsThatCannotBeInAList() async {
    let known = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, owner) = try Ordered.owner { $0.items.append(OrderedItem(1)) }
      try realm.write { owner.items.append(OrderedItem(1)) }
    }
    #expect(trapSaid("existing primary key value", known))
    let deleted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, owner) = try Ordered.owner { $0.items.append(OrderedItem(1)) }
      let item = owner.items[0]
      try realm.write { realm.delete(item) }
      _ = owner.items.index(of: item)
    }
    #expect(trapSaid("Object has been deleted or invalidated", deleted))
    let foreign = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let other = try Ordered.owner { $0.items.append(OrderedItem(1)) }.owner
      _ = try Ordered.owner().owner.items.index(of: other.items[0])
    }
    #expect(trapSaid("managed by another Realm", foreign))
  }

  @Test func whatUnmanagedListsCannotDo() async {
    let condition = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = List<OrderedItem>().where { $0.id == 1 }
    }
    #expect(trapSaid("This method may only be called on List instances", condition))
    let sort = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = List<OrderedItem>().sorted(byKeyPath: "id")
    }
    #expect(trapSaid("This method may only be called on List instances", sort))
    let distinct = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = List<OrderedItem>().distinct(by: ["id"])
    }
    #expect(trapSaid("This method may only be called on List instances", distinct))
    let freeze = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = List<Int>().freeze()
    }
    #expect(trapSaid("This method may only be called on List instances", freeze))
    let thaw = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = List<Int>().thaw()
    }
    #expect(trapSaid("This method may only be called on List instances", thaw))
    let observe = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = List<Int>().observe { _ in }
    }
    #expect(trapSaid("Change notifications are only supported on managed collections", observe))
  }

  @Test func observingWhatDoesNotChange() async {
    let frozen = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread { _ = try Ordered.owner().owner.ints.freeze().observe { _ in } }
    }
    #expect(trapSaid("Frozen Realms do not change", frozen))
    let written = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread {
        let (realm, owner) = try Ordered.owner()
        try realm.write {
          owner.ints.append(1)
          _ = owner.ints.observe { _ in }
        }
      }
    }
    #expect(trapSaid("after making changes in a write transaction", written))
  }
}
