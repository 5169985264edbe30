import Firn
import FirnEngine
import Foundation
import TestSupport
import Testing

/// Stored as a number that is even.
struct EvenNumber: FailableCustomPersistable {
  typealias PersistedType = Int
  let number: Int

  init?(persistedValue: Int) {
    if persistedValue % 2 != 0 { return nil }
    number = persistedValue
  }
  var persistableValue: Int { number }
}

final class EvenNumbers: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var list: List<EvenNumber>
  @Persisted var maybe: List<EvenNumber?>
  @Persisted var map: Map<String, EvenNumber>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Elements that cannot be converted read as the type's default, or as nil where that may be, and a warning tells of it.
@Suite struct UnreadableElementTests {
  @Test func elementsReadAsTheDefaultAndAreLoggedOnce() async {
    await #expect(processExitsWith: .success) {
      let lines = Lock([String]())
      Logger.shared = Logger(level: .warn) { _, line in lines.withLock { $0.append(line) } }
      let realm = try Realm(
        configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [EvenNumbers.self]))
      // They are given by name, because such values are storable where they come from outside.
      let object = try realm.write {
        realm.create(
          EvenNumbers.self,
          value: ["id": 1, "list": [2, 3, 5], "maybe": [3, 4], "map": ["a": 7, "b": 8]] as [String: Any])
      }
      for _ in 0..<2 {
        if object.list.map(\.number) != [2, 0, 0] { fatalError("\(object.list)") }
        if object.maybe.map({ $0?.number }) != [nil, 4] { fatalError("\(object.maybe)") }
        if object.map["a"]?.number != 0 || object.map["b"]?.number != 8 { fatalError("\(object.map)") }
      }
      let told = lines.withLock { $0.filter { $0.contains("cannot be converted to EvenNumber") } }
      if told.count != 1 || !told[0].contains("The stored element '3'") { fatalError("\(told)") }
    }
  }
}
