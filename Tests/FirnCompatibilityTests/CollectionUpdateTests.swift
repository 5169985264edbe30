import Firn
import Foundation
import Testing

/// What observers of sets, maps and lists hear of objects that are created again with an update policy.
@Suite struct CollectionUpdateTests {
  /// The calls of an observer, as text.
  private final class Heard {
    private var calls: [String] = []

    func take<C>(_ change: RealmCollectionChange<C>) {
      guard case .update(_, let deletions, let insertions, let modifications) = change else { return }
      calls.append("-\(deletions) +\(insertions) ~\(modifications)")
    }

    func take<M>(_ change: RealmMapChange<M>) where M.Key == String {
      guard case .update(_, let deletions, let insertions, let modifications) = change else { return }
      calls.append("-\(deletions.joined()) +\(insertions.joined()) ~\(modifications.joined())")
    }

    /// What came since the last time.
    func since() -> String {
      defer { calls = [] }
      return calls.joined(separator: " ")
    }
  }

  @Test func setsTellWhatDiffersOrEverything() throws {
    try onOwnThread {
      let realm = try SetsAndMaps.realm()
      let owner = try SetsAndMaps.setOwner(realm) { owner in
        owner.ints.insert(objectsIn: [1, 2, 3])
        owner.items.insert(objectsIn: [SetsItem(1), SetsItem(2)])
      }
      let (ints, items) = (Heard(), Heard())
      let tokens = [owner.ints.observe { ints.take($0) }, owner.items.observe { items.take($0) }]
      realm.refresh()
      func told(_ value: [String: Any], _ policy: Realm.UpdatePolicy) throws -> [String] {
        try realm.write { _ = realm.create(SetsOwner.self, value: value, update: policy) }
        realm.refresh()
        return [ints.since(), items.since()]
      }
      #expect(try told(["id": 0, "ints": [2, 3, 4]], .modified) == ["-[0] +[2] ~[]", ""])
      #expect(try told(["id": 0, "ints": [4, 3, 2]], .modified) == ["", ""], "what is there already is not told")
      #expect(try told(["id": 0, "ints": [4, 3, 2]], .all) == ["-[0, 1, 2] +[0, 1, 2] ~[]", ""], "replaced")
      let written: [String: Any] = ["id": 0, "items": [["id": 1, "number": 5], ["id": 2]]]
      #expect(try told(written, .modified) == ["", "-[] +[] ~[0]"], "an object in the set was written")
      #expect(try told(written, .modified) == ["", ""])
      #expect(try told(["id": 0, "items": [["id": 2], ["id": 3]]], .modified) == ["", "-[0] +[1] ~[]"])
      #expect(try told(["id": 0, "items": [["id": 2], ["id": 3]]], .all) == ["", "-[0, 1] +[0, 1] ~[]"])
      #expect(try told(["id": 0, "ints": NSNull()], .modified) == ["-[0, 1, 2] +[] ~[]", ""])
      let same = SetsOwner()
      same.items.insert(objectsIn: [SetsItem(2), SetsItem(3)])
      try realm.write { realm.add(same, update: .modified) }
      realm.refresh()
      #expect([ints.since(), items.since()] == ["", ""])
      for token in tokens { token.invalidate() }
    }
  }

  @Test func mapsTellWhatDiffersOrEverything() throws {
    try onOwnThread {
      let realm = try SetsAndMaps.realm()
      let owner = try SetsAndMaps.mapOwner(realm) { owner in
        owner.ints["a"] = 1
        owner.ints["b"] = 2
        owner.items["x"] = SetsItem(1)
        owner.items["y"] = SetsItem(2)
      }
      let (ints, items) = (Heard(), Heard())
      let tokens = [owner.ints.observe { ints.take($0) }, owner.items.observe { items.take($0) }]
      realm.refresh()
      func told(_ value: [String: Any], _ policy: Realm.UpdatePolicy) throws -> [String] {
        try realm.write { _ = realm.create(MapsOwner.self, value: value, update: policy) }
        realm.refresh()
        return [ints.since(), items.since()]
      }
      #expect(try told(["id": 0, "ints": ["b": 2, "c": 3]], .modified) == ["-a +c ~", ""])
      #expect(try told(["id": 0, "ints": ["b": 9, "c": 3]], .modified) == ["- + ~b", ""])
      #expect(try told(["id": 0, "ints": ["b": 9, "c": 3]], .modified) == ["", ""])
      #expect(try told(["id": 0, "ints": ["b": 9, "c": 3]], .all) == ["-bc +bc ~", ""])
      let written: [String: Any] = ["id": 0, "items": ["x": ["id": 1, "number": 6], "y": ["id": 2]]]
      #expect(try told(written, .modified) == ["", "- + ~x"])
      #expect(try told(["id": 0, "items": ["x": ["id": 3]]], .modified) == ["", "-y + ~x"], "another object")
      #expect(try told(["id": 0, "items": ["x": NSNull()]], .modified) == ["", "- + ~x"])
      #expect(try told(["id": 0, "items": ["x": NSNull(), "z": ["id": 1]]], .all) == ["", "-x +xz ~"])
      for token in tokens { token.invalidate() }
    }
  }

  @Test func listsTellWhatDiffersOrEverything() throws {
    try onOwnThread {
      let (realm, owner) = try Ordered.owner { owner in
        owner.ints.append(objectsIn: [1, 2, 3])
        owner.items.append(objectsIn: [OrderedItem(1), OrderedItem(2)])
      }
      let (ints, items) = (Heard(), Heard())
      let tokens = [owner.ints.observe { ints.take($0) }, owner.items.observe { items.take($0) }]
      realm.refresh()
      func told(_ value: [String: Any], _ policy: Realm.UpdatePolicy) throws -> [String] {
        try realm.write { _ = realm.create(OrderedOwner.self, value: value, update: policy) }
        realm.refresh()
        return [ints.since(), items.since()]
      }
      #expect(try told(["id": 0, "ints": [1, 5, 3, 4]], .modified) == ["-[] +[3] ~[1]", ""])
      #expect(try told(["id": 0, "ints": [1, 5]], .modified) == ["-[2, 3] +[] ~[]", ""])
      #expect(try told(["id": 0, "ints": [1, 5]], .all) == ["-[0, 1] +[0, 1] ~[]", ""])
      #expect(try told(["id": 0, "items": [["id": 1, "number": 3], ["id": 2]]], .modified) == ["", "-[] +[] ~[0]"])
      #expect(try told(["id": 0, "items": [["id": 2]]], .modified) == ["", "-[1] +[] ~[0]"])
      for token in tokens { token.invalidate() }
    }
  }
}
