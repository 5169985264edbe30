import Firn
import Foundation
import Testing

/// Objects by paths of names and by several names.
@Suite struct ObjectKeyPathTests {
  private func fill(_ owner: OrderedOwner) {
    let items = (0..<3).map { OrderedItem($0, "n\($0)", number: 10 * $0) }
    items[0].next = items[1]
    items[0].place = OrderedPlace(value: ["name": "here"])
    items[0].notes["k"] = "note"
    items[0].friends.append(objectsIn: [items[1], items[2]])
    owner.items.append(objectsIn: items)
    owner.itemMap["a"] = items[2]
  }

  private func forms() throws -> [(OrderedOwner, write: (() -> Void) throws -> Void)] {
    let unmanaged = OrderedOwner()
    fill(unmanaged)
    let (realm, owner) = try Ordered.owner(fill)
    return [(unmanaged, { $0() }), (owner, { block in try realm.write(block) })]
  }

  @Test func reading() throws {
    for (owner, _) in try forms() {
      let item = owner.items[0]
      #expect(item.value(forKeyPath: "name") as? String == "n0")
      #expect(item.value(forKeyPath: "next.name") as? String == "n1")
      #expect(item.value(forKeyPath: "place.name") as? String == "here")
      #expect(item.value(forKeyPath: "next.next.name") == nil && item.value(forKeyPath: "next.next") == nil)
      #expect(item.value(forKeyPath: "next.small") as? Int8 == 0 && item.value(forKeyPath: "next.small") as? Int == 0)
      #expect(item.value(forKeyPath: "notes.k") as? String == "note" && item.value(forKeyPath: "notes.x") == nil)
      #expect(item.value(forKeyPath: "friends.name") as? [String] == ["n1", "n2"])
      #expect(owner.value(forKeyPath: "items.@max.number") as? Int == 20)
      #expect(owner.value(forKeyPath: "itemMap.a.number") as? Int == 20)
    }
  }

  @Test func writing() throws {
    for (owner, write) in try forms() {
      let item = owner.items[0]
      try write {
        item.setValue("zero", forKeyPath: "name")
        item.setValue("one", forKeyPath: "next.name")
        item.setValue("there", forKeyPath: "place.name")
        item.setValue("nowhere", forKeyPath: "next.next.name")
        item.setValue("new", forKeyPath: "notes.n")
        item.setValue(7, forKeyPath: "friends.number")
        item.setValue(5, forKeyPath: "friends.friends.number")
        owner.setValue(nil, forKeyPath: "itemMap.a.name")
      }
      #expect(owner.items.map(\.name) == ["zero", "one", nil] && item.place?.name == "there")
      #expect(item.notes["n"] == "new" && owner.items.map(\.number) == [0, 7, 7])
      try write {
        item.next?.friends.append(item)
        item.setValue(5, forKeyPath: "friends.friends.number")
      }
      #expect(owner.items.map(\.number) == [5, 7, 7], "behind two collections")
    }
  }

  @Test func severalNames() throws {
    for (owner, write) in try forms() {
      let item = owner.items[1]
      let values = item.dictionaryWithValues(forKeys: ["name", "number", "next", "name"])
      #expect(values.count == 3 && values["name"] as? String == "n1" && values["number"] as? Int == 10)
      #expect(values["next"] is NSNull)
      #expect(item.dictionaryWithValues(forKeys: []).isEmpty)
      try write {
        item.setValuesForKeys(["name": NSNull(), "number": Int8(3), "next": owner.items[2], "tags": ["a", "b"]])
        owner.items[2].setValuesForKeys(values)
      }
      #expect(item.name == nil && item.number == 3 && item.next == owner.items[2] && Array(item.tags) == ["a", "b"])
      #expect(owner.items[2].name == "n1" && owner.items[2].number == 10, "what was read may be set")
    }
  }

  @Test func whatCannotBe() async {
    let name = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = OrderedItem(1).value(forKeyPath: "nothing.name")
    }
    #expect(trapSaid("Invalid property name 'nothing'", name))
    let beyond = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      OrderedItem(1).setValue(1, forKeyPath: "number.bits")
    }
    #expect(trapSaid("Invalid key path 'bits': a value of type 'Int' has no properties", beyond))
    let several = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      OrderedItem(1).setValuesForKeys(["nothing": 1])
    }
    #expect(trapSaid("Invalid property name 'nothing'", several))
    let outside = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let owner = try Ordered.owner { $0.items.append(OrderedItem(1)) }.owner
      owner.setValue(1, forKeyPath: "items.number")
    }
    #expect(trapSaid("outside of a write transaction", outside))
  }
}
