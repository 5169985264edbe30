internal import FirnEngine

/// The base and the deltas of a store, found to lead on from each other.
struct StoreFiles {
  let base: SnapshotReader
  /// Those that count, each from the version where the one before ends.
  private(set) var deltas: [DeltaFile] = []
  /// Deltas that the base or others have made superfluous.
  private(set) var staleDeltas: [String] = []
  /// The newest catalogue of base and deltas.
  private(set) var catalogue: Catalogue
  /// Pays for what the files take in memory; begun with their directories.
  let budget: ExpansionBudget

  var storeID: StoreID { base.header.storeID }

  /// The version that base and deltas lead to.
  var version: UInt64 { deltas.last?.header.version ?? base.header.version }

  /// Stands for what base and deltas hold, where a chain value of the journal would stand for the last commit.
  var chain: UInt32 {
    var writer = ByteWriter()
    writer.append(base.checksum)
    for delta in deltas { writer.append(delta.checksum) }
    return writer.checksum(from: 0)
  }

  var epoch: UInt64 { deltas.reduce(base.header.epoch) { max($0, $1.header.epoch) } }

  var deltaByteCount: Int { deltas.reduce(0) { $0 + $1.byteCount } }

  /// So many deltas are kept open where the store is read only.
  private static var keptDeltaCountMax: Int { 16 }

  /// Opens the base, which is there, and the deltas, one at a time. Throws `.corrupted` when one is missing between two
  /// others.
  init(_ paths: StorePaths, _ fileSystem: any FileSystem, _ options: DurableStore.Options) throws {
    let (key, limits) = (options.key, options.limits)
    budget = ExpansionBudget(byteCountMax: options.expandedByteCountMax)
    let baseFile = try fileSystem.open(paths.base, .read)
    budget.didOpen(fileByteCount: try baseFile.occupiedByteCount())
    base = try SnapshotReader(baseFile, kind: .base, key: key, limits: limits, budget: budget)
    catalogue = base.directory.catalogue
    var reached = base.header.version
    let names = try fileSystem.exists(paths.journal) ? fileSystem.list(paths.journal) : []
    // Names are hexadecimal numbers of one length, so their order is that of the versions.
    for name in names.sorted() {
      guard let version = StorePaths.version(ofDeltaNamed: name) else { continue }
      let path = "\(paths.journal)/\(name)"
      if version <= base.header.version {
        staleDeltas.append(path)
        continue
      }
      let file = try fileSystem.open(path, .read)
      // Of another store the key is another one, too.
      let header = try SnapshotHeader(reading: file, kind: .delta)
      if header.storeID != storeID { throw StoreError.foreign(path, of: header.storeID, not: storeID, in: paths) }
      budget.didOpen(fileByteCount: try file.occupiedByteCount())
      // Its directory does not stay in memory.
      let delta = try budget.releasing {
        try SnapshotReader(file, kind: .delta, key: key, limits: limits, budget: budget)
      }
      if delta.header.version != version {
        throw StoreError.corrupted(path, "leads to version \(delta.header.version), not to that of its name", at: 40)
      }
      if delta.header.startVersion != reached {
        throw StoreError(
          .corrupted,
          "The delta '\(path)' starts from version \(delta.header.startVersion), but the files before it lead to version "
            + "\(reached). \(StoreError.adviceOnMissing(paths))", path: path)
      }
      reached = version
      catalogue = delta.directory.catalogue
      let keepsFile = options.isReadOnly && deltas.count < Self.keptDeltaCountMax
      deltas.append(DeltaFile(delta, keepsFile: keepsFile, key: key, in: fileSystem))
    }
  }
}

/// A delta that was opened once and found sound. It is opened again when it is read: there may be more deltas than
/// files that a process may have open.
struct DeltaFile {
  let header: SnapshotHeader
  let byteCount: Int
  /// See ``SnapshotReader/checksum``.
  let checksum: UInt32
  let path: String
  private let limits: SnapshotLimits
  private let key: StoreKey?
  private let fileSystem: any FileSystem
  /// The file if it stays open, since a process that writes may remove it.
  private let keptFile: (any StoreFile)?

  fileprivate init(_ reader: SnapshotReader, keepsFile: Bool, key: StoreKey?, in fileSystem: any FileSystem) {
    header = reader.header
    byteCount = reader.byteCount
    checksum = reader.checksum
    path = reader.file.path
    limits = reader.limits
    self.key = key
    self.fileSystem = fileSystem
    keptFile = keepsFile ? reader.file : nil
  }

  /// Throws `.corrupted` when it is another file than before.
  func open(_ budget: ExpansionBudget) throws -> SnapshotReader {
    let file: any StoreFile
    if let keptFile { file = keptFile } else { file = try fileSystem.open(path, .read) }
    let reader = try SnapshotReader(file, kind: .delta, key: key, limits: limits, budget: budget)
    if reader.header == header, reader.checksum == checksum { return reader }
    throw StoreError(
      .corrupted,
      "The delta '\(path)' was replaced while the store was opened. Let nobody but Firn write to the files of a store, "
        + "and open it again.", path: path)
  }
}
