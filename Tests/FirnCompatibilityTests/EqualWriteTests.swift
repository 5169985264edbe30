import Firn
import Foundation
import Testing

/// `Configuration.skipsEqualWrites`: what is assigned again is no change.
@Suite struct EqualWriteTests {
  private static func fill(_ object: CreatingScalars) {
    object.flag = true
    object.small = 3
    object.large = 1 << 40
    object.single = 1.5
    object.double = 2.5
    object.text = "a text that is too long for a few bytes"
    object.data = Data([1, 2])
    object.date = Date(timeIntervalSinceReferenceDate: 7)
    object.uuid = UUID(uuidString: "4A8F2D10-0000-4000-8000-000000000001") ?? UUID()
    object.kind = .fancy
    object.maybeInt = nil
    object.maybeText = "t"
    object.maybeDouble = 0
  }

  private static func fill(_ object: CreatingKeyed, _ other: CreatingKeyed) {
    object.note = "n"
    object.parent = other
    object.loose = nil
    if object.tags.count == 2 { object.tags[1] = "a text that is too long for a few bytes" }
    if object.parts.count == 1 { object.parts[0] = other }
    let tags = List<String>()
    tags.append(objectsIn: ["x", "a text that is too long for a few bytes"])
    object.tags = tags
    let parts = List<CreatingKeyed>()
    parts.append(other)
    object.parts = parts
  }

  @Test func equalAssignmentsAreNoChange() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("firn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var configuration = Realm.Configuration(
      fileURL: folder.appendingPathComponent("equal.realm"),
      objectTypes: [CreatingScalars.self, CreatingKeyed.self, CreatingLoose.self])
    configuration.skipsEqualWrites = true
    let store = try await RealmStore.open(configuration)
    func write() async throws {
      try await store.write { realm in
        let scalars = realm.objects(CreatingScalars.self).first ?? realm.create(CreatingScalars.self)
        Self.fill(scalars)
        let keyed = realm.create(CreatingKeyed.self, value: ["id": 1], update: .all)
        let other = realm.create(CreatingKeyed.self, value: ["id": 2, "tags": ["b"]] as [String: Any], update: .all)
        Self.fill(keyed, other)
        keyed.loose?.numbers.removeAll()
      }
    }
    try await write()
    let (version, bytes) = (store.freeze().version, store.statistics.files?.journalByteCount)
    try await write()
    #expect(store.freeze().version == version, "no new version")
    #expect(store.statistics.files?.journalByteCount == bytes, "and nothing in the journal")
    try await store.write { realm in
      realm.objects(CreatingScalars.self).first?.double = -0.0
      realm.objects(CreatingScalars.self).first?.maybeDouble = -0.0
    }
    let scalars = store.freeze().objects(CreatingScalars.self).first
    #expect(scalars?.double.sign == .minus && scalars?.maybeDouble?.sign == .minus, "0 and -0 are not the same")
    try await store.write { realm in
      let keyed = realm.object(ofType: CreatingKeyed.self, forPrimaryKey: 1)
      keyed?.tags[0] = "y"
      keyed?.note = nil
    }
    let keyed = store.freeze().object(ofType: CreatingKeyed.self, forPrimaryKey: 1)
    #expect(keyed?.tags.first == "y" && keyed?.tags.count == 2 && keyed?.note == nil, "other values are written")
    try await store.close()
    let report = try RealmStore.verify(configuration)
    #expect(report.objectCounts["CreatingKeyed"] == 2)
  }

  @Test func observersHearOfRealChangesOnly() throws {
    for skips in [true, false] {
      var configuration = Realm.Configuration.creating()
      configuration.skipsEqualWrites = skips
      let opened = configuration
      let names = try onOwnThread {
        let realm = try Realm(configuration: opened)
        let object = try realm.write { realm.create(CreatingScalars.self) }
        var names: [String] = []
        let token = object.observe { (change: ObjectChange<CreatingScalars>) in
          if case .change(_, let changes) = change { names += changes.map(\.name) }
        }
        realm.refresh()
        try realm.write {
          object.large = 0
          object.text = "new"
        }
        realm.refresh()
        token.invalidate()
        return names
      }
      #expect(names == (skips ? ["text"] : ["large", "text"]))
    }
  }

  private static func openCollections(skips: Bool) throws -> Realm {
    var configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, objectTypes: [EqualCollections.self])
    configuration.skipsEqualWrites = skips
    return try Realm(configuration: configuration)
  }

  @Test(arguments: [false, true]) func bitsDecideInCollections(skips: Bool) throws {
    try onOwnThread {
      let realm = try Self.openCollections(skips: skips)
      let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
      let object = try realm.write {
        realm.create(
          EqualCollections.self,
          value: [
            "list": [0.0, 1], "set": [0.0, 1], "map": ["a": 0.0, composed: 1], "words": [composed, "x"],
            "any": [0.0, [1, 2]], "floats": [Float(0)],
          ] as [String: Any])
      }
      let new = EqualCollections()
      new.list.append(objectsIn: [-0.0, 1])
      new.set.insert(objectsIn: [-0.0, 1])
      new.floats.insert(-0.0)
      new.map["a"] = -0.0
      new.map[decomposed] = 1
      new.words.insert(objectsIn: [decomposed, "x"])
      try realm.write {
        object.list = new.list
        object.set = new.set
        object.floats = new.floats
        object.map = new.map
        object.words = new.words
        object.any = .fromArray([.double(-0.0), .fromArray([.int(1), .int(2)])])
      }
      #expect(object.list[0].sign == .minus && object.list.count == 2)
      #expect(
        object.set.count == 2 && object.set.first { $0 == 0 }?.sign == .minus && object.floats.first?.sign == .minus)
      #expect(object.map.count == 2 && object.map["a"]?.sign == .minus && object.map[decomposed] == 1)
      #expect(object.map[composed] == nil, "keys are the same when their bytes are")
      #expect(object.words.count == 2 && object.words.contains(decomposed) && !object.words.contains(composed))
      #expect(object.any.listValue?[0].doubleValue?.sign == .minus)
    }
  }

  @Test(arguments: [false, true]) func aNestedCollectionAssignedToItsOwnPlaceIsNoChange(skips: Bool) throws {
    try onOwnThread {
      let realm = try Self.openCollections(skips: skips)
      let object = try realm.write {
        realm.create(
          EqualCollections.self,
          value: ["any": ["a": [1, 2], "b": ["c": 3]], "anys": [[1, 2], 5], "byName": ["k": [7]]] as [String: Any])
      }
      let nested = try #require(object.any.dictionaryValue?["a"]?.listValue)
      var changes = 0
      let token = nested.observe { change in
        if case .initial = change { return }
        changes += 1
      }
      realm.refresh()
      try realm.write {
        object.any = object.any
        object.any.dictionaryValue?["a"] = object.any.dictionaryValue?["a"]
        object.anys[0] = object.anys[0]
        object.byName["k"] = object.byName["k"]
      }
      realm.refresh()
      #expect(changes == 0 && !nested.isInvalidated && Array(nested) == [.int(1), .int(2)])
      #expect(object.any.dictionaryValue?["b"]?.dictionaryValue?["c"] == .int(3))
      #expect(object.anys[0].listValue?.count == 2 && object.byName["k"]?.listValue?.first == .int(7))
      // Another place gets a copy, and the first keeps its own.
      try realm.write { object.anys[1] = object.anys[0] }
      try realm.write { object.anys[1].listValue?.append(.int(3)) }
      #expect(object.anys[0].listValue?.count == 2 && object.anys[1].listValue?.count == 3)
      token.invalidate()
    }
  }
}

final class EqualCollections: Object {
  @Persisted var list: List<Double>
  @Persisted var set: MutableSet<Double>
  @Persisted var floats: MutableSet<Float>
  @Persisted var map: Map<String, Double>
  @Persisted var words: MutableSet<String>
  @Persisted var any: AnyRealmValue
  @Persisted var anys: List<AnyRealmValue>
  @Persisted var byName: Map<String, AnyRealmValue>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
