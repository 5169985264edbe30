internal import FirnEngine
internal import Foundation

/// Conditions on objects that no realm manages.
enum UnmanagedQuery {
  /// The position of the first object that satisfies a condition.
  ///
  /// The objects up to it are copied, each once, into a realm that exists meanwhile.
  static func index<Element: ObjectBase>(
    in elements: [Element], matching isIncluded: (Query<Element>) -> Query<Bool>
  ) -> Int? {
    if elements.isEmpty { return nil }
    var types = ClassModel.reachable(from: Element.self)
    while true {
      do {
        return try index(in: elements, types, isIncluded)
      } catch {
        // Objects in mixed values may be of any class.
        guard let type = (error as? InvalidValue)?.missingClass else { InvalidValue.trap(error) }
        types += ClassModel.reachable(from: type)
      }
    }
  }

  private static func index<Element: ObjectBase>(
    in elements: [Element], _ types: [ObjectBase.Type], _ isIncluded: (Query<Element>) -> Query<Bool>
  ) throws -> Int? {
    var configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString)
    configuration.objectTypes = types
    configuration.hasPrimaryKeys = false
    let realm = try Realm(configuration: configuration)
    realm.beginWrite()
    defer { realm.cancelWrite() }
    let instance = realm.instance
    let handle = instance.requireHandle(Element.self)
    let condition = isIncluded(Query(QueryNode(ResultsCore(allRowsOf: handle, instance)))).node.predicate
    let compiled = CompiledPredicate(condition, table: handle.table, layout: instance.store.graph.layout)
    let creator = ObjectCreator(instance, realm.requireWriter(), .error)
    for (index, element) in elements.enumerated() {
      do {
        let key = try creator.create(handle, element)
        if instance.read({ compiled.matches(key, in: $0) }) { return index }
      } catch let error as InvalidValue {
        throw error.inElement(index)
      }
    }
    return nil
  }
}
