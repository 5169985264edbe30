internal import FirnEngine

/// The base and the deltas of a store, opened and found to lead on from each other.
struct StoreFiles {
  let base: SnapshotReader
  /// Those that count, each from the version where the one before ends.
  var deltas: [SnapshotReader] = []
  /// Deltas that the base or others have made superfluous.
  var staleDeltas: [String] = []

  var storeID: StoreID { base.header.storeID }

  /// The version that base and deltas lead to.
  var version: UInt64 { deltas.last?.header.version ?? base.header.version }

  /// Stands for what base and deltas hold, where a chain value of the journal would stand for the last commit.
  var chain: UInt32 {
    var writer = ByteWriter()
    for file in [base] + deltas { writer.append(file.checksum) }
    return writer.checksum(from: 0)
  }

  var epoch: UInt64 { deltas.reduce(base.header.epoch) { max($0, $1.header.epoch) } }

  /// The newest catalogue of base and deltas.
  var catalogue: Catalogue { deltas.last?.directory.catalogue ?? base.directory.catalogue }

  var deltaByteCount: Int { deltas.reduce(0) { $0 + $1.byteCount } }

  /// Opens the base, which is there, and the deltas. Throws `.corrupted` when one is missing between two others.
  init(_ paths: StorePaths, _ fileSystem: any FileSystem, _ options: DurableStore.Options) throws {
    let (key, limits) = (options.key, options.limits)
    base = try SnapshotReader(fileSystem.open(paths.base, .read), kind: .base, key: key, limits: limits)
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
      let delta = try SnapshotReader(file, kind: .delta, key: key, limits: limits)
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
      deltas.append(delta)
    }
  }
}
