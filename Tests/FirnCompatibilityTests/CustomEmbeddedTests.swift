import Firn
import Foundation
import Testing

final class CustomCoordinateObject: EmbeddedObject {
  @Persisted var latitude: Double
  @Persisted var longitude: Double
  @Persisted var label: String?
  @Persisted var mood: ValMood = .angry
}

struct CustomCoordinate: CustomPersistable, Codable {
  typealias PersistedType = CustomCoordinateObject
  var latitude: Double
  var longitude: Double
  var label: String?

  init(_ latitude: Double, _ longitude: Double, _ label: String? = nil) {
    self.latitude = latitude
    self.longitude = longitude
    self.label = label
  }

  init(persistedValue: CustomCoordinateObject) {
    self.init(persistedValue.latitude, persistedValue.longitude, persistedValue.label)
  }

  var persistableValue: CustomCoordinateObject {
    CustomCoordinateObject(value: [latitude, longitude, label as Any] as [Any])
  }
}

final class CustomSpanObject: EmbeddedObject {
  @Persisted var start: Int
  @Persisted var end: Int
}

struct CustomSpan: FailableCustomPersistable {
  typealias PersistedType = CustomSpanObject
  let range: Range<Int>

  init(_ range: Range<Int>) { self.range = range }

  init?(persistedValue: CustomSpanObject) {
    if persistedValue.end < persistedValue.start { return nil }
    range = persistedValue.start..<persistedValue.end
  }

  var persistableValue: CustomSpanObject { CustomSpanObject(value: [range.lowerBound, range.upperBound]) }
}

final class CustomPlace: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var at: CustomCoordinate
  @Persisted var maybe: CustomCoordinate?
  @Persisted var home = CustomCoordinate(1, 2, "home")
  @Persisted var path: List<CustomCoordinate>
  @Persisted var named: Map<String, CustomCoordinate>
  @Persisted var perhaps: Map<String, CustomCoordinate?>
  @Persisted var span = CustomSpan(1..<2)
  @Persisted var maybeSpan: CustomSpan?
  @Persisted var spans: Map<String, CustomSpan?>
  @Persisted var next: CustomPlace?

  convenience init(_ id: Int, _ at: CustomCoordinate = CustomCoordinate(0, 0)) {
    self.init()
    self.id = id
    self.at = at
  }
}

/// The same table by its stored types.
final class CustomRawPlace: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var at: CustomCoordinateObject?
  @Persisted var maybe: CustomCoordinateObject?
  @Persisted var home: CustomCoordinateObject?
  @Persisted var path: List<CustomCoordinateObject>
  @Persisted var named: Map<String, CustomCoordinateObject?>
  @Persisted var perhaps: Map<String, CustomCoordinateObject?>
  @Persisted var span: CustomSpanObject?
  @Persisted var maybeSpan: CustomSpanObject?
  @Persisted var spans: Map<String, CustomSpanObject?>
  @Persisted var next: CustomRawPlace?

  override class func _realmObjectName() -> String? { "CustomPlace" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Custom types that are stored as embedded objects: section 25.1.
@Suite struct CustomEmbeddedTests {
  static let types = [CustomPlace.self, CustomCoordinateObject.self, CustomSpanObject.self] as [ObjectBase.Type]

  static func open(skipsEqualWrites: Bool = false) throws -> Realm {
    var configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: types)
    configuration.skipsEqualWrites = skipsEqualWrites
    return try Realm(configuration: configuration)
  }

  private func coordinates(_ realm: Realm) -> Int { realm.dynamicObjects("CustomCoordinateObject").count }

  @Test func unmanagedObjectsHoldTheCustomValue() {
    let place = CustomPlace(1)
    #expect(place.at == CustomCoordinate(0, 0) && place.maybe == nil && place.home.label == "home")
    #expect(place.span.range == 1..<2 && place.maybeSpan == nil && place.path.isEmpty && place.named.isEmpty)
    place.at.latitude = 5
    place.path.append(CustomCoordinate(3, 4))
    place.named["a"] = CustomCoordinate(5, 6)
    #expect(place.at.latitude == 5 && place.path[0].longitude == 4 && place.named["a"]?.latitude == 5)
    let stored = place["at"] as? CustomCoordinateObject
    #expect(stored?.latitude == 5 && stored?.realm == nil, "by name the stored form")
    #expect(place["maybe"] == nil)
    #expect(place.path.index(of: CustomCoordinate(3, 4)) == 0)
    let values = Set([CustomCoordinate(1, 2), CustomCoordinate(1, 2), CustomCoordinate(1, 3)])
    #expect(values.count == 2, "hashed by the members of what is stored")
  }

  @Test func managedObjectsOwnOneObjectForEachValue() throws {
    try onOwnThread {
      let realm = try Self.open()
      let place = CustomPlace(1, CustomCoordinate(7, 8, "l"))
      let path = place.path
      path.append(objectsIn: [CustomCoordinate(1, 1), CustomCoordinate(2, 2)])
      place.named["a"] = CustomCoordinate(3, 3)
      place.perhaps["b"] = .some(nil)
      try realm.write { realm.add(place) }
      #expect(
        place.at == CustomCoordinate(7, 8, "l") && place.maybe == nil && place.home == CustomCoordinate(1, 2, "home"))
      #expect(place.path === path && Array(path) == [CustomCoordinate(1, 1), CustomCoordinate(2, 2)])
      #expect(
        place.named["a"] == CustomCoordinate(3, 3) && place.perhaps["b"] == .some(nil) && place.perhaps["c"] == nil)
      #expect(place.span.range == 1..<2 && coordinates(realm) == 5)
      try realm.write {
        place.at.longitude = 9
        place.maybe = place.at
        path[0] = CustomCoordinate(4, 4)
        path.append(place.home)
        path.move(from: 2, to: 0)
        place.named["b"] = CustomCoordinate(5, 5)
        place.perhaps["b"] = CustomCoordinate(6, 6)
        place.maybeSpan = CustomSpan(3..<9)
      }
      #expect(place.at == CustomCoordinate(7, 9, "l") && place.maybe == place.at)
      #expect(path.map(\.latitude) == [1, 4, 2] && path.index(of: CustomCoordinate(4, 4)) == 1)
      #expect(place.named.values.map(\.latitude) == [3, 5] && place.named.map(\.key) == ["a", "b"])
      #expect(place.perhaps["b"] == CustomCoordinate(6, 6) && place.maybeSpan?.range == 3..<9)
      #expect(coordinates(realm) == 9, "replaced values left nothing behind")
      let frozen = place.freeze()
      let handle = Unchecked((place, frozen))
      try onOwnThread {
        for place in [handle.value.0, handle.value.1] {
          #expect(place.at.longitude == 9 && place.maybe?.label == "l" && place.path.map(\.latitude) == [1, 4, 2])
          #expect(place.named["b"]?.latitude == 5 && place.named.values.map(\.latitude) == [3, 5])
        }
      }
      try realm.write {
        path.removeFirst()
        place.maybe = nil
        place.named["a"] = nil
        place.perhaps["b"] = .some(nil)
      }
      #expect(coordinates(realm) == 5 && frozen.path.count == 3 && frozen.maybe?.longitude == 9)
      #expect(place.description.contains("\tat = CustomCoordinateObject {\n\t\tlatitude = 7.0;"))
      #expect(path.description.hasPrefix("List<CustomCoordinateObject> <0x"))
      try realm.write { realm.delete(place) }
      #expect(coordinates(realm) == 0 && realm.dynamicObjects("CustomSpanObject").isEmpty)
      #expect(place.at == CustomCoordinate(0, 0) && place.maybe == nil && frozen.at.longitude == 9)
    }
  }

  @Test func theSchemaIsThatOfTheStoredType() throws {
    let realm = try Self.open()
    let properties = try #require(realm.schema["CustomPlace"])
    for name in ["at", "maybe", "home", "path", "named", "perhaps"] {
      let property = properties[name]
      #expect(property?.type == .object && property?.objectClassName == "CustomCoordinateObject", "\(name)")
      #expect(property?.isOptional == (name != "path"), "\(name): links and maps may be null")
    }
    #expect(properties["path"]?.isArray == true && properties["named"]?.isMap == true)
    #expect(realm.schema["CustomCoordinateObject"]?.isEmbedded == true)
  }

  @Test func namesGiveAndTakeTheStoredForm() throws {
    let realm = try Self.open()
    try realm.write {
      let place = realm.create(CustomPlace.self, value: ["id": 1, "named": ["k": [1, 2]]] as [String: Any])
      let stored = try #require(place["at"] as? CustomCoordinateObject)
      #expect(stored.realm == realm && stored.latitude == 0, "the managed object, not a copy")
      stored.latitude = 3
      #expect(place.at.latitude == 3)
      place["at"] = ["longitude": 4]
      #expect(stored.isInvalidated && place.at == CustomCoordinate(0, 4))
      place["at"] = CustomCoordinate(5, 6)
      #expect(place.at == CustomCoordinate(5, 6))
      place["at"] = CustomCoordinateObject(value: [7, 8])
      #expect(place.at == CustomCoordinate(7, 8))
      place["at"] = nil
      #expect(place.at == CustomCoordinate(0, 0) && place["at"] is CustomCoordinateObject, "nil stores the default")
      place["maybe"] = [1.5]
      #expect(place.maybe?.latitude == 1.5)
      place["maybe"] = NSNull()
      #expect(place.maybe == nil && place["maybe"] == nil)
      place["named"] = ["a": NSNull(), "b": CustomCoordinate(2, 2), "c": [3]] as [String: Any]
      #expect(place.named.values == [CustomCoordinate(0, 0), CustomCoordinate(2, 2), CustomCoordinate(3, 0)])
      #expect((place.named.value(forKey: "b") as? CustomCoordinateObject)?.realm == realm)
      place.named.setValue(CustomCoordinateObject(value: [9, 9]), forKey: "d")
      #expect(place.named["d"] == CustomCoordinate(9, 9) && place.named.value(forKey: "x") == nil)
      place["perhaps"] = ["a": nil, "b": [1]] as [String: [Double]?]
      #expect(place.perhaps["a"] == .some(nil) && place.perhaps["b"]??.latitude == 1)
      place["path"] = [[1, 1], CustomCoordinate(2, 2), ["label": "x"]] as [Any]
      #expect(place.path.map(\.label) == [nil, nil, "x"] && place.dynamicList("path")[1]["latitude"] as? Double == 2)
      let row = try #require(realm.dynamicObject(ofType: "CustomPlace", forPrimaryKey: 1))
      #expect((row.at as? EmbeddedObject)?["latitude"] as? Double == 0)
      row["at"] = [8, 9]
      #expect(place.at == CustomCoordinate(8, 9))
      row["at"] = nil
      #expect(place.at == CustomCoordinate(0, 0))
      #expect((row.path as? List<DynamicObject>)?.count == 3)
      (row.at as? EmbeddedObject)?["latitude"] = 2.5
      #expect(place.at.latitude == 2.5)
    }
  }

  @Test func storedNullsAndWhatCannotBeConverted() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("firn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("custom.firn")
    let raw = [CustomRawPlace.self, CustomCoordinateObject.self, CustomSpanObject.self] as [ObjectBase.Type]
    try onOwnThread {
      do {
        let realm = try Realm(configuration: .init(fileURL: url, objectTypes: raw))
        try realm.write {
          realm.create(
            CustomRawPlace.self,
            value: [
              "id": 1, "named": ["a": nil, "b": [1, 2]], "perhaps": ["a": nil, "b": [3]],
              "path": [[4, 5], [6]], "span": [5, 1], "maybeSpan": [5, 1],
              "spans": ["a": [5, 1], "b": [1, 5], "c": nil],
            ] as [String: Any])
        }
      }
      let report = try RealmStore.verify(.init(fileURL: url, objectTypes: Self.types))
      #expect(report.unreadableValues.map(\.propertyName) == ["span", "maybeSpan"])
      #expect(report.unreadableValues.first?.value == "start: 5, end: 1")
      let realm = try Realm(configuration: .init(fileURL: url, objectTypes: Self.types))
      let place = try #require(realm.objects(CustomPlace.self).first)
      for place in [place, place.freeze()] {
        #expect(place.at == CustomCoordinate(0, 0) && place.home == CustomCoordinate(0, 0), "made from a fresh object")
        #expect(place.maybe == nil && place.path.map(\.latitude) == [4, 6])
        #expect(place.named["a"] == CustomCoordinate(0, 0) && place.named["b"] == CustomCoordinate(1, 2))
        #expect(place.named.values.map(\.longitude) == [0, 2] && place.named.map(\.value.latitude) == [0, 1])
        #expect(place.perhaps["a"] == .some(nil) && place.perhaps["b"]??.latitude == 3)
        #expect(place.span.range == 1..<2, "the declared value")
        #expect(place.maybeSpan == nil && place.spans["a"] == .some(nil) && place.spans["b"]??.range == 1..<5)
        #expect(place.spans["c"] == .some(nil) && place.spans.values.map { $0?.range } == [nil, 1..<5, nil])
      }
      try realm.write {
        #expect(place.named.values.count == 2 && place.named["a"]?.latitude == 0, "in a transaction too")
        place.span = CustomSpan(4..<6)
      }
      #expect(place.span.range == 4..<6)
    }
  }

  @Test func creatingTakesEveryForm() throws {
    let realm = try Self.open()
    try realm.write {
      let custom = realm.create(
        CustomPlace.self,
        value: [
          "id": 1, "at": CustomCoordinate(1, 2), "maybe": CustomCoordinate(3, 4), "path": [CustomCoordinate(5, 6)],
          "named": ["k": CustomCoordinate(7, 8)], "span": CustomSpan(2..<3),
        ] as [String: Any])
      let unmanaged = CustomCoordinateObject(value: [3, 4])
      let stored = realm.create(
        CustomPlace.self,
        value: [
          "id": 2, "at": [1, 2], "maybe": unmanaged, "path": [["latitude": 5, "longitude": 6]],
          "named": ["k": [7.0, 8.0]], "span": [2, 3],
        ] as [String: Any])
      let json = try realm.create(
        CustomPlace.self,
        json: """
          {"id": 3, "at": {"latitude": 1, "longitude": 2}, "maybe": [3, 4], "path": [[5, 6]], "named": {"k": [7, 8]},
           "span": {"start": 2, "end": 3}}
          """)
      struct News: Encodable {
        var id = 4
        var at = CustomCoordinate(1, 2)
        var maybe = CustomCoordinate(3, 4)
        var path = [CustomCoordinate(5, 6)]
        var named = ["k": CustomCoordinate(7, 8)]
        var span = ["start": 2, "end": 3]
      }
      let encoded = try realm.create(CustomPlace.self, from: News())
      let copied = realm.create(
        CustomPlace.self,
        value: CustomPlace(
          value: [
            "id": 5, "at": [1, 2], "maybe": unmanaged, "path": [CustomCoordinate(5, 6)], "named": ["k": [7, 8]],
            "span": [2, 3],
          ] as [String: Any]))
      for place in [custom, stored, json, encoded, copied] {
        #expect(place.at == CustomCoordinate(1, 2) && place.maybe == CustomCoordinate(3, 4), "\(place.id)")
        #expect(Array(place.path) == [CustomCoordinate(5, 6)] && place.named["k"] == CustomCoordinate(7, 8))
        #expect(place.span.range == 2..<3 && place.home.label == "home", "\(place.id)")
      }
      #expect(unmanaged.realm == nil && coordinates(realm) == 5 * 5)
      let error = #expect(throws: Realm.Error.self) {
        try realm.create(CustomPlace.self, json: #"{"id": 9, "path": [[1], null]}"#)
      }
      #expect(error?.invalidInput?.path == "$.path[1]", "lists hold no nil")
      let wrong = #expect(throws: Realm.Error.self) {
        try realm.create(CustomPlace.self, json: #"{"id": 9, "at": {"latitude": "north"}}"#)
      }
      #expect(wrong?.invalidInput?.path == "$.at.latitude")
      let made = try realm.create(CustomPlace.self, json: #"{"id": 9, "at": null, "named": {"a": null}}"#)
      #expect(made.at == CustomCoordinate(0, 0) && made.named["a"] == CustomCoordinate(0, 0), "null is the default")
    }
    let object = CustomPlace(
      value: [
        "at": NSNull(), "path": [[1, 2]], "named": ["a": NSNull()], "perhaps": ["a": nil, "b": [1]],
        "span": [2, 4],
      ] as [String: Any])
    #expect(object.at == CustomCoordinate(0, 0) && object.path[0].longitude == 2 && object.span.range == 2..<4)
    #expect(
      object.named["a"]?.latitude == 0 && object.perhaps["a"] == .some(nil) && object.perhaps["b"]??.latitude == 1)
    object["maybe"] = [1, 2]
    #expect(object.maybe == CustomCoordinate(1, 2))
    object["maybeSpan"] = [2, 1]
    #expect(object.maybeSpan == nil)
  }

  @Test func updatesInPlaceOrByReplacing() throws {
    let realm = try Self.open()
    try realm.write {
      let place = realm.create(
        CustomPlace.self, value: ["id": 1, "at": [1, 2], "path": [[1], [2]], "named": ["a": [1]]] as [String: Any])
      let at = try #require(place["at"] as? CustomCoordinateObject)
      let first = place.dynamicList("path")[0]
      let given: [String: Any] = ["id": 1, "at": CustomCoordinate(1, 5), "path": [[3]], "named": ["a": [4], "b": [5]]]
      realm.create(CustomPlace.self, value: given, update: .modified)
      #expect(place.at == CustomCoordinate(1, 5) && !at.isInvalidated && at.longitude == 5)
      #expect(
        place.path.map(\.latitude) == [3] && !first.isInvalidated && place.named.values.map(\.latitude) == [4, 5])
      realm.create(CustomPlace.self, value: given, update: .all)
      #expect(place.at == CustomCoordinate(1, 5) && at.isInvalidated && first.isInvalidated)
      let added = CustomPlace(1, CustomCoordinate(8, 8))
      added.path.append(CustomCoordinate(9, 9))
      let kept = try #require(place["at"] as? CustomCoordinateObject)
      realm.add(added, update: .modified)
      #expect(place.at.latitude == 8 && place.path.map(\.latitude) == [9] && kept.latitude == 8 && place.named.isEmpty)
      realm.add(CustomPlace(1, CustomCoordinate(7, 7)), update: .all)
      #expect(place.at.latitude == 7 && kept.isInvalidated && coordinates(realm) == 2)
    }
  }

  @Test func queriesCompareMemberByMember() throws {
    let realm = try Self.open()
    try realm.write {
      for id in 0..<6 {
        let place = CustomPlace(id, CustomCoordinate(Double(id % 3), 1, id == 5 ? "five" : nil))
        place.maybe = id % 2 == 0 ? nil : CustomCoordinate(Double(id), 2)
        if id == 4 { place.home = place.at }
        place.next = realm.object(ofType: CustomPlace.self, forPrimaryKey: id - 1)
        realm.add(place)
      }
    }
    let all = realm.objects(CustomPlace.self)
    func ids(_ isIncluded: (Query<CustomPlace>) -> Query<Bool>) -> [Int] { all.where(isIncluded).map(\.id) }
    #expect(ids { $0.at == CustomCoordinate(2, 1) } == [2], "five has a label")
    #expect(ids { $0.at != CustomCoordinate(2, 1) } == [0, 1, 3, 4, 5])
    #expect(ids { $0.maybe == CustomCoordinate(3, 2) } == [3] && ids { $0.maybe == nil } == [0, 2, 4])
    #expect(ids { $0.maybe != CustomCoordinate(3, 2) } == [0, 1, 2, 4, 5], "a nil differs")
    #expect(ids { $0.at.in([CustomCoordinate(0, 1), CustomCoordinate(2, 1, "five")]) } == [0, 3, 5])
    #expect(ids { $0.next.at == CustomCoordinate(0, 1) } == [1, 4] && ids { $0.next.maybe != nil } == [2, 4])
    #expect(ids { $0.at == $0.home } == [4] && ids { $0.at != $0.home } == [0, 1, 2, 3, 5])
    #expect(ids { $0.maybe == $0.maybe } == [0, 1, 2, 3, 4, 5])
    #expect(ids { $0.at.persistableValue.latitude > 1 } == [2, 5])
    #expect(ids { $0.maybe.persistableValue.latitude == 5 } == [5])
    #expect(ids { $0.at.persistableValue.label == nil && !($0.at == CustomCoordinate(0, 1)) } == [1, 2, 4])
    #expect(ids { $0.at.persistableValue == CustomCoordinate(1, 1).persistableValue } == [1, 4], "declared as custom")
    #expect(ids { $0.at.persistableValue.mood == .angry }.count == 6)
    try onOwnThread { [configuration = realm.configuration] in
      var counts: [Int] = []
      let realm = try Realm(configuration: configuration)
      let near = realm.objects(CustomPlace.self).where { $0.at == CustomCoordinate(9, 9) }
      let token = near.observe { _ in counts.append(near.count) }
      realm.refresh()
      try realm.write { realm.objects(CustomPlace.self)[0].at = CustomCoordinate(9, 9) }
      realm.refresh()
      try realm.write { (realm.objects(CustomPlace.self)[0]["at"] as? CustomCoordinateObject)?.latitude = 8 }
      realm.refresh()
      #expect(counts == [0, 1, 0])
      token.invalidate()
    }
  }

  @Test func embeddedObjectsThemselvesAreComparedByRow() throws {
    let realm = try Realm(
      configuration: .init(
        inMemoryIdentifier: UUID().uuidString,
        objectTypes: [CustomRawPlace.self, CustomCoordinateObject.self, CustomSpanObject.self]))
    try realm.write {
      for id in 0..<3 {
        realm.create(CustomRawPlace.self, value: ["id": id, "at": id == 2 ? NSNull() : [1, 1]] as [String: Any])
      }
    }
    let all = realm.objects(CustomRawPlace.self)
    let at = try #require(all[1].at)
    #expect(all.where { $0.at == at }.map(\.id) == [1] && all.where { $0.at != at }.map(\.id) == [0, 2])
    #expect(all.where { $0.at == nil }.map(\.id) == [2])
    #expect(all.where { $0.at == CustomCoordinateObject(value: [1, 1]) }.isEmpty, "an unmanaged one equals nothing")
  }

  @Test func observersGetTheStoredObject() throws {
    try onOwnThread {
      let realm = try Self.open()
      let place = CustomPlace(1, CustomCoordinate(1, 1))
      try realm.write { realm.add(place) }
      var changes: [PropertyChange] = []
      var paths: [String] = []
      let tokens = [
        place.observe { (change: ObjectChange<CustomPlace>) in
          if case .change(_, let all) = change { changes += all }
        },
        place.observe(keyPaths: ["at.latitude"]) { (change: ObjectChange<CustomPlace>) in paths.append("latitude") },
        place.observe(keyPaths: [\CustomPlace.maybe]) { (change: ObjectChange<CustomPlace>) in paths.append("maybe") },
      ]
      realm.refresh()
      try realm.write {
        place.at = CustomCoordinate(2, 2)
        place.path.append(CustomCoordinate(3, 3))
      }
      realm.refresh()
      #expect(changes.map(\.name) == ["at", "path"] && paths == ["latitude"])
      #expect((changes.first?.oldValue as? CustomCoordinateObject)?.latitude == 1)
      #expect((changes.first?.newValue as? CustomCoordinateObject)?.latitude == 2 && changes.last?.newValue == nil)
      try realm.write { place.maybe = CustomCoordinate(4, 4) }
      realm.refresh()
      #expect(paths == ["latitude", "maybe"] && changes.last?.oldValue == nil)
      for token in tokens { token.invalidate() }
    }
  }

  @Test func equalWritesMayCountAsNone() throws {
    let realm = try Self.open(skipsEqualWrites: true)
    let place = CustomPlace(1, CustomCoordinate(1, .nan))
    try realm.write { realm.add(place) }
    let before = realm.freeze()
    try realm.write {
      place.at = CustomCoordinate(1, .nan)
      place.maybe = nil
    }
    #expect(realm.freeze() == before)
    try realm.write { place.at = CustomCoordinate(1, .nan, "x") }
    #expect(realm.freeze() != before && place.at.label == "x")
  }

  /// Values are read as a whole, from one version.
  @Test func valuesAreNeverTorn() async throws {
    let configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: Self.types)
    let store = try await RealmStore.open(configuration)
    try await store.write { realm in
      let place = CustomPlace(1)
      place.maybe = CustomCoordinate(0, 0)
      place.path.append(CustomCoordinate(0, 0))
      realm.add(place)
    }
    let frozen = store.freeze().objects(CustomPlace.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for step in 1...200 {
          try await store.write { realm in
            let value = CustomCoordinate(Double(step), Double(step))
            let place = realm.objects(CustomPlace.self)[0]
            place.at = value
            place.maybe = value
            place.path[0] = value
          }
        }
      }
      group.addTask {
        try onOwnThread {
          let realm = try Realm(configuration: configuration)
          let handle = Unchecked((realm, realm.objects(CustomPlace.self)[0]))
          let ended = Unchecked(DispatchSemaphore(value: 0))
          let reader = JoinedThread {
            let place = handle.value.1
            for _ in 0..<400 {
              for value in [place.at, place.maybe, place.path.first, place.path.last] as [CustomCoordinate?] {
                #expect(value?.latitude == value?.longitude && value != nil)
              }
            }
            ended.value.signal()
          }
          // The other thread reads while this one moves on.
          while ended.value.wait(timeout: .now() + .milliseconds(1)) == .timedOut { realm.refresh() }
          reader.join()
        }
      }
      try await group.waitForAll()
    }
    #expect(frozen[0].at == CustomCoordinate(0, 0))
    try await store.close()
  }
}

final class CustomLinkObject: EmbeddedObject {
  @Persisted var name: String
  @Persisted var place: CustomLinkHolder?
}

struct CustomLink: CustomPersistable {
  typealias PersistedType = CustomLinkObject
  let name: String
  init(persistedValue: CustomLinkObject) { name = persistedValue.name }
  var persistableValue: CustomLinkObject { CustomLinkObject(value: [name]) }
}

final class CustomLinkHolder: Object {
  @Persisted var link: CustomLink
}

final class CustomBackedObject: EmbeddedObject {
  @Persisted var name: String
  @Persisted(originProperty: "backed") var owners: LinkingObjects<CustomBackedHolder>
}

/// Holds what it was made from.
struct CustomBacked: CustomPersistable {
  typealias PersistedType = CustomBackedObject
  let object: CustomBackedObject
  init(persistedValue: CustomBackedObject) { object = persistedValue }
  var persistableValue: CustomBackedObject { object }
  static func == (lhs: CustomBacked, rhs: CustomBacked) -> Bool { lhs.object.name == rhs.object.name }
}

final class CustomBackedHolder: Object {
  @Persisted var backed: CustomBacked
  @Persisted var other: CustomBacked?
}

struct CustomNever: FailableCustomPersistable {
  typealias PersistedType = CustomSpanObject
  init?(persistedValue: CustomSpanObject) { nil }
  init() {}
  var persistableValue: CustomSpanObject { CustomSpanObject() }
}

final class CustomNeverHolder: Object {
  @Persisted var never: CustomNever
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class CustomWrongHolder: Object {
  @Persisted var list: List<CustomCoordinate?>
  @Persisted var set: MutableSet<CustomCoordinate>
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite struct CustomEmbeddedRuleTests {
  static func backed() throws -> (Realm, CustomBackedHolder) {
    let realm = try Realm(
      configuration: .init(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [CustomBackedHolder.self, CustomBackedObject.self]))
    let holder = CustomBackedHolder()
    try realm.write { realm.add(holder) }
    return (realm, holder)
  }

  /// A type that keeps the object is a live reference, with one owner, like any embedded object.
  @Test func ownership() throws {
    try onOwnThread {
      let (realm, holder) = try Self.backed()
      let object = CustomBackedObject(value: ["a"])
      try realm.write { holder.backed = CustomBacked(persistedValue: object) }
      #expect(object.realm == realm && holder.backed.object.isSameObject(as: object))
      #expect(object.owners.first?.isSameObject(as: holder) == true)
      try realm.write {
        holder.backed = holder.backed
        holder.backed.object.name = "b"
      }
      #expect(!object.isInvalidated && object.name == "b")
      try realm.write { holder.other = CustomBacked(persistedValue: CustomBackedObject(value: object)) }
      #expect(holder.other?.object.name == "b" && holder.other?.object.isSameObject(as: object) == false)
      try realm.write { holder.backed = CustomBacked(persistedValue: CustomBackedObject()) }
      #expect(object.isInvalidated && object.name == "b")
    }
  }

  @Test func aSecondOwnerTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, holder) = try CustomEmbeddedRuleTests.backed()
      try realm.write { holder.other = holder.backed }
    }
    #expect(trapSaid("existing managed embedded object", result))
  }

  @Test func membersThatCannotBeComparedTrap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(
        configuration: .init(
          inMemoryIdentifier: UUID().uuidString, objectTypes: [CustomLinkHolder.self, CustomLinkObject.self]))
      let link = CustomLinkHolder().link
      _ = realm.objects(CustomLinkHolder.self).where { $0.link == link }
    }
    #expect(trapSaid("Unsupported property 'CustomLinkObject.place' for memberwise equality query", result))
  }

  @Test func nilInAListTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CustomPlace(value: ["path": [NSNull()]])
    }
    #expect(trapSaid("array property 'CustomPlace.path'", result))
  }

  @Test func defaultsThatCannotBeMadeTrap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(
        configuration: .init(
          inMemoryIdentifier: UUID().uuidString, objectTypes: [CustomNeverHolder.self, CustomSpanObject.self]))
      try realm.write { realm.add(CustomNeverHolder()) }
    }
    #expect(trapSaid("Failed to default construct a CustomNever", result))
  }

  @Test func objectsThatCannotBeConvertedTrap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CustomPlace(value: ["span": [2, 1]])
    }
    #expect(trapSaid("Could not convert value", result) && trapSaid("'CustomSpan'", result))
  }

  @Test func declarationsThatCannotBeStored() throws {
    let error = #expect(throws: Realm.Error.self) {
      try Realm(
        configuration: .init(
          inMemoryIdentifier: UUID().uuidString, objectTypes: [CustomWrongHolder.self, CustomCoordinateObject.self]))
    }
    let problems = error?.schemaProblems.map(\.description) ?? []
    #expect(problems.count == 2)
    #expect(problems.contains { $0.contains("'CustomWrongHolder.list' must not be marked as optional") })
    #expect(problems.contains { $0.contains("'CustomWrongHolder.set' is a set of the embedded class") })
  }
}
