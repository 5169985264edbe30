internal import FirnEngine
internal import Foundation

/// Evaluates parts of a predicate of Foundation, one after the other, with the object that a row of some contents is.
final class PredicateClosure<Element: ObjectBase>: @unchecked Sendable {
  // State       guarded by
  // realm       itself
  // the others  immutable; `nodes` are parts of a predicate, which is Sendable with all of them
  private let nodes: [any ExpressionNode]
  private let variable: PredicateExpressions.Variable<Element>
  private let store: Store
  private let table: Int
  /// Shows the contents that were asked for last. It holds nothing, and is only read while somebody else holds them: no
  /// object of it may be kept, and none is, because conditions on properties keep nothing.
  private let realm = Guarded<RealmInstance?>(nil)

  private init(
    _ nodes: [any ExpressionNode], _ variable: PredicateExpressions.Variable<Element>, _ core: ResultsCore
  ) {
    self.nodes = nodes
    self.variable = variable
    store = core.instance.store
    table = core.table.number
  }

  static func make(
    _ nodes: [any ExpressionNode], _ variable: PredicateExpressions.Variable<Element>, _ core: ResultsCore,
    reads: Set<[PathStep]>
  ) -> RowClosure {
    let closure = PredicateClosure(nodes, variable, core)
    return RowClosure(reads: reads) { closure.holds($0, $1) }
  }

  /// False where evaluating throws.
  private func holds(_ row: RowKey, _ contents: GraphContents) -> Bool {
    let realm = realm(showing: contents)
    // Another thread may replace it meanwhile, and objects do not keep it.
    return withExtendedLifetime(realm) {
      guard let object = realm.accessor(row, table) as? Element else { return false }
      let bindings = PredicateBindings((variable, object))
      return nodes.allSatisfy { ((try? $0.value(bindings)) as? Bool) ?? false }
    }
  }

  private func realm(showing contents: GraphContents) -> RealmInstance {
    realm.withLock { realm in
      // The same place may hold other contents than before. The realm remembers none of them.
      if let realm, realm.rootForReading == contents.root { return realm }
      let new = RealmInstance(
        store: store, confinement: .frozen, version: Version(borrowing: contents, of: store.graph))
      realm = new
      return new
    }
  }
}
