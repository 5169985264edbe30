import Firn
import Foundation
import Testing

final class ValDocument: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted(indexed: true) var author: ObjectId?
  @Persisted var fixed = ObjectId("0123456789abcdef01234567")
  @Persisted var readers: List<ObjectId>
  @Persisted var holes: List<ObjectId?>
}

/// Section 14.
@Suite struct ObjectIdRuleTests {
  @Test func makingAndReading() throws {
    #expect(ObjectId().stringValue == String(repeating: "0", count: 24))
    let id = try ObjectId(string: "0123456789ABCDEFabcdef01")
    #expect(
      id.stringValue == "0123456789abcdefabcdef01" && id.description == id.stringValue && "\(id)" == id.stringValue)
    #expect(ObjectId("0123456789abcdefABCDEF01") == id)
    for text in [
      "", "0123456789abcdef0123456", "0123456789abcdef012345678", "0123456789abcdef0123456g",
      "0x23456789abcdef01234567",
    ] {
      #expect { try ObjectId(string: text) } throws: { error in
        if case Realm.Error.invalidInput = error {
          "\(error.localizedDescription)".contains("'\(text)'")
        } else {
          false
        }
      }
    }
    #expect(ObjectId("ffffffff0000000000000000").timestamp == Date(timeIntervalSince1970: 4_294_967_295))
    let made = ObjectId(
      timestamp: Date(timeIntervalSince1970: 1_000_000_000.75), machineId: 0x0102_0304, processId: 0x0506_0708)
    #expect(
      made.stringValue.prefix(18) == "3b9aca000203040708"
        && made.timestamp == Date(timeIntervalSince1970: 1_000_000_000))
    #expect(
      ObjectId(timestamp: .distantPast, machineId: -1, processId: .min)
        != ObjectId(timestamp: .distantPast, machineId: -1, processId: .min))
    _ = ObjectId(timestamp: Date(timeIntervalSince1970: .infinity), machineId: 0, processId: 0)
  }

  @Test func aMalformedLiteralTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { _ = ObjectId("12") }
    #expect(trapSaid("24 hexadecimal digits", result))
  }

  @Test func orderAndHashing() {
    let texts: [StaticString] = [
      "000000000000000000000000", "000000000000000000000001", "0000000000000000000000ff", "00000001ffffffffffffffff",
      "0100000000000000000000aa", "80ffffffffffffffffffffff", "ff0000000000000000000000",
    ]
    let ascending = texts.map { ObjectId($0) }
    for (i, a) in ascending.enumerated() {
      for (j, b) in ascending.enumerated() {
        #expect(
          (a < b) == (i < j) && (a <= b) == (i <= j) && (a > b) == (i > j) && (a >= b) == (i >= j)
            && (a == b) == (i == j))
      }
    }
    #expect(Set(ascending + ascending).count == ascending.count)
  }

  @Test func generatedIdsGrowAndAreUnique() async {
    let start = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
    let ids = (0..<5000).map { _ in ObjectId.generate() }
    #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
    #expect(ids.allSatisfy { $0.timestamp >= start })
    #expect(Set(ids.map { $0.stringValue.dropFirst(8).prefix(10) }).count == 1)
    let all = await withTaskGroup(of: [ObjectId].self) { group in
      for _ in 0..<4 { group.addTask { (0..<1000).map { _ in ObjectId.generate() } } }
      return await group.reduce(into: ids) { $0 += $1 }
    }
    #expect(Set(all).count == 9000)
  }

  @Test func coding() throws {
    let id = ObjectId.generate()
    let encoded = try JSONEncoder().encode([id])
    #expect(String(decoding: encoded, as: UTF8.self) == "[\"\(id.stringValue)\"]")
    #expect(try JSONDecoder().decode([ObjectId].self, from: encoded) == [id])
    for json in [#"["12"]"#, "[7]", "[null]"] {
      #expect(throws: DecodingError.self) { try JSONDecoder().decode([ObjectId].self, from: Data(json.utf8)) }
    }
  }

  @Test func storedIds() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("firn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let configuration = Realm.Configuration(
      fileURL: folder.appendingPathComponent("documents.firn"), objectTypes: [ValDocument.self])
    let author = ObjectId.generate()
    var ids: [ObjectId] = []
    do {
      let realm = try Realm(configuration: configuration)
      let first = ValDocument()
      #expect(first._id != ValDocument()._id && first.author == nil && first._id == first._id)
      #expect(first.fixed == ObjectId("0123456789abcdef01234567"))
      ids.append(first._id)
      first.readers.append(objectsIn: [author, ObjectId()])
      try realm.write {
        realm.add(first)
        first.author = author
        first.holes.append(objectsIn: [nil, author])
        let second = realm.create(ValDocument.self, value: ["author": author])
        ids.append(second._id)
        ids.append(
          realm.create(ValDocument.self, value: ["_id": ObjectId(), "readers": [author]] as [String: Any])._id)
      }
      #expect(first._id == ids[0] && first.fixed == ObjectId("0123456789abcdef01234567"))
      #expect(first.description.contains("_id = \(ids[0]);") && first["author"] as? ObjectId == author)
    }
    let realm = try Realm(configuration: configuration)
    let documents = realm.objects(ValDocument.self)
    #expect(documents.map(\._id) == ids && ids[2] == ObjectId())
    #expect(realm.object(ofType: ValDocument.self, forPrimaryKey: ids[1])?._id == ids[1])
    #expect(realm.object(ofType: ValDocument.self, forPrimaryKey: ObjectId.generate()) == nil)
    #expect(
      documents.where { $0.author == author }.count == 2 && documents.where { $0.author == nil }.map(\._id) == [ids[2]])
    #expect(
      documents.where { $0.author != author }.count == 1 && documents.where { $0._id.in([ids[0], ids[2]]) }.count == 2)
    #expect(documents.where { $0._id == ids[0] }.first?.readers.contains(author) == true)
    #expect(documents.first.map { Array($0.holes) } == [nil, author])
    #expect(documents.sorted(by: \._id).map(\._id) == ids.sorted())
    try realm.write {
      documents[0].author = nil
      documents[0].holes[0] = ids[2]
      documents[1].fixed = ids[1]
    }
    #expect(
      documents.where { $0.author == author }.count == 1 && documents[0].holes[0] == ids[2]
        && documents[1].fixed == ids[1])
    #expect(documents.value(forKey: "_id") as? [ObjectId] == ids)
    #expect(
      realm.schema["ValDocument"]?["_id"]?.type == .objectId
        && realm.schema["ValDocument"]?["author"]?.isIndexed == true)
  }
}
