internal import FirnEngine
internal import Foundation

/// Conditions on objects and values that no realm manages.
enum UnmanagedQuery {
  /// The position of the first element that satisfies a condition.
  ///
  /// Objects up to it are copied, each once, into a realm that exists meanwhile; values all. Traps for what cannot be
  /// copied.
  ///
  /// - Parameter condition: Makes the condition for a query on that realm. May be called again.
  static func index<Element: RealmCollectionValue, Failure: Error>(
    in elements: [Element], matching condition: (ResultsCore) throws(Failure) -> Predicate
  ) throws(Failure) -> Int? {
    if elements.isEmpty { return nil }
    let type = Element.self as? ObjectBase.Type
    var types = ClassModel.reachable(from: type ?? ValueHolder<Element>.self)
    while true {
      do {
        return if let type {
          try index(ofObjectIn: elements, type, types, condition)
        } else {
          try index(ofValueIn: elements, types, condition)
        }
      } catch let error as Failure {
        throw error
      } catch {
        // Objects in mixed values may be of any class.
        guard let type = (error as? InvalidValue)?.missingClass else { InvalidValue.trap(error) }
        types += ClassModel.reachable(from: type)
      }
    }
  }

  private static func index<Element: RealmCollectionValue>(
    ofObjectIn elements: [Element], _ type: ObjectBase.Type, _ types: [ObjectBase.Type],
    _ condition: (ResultsCore) throws -> Predicate
  ) throws -> Int? {
    try inTemporaryRealm(types) { realm in
      let instance = realm.instance
      let handle = instance.requireHandle(type)
      let condition = try condition(ResultsCore(allRowsOf: handle, instance))
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

  private static func index<Element: RealmCollectionValue>(
    ofValueIn elements: [Element], _ types: [ObjectBase.Type], _ condition: (ResultsCore) throws -> Predicate
  ) throws -> Int? {
    try inTemporaryRealm(types) { realm in
      let instance = realm.instance
      let holder = ValueHolder<Element>()
      holder.elements.append(objectsIn: elements)
      let handle = instance.requireHandle(ValueHolder<Element>.self)
      let key = try ObjectCreator(instance, realm.requireWriter(), .error).create(handle, holder)
      let isOfLinks = handle.layout.columns[0].type == .link
      let core = ResultsCore(
        instance: instance, table: isOfLinks ? instance.handle(handle.targetNumber(of: 0)) : handle,
        source: .list(owner: handle, row: key, column: ColumnID(0)))
      return core.index(matching: try condition(core))
    }
  }

  private static func inTemporaryRealm<Result>(
    _ types: [ObjectBase.Type], _ body: (Realm) throws -> Result
  ) throws -> Result {
    var configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString)
    configuration.objectTypes = types
    configuration.hasPrimaryKeys = false
    let realm = try Realm(configuration: configuration)
    realm.beginWrite()
    defer { realm.cancelWrite() }
    return try body(realm)
  }
}

/// Has values that no realm manages, while a condition is put to them.
private final class ValueHolder<Element: RealmCollectionValue>: Object {
  @Persisted var elements: List<Element>

  override class func _realmObjectName() -> String? { "ValueHolder" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
