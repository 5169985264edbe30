public import Firn
import Foundation
import Synchronization
import Testing

private let evaluations = Atomic<Int>(0)

private func counted<Value>(_ value: Value) -> Value {
  evaluations.add(1, ordering: .relaxed)
  return value
}

private final class Plain: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var never: Int
  @Persisted var text = counted("default")
  @Persisted var number: Int? = counted(5)
  @Persisted var list: List<Int>
  @Persisted var link: Plain?
  @Persisted var flag = counted(true)
}

/// A class whose module never writes to the wrappers but through initial values; and one that others see.
public class OpenModel: Object {
  @Persisted(primaryKey: true) public var id: Int
  @Persisted public var text = "a"
  override public class func shouldIncludeInDefaultSchema() -> Bool { false }
}

internal final class DerivedModel: OpenModel {
  @Persisted private var hidden = 4
  @Persisted(indexed: true) fileprivate var word: String
  var own = [1, 2]
  var sum: Int { hidden + own.count }
}

/// Accessors take their values from the realm although nobody assigns to their properties. Meant for release builds,
/// where the optimiser knows that nobody does.
struct AccessorTests {
  private let configuration = Realm.Configuration(
    inMemoryIdentifier: UUID().uuidString, objectTypes: [Plain.self, OpenModel.self, DerivedModel.self])

  @Test func wrappersAreSetByOffset() throws {
    let configuration = configuration
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      try realm.write {
        for id in 0..<300 {
          realm.create(
            DerivedModel.self, value: ["id": id, "text": "t\(id)", "hidden": id, "word": "w\(id % 5)"] as [String: Any])
          realm.create(OpenModel.self, value: ["id": id] as [String: Any])
        }
      }
      for id in 0..<300 {
        let object = try #require(realm.object(ofType: DerivedModel.self, forPrimaryKey: id))
        #expect(object.id == id)
        #expect(object.text == "t\(id)")
        #expect(object.word == "w\(id % 5)")
        #expect(object.sum == id + 2)
        #expect(object.freeze().sum == id + 2)
        let away = Unchecked(object)
        if id % 50 == 0 { try onOwnThread { #expect(away.value.sum == id + 2) } }
        #expect(realm.object(ofType: OpenModel.self, forPrimaryKey: id)?.text == "a")
      }
    }
  }

  @Test func defaultsAreEvaluatedForNewObjectsOnly() throws {
    let realm = try Realm(configuration: configuration)
    let first = Plain()
    #expect(first.text == "default")
    #expect(first.number == 5)
    #expect(first.flag)
    try realm.write { realm.add(first) }
    let before = evaluations.load(ordering: .relaxed)
    for _ in 0..<10 {
      let object = try #require(realm.object(ofType: Plain.self, forPrimaryKey: 0))
      #expect(object.text == "default")
      #expect(object.number == 5)
      #expect(object.flag)
      #expect(object.list.isEmpty)
      #expect(object.link == nil)
      #expect(object.freeze().text == "default")
    }
    #expect(evaluations.load(ordering: .relaxed) == before)
    #expect(Plain().flag)
    #expect(evaluations.load(ordering: .relaxed) == before + 3)
    try realm.write {
      // Objects made while others are being read have their defaults.
      let second = Plain()
      second.id = 2
      second.link = first
      realm.add(second)
      #expect(second.text == "default")
      #expect(second.link?.text == "default")
    }
  }
}
