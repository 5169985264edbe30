package import FirnEngine

/// One version of a graph, to be written as a store of its own: a single file, with a store id of its own.
///
/// The id is a new one, because the copy and the original go on apart: what the lock file or the journal of one says must
/// never count for the other.
package struct StoreCopy: Sendable {
  private let version: Version
  private let catalogue: Catalogue
  private let map: CatalogueMap
  private let threadCount: Int

  /// A version of a store in files.
  package init(_ version: Version, of store: DurableStore) {
    self.version = version
    catalogue = store.catalogue
    map = store.map
    threadCount = store.options.threadCount
  }

  /// A version of a graph in memory.
  package init(_ version: Version, schemaVersion: UInt64) throws {
    self.version = version
    var catalogue = try Catalogue().merging(schema: version.graph.layout.schema)
    catalogue.catalogue.schemaVersion = schemaVersion
    self.catalogue = catalogue.catalogue
    map = catalogue.map
    threadCount = DurableStore.Options().threadCount
  }

  /// Writes the copy to a path where no store is, and which nobody can open meanwhile.
  ///
  /// - Parameter key: Encrypts the copy, whatever the original is.
  /// - Throws: `StoreError` `.fileExists`, `.fileNotFound` when the folder is missing, `.ownedByOtherProcess`, or what the
  ///   disk says. No file of that name is left then, unless the disk refuses to remove it: then it is a whole one.
  /// - Complexity: O(values).
  package func write(to path: String, key: StoreKey? = nil, in fileSystem: any FileSystem) throws {
    try StoreError.wrapping {
      let paths = StorePaths(path)
      try paths.checkName()
      let fileSystem = try fileSystem.holdingFolder(of: path)
      try Self.expectNothing(at: paths, fileSystem)
      let lock = try StoreLock.take(paths.lock, by: .current(), in: fileSystem)
      // A copy is one file. Whoever opened the lock file meanwhile finds that it is gone, and makes another.
      defer {
        try? fileSystem.remove(paths.lock)
        lock.release()
      }
      try Self.expectNothing(at: paths, fileSystem)
      var mayHaveName = false
      do {
        try install(paths, key, fileSystem) { mayHaveName = true }
        if try !fileSystem.isInPlace() { throw Self.moved(path) }
      } catch {
        // If something else has got the name meanwhile, it is nothing of ours.
        let isForeign = (error as? DiskError)?.code == .exists
        if mayHaveName, !isForeign { try? fileSystem.remove(paths.base) }
        throw error
      }
    }
  }

  /// Writes the copy as the base of a store whose lock the caller has.
  func install(
    _ paths: StorePaths, _ key: StoreKey?, _ fileSystem: any FileSystem, willRename: () -> Void = {}
  ) throws {
    // The numbers of the original's process starts mean nothing to the copy.
    let header = SnapshotHeader(
      kind: .base, storeID: .random(), epoch: 0,
      version: version.graph.commitNumber(of: version.number))
    try version.withContents { contents in
      let tables = catalogue.snapshotTables(contents, map) { table in
        // Keys of rows that are gone may be given out again: nobody knows them in the copy.
        let count = contents.rowCount(table)
        return count == 0 ? 0 : contents.key(at: count - 1, in: table).map { $0.rawValue + 1 } ?? 0
      }
      _ = try fileSystem.install(
        paths.base, by: paths.temporaryBase, key: key, limits: .standard, threadCount: threadCount,
        replaces: false, willRename: willRename
      ) { file in
        try SnapshotWriter(file, header: header, catalogue: catalogue.withoutDropped, key: key)
          .writeBase(tables: tables, threadCount: threadCount)
      }
    }
  }

  private static func moved(_ path: String) -> StoreError {
    StoreError(
      .fileNotFound,
      "The folder of '\(path)' was moved or replaced while the copy was written. The copy was removed again; write another "
        + "one.", path: path)
  }

  private static func expectNothing(at paths: StorePaths, _ fileSystem: any FileSystem) throws {
    if try fileSystem.exists(paths.base) {
      throw StoreError(
        .fileExists, "'\(paths.base)' is there already, and a copy replaces nothing. Remove it, or give another name.",
        path: paths.base)
    }
    if try fileSystem.exists(paths.journal), try fileSystem.list(paths.journal).contains(where: StorePaths.isOwn) {
      throw StoreError(
        .fileExists,
        "'\(paths.journal)', the journal of another store, is there already and does not belong to a copy of this name. "
          + "Remove it, or give another name.", path: paths.journal)
    }
  }
}

extension Catalogue {
  /// The tables of a version, which must be held as long as they are read, in the order of the catalogue.
  ///
  /// - Parameter nextKey: The key that the next row of a table gets.
  func snapshotTables(
    _ contents: GraphContents, _ map: CatalogueMap, nextKey: (TableID) -> UInt64
  ) -> [SnapshotTable] {
    tables.map { table in
      guard let id = map.table(table.id) else { fatalError("Table \(table.id) of the catalogue is not in the graph.") }
      return SnapshotTable(
        contents, table: id, columns: table.columns.compactMap { map.column($0.id, in: id) }, nextKey: nextKey(id))
    }
  }
}

extension DurableStore {
  /// Makes the base of a store whose lock the caller has of what the store at `seedPath` holds: its base, its deltas and
  /// its journal.
  ///
  /// Changes nothing of the seed, which may be in a place that cannot be written to. It has the key of the new store, or none like it. If a process has it open, the version
  /// that was on disk last is taken.
  static func installSeed(
    _ seedPath: String, on disk: any FileSystem, at folders: StoreFolders, _ options: Options, _ seed: HashSeed
  ) throws {
    var reading = Options()
    reading.isReadOnly = true
    reading.key = options.key
    reading.threadCount = options.threadCount
    reading.expandedByteCountMax = options.expandedByteCountMax
    reading.poisonsFreedBlocks = options.poisonsFreedBlocks
    let store = try openForReading(seedPath, nil, reading, seed, disk)
    try StoreCopy(store.graph.holdHead(), of: store).install(folders.paths, options.key, folders.fileSystem)
  }
}
