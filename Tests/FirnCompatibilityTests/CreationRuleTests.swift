import Firn
import Foundation
import Testing

/// Forms of values and coercions.
@Suite struct CreationRuleTests {
  @Test func formsOfValues() throws {
    let realm = try creatingRealm()
    try realm.write {
      let typed = realm.create(CreatingKeyed.self, value: ["id": 1, "inherited": "a", "unknown": 3] as [String: Any])
      #expect(typed.id == 1 && typed.inherited == "a", "a dictionary by name; unknown keys are ignored")
      let loose = realm.create(CreatingLoose.self, value: [AnyHashable("name"): "b"] as [AnyHashable: Any])
      #expect(loose.name == "b", "a dictionary with keys of any type")
      let array = realm.create(CreatingKeyed.self, value: ["a", 2, 9] as [Any])
      #expect(array.inherited == "a" && array.id == 2 && array.size == 9, "an array, superclass first")
      #expect(array.note == nil && array.tags.isEmpty, "fewer elements than properties: the rest as if missing")
      let other = realm.create(CreatingNamed.self, value: CreatingLoose(value: ["c"]))
      #expect(other.name == "c", "an object of another class")
      #expect(realm.create(CreatingKeyed.self).size == 7, "nothing: all defaults")
      #expect(realm.create(CreatingNamed.self, value: [Any]()).name.isEmpty)
    }
  }

  @Test func everyPropertyOfAGivenObjectCounts() throws {
    let realm = try creatingRealm()
    let source = CreatingKeyed(value: ["id": 1, "size": 3, "note": "n"] as [String: Any])
    try realm.write {
      let made = realm.create(CreatingKeyed.self, value: ["id": 1, "note": "old", "tags": ["x"]] as [String: Any])
      source.note = nil
      realm.create(CreatingKeyed.self, value: source, update: .modified)
      #expect(made.note == nil && made.tags.isEmpty && made.size == 3, "nil and empty collections included")
      #expect(source.realm == nil, "the object given stays unmanaged")
    }
  }

  @Test func missingKeysAndDefaults() throws {
    let realm = try creatingRealm()
    let (first, second) = try realm.write {
      (realm.create(CreatingDated.self), realm.create(CreatingDated.self))
    }
    #expect(first.token != second.token, "declared defaults are evaluated for each object")
    #expect(second.made >= first.made)
    try realm.write {
      let made = realm.create(CreatingKeyed.self, value: ["id": 4, "size": 1, "note": "n"] as [String: Any])
      realm.create(CreatingKeyed.self, value: ["id": 4, "inherited": "x"] as [String: Any], update: .all)
      #expect(made.size == 1 && made.note == "n" && made.inherited == "x", "missing keys leave a row as it is")
      realm.create(CreatingKeyed.self, value: ["size": 5], update: .modified)
      #expect(realm.object(ofType: CreatingKeyed.self, forPrimaryKey: 0)?.size == 5, "without key: the key's default")
    }
  }

  @Test func nilsAndCollections() throws {
    let realm = try creatingRealm()
    try realm.write {
      let object = realm.create(
        CreatingScalars.self,
        value: [
          "maybeFlag": NSNull(), "maybeInt": Int?.none as Any, "maybeText": String??.some(nil) as Any,
          "maybeKind": NSNull(),
        ] as [String: Any])
      #expect(object.maybeFlag == nil && object.maybeInt == nil && object.maybeText == nil && object.maybeKind == nil)
      let keyed = realm.create(
        CreatingKeyed.self, value: ["id": 1, "tags": ["a", "b"], "loose": ["l"]] as [String: Any])
      for empty in [NSNull(), [String]() as Any, List<String>() as Any] {
        realm.create(CreatingKeyed.self, value: ["id": 1, "tags": ["a"]] as [String: Any], update: .all)
        #expect(Array(keyed.tags) == ["a"])
        realm.create(CreatingKeyed.self, value: ["id": 1, "tags": empty] as [String: Any], update: .all)
        #expect(keyed.tags.isEmpty, "nil and nothing empty a collection")
      }
      realm.create(CreatingKeyed.self, value: ["id": 1, "loose": NSNull()] as [String: Any], update: .all)
      #expect(keyed.loose == nil)
      let other = List<String>()
      other.append(objectsIn: ["p", "q"])
      for elements in [["p", "q"] as Any, other as Any, ["p", "q"][...] as Any, AnySequence(["p", "q"]) as Any] {
        realm.create(CreatingKeyed.self, value: ["id": 1, "tags": elements] as [String: Any], update: .modified)
        #expect(Array(keyed.tags) == ["p", "q"], "anything enumerable")
      }
      realm.create(CreatingKeyed.self, value: ["id": 1, "tags": Set(["s"])] as [String: Any], update: .modified)
      #expect(Array(keyed.tags) == ["s"])
      let all = realm.objects(CreatingKeyed.self)
      let second = realm.create(CreatingKeyed.self, value: ["id": 2, "parts": all] as [String: Any])
      #expect(second.parts.map(\.id) == [1], "results, as they were")
    }
  }

  @Test func linksAndObjects() throws {
    let realm = try creatingRealm()
    let other = try creatingRealm()
    let unmanaged = CreatingLoose(value: ["u"])
    unmanaged.twin = unmanaged
    let foreign = try other.write { other.create(CreatingLoose.self, value: ["f"]) }
    try realm.write {
      let own = realm.create(CreatingLoose.self, value: ["o"])
      func link(_ value: Any) -> CreatingLoose? {
        realm.create(CreatingKeyed.self, value: ["id": 1, "loose": value] as [String: Any], update: .all).loose
      }
      #expect(link(own)?.isSameObject(as: own) == true, "a managed object is linked to")
      let copy = link(unmanaged)
      #expect(copy?.name == "u" && unmanaged.realm == nil, "an unmanaged one is copied")
      #expect(copy?.twin?.isSameObject(as: copy) == true, "each object once, so that cycles stay cycles")
      #expect(link(foreign)?.name == "f" && foreign.realm == other, "one of another realm is copied")
      #expect(link(foreign.freeze())?.realm == realm, "and a frozen one")
      #expect(link(["name": "d"])?.name == "d", "a dictionary makes a row")
      #expect(link(["a"])?.name == "a", "an array makes a row")
      let parts: [Any] = [["id": 11], CreatingKeyed(value: ["id": 12]), ["b", 13] as [Any]]
      let parent = realm.create(CreatingKeyed.self, value: ["id": 2, "parts": parts] as [String: Any])
      #expect(parent.parts.map(\.id) == [11, 12, 13], "the same forms in lists")
    }
  }

  @Test func theSameFormsInInitialisers() {
    let loose = CreatingLoose(value: ["name": "n", "twin": ["t"], "numbers": [1, nil] as [Int?]] as [String: Any])
    #expect(loose.realm == nil && loose.name == "n" && loose.twin?.name == "t" && Array(loose.numbers) == [1, nil])
    #expect(CreatingNamed(value: loose).name == "n")
    let keyed = CreatingKeyed(value: ["i", 3] as [Any])
    #expect(keyed.inherited == "i" && keyed.id == 3 && keyed.size == 7)
    let linked = CreatingLoose(value: ["twin": loose])
    #expect(linked.twin === loose, "an object of the class is linked to, not copied")
  }

  @Test func theGivenObjectItself() throws {
    let realm = try creatingRealm()
    try realm.write {
      let loose = realm.create(CreatingLoose.self, value: ["n"])
      let copy = realm.create(CreatingLoose.self, value: loose)
      #expect(!copy.isSameObject(as: loose) && copy.name == "n", ".error copies")
      let keyed = realm.create(CreatingKeyed.self, value: ["id": 1])
      for policy in [Realm.UpdatePolicy.modified, .all] {
        #expect(realm.create(CreatingKeyed.self, value: keyed, update: policy) === keyed, "the very same instance")
      }
    }
  }

  @Test(arguments: [
    ("flag", true as any Sendable, "1"), ("flag", 0, "0"), ("small", UInt64(5), "5"), ("small", Int16(-128), "-128"),
    ("medium", true, "1"), ("large", UInt8(3), "3"), ("single", 2, "2.0"), ("single", 0.5, "0.5"),
    ("double", Float(0.25), "0.25"), ("double", Int8(3), "3.0"), ("text", "t", "t"), ("maybeFlag", 1, "1"),
    ("maybeInt", 9, "9"), ("kind", CreatingKind.fancy, "2"), ("kind", 2, "2"), ("maybeKind", 1, "1"),
    ("uuid", "4A8F2D10-0000-4000-8000-000000000001", "4A8F2D10-0000-4000-8000-000000000001"),
  ]) func acceptedValues(name: String, value: any Sendable, expected: String) throws {
    let realm = try creatingRealm()
    let made = try realm.write { realm.create(CreatingScalars.self, value: [name: value]) }
    #expect(made.description.contains("\t\(name) = \(expected);"), "\(name): \(value)")
    #expect(CreatingScalars(value: [name: value]).description.contains("\t\(name) = \(expected);"), "unmanaged \(name)")
    try realm.write { made.setValue(value, forKey: name) }
    #expect(made.description.contains("\t\(name) = \(expected);"), "setValue \(name)")
  }

  @Test(arguments: [
    ("flag", 2 as any Sendable), ("flag", "true"), ("flag", 1.0), ("small", 128), ("small", 1.0), ("large", "1"),
    ("large", UInt64.max), ("maybeInt", 1.5), ("single", 1e300), ("single", true), ("double", "1.5"), ("double", false),
    ("text", 3), ("data", "00"), ("date", "2020-01-01"), ("date", 12.5), ("uuid", "no"), ("uuid", 5), ("kind", "fancy"),
    ("text", NSNull()), ("flag", NSNull()), ("date", NSNull()), ("uuid", NSNull()), ("kind", NSNull()),
  ]) func refusedValues(name: String, value: any Sendable) throws {
    let realm = try creatingRealm()
    try realm.write {
      let error = #expect(throws: Realm.Error.self) {
        try realm.create(CreatingScalars.self, checking: [name: value] as [String: Any])
      }
      #expect(error?.code == .invalidInput && error?.invalidInput?.path == "$.\(name)", "\(name): \(value)")
      #expect(error?.localizedDescription.contains("property 'CreatingScalars.\(name)'") == true)
    }
    #expect(realm.isEmpty)
  }

  @Test(arguments: [
    ("price", 7 as any Sendable, "7"), ("price", Int8(-1), "-1"), ("price", Float(0.5), "0.5"), ("price", 2.5, "2.5"),
    ("price", Decimal(string: "0.1") ?? 0, "0.1"), ("price", "1e3", "1E3"), ("price", "-12.50", "-12.5"),
    ("price", Decimal128("3.0"), "3"), ("other", ObjectId("507f1f77bcf86cd799439011"), "507f1f77bcf86cd799439011"),
  ]) func acceptedDecimalsAndObjectIds(name: String, value: any Sendable, expected: String) throws {
    let realm = try Self.mixedRealm()
    let made = try realm.write { realm.create(CreatingMixed.self, value: [name: value]) }
    #expect(made.description.contains("\t\(name) = \(expected);"), "\(name): \(value), \(made)")
    #expect(CreatingMixed(value: [name: value]).description.contains("\t\(name) = \(expected);"), "unmanaged \(name)")
    try realm.write { made.setValue(value, forKey: name) }
    #expect(made.description.contains("\t\(name) = \(expected);"), "setValue \(name)")
  }

  @Test(arguments: [
    ("price", "many" as any Sendable, "a decimal number"), ("price", true, "a decimal number"),
    ("price", "", "a decimal number"),
    ("price", NSNull(), "a decimal number"), ("other", "507f1f77bcf86cd799439011", "an object id or null"),
    ("other", 5, "an object id or null"),
    ("id", NSNull(), "an object id"),
  ]) func refusedDecimalsAndObjectIds(name: String, value: any Sendable, expected: String) throws {
    let realm = try Self.mixedRealm()
    try realm.write {
      let error = #expect(throws: Realm.Error.self) {
        try realm.create(CreatingMixed.self, checking: [name: value] as [String: Any])
      }
      #expect(error?.invalidInput?.path == "$.\(name)" && error?.invalidInput?.expected == expected, "\(value)")
    }
    #expect(realm.isEmpty)
  }

  private static func mixedRealm() throws -> Realm {
    try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [CreatingMixed.self, CreatingNamed.self]))
  }

  @Test func whatMixedValuesAndLinksRefuse() throws {
    let realm = try Self.mixedRealm()
    for refused in [Set([1]) as Any, MutableSet<Int>(), EmbNote("n"), CreatingLoose(), Bundle.main] {
      try realm.write {
        #expect(throws: Realm.Error(.invalidInput), "\(type(of: refused))") {
          try realm.create(CreatingMixed.self, checking: ["value": refused])
        }
        #expect(throws: Realm.Error(.invalidInput), "\(type(of: refused)) in an array") {
          try realm.create(CreatingMixed.self, checking: ["value": [1, refused] as [Any]])
        }
      }
    }
    #expect(realm.isEmpty)
    let keyed = try creatingRealm()
    for refused in [3 as Any, "loose", true, CreatingNamed(), CreatingKeyed(), Date()] {
      try keyed.write {
        let error = #expect(throws: Realm.Error.self) {
          try keyed.create(CreatingKeyed.self, checking: ["id": 1, "loose": refused] as [String: Any])
        }
        #expect(
          error?.localizedDescription.contains("for 'CreatingLoose?' property 'CreatingKeyed.loose'") == true,
          "\(type(of: refused)): \(error?.localizedDescription ?? "")")
      }
    }
    #expect(keyed.isEmpty)
  }

  @Test func whatCollectionsRefuse() throws {
    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString,
        objectTypes: [CreatingGroups.self, CreatingKeyed.self, CreatingLoose.self]))
    let named = List<CreatingNamed>()
    let cases: [(String, Any, String)] = [
      ("numbers", ["x"], "for 'int' set property 'CreatingGroups.numbers'"),
      ("numbers", 4, "The value is not enumerable"), ("numbers", "text", "The value is not enumerable"),
      ("numbers", MutableSet<String>(), "does not match expected type 'int'"),
      ("members", named, "does not match expected type 'CreatingKeyed'"),
      ("ranks", ["a": "x"], "for 'double' dictionary property 'CreatingGroups.ranks'"),
      ("ranks", [1], "for 'double' dictionary property"), ("ranks", 4, "for 'double' dictionary property"),
      ("ranks", Map<String, Int>(), "does not match expected type 'double'"),
      ("words", [1], "for 'string?' set property"), ("seats", ["a": 3], "for 'CreatingKeyed?' dictionary property"),
    ]
    for (name, refused, text) in cases {
      try realm.write {
        let error = #expect(throws: Realm.Error.self) {
          try realm.create(CreatingGroups.self, checking: ["id": 1, name: refused] as [String: Any])
        }
        let message = error?.localizedDescription ?? ""
        #expect(message.contains(text), "\(name): \(message)")
      }
    }
    #expect(realm.isEmpty)
  }

  @Test func objectsOfOtherRealmsAreCopiedWithWhatTheyLinkTo() throws {
    let (realm, other) = (try creatingRealm(), try creatingRealm())
    let foreign = try other.write {
      other.create(
        CreatingKeyed.self,
        value: [
          "id": 1, "parent": ["id": 2, "loose": ["l"]], "parts": [["id": 3], ["id": 4, "tags": ["t"]]],
        ] as [String: Any])
    }
    let frozen = foreign.freeze()
    try realm.write {
      let copy = realm.create(CreatingKeyed.self, value: ["id": 10, "parts": [foreign]] as [String: Any]).parts[0]
      #expect(copy.id == 1 && copy.parent?.loose?.name == "l" && copy.parts.map(\.id) == [3, 4])
      #expect(copy.realm == realm && copy.parent?.realm == realm && Array(copy.parts[1].tags) == ["t"])
      try other.write { foreign.parent?.loose?.name = "changed" }
      realm.create(CreatingKeyed.self, value: foreign, update: .modified)
      #expect(realm.objects(CreatingLoose.self).map(\.name).contains("changed"))
      realm.create(CreatingKeyed.self, value: frozen, update: .all)
      #expect(copy.parent?.loose?.name == "l" && realm.objects(CreatingKeyed.self).count == 5)
    }
    #expect(foreign.realm == other && other.objects(CreatingKeyed.self).count == 4, "the original stays where it is")
  }

  @Test func whatFailsLeavesNothing() throws {
    let realm = try creatingRealm()
    try realm.write {
      #expect(throws: Realm.Error.self) {
        try realm.create(
          CreatingKeyed.self, checking: ["id": 1, "loose": ["a"], "parts": [["id": 2], ["id": "x"]]] as [String: Any])
      }
      #expect(realm.isEmpty, "not even what comes before the failing value")
    }
  }
}

/// What happens to rows that exist.
@Suite struct UpdatePolicyTests {
  @Test func rawValues() {
    #expect([Realm.UpdatePolicy.error, .all, .modified].map(\.rawValue) == [1, 2, 3])
  }

  @Test(arguments: [Realm.UpdatePolicy.modified, .all])
  func updatesWriteWhatIsGiven(policy: Realm.UpdatePolicy) throws {
    let realm = try creatingRealm()
    try realm.write {
      let keyed = realm.create(
        CreatingKeyed.self,
        value: ["id": 1, "note": "n", "tags": ["a", "b", "c"], "parent": ["id": 2]] as [String: Any])
      let again = realm.create(CreatingKeyed.self, value: ["i", 1, 8] as [Any], update: policy)
      #expect(again == keyed && keyed.inherited == "i" && keyed.size == 8 && keyed.note == "n", "positions of an array")
      realm.create(CreatingKeyed.self, value: ["id": 1, "tags": ["a", "x"]] as [String: Any], update: policy)
      #expect(Array(keyed.tags) == ["a", "x"])
      realm.create(
        CreatingKeyed.self, value: ["id": 1, "parent": ["id": 2, "size": 3]] as [String: Any], update: policy)
      #expect(keyed.parent?.size == 3 && realm.objects(CreatingKeyed.self).count == 2, "keyed targets are updated too")
      realm.create(CreatingKeyed.self, value: ["id": 1, "loose": ["a"]] as [String: Any], update: policy)
      realm.create(CreatingKeyed.self, value: ["id": 1, "loose": ["a"]] as [String: Any], update: policy)
      #expect(realm.objects(CreatingLoose.self).count == 2, "targets without key are new rows")
      realm.create(CreatingKeyed.self, value: ["id": 1, "tags": keyed.tags] as [String: Any], update: policy)
      #expect(Array(keyed.tags) == ["a", "x"], "its own content changes nothing")
      realm.create(CreatingKeyed.self, value: ["id": 9], update: policy)
      #expect(realm.objects(CreatingKeyed.self).count == 3, "an absent row is inserted")
      let twice: [[String: Any]] = [["id": 20, "size": 1], ["id": 20, "size": 2]]
      let parts = realm.create(CreatingKeyed.self, value: ["id": 21, "parts": twice] as [String: Any], update: policy)
        .parts
      #expect(parts.map(\.id) == [20, 20] && parts.map(\.size) == [2, 2], "one key twice in a value is one row")
    }
  }

  @Test func existingKeysAreRefused() throws {
    let realm = try creatingRealm()
    try realm.write {
      realm.create(CreatingKeyed.self, value: ["id": 1])
      // One that exists may be named within another object, and not be changed.
      let refused: [(value: [String: Any], text: String)] = [
        (["id": 1], "existing primary key value"),
        (["id": 2, "parent": ["id": 1, "size": 7]], "may only link"),
        (["id": 3, "parts": [["id": 3, "size": 7]]], "existing primary key value"),
      ]
      for (value, text) in refused {
        let error = #expect(throws: Realm.Error.self) { try realm.create(CreatingKeyed.self, checking: value) }
        #expect(error?.localizedDescription.contains(text) == true, "\(String(describing: error))")
      }
      #expect(realm.objects(CreatingKeyed.self).count == 1)
    }
  }

  @Test(arguments: [Realm.UpdatePolicy.modified, .all])
  func observersOfListsHearOfWhatThePolicyRewrites(policy: Realm.UpdatePolicy) throws {
    let configuration = Realm.Configuration.creating()
    let changes = try onOwnThread {
      let realm = try Realm(configuration: configuration)
      func write(_ tags: [String]) throws {
        try realm.write {
          realm.create(CreatingKeyed.self, value: ["id": 1, "tags": tags] as [String: Any], update: policy)
        }
        realm.refresh()
      }
      try write(["a", "b", "c"])
      let keyed = try #require(realm.object(ofType: CreatingKeyed.self, forPrimaryKey: 1))
      var texts: [String] = []
      let token = keyed.tags.observe { change in
        if case .update(_, let deletions, let insertions, let modifications) = change {
          texts.append("\(deletions) \(insertions) \(modifications)")
        }
      }
      realm.refresh()
      try write(["a", "x", "c"])
      try write(["a"])
      try write(["a", "y", "z"])
      try write(["a", "y", "z"])
      token.invalidate()
      return texts
    }
    if policy == .modified {
      #expect(changes == ["[] [] [1]", "[1, 2] [] []", "[] [1, 2] []"], "only what differs, and nothing for nothing")
    } else {
      #expect(changes.count == 4 && changes[0] == "[0, 1, 2] [0, 1, 2] []", "cleared and refilled: \(changes)")
    }
  }

  @Test func addWithPolicies() throws {
    let realm = try creatingRealm()
    let stored = try realm.write { realm.create(CreatingKeyed.self, value: ["id": 1, "note": "n"] as [String: Any]) }
    for policy in [Realm.UpdatePolicy.modified, .all] {
      let new = CreatingKeyed(value: ["id": 1, "size": policy.rawValue, "loose": ["l"]] as [String: Any])
      let (tags, loose) = (new.tags, new.loose)
      tags.append("t")
      try realm.write { realm.add(new, update: policy) }
      #expect(new.realm == realm && new == stored && stored.note == nil, "the instance becomes an accessor of the row")
      #expect(new.tags === tags && loose?.realm == realm && loose?.name == "l", "with its lists and linked objects")
      #expect(stored.size == policy.rawValue)
    }
    let loop = CreatingLoose(value: ["a"])
    loop.twin = CreatingLoose(value: ["b"])
    loop.twin?.twin = loop
    let numbers = loop.numbers
    try realm.write {
      realm.add(loop)
      realm.add(loop)
      realm.add([CreatingLoose(value: ["c"]), CreatingLoose(value: ["d"])])
    }
    #expect(loop.twin?.realm == realm && loop.numbers === numbers && loop.numbers.realm == realm)
    #expect(realm.objects(CreatingLoose.self).map(\.name).suffix(4) == ["a", "b", "c", "d"])
  }

  @Test func chainsOfAnyLengthAreCopied() throws {
    let realm = try creatingRealm()
    let count = 20_000
    let objects = (0..<count).map { CreatingLoose(value: ["\($0)"]) }
    for index in 1..<count { objects[index - 1].twin = objects[index] }
    let first = try realm.write { realm.create(CreatingLoose.self, value: objects[0]) }
    #expect(realm.objects(CreatingLoose.self).count == count)
    #expect(first.twin?.twin?.name == "2")
    // A chain is released from its end, because each object releases the next.
    for index in (1..<count).reversed() { objects[index - 1].twin = nil }
  }
}
