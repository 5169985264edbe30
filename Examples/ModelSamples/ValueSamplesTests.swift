import Firn
import Foundation
import Testing

@Suite struct ValueSamplesTests {
  private func makeRealm(_ types: [ObjectBase.Type]? = nil) throws -> Realm {
    try Realm(configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: types))
  }

  @Test func decimalsAndIdentifiers() throws {
    let price: Decimal128 = 19.99
    let parsed = try Decimal128(string: "1.5E3")
    let converted = Decimal128(value: 3)
    #expect(price * 2 + converted == "42.98" && parsed.doubleValue == 1500 && price < parsed)
    #expect(price.decimalValue == Decimal(string: "19.99") && Decimal128(number: 4).stringValue == "4")
    let id = ObjectId.generate()
    #expect(try ObjectId(string: id.stringValue) == id && id > ObjectId("000000000000000000000000"))
    let made = ObjectId(timestamp: Date(timeIntervalSince1970: 9.5), machineId: 1, processId: 2)
    #expect(made.timestamp == Date(timeIntervalSince1970: 9))
    do {
      _ = try ObjectId(string: "no id")
      Issue.record("That was no id.")
    } catch Realm.Error.invalidInput {
    }
  }

  @Test func codableModels() throws {
    let text = """
      {"_id":"0123456789abcdef01234567","weight":"1.5","labels":["a"],"notes":{"n":null},"destination":{"city":"Oslo"}}
      """
    let parcel = try JSONDecoder().decode(Parcel.self, from: Data(text.utf8))
    #expect(parcel.sent == nil && parcel.destination?.city == "Oslo" && parcel.weight == 1.5)
    let realm = try makeRealm()
    let twin = try JSONDecoder().decode(Parcel.self, from: JSONEncoder().encode(parcel))
    try realm.write {
      realm.add(parcel)
      realm.add(twin, update: .modified)
    }
    #expect(realm.objects(Parcel.self).count == 1 && twin.labels.first == "a")
  }

  @Test func customTypes() throws {
    let realm = try makeRealm([Warehouse.self])
    let oslo = try #require(Postcode(persistedValue: "01550"))
    try realm.write {
      realm.create(Warehouse.self, value: ["name": "Oslo", "postcode": oslo, "served": ["01550"]] as [String: Any])
      realm.create(Warehouse.self, value: ["name": "Old", "postcode": "x", "byStreet": ["a": "1"]] as [String: Any])
    }
    let warehouses = realm.objects(Warehouse.self)
    #expect(warehouses.where { $0.postcode == oslo }.first?.served.first == oslo)
    #expect(warehouses.last?.postcode == nil && warehouses.last?.byStreet["a"] == .some(nil))
    #expect(warehouses.where { $0.postcode.persistableValue == "x" }.count == 1)
  }

  @Test func mixedValues() throws {
    let realm = try makeRealm()
    let person = Person(firstName: "Ada", age: 36)
    try realm.write {
      realm.add(person)
      person.anything = .fromDictionary(["list": .fromArray([.int(1), .double(2.5), .none])])
      person.anything.dictionaryValue?["dog"] = .object(Dog(value: ["name": "Rex"]))
    }
    let values = try #require(person.anything.dictionaryValue)
    #expect(values["list"]?.listValue?.count == 3 && values["dog"]?.object(Dog.self)?.name == "Rex")
    switch person.anything {
    case .dictionary(let map): #expect(map.keys == ["dog", "list"])
    case .none, .int, .bool, .float, .double, .string, .data, .date, .object, .objectId, .decimal128, .uuid, .list:
      Issue.record("That is a dictionary.")
    }
  }

  @Test func configurationsAndErrors() throws {
    var configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: "/nowhere/at/all.realm"), inMemoryIdentifier: nil, encryptionKey: nil,
      readOnly: true, schemaVersion: 3, deleteRealmIfMigrationNeeded: false, shouldCompactOnLaunch: nil,
      objectTypes: [Ticket.self], seedFilePath: nil)
    configuration.maximumNumberOfActiveVersions = 10
    do {
      _ = try Realm(configuration: configuration)
      Issue.record("There is no such file.")
    } catch Realm.Error.fileNotFound, Realm.Error.fileOperationFailed {
    } catch let error as Realm.Error {
      Issue.record("\(error.code): \(error.localizedDescription)")
    }
    configuration.inMemoryIdentifier = UUID().uuidString
    configuration.readOnly = false
    let realm = try Realm(configuration: configuration)
    #expect(realm.configuration == configuration && realm.schema.objectSchema.map(\.className) == ["Ticket"])
    let error: any Error = Realm.Error(.fail)
    #expect(error == (Realm.Error.callFailed as any Error))
  }

  @Test func objectsAndTheirMembers() throws {
    let realm = try makeRealm()
    let person = Person(value: ["firstName": "Ada", "age": 36, "home": ["street": "Main"]] as [String: Any])
    #expect(person.realm == nil && !person.isInvalidated && !person.isFrozen)
    try realm.write { realm.add(person, update: .modified) }
    #expect(person.objectSchema["age"]?.type == .int && Person.className() == "Person")
    #expect(person["age"] as? Int == 36 && person.value(forKey: "firstName") as? String == "Ada")
    try realm.write {
      person["lastName"] = "Lovelace"
      person.setValue(37, forKey: "age")
      person.home?.city = "London"
    }
    let again = try #require(realm.object(ofType: Person.self, forPrimaryKey: person._id))
    #expect(again == person && again.isSameObject(as: person) && Set([again, person]).count == 1)
    let frozen = person.freeze()
    try realm.write { realm.delete(try #require(person.home)) }
    #expect(person.home == nil && frozen.home?.city == "London" && frozen.thaw()?.home == nil)
    let dynamic = realm.dynamicObjects("Person").first
    #expect(dynamic?.age as? Int == 37 && dynamic?["firstName"] as? String == "Ada")
    #expect(person.dynamicList("dogs").isEmpty)
  }

  /// The schema of a program is discovered; two classes of one name are left out until one of them is used.
  @Test func classesOfOneName() async throws {
    let realm = try makeRealm()
    #expect(realm.schema["Entry"] == nil && realm.schema["Person"] != nil)
    let one = try makeRealm([Import.Entry.self])
    try one.write { one.create(Import.Entry.self, value: ["text": "listed"]) }
    #expect(one.objects(Import.Entry.self).count == 1)
    #expect { try makeRealm([Import.Entry.self, Export.Entry.self]) } throws: { error in
      error.localizedDescription.contains("Two model classes are named 'Entry'")
        && error.localizedDescription.contains("Import.Entry") && error.localizedDescription.contains("Export.Entry")
    }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString))
      _ = realm.objects(Export.Entry.self)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("two model classes have this name") && text.contains("Export.Entry"))
  }
}
