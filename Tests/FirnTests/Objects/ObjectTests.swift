import Firn
import Foundation
import Testing

private final class Keyed: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var label: String
}

private final class Keyless: Object {
  @Persisted var label: String
  @Persisted var link: Keyed?
  @Persisted var next: Keyless?
  @Persisted var keys: List<Keyed>
  @Persisted var numbers: List<Int?>
}

private enum Mood: String, PersistableEnum {
  case calm, wild
}

private final class Sundry: Object {
  @Persisted var flag: Bool
  @Persisted var number: Int8
  @Persisted var text: String?
  @Persisted var data: Data
  @Persisted var mood: Mood
  @Persisted var numbers: List<Int>
}

struct ObjectTests {
  private let configuration = Realm.Configuration(
    inMemoryIdentifier: UUID().uuidString, objectTypes: [Keyed.self, Keyless.self, Sundry.self])

  @Test func equalityAndHashing() throws {
    let realm = try Realm(configuration: configuration)
    let keyed = Keyed()
    let keyless = Keyless()
    #expect(keyed == keyed)
    #expect(keyed != Keyed())
    #expect(Keyed().hashValue == Keyed().hashValue)
    #expect(Keyless().hashValue != keyless.hashValue)
    try realm.write {
      realm.add(keyed)
      keyless.link = keyed
      realm.add(keyless)
      let second = Keyless()
      second.next = keyless
      realm.add(second)
    }
    let again = try #require(realm.object(ofType: Keyed.self, forPrimaryKey: 0))
    #expect(again !== keyed)
    #expect(again == keyed)
    #expect(again.hashValue == keyed.hashValue)
    #expect(again.isSameObject(as: keyed))
    #expect(!again.isSameObject(as: nil))
    #expect(!again.isSameObject(as: keyless))
    #expect(keyless.isSameObject(as: keyless))
    let frozen = keyed.freeze()
    #expect(frozen != keyed)
    #expect(frozen == again.freeze())
    #expect(keyless.freeze() == keyless.freeze())
    #expect(Set([keyless.freeze(), keyless.freeze()]).count == 1)
    let other = try #require(realm.objects(Keyless.self).first)
    #expect(other !== keyless)
    #expect(other != keyless)
    #expect(other.isSameObject(as: keyless))
    try realm.write { realm.delete(again) }
    #expect(again != keyed)
    #expect(keyed == keyed)
    #expect(!again.isSameObject(as: nil))
  }

  @Test func freezeAndThaw() throws {
    let configuration = configuration
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      let keyless = Keyless(value: ["label": "a", "link": ["id": 3, "label": "b"]] as [String: Any])
      try realm.write { realm.add(keyless) }
      let frozen = keyless.freeze()
      #expect(frozen.isFrozen)
      #expect(frozen.realm?.isFrozen == true)
      #expect(frozen.freeze() === frozen)
      #expect(keyless.thaw() === keyless)
      let link = try #require(frozen.link)
      #expect(link.isFrozen)
      try realm.write {
        keyless.label = "c"
        keyless.link = nil
        #expect(keyless.freeze().label == "a")
      }
      #expect(frozen.label == "a")
      #expect(frozen.link?.label == "b")
      let away = Unchecked(frozen)
      try onOwnThread {
        #expect(away.value.link?.label == "b")
        let live = try #require(away.value.thaw())
        #expect(live.label == "c")
        #expect(!live.isFrozen)
      }
      #expect(frozen.thaw()?.isSameObject(as: keyless) == true)
      #expect(realm.freeze(keyless).label == "c")
      try realm.write { realm.delete(keyless) }
      #expect(frozen.thaw() == nil)
      #expect(frozen.label == "a")
      #expect(!frozen.isInvalidated)
      let later = Unchecked(realm.freeze())
      try onOwnThread { #expect(later.value.objects(Keyed.self).count == 1) }
    }
  }

  @Test func descriptions() throws {
    let sundry = Sundry()
    sundry.flag = true
    sundry.number = -4
    sundry.data = Data([1, 255])
    let expected = """
      Sundry {
      \tflag = 1;
      \tnumber = -4;
      \ttext = (null);
      \tdata = <01ff — 2 total bytes>;
      \tmood = calm;
      """
    #expect(sundry.description.hasPrefix(expected))
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(sundry) }
    #expect(sundry.description.hasPrefix(expected))
    let keyless = Keyless()
    keyless.next = keyless
    #expect(keyless.description.contains("<Maximum depth exceeded>"))
    keyless.next = nil
    keyless.link = Keyed()
    keyless.keys.append(Keyed())
    keyless.numbers.append(objectsIn: [1, nil])
    let text = keyless.description.replacing(try Regex("0x[0-9a-f]+"), with: "0x0")
    #expect(
      text == """
        Keyless {
        \tlabel = ;
        \tlink = Keyed {
        \t\tid = 0;
        \t\tlabel = ;
        \t};
        \tnext = (null);
        \tkeys = List<Keyed> <0x0> (
        \t\t[0] Keyed {
        \t\t\tid = 0;
        \t\t\tlabel = ;
        \t\t}
        \t);
        \tnumbers = List<Optional<Int>> <0x0> (
        \t\t[0] 1,
        \t\t[1] (null)
        \t);
        }
        """)
  }

  @Test func valuesByName() throws {
    let realm = try Realm(configuration: configuration)
    let sundry = Sundry()
    sundry["number"] = 5
    sundry["mood"] = "wild"
    sundry["numbers"] = [1, 2]
    #expect(sundry.number == 5)
    #expect(sundry.mood == .wild)
    #expect(sundry["mood"] as? String == "wild")
    #expect(Array(sundry.numbers) == [1, 2])
    try realm.write {
      realm.add(sundry)
      sundry["number"] = 6
      sundry["text"] = "t"
      sundry.setValue(Mood.calm, forKey: "mood")
      sundry["numbers"] = [3]
    }
    #expect(sundry["number"] as? Int8 == 6)
    #expect(sundry.value(forKey: "text") as? String == "t")
    #expect(sundry["mood"] as? String == "calm")
    #expect(Array(sundry.numbers) == [3])
    try realm.write {
      sundry["text"] = nil
      sundry["numbers"] = nil
    }
    #expect(sundry["text"] == nil)
    #expect(sundry.numbers.isEmpty)
    let keyless = Keyless()
    let keyed = Keyed()
    try realm.write {
      realm.add(keyless)
      keyless["link"] = keyed
    }
    #expect(keyed.realm == realm)
    #expect((keyless["link"] as? Keyed)?.isSameObject(as: keyed) == true)
  }

  @Test func objectsFromValues() {
    let keyed = Keyed(value: [4, "four"] as [Any])
    #expect(keyed.id == 4)
    #expect(keyed.label == "four")
    let keyless = Keyless(
      value: ["link": keyed, "keys": [keyed, ["id": 5]] as [Any], "numbers": [1, nil] as [Int?]] as [String: Any])
    #expect(keyless.link === keyed)
    #expect(keyless.keys.map(\.id) == [4, 5])
    #expect(Array(keyless.numbers) == [1, nil])
    let copy = Keyless(value: keyless)
    #expect(copy.link === keyed)
    #expect(copy.keys.count == 2)
    #expect(keyless.keys.count == 2)
    #expect(copy.realm == nil)
  }
}
