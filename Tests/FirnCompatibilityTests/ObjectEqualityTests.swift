import Firn
import Testing

final class EqualByName: Object {
  @Persisted var name: String

  override func isEqual(_ object: Any?) -> Bool { (object as? EqualByName)?.name == name }
  override func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

final class EqualHolder: Object {
  @Persisted var list: List<EqualByName>
  @Persisted var mixed: List<AnyRealmValue>
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

  /// `index(of:)` and the methods of the standard library find the same.
  @Test func inCollections() throws {
    let (first, second, other) = (EqualByName(value: ["a"]), EqualByName(value: ["a"]), EqualByName(value: ["b"]))
    let list = List<EqualByName>()
    list.append(objectsIn: [other, first, other, first])
    #expect(list.index(of: second) == 1 && list.firstIndex(of: second) == 1 && list.lastIndex(of: second) == 3)
    #expect(list.index(of: EqualByName(value: ["c"])) == nil && !list.contains(EqualByName(value: ["c"])))
    let mixed = List<AnyRealmValue>()
    mixed.append(objectsIn: [.int(1), .object(first)])
    #expect(mixed.index(of: .object(second)) == 1 && mixed.contains(.object(second)))

    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: "\(#function)", objectTypes: [EqualByName.self, EqualHolder.self]))
    let holder = EqualHolder()
    holder.list.append(objectsIn: [other, first, second, first])
    holder.mixed.append(objectsIn: [.object(first), .object(second), .string("\u{e9}")])
    try realm.write { realm.add(holder) }
    let (managed, values) = (holder.list, holder.mixed)
    #expect(managed.index(of: second) == 2 && managed.firstIndex(of: second) == 2 && managed.contains(second))
    #expect(managed.lastIndex(of: first) == 3 && managed.lastIndex(of: second) == 2)
    #expect(values.index(of: .object(second)) == 1 && values.firstIndex(of: .object(second)) == 1)
    let unmanaged = EqualByName(value: ["a"])
    #expect(
      managed.index(of: unmanaged) == nil && !managed.contains(unmanaged) && managed.lastIndex(of: unmanaged) == nil)
    #expect(values.index(of: .object(unmanaged)) == nil && !values.contains(.object(unmanaged)))
    #expect(!values.contains(.string("e\u{301}")) && values.firstIndex(of: .string("\u{e9}")) == 2)
    let all = realm.objects(EqualByName.self)
    #expect(all.contains(second) && all.firstIndex(of: second) == all.index(of: second) && !all.contains(unmanaged))
    try realm.write { realm.delete(second) }
    #expect(!managed.contains(second) && managed.firstIndex(of: second) == nil && !all.contains(second))
    let elsewhere = try Realm(
      configuration: Realm.Configuration(inMemoryIdentifier: "\(#function) 2", objectTypes: [EqualByName.self]))
    let foreign = try elsewhere.write { elsewhere.create(EqualByName.self, value: ["a"]) }
    #expect(!managed.contains(foreign) && managed.lastIndex(of: foreign) == nil)
  }

  @Test func notOverridden() {
    let (first, second) = (OrderedItem(1), OrderedItem(1))
    #expect(first.isEqual(first) && !first.isEqual(second) && !first.isEqual(nil) && first != second)
  }
}
