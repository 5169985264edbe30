import Firn
import Foundation
import Testing

/// Names that code has from the classes of Objective-C.
@Suite struct ObjectiveCNameTests {
  @Test func errors() {
    let missing = FileManager.default.temporaryDirectory.appendingPathComponent("firn-\(UUID().uuidString)")
    do {
      _ = try Realm(configuration: .init(fileURL: missing, readOnly: true, objectTypes: Ordered.types))
    } catch RLMError.fileNotFound {
      let error = RLMError(.fileExists)
      #expect(error.code == RLMError.Code.fileExists && error as Error is Realm.Error)
      return
    } catch {
      Issue.record("\(error)")
    }
    Issue.record("It was opened.")
  }

  @Test func schemasOfClasses() throws {
    let schema = try #require(OrderedItem.sharedSchema())
    #expect(schema.className == "OrderedItem" && schema.primaryKeyProperty?.name == "id")
    #expect(schema == OrderedItem().objectSchema && schema["small"]?.type == .int)
    #expect(OrderedPlace.sharedSchema()?.isEmbedded == true)
    #expect(Object.sharedSchema() == nil)
  }

  @Test func equalCollections() throws {
    let (_, owner) = try Ordered.owner { owner in
      owner.ints.append(1)
      owner.intSet.insert(1)
      owner.intMap["a"] = 1
    }
    #expect(owner.ints.isEqual(owner.ints) && owner.intSet.isEqual(owner.intSet) && owner.intMap.isEqual(owner.intMap))
    #expect(!owner.ints.isEqual(owner.doubles) && !owner.ints.isEqual(nil) && !owner.intSet.isEqual(owner.ints))
    let (list, other) = (List<Int>(), List<Int>())
    list.append(7)
    #expect(!list.isEqual(other) && !owner.ints.isEqual(list))
    other.append(7)
    #expect(list.isEqual(other) && list.isEqual(Optional(other)))
    let (map, otherMap) = (Map<String, Int>(), Map<String, Int>())
    map["a"] = 1
    #expect(!map.isEqual(otherMap) && !owner.intMap.isEqual(map))
    otherMap["a"] = 1
    #expect(map.isEqual(otherMap) && SetsAndMaps.set(1, 2).isEqual(SetsAndMaps.set(2, 1)))
  }
}
