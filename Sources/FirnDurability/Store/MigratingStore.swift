package import FirnEngine

/// A store on its way from its old tables to those of an application: one graph with the columns of both.
///
/// Tables come in the order of the application's, then those that only the store has. Each has the application's columns in
/// its order, then those that only the store has, and those that are gone from the application's. There are no primary keys
/// and no indexes. The old content is the version ``before``; writing makes the new one.
package struct MigratingStore: Sendable {
  package struct Table: Sendable {
    package let name: String
    package let isInStore: Bool
    package let isInApplication: Bool
    /// What the store calls each column of the graph; nil for those that it lacks.
    package let storedColumns: [Catalogue.Column?]
  }

  package let graph: Graph
  package let before: Version
  package let schemaVersion: UInt64
  package let tables: [Table]
  /// Tables that are to go, of those that the application lacks.
  package let removedTables = Guarded<Set<Int>>([])
  /// Values that are lost unless a block takes them over.
  let losses: [LostValues]
  package let progress: @Sendable (_ completed: Int, _ total: Int) -> Void

  init(_ graph: Graph, _ recovery: StoreRecovery, _ shape: CatalogueMerge) {
    self.graph = graph
    before = graph.holdHead()
    let stored = recovery.stored
    schemaVersion = stored.schemaVersion
    tables = shape.map.tables.enumerated().map { index, table in
      let old = stored.index(of: table.id).map { stored.tables[$0] }
      let columns = Dictionary(uniqueKeysWithValues: (old?.columns ?? []).map { ($0.id, $0) })
      return Table(
        name: table.description.name, isInStore: old != nil, isInApplication: index < recovery.schema.count,
        storedColumns: table.columnIDs.map { columns[$0] })
    }
    losses = recovery.losses(before)
    let progress = recovery.options.migration.progress
    self.progress = { progress(.changing, $0, $1) }
  }
}
