import Firn
import Foundation
import TestSupport
import Testing

private final class SortedOwner: Object {
  @Persisted var word: String?
  @Persisted var words: List<String?>
  @Persisted var set: MutableSet<String?>
  @Persisted var map: Map<String, String?>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class SortedLine: Projection<SortedOwner> {
  @Projected(\SortedOwner.word) var word
}

/// Every way to sort, with what it does unless it is told: ascending, and nulls first.
@Suite struct SortingDefaultsTests {
  @Test func allWaysToSortAgree() throws {
    try onOwnThread {
      let realm = try Realm(
        configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [SortedOwner.self]))
      let words: [String?] = ["b", nil, "a"]
      try realm.write { for word in words { realm.create(SortedOwner.self).word = word } }
      let objects = realm.objects(SortedOwner.self)
      let lines = realm.objects(SortedLine.self)
      let owner = objects[0]
      try realm.write {
        owner.words.append(objectsIn: words)
        owner.set.insert(objectsIn: words)
        for (key, word) in zip(["x", "y", "z"], words) { owner.map[key] = .some(word) }
      }
      typealias Descriptor = Firn.SortDescriptor
      let usual: [(String, [String?])] = [
        ("objects by a name", objects.sorted(byKeyPath: "word").map(\.word)),
        ("objects by a key path", objects.sorted(by: \.word).map(\.word)),
        ("objects by the name of a descriptor", objects.sorted(by: [Descriptor(keyPath: "word")]).map(\.word)),
        (
          "objects by the key path of a descriptor",
          objects.sorted(by: [Descriptor(keyPath: \SortedOwner.word)]).map(\.word)
        ),
        ("projections by a key path", lines.sorted(by: \.word).map(\.word)),
        (
          "projections by the key path of a descriptor",
          lines.sorted(by: [Descriptor(keyPath: \SortedLine.word)]).map(\.word)
        ),
        ("a list", Array(owner.words.sorted())), ("a list by a name", Array(owner.words.sorted(byKeyPath: "self"))),
        ("a set", Array(owner.set.sorted())), ("a map", Array(owner.map.sorted())),
        ("a map by a name", Array(owner.map.sorted(byKeyPath: "self"))),
      ]
      for (name, found) in usual { #expect(found == [nil, "a", "b"], "\(name)") }
      let descending: [(String, [String?])] = [
        ("objects", objects.sorted(by: \.word, ascending: false).map(\.word)),
        ("projections", lines.sorted(by: \.word, ascending: false).map(\.word)),
        (
          "descriptors of projections",
          lines.sorted(by: [Descriptor(keyPath: \SortedLine.word, ascending: false)]).map(\.word)
        ),
        ("a list", Array(owner.words.sorted(ascending: false))),
        ("a map", Array(owner.map.sorted(ascending: false))),
      ]
      for (name, found) in descending { #expect(found == ["b", "a", nil], "\(name)") }
      let last: [(String, [String?])] = [
        ("objects", objects.sorted(by: \.word, nilsLast: true).map(\.word)),
        ("projections", lines.sorted(by: \.word, nilsLast: true).map(\.word)),
        (
          "descriptors of projections",
          lines.sorted(by: [Descriptor(keyPath: \SortedLine.word, nilsLast: true)]).map(\.word)
        ),
        ("a list", Array(owner.words.sorted(nilsLast: true))), ("a map", Array(owner.map.sorted(nilsLast: true))),
      ]
      for (name, found) in last { #expect(found == ["a", "b", nil], "\(name)") }
    }
  }
}
