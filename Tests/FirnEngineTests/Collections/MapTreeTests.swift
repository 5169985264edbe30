import FirnEngine
import TestSupport
import Testing

@Suite struct MapTreeTests {
  /// Random changes of many entries against Swift's dictionary; held versions are compared at the end, and the keys that
  /// change sets tell lead from each to the next.
  @Test func behavesLikeADictionary() throws {
    let seed: UInt64 = 11
    print("MapTree seed \(seed)")
    var random = SeededGenerator(seed)
    let owner = try CollectionOwner(.string, isNullable: true)
    var model: [String: String?] = [:]
    var held: [(Version, [String: String?])] = []
    for step in 0..<10 {
      held.append((owner.graph.holdHead(), model))
      try owner.write { writer in
        for _ in 0..<2_000 {
          let name = "key \(random.below(8_000))"
          if random.chance(step % 4 == 3 ? 20 : 80) {
            let value: String? = random.chance(10) ? nil : "value \(random.below(5))"
            let isNew = owner.set(value.map { Value($0) } ?? .null, name, writer)
            #expect(isNew == (model.updateValue(value, forKey: name) == nil))
          } else {
            #expect(owner.remove(name, writer) == (model.removeValue(forKey: name) != nil))
          }
        }
      }
    }
    held.append((owner.graph.holdHead(), model))
    for (version, model) in held {
      version.contents.checkInvariants()
      let names = model.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      #expect(owner.names(version.contents) == names)
      let values = owner.elements(version.contents, CollectionOwner.map)
      #expect(values == names.map { model[$0]!.map { Value($0) } ?? .null })
    }
    for ((old, before), (new, after)) in zip(held, held.dropFirst()) {
      let changes = changes(owner, old, new)
      #expect(Set(changes.deletions) == Set(before.keys).subtracting(after.keys))
      #expect(Set(changes.insertions) == Set(after.keys).subtracting(before.keys))
      #expect(Set(changes.modifications) == Set(after.keys.filter { before[$0] != nil && before[$0] != after[$0] }))
    }
    try owner.write { $0.removeAll(of: CollectionOwner.map, of: owner.row, in: CollectionOwner.table) }
    held = []
    owner.graph.checkInvariants()
  }

  private func root(_ owner: CollectionOwner, _ version: Version) -> UnsafeRawPointer? {
    let column = owner.graph.layout.tables[0].columns[CollectionOwner.map.index]
    return version.contents.listRoot(column, of: owner.row, in: CollectionOwner.table)
  }

  /// By comparing the versions.
  private func changes(_ owner: CollectionOwner, _ old: Version, _ new: Version) -> MapKeyChanges {
    let lists = ChangeSet(from: old.contents, to: new.contents).tables[0].lists
    guard let delta = lists[ListID(row: owner.row, column: CollectionOwner.map)] else { return MapKeyChanges() }
    return MapKeyChanges(delta, from: root(owner, old), to: root(owner, new))
  }

  /// What commits tell of their operations, and what they come to together.
  @Test func changesOfKeysCompose() throws {
    let owner = try CollectionOwner(.int)
    try owner.write { writer in for name in ["a", "b", "c", "d"] { owner.set(.int(1), name, writer) } }
    let follower = owner.graph.followChanges(from: owner.graph.head)
    var merged = MapKeyChanges()
    func commit(_ body: (Writer) -> Void) throws -> MapKeyChanges {
      let old = owner.graph.holdHead()
      try owner.write(body)
      let new = owner.graph.holdHead()
      let delta = owner.graph.changes(from: old, to: new).tables[0].lists[
        ListID(row: owner.row, column: CollectionOwner.map)]
      let changes = MapKeyChanges(try #require(delta), from: root(owner, old), to: root(owner, new))
      merged.merge(changes)
      return changes
    }
    var found = try commit { writer in
      owner.set(.int(1), "b", writer)
      owner.set(.int(2), "bb", writer)
      owner.remove("c", writer)
      owner.remove("d", writer)
      owner.set(.int(1), "d", writer)
      owner.set(.int(1), "e", writer)
      owner.remove("e", writer)
    }
    #expect(found.deletions == ["c", "d"] && found.insertions == ["bb", "d"] && found.modifications == ["b"])
    #expect(merged == found)
    found = try commit { writer in
      owner.remove("a", writer)
      owner.remove("b", writer)
      owner.set(.int(5), "bb", writer)
      owner.set(.int(5), "c", writer)
      owner.remove("d", writer)
    }
    #expect(found.deletions == ["a", "b", "d"] && found.insertions == ["c"] && found.modifications == ["bb"])
    #expect(merged.deletions == ["a", "b", "c", "d"] && merged.insertions == ["bb", "c"])
    #expect(merged.modifications.isEmpty)
    withExtendedLifetime(follower) {}
  }

  /// Keys are bytes: no normal form, no length that is special.
  @Test func keysAreTheirBytes() throws {
    let owner = try CollectionOwner(.int)
    let names = ["", "\u{0}", "e\u{301}", "long enough for a block", "seven77", "\u{e9}"]
    try owner.write { writer in
      for (index, name) in names.enumerated() { #expect(owner.set(.int(Int64(index)), name, writer)) }
    }
    let version = owner.graph.holdHead()
    #expect(owner.names(version.contents).map { Array($0.utf8) } == names.map { Array($0.utf8) })
    for (index, name) in names.enumerated() {
      let value = version.contents.mapValue(
        forKey: Array(name.utf8), CollectionOwner.map, of: owner.row, in: CollectionOwner.table)
      #expect(value == .int(Int64(index)))
    }
    let absent = version.contents.mapValue(
      forKey: [7], CollectionOwner.map, of: owner.row, in: CollectionOwner.table)
    #expect(absent == nil)
  }
}
