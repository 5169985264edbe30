internal import FirnEngine
internal import Foundation

/// Conditions on objects that no realm manages.
enum UnmanagedQuery {
  /// The position of the first object that satisfies a condition. Each is looked at in a transaction of its own, which is
  /// taken back: objects may have equal primary keys, and be changed afterwards.
  static func index<Element: ObjectBase>(
    in elements: [Element], matching isIncluded: (Query<Element>) -> Query<Bool>
  ) -> Int? {
    if elements.isEmpty { return nil }
    do {
      var configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString)
      configuration.objectTypes = ClassModel.reachable(from: Element.self)
      let realm = try Realm(configuration: configuration)
      for (index, element) in elements.enumerated() {
        realm.beginWrite()
        defer { realm.cancelWrite() }
        if try matches(element, realm, isIncluded) { return index }
      }
      return nil
    } catch {
      InvalidValue.trap(error)
    }
  }

  private static func matches<Element: ObjectBase>(
    _ element: Element, _ realm: Realm, _ isIncluded: (Query<Element>) -> Query<Bool>
  ) throws -> Bool {
    let handle = realm.instance.requireHandle(Element.self)
    let policy: Realm.UpdatePolicy = handle.layout.primaryKey == nil ? .error : .modified
    let key = try ObjectCreator(realm.instance, realm.requireWriter(), policy).create(handle, element)
    let core = ResultsCore(allRowsOf: handle, realm.instance)
    let condition = isIncluded(Query(QueryNode(core))).node.predicate
    let compiled = CompiledPredicate(condition, table: handle.table, layout: realm.instance.store.graph.layout)
    return realm.instance.read { compiled.matches(key, in: $0) }
  }
}
