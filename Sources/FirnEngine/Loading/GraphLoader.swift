/// Builds the first version of a graph from column chunks, without inserting rows one by one.
///
/// Groups of rows become clusters and leaves at once, in the thread that adds them; `finish` makes directories, primary key
/// indexes, value tables, postings and backlinks of whole tables. The result is what insertions would have made of the same
/// rows, apart from room for growth.
///
/// Whatever the chunks hold, nothing traps: what does not make a graph is a ``LoadError``. After an error the loader is of
/// no further use.
///
/// State            guarded by            written by               read by
/// layout           -                     init                     everybody
/// dictionaries     a lock in each        setDictionary, addGroup  addGroup, finish
/// state            its lock              everybody                everybody
/// a block store    whoever took it from the idle ones of `state`
package final class GraphLoader: @unchecked Sendable {
  package let layout: GraphLayout
  let threadCount: Int
  let dictionaries: [[ColumnDictionary]]
  private let state: Guarded<LoaderState>
  private let poisonsFreedBlocks: Bool
  private let willExpand: @Sendable (Int) throws -> Void

  /// - Parameters:
  ///   - seed: Random and secret in a server; see ``HashSeed``.
  ///   - threadCount: How many threads `finish` uses, the caller's included.
  ///   - willExpand: Told how many bytes the values of a dictionary take, before rows get a copy each; what it throws ends the
  ///     loading.
  package init(
    schema: [TableDescription], seed: HashSeed, poisonsFreedBlocks: Bool = false, threadCount: Int = 2,
    willExpand: @escaping @Sendable (Int) throws -> Void = { _ in }
  ) {
    self.willExpand = willExpand
    let layout = GraphLayout(schema: schema, seed: seed)
    self.layout = layout
    self.threadCount = max(1, threadCount)
    self.poisonsFreedBlocks = poisonsFreedBlocks
    dictionaries = schema.map { table in table.columns.map { _ in ColumnDictionary(seed: layout.seed) } }
    state = Guarded(
      LoaderState(store: BlockStore(poisonsFreedBlocks: poisonsFreedBlocks), tableCount: schema.count))
  }

  /// The values that chunks of a string or data column name by their positions. Before the first such chunk, once.
  ///
  /// Values that no row uses are left out of the graph.
  package func setDictionary(_ values: ByteStrings, of column: ColumnID, in table: TableID) throws {
    let context = ColumnContext(layout: layout.tables[table.index], column: column.index)
    try context.check(values, count: values.lengths.count)
    if !dictionaries[table.index][column.index].set(values) { throw context.error("has two dictionaries") }
  }

  /// The key that the next row inserted into a table gets. Without it, the one after the last row's.
  ///
  /// Best known before the groups: then the cluster to which rows will be appended is built once.
  package func setNextKey(_ key: UInt64, of table: TableID) {
    state.withLock { $0.tables[table.index].nextKey = key }
  }

  /// Adds rows. May be called by several threads at once.
  ///
  /// - Parameters:
  ///   - keys: Ascending. Groups of one table come in any order, but their ranges of keys do not overlap.
  ///   - columns: One chunk per column of the schema; nil for null, or else for zero, false or empty.
  /// - Complexity: O(values).
  package func addGroup(_ table: TableID, keys: [UInt64], columns: [ColumnChunk?]) throws {
    let (store, nextKey) = state.withLock { state in
      (state.idle.popLast() ?? makeStore(), state.tables[table.index].nextKey)
    }
    do {
      let group = GroupBuilder(
        layout: layout.tables[table.index], dictionaries: dictionaries[table.index], keys: keys, store: store,
        willExpand: willExpand)
      let part = try group.build(columns, tail: nextKey.map { $0 >> 8 })
      state.withLock { state in
        state.idle.append(store)
        if let part { state.tables[table.index].parts.append(part) }
      }
    } catch {
      // The store stays away: what it made of the group belongs to no row.
      state.withLock { state in
        state.failure = error
        state.lost.append(store)
      }
      throw error
    }
  }

  /// Completes the graph as a version with the given number, which is at least 1.
  ///
  /// No other call may be running. Everything is checked that needs the whole graph: links lead to rows, primary keys are
  /// unique, keys are below the next one.
  ///
  /// - Complexity: O(rows), in few passes over memory.
  package func finish(version: UInt64) throws {
    let (store, tables) = try state.withLock { state in
      if state.isFinished { fatalError("A loader was finished twice.") }
      if let failure = state.failure { throw failure }
      if version == 0 { throw LoadError(message: "A graph has no version 0.") }
      state.isFinished = true
      let store = state.idle[0]
      for other in state.idle.dropFirst() { store.adopt(other) }
      state.idle = [store]
      return (store, state.tables)
    }
    let assembly = GraphAssembly(loader: self, store: store)
    let (root, nextKeys, suspects) = try assembly.assemble(tables)
    state.withLock {
      $0.result = LoadedGraph(
        version: version, root: root, nextKeys: nextKeys, suspects: suspects, store: store)
      $0.idle = []
    }
  }

  /// A store for another thread.
  func makeStore() -> BlockStore { BlockStore(poisonsFreedBlocks: poisonsFreedBlocks) }

  /// What the graph takes over.
  func takeResult() -> LoadedGraph {
    state.withLock { state in
      guard let result = state.result else { fatalError("A graph was made of a loader that is not finished.") }
      state.result = nil
      return result
    }
  }
}

/// What the loader keeps under its lock.
private struct LoaderState {
  var idle: [BlockStore]
  /// Stores with parts of groups that failed.
  var lost: [BlockStore] = []
  var tables: [TableParts]
  var failure: (any Error)?
  var isFinished = false
  var result: LoadedGraph?

  init(store: BlockStore, tableCount: Int) {
    idle = [store]
    tables = Array(repeating: TableParts(), count: tableCount)
  }
}

/// A complete first version.
struct LoadedGraph {
  let version: UInt64
  let root: Block
  let nextKeys: [UInt64]
  /// By number of a unique index, rows that have an equal one before them.
  let suspects: [Int: Set<UInt64>]
  let store: BlockStore
}

/// The groups of one table that have been added.
struct TableParts {
  var parts: [TablePart] = []
  var nextKey: UInt64?
}

/// The clusters made of one group.
struct TablePart {
  let firstKey: UInt64
  let lastKey: UInt64
  let clusters: [Block]
}
