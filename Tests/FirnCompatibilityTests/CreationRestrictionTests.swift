import Firn
import Foundation
import Testing

final class GuardedTask: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var title: String
  @Persisted var priority = 3
  @Persisted var note: String?
  @Persisted var kind: CreatingKind
  @Persisted var mood: ValMood?
  @Persisted var moods: List<ValMood>
  @Persisted var link = ValLink("https://start")
  @Persisted var small: Int8
  @Persisted var ratio: Float
  @Persisted var due: Date?
  @Persisted var dates: List<Date>
  @Persisted var project: GuardedProject?
  @Persisted var others: List<GuardedProject>
  @Persisted var named: Map<String, GuardedProject?>
  @Persisted var loose: GuardedNote?
  @Persisted var part: CreatingPart?
  @Persisted var parent: GuardedTask?
}

final class GuardedProject: Object {
  @Persisted(primaryKey: true) var id: String
  @Persisted var name: String
}

final class GuardedNote: Object {
  @Persisted var text: String
  @Persisted var project: GuardedProject?
}

/// What input from outside may be refused for besides values of wrong types.
@Suite struct CreationRestrictionTests {
  private func realm() throws -> Realm {
    let realm = try Realm(
      configuration: relationsConfiguration([
        GuardedTask.self, GuardedProject.self, GuardedNote.self, CreatingPart.self,
      ]))
    try realm.write { realm.create(GuardedProject.self, value: ["p", "theirs"]) }
    return realm
  }

  private func create(
    _ json: String, in realm: Realm, update: Realm.UpdatePolicy = .modified, _ limits: CreationLimits = CreationLimits()
  ) throws -> GuardedTask {
    try realm.write { try realm.create(GuardedTask.self, json: json, update: update, limits: limits) }
  }

  private func fault(
    _ json: String, update: Realm.UpdatePolicy = .modified, _ limits: CreationLimits = CreationLimits()
  ) throws -> String {
    let realm = try realm()
    let error = #expect(throws: Realm.Error.self) { try create(json, in: realm, update: update, limits) }
    #expect(error?.code == .invalidInput)
    #expect(realm.objects(GuardedTask.self).isEmpty && realm.objects(GuardedProject.self).map(\.name) == ["theirs"])
    return try #require(error?.invalidInput).description
  }

  // MARK: Enumerations and ranges

  @Test func unknownCases() throws {
    #expect(try fault(#"{"id": 1, "kind": 9}"#) == "$.kind: expected one of 1, 2, found 9")
    #expect(try fault(#"{"id": 1, "mood": "lost"}"#) == "$.mood: expected one of calm, angry, found lost")
    #expect(try fault(#"{"id": 1, "moods": ["calm", "x"]}"#) == "$.moods[1]: expected one of calm, angry, found x")
    #expect(try fault(#"{"id": 1, "link": "ftp://"}"#) == "$.link: expected a value of 'ValLink', found ftp://")
    let realm = try realm()
    let task = try create(#"{"id": 1, "kind": 2, "mood": "calm", "moods": ["angry"], "link": "https://x"}"#, in: realm)
    #expect(task.kind == .fancy && task.mood == .calm && task.moods.first == .angry && task.link.text == "https://x")
    try realm.write {
      #expect(throws: Realm.Error(.invalidInput)) {
        try realm.create(GuardedTask.self, checking: ["id": 2, "kind": 9])
      }
      struct News: Encodable { let id = 2, mood = "lost" }
      #expect(throws: Realm.Error(.invalidInput)) { try realm.create(GuardedTask.self, from: News()) }
      #expect(realm.create(GuardedTask.self, value: ["id": 2, "mood": "lost"]).mood == nil, "values of the program")
    }
  }

  @Test func numbersOutOfRange() throws {
    #expect(try fault(#"{"id": 1, "small": 300}"#) == "$.small: expected Int8 (−128…127), found 300")
    #expect(try fault(#"{"id": 1, "small": -129}"#) == "$.small: expected Int8 (−128…127), found -129")
    #expect(try fault(#"{"id": 1, "small": "3"}"#) == "$.small: expected an integer, found a string")
    #expect(
      try fault(#"{"id": 1, "ratio": 1e300}"#).hasPrefix("$.ratio: expected Float (−3.4028235e+38…3.4028235e+38)"))
    let realm = try realm()
    try realm.write {
      let error = #expect(throws: Realm.Error.self) {
        try realm.create(GuardedTask.self, checking: ["id": UInt64.max])
      }
      #expect(
        error?.invalidInput?.description
          == "$.id: expected Int (−9223372036854775808…9223372036854775807), found 18446744073709551615")
    }
  }

  // MARK: Keys

  @Test func missingKeys() throws {
    let limits = CreationLimits(missingKeys: .refuse)
    #expect(try fault(#"{"id": 1}"#, limits) == "$.title: expected a string, found nothing")
    #expect(try fault(#"{"title": "t"}"#, limits) == "$.id: expected an integer, found nothing")
    let arrays = CreationLimits(missingKeys: .refuse, positionalArrays: .accept)
    #expect(try fault(#"[1]"#, arrays) == "$.title: expected a string, found nothing")
    let full = #"{"id": 1, "title": "t", "kind": 1, "small": 1, "ratio": 0, "#
    #expect(
      try fault(full + #""others": [{"id": "n"}]}"#, limits) == "$.others[0].name: expected a string, found nothing")
    let realm = try realm()
    let task = try create(full + #""project": {"id": "p"}}"#, in: realm, limits)
    #expect(task.priority == 3 && task.note == nil && task.project?.name == "theirs", "what exists has its values")
    let again = try create(#"{"id": 1, "priority": 4}"#, in: realm, limits)
    #expect(again.title == "t" && again.priority == 4, "an update needs no more than what changes")
    #expect(try create(#"{"id": 2}"#, in: realm).title == "")
  }

  @Test func unknownKeysNameWhatIsMeant() throws {
    let limits = CreationLimits(unknownKeys: .refuse)
    #expect(try fault(#"{"id": 1, "titel": "t"}"#, limits) == "$: expected 'title', found 'titel'")
    #expect(try fault(#"{"id": 1, "x": "t"}"#, limits).hasSuffix("found 'x'"))
  }

  @Test func misspeltKeysOfTheProgramAreLogged() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let realm = try CreationRestrictionTests().realm()
      try realm.write { _ = realm.create(GuardedTask.self, value: ["id": 1, "titel": "t"]) }
      _ = GuardedProject(value: ["nmae": "x", "id": "y"])
      try realm.write { try realm.create(GuardedNote.self, json: #"{"txet": "x"}"#) }
    }
    #expect(trapSaid("Class 'GuardedTask' has no property 'titel'. Is 'title' meant?", result))
    #expect(trapSaid("Class 'GuardedProject' has no property 'nmae'. Is 'name' meant?", result))
    #expect(!trapSaid("txet", result), "input from outside cannot fill the log")
  }

  // MARK: Nested objects

  private let renaming = #"{"id": 1, "project": {"id": "p", "name": "mine"}}"#

  @Test func othersAreNotChanged() throws {
    let found = "expected the primary key alone, found 'name'"
    #expect(try fault(renaming) == "$.project.name: \(found)")
    #expect(try fault(renaming, update: .all) == "$.project.name: \(found)")
    let arrays = CreationLimits(positionalArrays: .accept)
    #expect(try fault(#"{"id": 1, "others": [{"id": "q"}, ["p", "mine"]]}"#, arrays) == "$.others[1].name: \(found)")
    #expect(try fault(#"{"id": 1, "named": {"a": {"id": "p", "name": "m"}}}"#) == #"$.named["a"].name: \#(found)"#)
    #expect(
      try fault(#"{"id": 1, "loose": {"project": {"id": "p", "name": "m"}}}"#) == "$.loose.project.name: \(found)")
    let realm = try realm()
    let task = try create(
      #"{"id": 1, "project": {"id": "p"}, "others": [{"id": "q", "name": "new"}], "part": {"name": "x"}}"#, in: realm)
    #expect(task.project?.name == "theirs" && task.others.first?.name == "new" && task.part?.name == "x")
    #expect(try create(#"{"id": 1, "part": {"name": "y"}, "title": "t"}"#, in: realm).part?.name == "y")
    #expect(try create(#"{"id": 2, "parent": {"id": 1}}"#, in: realm).parent?.title == "t")
    try realm.write {
      let value: [String: Any] = ["id": 3, "project": ["id": "p", "name": "mine"]]
      #expect(throws: Realm.Error(.invalidInput)) {
        try realm.create(GuardedTask.self, checking: value, update: .modified)
      }
      realm.create(GuardedTask.self, value: value, update: .modified)
      #expect(task.project?.name == "mine", "the program may")
    }
  }

  @Test func changesThatAreAllowed() throws {
    let realm = try realm()
    let task = try create(renaming, in: realm, CreationLimits(nestedObjects: .update))
    #expect(task.project?.name == "mine" && realm.objects(GuardedProject.self).count == 1)
  }

  @Test func linksByKey() throws {
    let limits = CreationLimits(nestedObjects: .link, positionalArrays: .accept)
    #expect(try fault(renaming, limits) == "$.project.name: expected the primary key alone, found 'name'")
    #expect(
      try fault(#"{"id": 1, "project": {"id": "q"}}"#, limits)
        == "$.project.id: expected the primary key of an object, found q")
    #expect(
      try fault(#"{"id": 1, "project": "q"}"#, limits).hasPrefix("$.project: expected the primary key of an object"))
    #expect(try fault(#"{"id": 1, "project": 4}"#, limits) == "$.project: expected a string, found an integer")
    #expect(
      try fault(#"{"id": 1, "project": {}}"#, limits) == "$.project.id: expected the primary key 'id', found nothing")
    #expect(try fault(#"{"id": 1, "others": ["p", {"id": "p", "name": ""}]}"#, limits).hasPrefix("$.others[1].name"))
    let realm = try realm()
    let task = try create(
      #"""
      {"id": 1, "project": {"id": "p"}, "others": ["p", ["p"]], "named": {"a": "p", "b": null}, "parent": {"id": 1},
       "loose": {"text": "n", "project": "p"}, "part": {"name": "x"}}
      """#, in: realm, update: .error, limits)
    #expect(task.project?.name == "theirs" && task.others.map(\.id) == ["p", "p"] && task.named["a"]??.id == "p")
    #expect(task.named["b"] == .some(nil) && task.parent?.isSameObject(as: task) == true)
    #expect(task.loose?.project?.id == "p" && task.part?.name == "x" && realm.objects(GuardedProject.self).count == 1)
  }

  // MARK: Dates

  @Test func datesInText() throws {
    let realm = try realm()
    let dates: [(String, Double)] = [
      ("2024-02-29T12:30:15Z", 1_709_209_815), ("2024-02-29T12:30:15.5Z", 1_709_209_815.5),
      ("2024-02-29T12:30:15+01:00", 1_709_206_215), ("2024-02-29T12:30:15.25-05:30", 1_709_229_615.25),
    ]
    for (text, seconds) in dates {
      let task = try create(#"{"id": 1, "due": "\#(text)", "dates": ["\#(text)"]}"#, in: realm)
      #expect(task.due == Date(timeIntervalSince1970: seconds) && task.dates.first == task.due, "\(text)")
    }
    for text in ["2024-02-29", "tomorrow", "", "12:30", "1709209815"] {
      #expect(try fault(#"{"id": 1, "due": "\#(text)"}"#) == "$.due: expected a date or null, found a string")
    }
  }

  @Test func datesInNumbers() throws {
    #expect(try fault(#"{"id": 1, "due": 1709209815}"#) == "$.due: expected a date or null, found an integer")
    let realm = try realm()
    var task = try create(
      #"{"id": 1, "due": 1709209815.5, "dates": [0, "2024-02-29T12:30:15Z"]}"#, in: realm,
      CreationLimits(numericDates: .secondsSince1970))
    #expect(task.due == Date(timeIntervalSince1970: 1_709_209_815.5))
    #expect(task.dates.map(\.timeIntervalSince1970) == [0, 1_709_209_815])
    task = try create(
      #"{"id": 1, "due": 1709209815250}"#, in: realm, CreationLimits(numericDates: .millisecondsSince1970))
    #expect(task.due == Date(timeIntervalSince1970: 1_709_209_815.25))
    #expect(
      try fault(#"{"id": 1, "due": true}"#, CreationLimits(numericDates: .secondsSince1970))
        == "$.due: expected a date or null, found a Boolean")
  }

  // MARK: Values of the program

  @Test func trapsNameTheElement() async {
    let element = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try creatingRealm()
      try realm.write { _ = realm.create(CreatingLoose.self, value: ["numbers": [1, 2, "x"] as [Any]]) }
    }
    #expect(trapSaid("property 'CreatingLoose.numbers'. (at $.numbers[2])", element))
    let unmanaged = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = OrderedOwner(value: ["intMap": ["a": 1, "b": "x"] as [String: Any]])
    }
    #expect(trapSaid(#"(at $.intMap["b"])"#, unmanaged))
    let set = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, owner) = try Ordered.owner()
      try realm.write { owner["ints"] = [1, "x"] as [Any] }
    }
    #expect(trapSaid("(at $.ints[1])", set))
  }

  @Test func customValuesInUnmanagedCollections() async throws {
    let custom = ValCustom(
      value: [
        "links": ["https://a", "bad", ValLink("odd"), NSNull()] as [Any], "moods": [ValMood.calm, "angry"] as [Any],
        "warmths": [ValCelsius(degrees: 1), 2.0] as [Any],
      ] as [String: Any])
    #expect(custom.links.map { $0?.text } == ["https://a", nil, "odd", nil], "as such, or converted if that works")
    #expect(Array(custom.moods) == [.calm, .angry] && custom.warmths.map(\.degrees) == [1, 2])
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ValCustom(value: ["moods": ["calm", "lost"]])
    }
    #expect(trapSaid("Could not convert value 'lost' to type 'ValMood'", result) && trapSaid("(at $.moods[1])", result))
  }

  /// What names no object changes none, whatever the form and the policy.
  @Test func primaryKeysAreNeeded() throws {
    let limits = CreationLimits(positionalArrays: .accept)
    for json in ["{}", "[]", #"{"title": "x"}"#] {
      for policy in [Realm.UpdatePolicy.error, .modified, .all] {
        #expect(try fault(json, update: policy, limits) == "$.id: expected an integer, found nothing")
      }
    }
    #expect(try fault(#"{"id": 1, "project": {"name": "x"}}"#) == "$.project.id: expected a string, found nothing")
    let realm = try realm()
    #expect(throws: Realm.Error.self) {
      try realm.write { _ = try realm.create(GuardedProject.self, checking: [] as [Any], update: .modified) }
    }
    let json = #"{"price": 1}"#
    let mixed = try Realm(configuration: relationsConfiguration([CreatingMixed.self]))
    try mixed.write { for _ in 0..<2 { try mixed.create(CreatingMixed.self, json: json, update: .modified) } }
    #expect(mixed.objects(CreatingMixed.self).count == 2, "object ids are made")
  }

  /// A list that is missing is empty.
  @Test func missingCollectionsAreEmpty() throws {
    let limits = CreationLimits(missingKeys: .refuse)
    let task = try create(#"{"id": 1, "title": "t", "kind": 1, "small": 1, "ratio": 1}"#, in: try realm(), limits)
    #expect(task.moods.isEmpty && task.named.isEmpty)
  }
}
