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
}
