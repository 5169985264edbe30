public import Firn
import Testing

struct ValCelsius: CustomPersistable, Codable {
  typealias PersistedType = Double
  var degrees: Double

  init(degrees: Double) { self.degrees = degrees }
  init(persistedValue: Double) { degrees = persistedValue }
  var persistableValue: Double { degrees }
}

struct ValLink: FailableCustomPersistable {
  typealias PersistedType = String
  let text: String

  init(_ text: String) { self.text = text }
  init?(persistedValue: String) {
    guard persistedValue.hasPrefix("https://") else { return nil }
    text = persistedValue
  }
  var persistableValue: String { text }
}

struct ValToken: CustomPersistable {
  typealias PersistedType = Int
  let id: Int
  let ignored: Int

  init(_ id: Int, ignored: Int = 0) {
    self.id = id
    self.ignored = ignored
  }
  init(persistedValue: Int) { self.init(persistedValue) }
  var persistableValue: Int { id }
}

final class ValBox: CustomPersistable {
  typealias PersistedType = Data
  let bytes: Data

  required init(persistedValue: Data) { bytes = persistedValue }
  var persistableValue: Data { bytes }
  static func == (lhs: ValBox, rhs: ValBox) -> Bool { lhs.bytes == rhs.bytes }
}

struct ValFlags: OptionSet {
  let rawValue: Int
  static let bold = ValFlags(rawValue: 1)
  static let wide = ValFlags(rawValue: 2)
}
extension ValFlags: PersistableRawRepresentable {}

struct ValCode: RawRepresentable { var rawValue: String }
extension ValCode: PersistableRawRepresentable {}

enum ValSize: Int16 {
  case small = 1
  case large = 3
}
extension ValSize: PersistableRawRepresentable {}

enum ValMood: String, PersistableEnum { case calm, angry }

/// What users do with Foundation's types, which the library leaves alone.
extension URL: FailableCustomPersistable {
  public typealias PersistedType = String
  public init?(persistedValue: String) { self.init(string: persistedValue) }
  public var persistableValue: String { absoluteString }
}

final class ValCustom: Object {
  @Persisted(primaryKey: true) var id: ValToken
  @Persisted var warmth: ValCelsius
  @Persisted var low: ValCelsius? = ValCelsius(degrees: -5)
  @Persisted(indexed: true) var code: ValCode
  @Persisted(indexed: true) var flags: ValFlags
  @Persisted var size: ValSize = .large
  @Persisted var maybeSize: ValSize?
  @Persisted var link = ValLink("https://start")
  @Persisted var maybeLink: ValLink?
  @Persisted var site: URL?
  @Persisted var box: ValBox
  @Persisted var mood: ValMood = .angry
  @Persisted var warmths: List<ValCelsius>
  @Persisted var links: List<ValLink?>
  @Persisted var sizes: List<ValSize?>
  @Persisted var codes: List<ValCode>
  @Persisted var moods: List<ValMood>

  convenience init(_ id: Int) {
    self.init()
    self.id = ValToken(id)
  }
}

/// The same table by its stored types.
final class ValRaw: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var warmth: Double
  @Persisted var low: Double?
  @Persisted(indexed: true) var code: String
  @Persisted(indexed: true) var flags: Int
  @Persisted var size: Int16
  @Persisted var maybeSize: Int16?
  @Persisted var link: String
  @Persisted var maybeLink: String?
  @Persisted var site: String?
  @Persisted var box: Data
  @Persisted var mood: String
  @Persisted var warmths: List<Double>
  @Persisted var links: List<String?>
  @Persisted var sizes: List<Int16?>
  @Persisted var codes: List<String>
  @Persisted var moods: List<String>

  override class func _realmObjectName() -> String? { "ValCustom" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class ValBag: Object {
  @Persisted var warmths: MutableSet<ValCelsius>
  @Persisted var codes: MutableSet<ValCode>
  @Persisted var links: MutableSet<ValLink?>
  @Persisted var byName: Map<String, ValCelsius>
  @Persisted var sizes: Map<String, ValSize?>
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class ValHopeless: Object {
  @Persisted var link: ValLink
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Section 25, and types stored as their raw values.
@Suite struct CustomPersistableRuleTests {
  /// Opening a file asks for the defaults of its classes, those that nobody uses included.
  @Test func aDefaultThatItsTypeRefusesDoesNotKeepFilesFromOpening() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("firn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("test.realm")
    for types in [[ValRaw.self], [ValRaw.self, ValHopeless.self], [ValHopeless.self]] as [[ObjectBase.Type]] {
      let configuration = Realm.Configuration(fileURL: file, objectTypes: types)
      try onOwnThread {
        let realm = try Realm(configuration: configuration)
        if types.contains(where: { $0 == ValHopeless.self }) {
          try realm.write { realm.create(ValHopeless.self, value: ["link": "https://a"]) }
          #expect(realm.objects(ValHopeless.self).last?.link.text == "https://a")
        }
      }
    }
  }

  private func open() throws -> Realm {
    try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [ValCustom.self]))
  }

  @Test func unmanagedObjectsHoldTheCustomValue() {
    let object = ValCustom(1)
    #expect(object.warmth == ValCelsius(degrees: 0) && object.low?.degrees == -5 && object.code.rawValue == "")
    #expect(
      object.flags == [] && object.size == .large && object.maybeSize == nil && object.link.text == "https://start")
    #expect(object.maybeLink == nil && object.site == nil && object.box.bytes == Data() && object.mood == .angry)
    object.id = ValToken(5, ignored: 7)
    #expect(object.id.ignored == 7)
    object.warmths.append(ValCelsius(degrees: 3))
    #expect(object.warmths.first?.degrees == 3)
    #expect(object["id"] as? Int == 5 && object["size"] as? Int16 == 3 && object["maybeSize"] == nil)
    #expect(Set([ValToken(1), ValToken(1)]).count == 1 && ValToken(1).hashValue == ValToken(1, ignored: 4).hashValue)
  }

  @Test func managedObjectsConvertAtEachRead() throws {
    let realm = try open()
    let object = ValCustom(1)
    object.id = ValToken(1, ignored: 9)
    object.links.append(objectsIn: [ValLink("https://a"), nil])
    object.sizes.append(objectsIn: [.small, nil])
    let box = ValBox(persistedValue: Data([1]))
    object.box = box
    try realm.write {
      realm.add(object)
      object.warmth.degrees = 21.5
      object.low = nil
      object.code = ValCode(rawValue: "x")
      object.flags = [.bold, .wide]
      object.size = .small
      object.maybeSize = .large
      object.link = ValLink("https://b")
      object.maybeLink = ValLink("https://c")
      object.site = URL(string: "https://firn.dev/x")
      object.mood = .calm
      object.warmths.append(objectsIn: [ValCelsius(degrees: 1), ValCelsius(degrees: 5), ValCelsius(degrees: 3)])
      object.warmths[0].degrees += 1
      object.codes.append(ValCode(rawValue: "c"))
    }
    #expect(object.id.ignored == 0 && object.warmth.degrees == 21.5 && object.low == nil && object.code.rawValue == "x")
    #expect(object.flags == [.wide, .bold] && object.size == .small && object.maybeSize == .large)
    #expect(object.link.text == "https://b" && object.maybeLink?.text == "https://c" && object.site?.path == "/x")
    #expect(object.box == box && object.box !== box && object.mood == .calm)
    #expect(object.warmths.map(\.degrees) == [2, 5, 3] && object.links.map { $0?.text } == ["https://a", nil])
    #expect(Array(object.sizes) == [.small, nil] && object.codes.contains(ValCode(rawValue: "c")))
    #expect(object.warmths.min()?.degrees == 2 && object.warmths.max()?.degrees == 5)
    #expect(object.warmths.sum().degrees == 10 && abs((object.warmths.average() ?? 0.0) - 10.0 / 3) < 1e-12)
    #expect(
      object["warmth"] as? Double == 21.5 && object["flags"] as? Int == 3
        && object["site"] as? String == "https://firn.dev/x")
    #expect(object.description.contains("warmth = 21.5;") && object.description.contains("flags = 3;"))
    #expect(object.description.contains("size = 1;") && object.description.contains("box = <01 — 1 total bytes>;"))
    #expect(object.freeze().warmth.degrees == 21.5)
    #expect(realm.object(ofType: ValCustom.self, forPrimaryKey: ValToken(1)) == object)
    #expect(realm.object(ofType: ValCustom.self, forPrimaryKey: 1) == object)
    let types = try #require(realm.schema["ValCustom"])
    for (name, type) in [
      ("id", PropertyType.int), ("warmth", .double), ("code", .string), ("box", .data), ("links", .string),
    ] {
      #expect(types[name]?.type == type)
    }
    #expect(
      types["low"]?.isOptional == true && types["warmth"]?.isOptional == false && types["flags"]?.isIndexed == true)
  }

  @Test func creatingFromValuesOfEitherForm() throws {
    let realm = try open()
    try realm.write {
      let custom = realm.create(
        ValCustom.self,
        value: [
          "id": ValToken(1), "warmth": ValCelsius(degrees: 4), "maybeSize": ValSize.small,
          "flags": [ValFlags.wide] as ValFlags,
          "warmths": [ValCelsius(degrees: 1)], "site": URL(string: "x:y")!,
        ] as [String: Any])
      let raw = realm.create(
        ValCustom.self,
        value: [
          "id": 2, "warmth": 4, "maybeSize": 1, "flags": 2, "warmths": [1.0], "site": "x:y",
          "links": ["https://q", nil],
        ]
          as [String: Any])
      for object in [custom, raw] {
        #expect(
          object.warmth.degrees == 4 && object.maybeSize == .small && object.flags == .wide && object.size == .large)
        #expect(object.warmths.map(\.degrees) == [1] && object.site?.scheme == "x" && object.mood == .angry)
        #expect(object.link.text == "https://start" && object.low?.degrees == -5)
      }
      raw["warmth"] = ValCelsius(degrees: 8)
      #expect(raw.warmth.degrees == 8)
      realm.create(ValCustom.self, value: ["id": 2, "warmth": 9.5] as [String: Any], update: .modified)
      #expect(raw.warmth.degrees == 9.5 && raw.flags == .wide)
    }
    let unmanaged = ValCustom(
      value: ["id": 3, "size": 1, "flags": ValFlags.bold, "maybeLink": "https://z"] as [String: Any])
    #expect(
      unmanaged.id.id == 3 && unmanaged.size == .small && unmanaged.flags == .bold
        && unmanaged.maybeLink?.text == "https://z")
  }

  @Test func queriesTakeCustomAndStoredValues() throws {
    let realm = try open()
    try realm.write {
      for id in 0..<6 {
        let object = ValCustom(id)
        object.warmth = ValCelsius(degrees: Double(id) * 10)
        object.low = id % 2 == 0 ? nil : ValCelsius(degrees: Double(-id))
        object.code = ValCode(rawValue: ["ab", "b", "ab"][id % 3])
        object.flags = ValFlags(rawValue: id % 4)
        object.size = id < 2 ? .small : .large
        object.maybeLink = id == 3 ? ValLink("https://three") : nil
        object.mood = id == 0 ? .calm : .angry
        realm.add(object)
      }
    }
    let all = realm.objects(ValCustom.self)
    func ids(_ isIncluded: (Query<ValCustom>) -> Query<Bool>) -> [Int] { all.where(isIncluded).map(\.id.id) }
    #expect(
      ids { $0.warmth == ValCelsius(degrees: 20) } == [2] && ids { $0.warmth > ValCelsius(degrees: 35) } == [4, 5])
    #expect(ids { $0.warmth.persistableValue <= 10 } == [0, 1] && ids { $0.low == nil } == [0, 2, 4])
    #expect(ids { $0.low < ValCelsius(degrees: -2) } == [3, 5] && ids { $0.low.persistableValue == -1 } == [1])
    #expect(
      ids { $0.code == ValCode(rawValue: "b") } == [1, 4] && ids { $0.code != ValCode(rawValue: "b") } == [0, 2, 3, 5])
    #expect(
      ids { $0.code.starts(with: ValCode(rawValue: "a")) } == [0, 2, 3, 5]
        && ids { $0.code.rawValue.contains("b") }.count == 6)
    #expect(ids { $0.flags == [.bold, .wide] } == [3] && ids { $0.flags.rawValue >= 2 } == [2, 3])
    #expect(ids { $0.flags.in([ValFlags(), .wide]) } == [0, 2, 4] && ids { $0.size == .small } == [0, 1])
    #expect(ids { $0.id == ValToken(4) } == [4] && ids { $0.maybeLink == ValLink("https://three") } == [3])
    #expect(ids { $0.mood == .calm } == [0] && ids { $0.mood.persistableValue == "angry" }.count == 5)
    #expect(all.sorted(by: \.warmth, ascending: false).map(\.id.id) == [5, 4, 3, 2, 1, 0])
    #expect(all.sorted(by: \.link).count == 6)
    #expect(all.min(of: \.warmth)?.degrees == 0 && all.max(of: \.warmth)?.degrees == 50)
    #expect(all.sum(of: \.warmth).degrees == 150 && all.average(of: \.warmth)?.degrees == 25)
    #expect((all.max(of: \.low) ?? nil)?.degrees == -1 && all.max(ofProperty: "size") as ValSize? == .large)
    #expect(all.value(forKey: "warmth") as? [Double] == [0, 10, 20, 30, 40, 50])
  }

  @Test func observersGetTheStoredValue() throws {
    try onOwnThread {
      let realm = try Realm(
        configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [ValCustom.self]))
      let object = ValCustom(1)
      try realm.write { realm.add(object) }
      var changes: [PropertyChange] = []
      let token = object.observe { (change: ObjectChange<ValCustom>) in
        if case .change(_, let all) = change { changes += all }
      }
      realm.refresh()
      try realm.write {
        object.warmth = ValCelsius(degrees: 7)
        object.maybeSize = .small
      }
      realm.refresh()
      #expect(changes.map(\.name) == ["warmth", "maybeSize"])
      #expect(changes.first?.oldValue as? Double == 0 && changes.first?.newValue as? Double == 7)
      #expect(changes.last?.oldValue == nil && changes.last?.newValue as? Int16 == 1)
      token.invalidate()
    }
  }

  @Test func storedValuesThatCannotBeConverted() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("firn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("custom.firn")
    do {
      let realm = try Realm(configuration: .init(fileURL: url, objectTypes: [ValRaw.self]))
      try realm.write {
        realm.create(
          ValRaw.self,
          value: [
            "id": 1, "size": 2, "maybeSize": 2, "link": "bad", "maybeLink": "bad", "site": "", "mood": "wild",
            "links": ["bad", "https://ok", nil], "sizes": [2, 3, nil], "moods": ["wild", "angry"], "flags": 64,
          ] as [String: Any])
      }
    }
    let report = try RealmStore.verify(.init(fileURL: url, objectTypes: [ValCustom.self]))
    #expect(report.unreadableValues.map(\.propertyName) == ["size", "maybeSize", "link", "maybeLink", "site", "mood"])
    #expect(report.unreadableValueCount == 6 && report.description.contains("6 values that cannot be converted"))
    let first = report.unreadableValues.first
    #expect(first?.className == "ValCustom" && first?.object == "1" && first?.value == "2")
    #expect(try RealmStore.verify(.init(fileURL: url, objectTypes: [ValRaw.self])).unreadableValueCount == 0)
    let realm = try Realm(configuration: .init(fileURL: url, objectTypes: [ValCustom.self]))
    let object = try #require(realm.objects(ValCustom.self).first)
    for object in [object, object.freeze()] {
      #expect(
        object.size == .large && object.link.text == "https://start" && object.mood == .angry, "the declared value")
      #expect(object.maybeSize == nil && object.maybeLink == nil)
      #expect(object.links.map { $0?.text } == [nil, "https://ok", nil] && Array(object.sizes) == [nil, .large, nil])
      #expect(Array(object.moods) == [.calm, .angry], "elements have the first case")
      #expect(object.flags.rawValue == 64)
    }
    try realm.write { object.size = .small }
    #expect(object.size == .small)
  }

  @Test func setsAndMapsHoldCustomTypes() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [ValBag.self]))
    let bag = ValBag()
    bag.codes.insert(ValCode(rawValue: "late"))
    bag.byName["a"] = ValCelsius(degrees: 4)
    try realm.write {
      realm.add(bag)
      bag.warmths.insert(objectsIn: [3, 1, 3, 2].map { ValCelsius(degrees: $0) })
      bag.codes.insert(ValCode(rawValue: "early"))
      bag.links.insert(objectsIn: [ValLink("https://x"), nil])
      bag.byName["b"] = ValCelsius(degrees: 8)
      bag.sizes["s"] = .some(.small)
      bag.sizes["n"] = .some(nil)
    }
    #expect(bag.warmths.map(\.degrees) == [1, 2, 3] && bag.codes.map(\.rawValue) == ["early", "late"])
    #expect(bag.warmths.contains(ValCelsius(degrees: 2)) && !bag.warmths.contains(ValCelsius(degrees: 5)))
    #expect(bag.codes.contains(ValCode(rawValue: "late")) && bag.links.contains(nil) && bag.links.count == 2)
    #expect(bag.warmths.min()?.degrees == 1 && bag.warmths.max()?.degrees == 3 && bag.warmths.sum().degrees == 6)
    #expect(bag.warmths.average() == 2.0 && bag.byName.average() == 6.0 && bag.byName.max()?.degrees == 8)
    #expect(bag.byName["a"]?.degrees == 4 && bag.byName["c"] == nil && bag.byName.value(forKey: "b") as? Double == 8)
    #expect(bag.sizes["s"] == .some(.small) && bag.sizes["n"] == .some(nil) && bag.sizes["x"] == .none)
    try realm.write {
      bag.codes.remove(ValCode(rawValue: "late"))
      bag.warmths.remove(ValCelsius(degrees: 1))
      bag.byName["a"] = nil
      realm.create(
        ValBag.self,
        value: ["warmths": [1.5], "codes": [ValCode(rawValue: "q")], "byName": ["k": 2.5]] as [String: Any])
    }
    #expect(bag.codes.count == 1 && bag.warmths.count == 2 && bag.byName.keys == ["b"])
    let other = try #require(realm.objects(ValBag.self).last)
    #expect(
      other.warmths.first?.degrees == 1.5 && other.codes.first?.rawValue == "q" && other.byName["k"]?.degrees == 2.5)
  }

  @Test func enumerations() throws {
    #expect(ValMood() == .calm && ValMood.angry < .calm, "by raw values")
    #expect(CreatingKind() == .plain && [CreatingKind.fancy, .plain].sorted() == [.plain, .fancy])
    let moods = List<ValMood>()
    #expect(moods.min() == nil)
    moods.append(objectsIn: [.calm, .angry, .calm])
    #expect(moods.min() == .angry && moods.max() == .calm)
    let realm = try Realm(
      configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [CreatingScalars.self]))
    try realm.write {
      for kind in [CreatingKind.fancy, .plain, .fancy] {
        realm.create(CreatingScalars.self, value: ["kind": kind, "maybeKind": kind == .plain ? nil : kind])
      }
    }
    let all = realm.objects(CreatingScalars.self)
    #expect(all.min(of: \.kind) == .plain && all.max(of: \.kind) == .fancy && all.min(of: \.maybeKind) == .some(.fancy))
    #expect(all.where { $0.kind > .plain }.count == 2 && all.where { $0.kind.contains(.plain ... .fancy) }.count == 3)
    #expect(all.sorted(by: \.kind).first?.kind == .plain && all[0]["kind"] as? Int == 2)
  }

  @Test func unmanagedValuesThatCannotBeConverted() {
    let object = ValCustom(
      value: [
        "maybeLink": "bad", "maybeSize": 2, "links": ["bad", "https://ok", nil], "sizes": [2, 3],
        "link": ValLink("https://set"),
      ] as [String: Any])
    #expect(object.maybeLink == nil && object.maybeSize == nil && object.link.text == "https://set")
    #expect(object.links.map { $0?.text } == [nil, "https://ok", nil] && Array(object.sizes) == [nil, .large])
    object["maybeLink"] = "https://a"
    #expect(object.maybeLink?.text == "https://a")
    object["maybeLink"] = "worse"
    #expect(object.maybeLink == nil)
  }

  @Test func namesGiveTheStoredForm() throws {
    let realm = try open()
    try realm.write {
      let object = realm.create(
        ValCustom.self, value: ["id": 7, "flags": ValFlags.wide, "links": ["https://q", nil]] as [String: Any])
      let row = try #require(realm.dynamicObject(ofType: "ValCustom", forPrimaryKey: 7))
      #expect(row.flags as? Int == 2 && row["size"] as? Int == 3 && row.link as? String == "https://start")
      #expect(row.mood as? String == "angry" && row.maybeSize == nil && row.box as? Data == Data())
      #expect((row.links as? List<String?>).map { Array($0) } == ["https://q", nil])
      #expect(row.links as? List<String?> !== row.links as? List<String?>, "a collection of its own at each read")
      row.setValue(ValSize.small, forKey: "size")
      row["warmths"] = [ValCelsius(degrees: 3)]
      #expect(object.size == .small && object.warmths[0].degrees == 3 && row.value(forKey: "size") as? Int == 1)
    }
  }

  private static func hopelessRealm() throws -> Realm {
    try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [ValHopeless.self]))
  }

  @Test func defaultsThatCannotBeMade() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ValHopeless().link
    }
    #expect(trapSaid("Failed to default construct a ValLink", result))
  }

  @Test func addingWithoutADefault() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try CustomPersistableRuleTests.hopelessRealm()
      try realm.write { realm.add(ValHopeless()) }
    }
    #expect(trapSaid("Failed to default construct a ValLink", result))
  }

  @Test func creatingWithoutADefault() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try CustomPersistableRuleTests.hopelessRealm()
      try realm.write { realm.create(ValHopeless.self) }
    }
    #expect(trapSaid("Failed to default construct a ValLink", result))
  }

  @Test func storingWhatCannotBeConverted() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ValHopeless(value: ["link": "bad"])
    }
    #expect(trapSaid("Could not convert value 'bad' to type 'ValLink'", result))
  }

  @Test func aValueSetBeforeNeedsNoDefault() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [ValHopeless.self]))
    let object = ValHopeless()
    object.link = ValLink("https://set")
    try realm.write { realm.add(object) }
    #expect(object.link.text == "https://set")
  }
}

final class ValRefusing: Object {
  @Persisted var link: ValLink?
  @Persisted var links: List<ValLink>
  @Persisted var maybe: List<ValLink?>
  @Persisted var set: MutableSet<ValLink>
  @Persisted var map: Map<String, ValLink>
  @Persisted var optionals: Map<String, ValLink?>

  override static func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Values that a type refuses are stored by name, and are met when they are read.
@Suite struct RefusedValueTests {
  private static var value: [String: Any] {
    [
      "link": "bad", "links": ["https://a", "bad"], "maybe": ["bad", "https://b"], "set": ["bad", "https://c"],
      "map": ["k": "bad", "l": "https://d"], "optionals": ["k": "bad"],
    ]
  }

  private static func realm() throws -> Realm {
    try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [ValRefusing.self]))
  }

  @Test func creatingAndAssigningByName() throws {
    let realm = try Self.realm()
    try realm.write {
      let created = realm.create(ValRefusing.self, value: Self.value)
      let set = realm.create(ValRefusing.self)
      for (name, value) in Self.value { set[name] = value }
      for object in [created, set] {
        #expect(object.link == nil && object.links.count == 2 && object.links[0].text == "https://a")
        #expect(object.maybe.map { $0?.text } == [nil, "https://b"])
        #expect(object.set.count == 2 && object.map.count == 2 && object.map["l"]?.text == "https://d")
        #expect(object.optionals.keys == ["k"])
        #expect(object.value(forKey: "links") != nil)
      }
    }
  }

  @Test func readingOneThatIsRequired() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try RefusedValueTests.realm()
      let object = try realm.write { realm.create(ValRefusing.self, value: ["links": ["bad"]]) }
      _ = object.links[0]
    }
    #expect(trapSaid("Could not convert value 'bad' to type 'ValLink'", result))
  }
}
