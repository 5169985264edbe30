internal import FirnDurability
internal import FirnEngine
internal import Foundation

extension Realm {
  /// Whether there is a database in the file of a configuration. False for one in memory.
  public static func fileExists(for configuration: Configuration) -> Bool {
    guard case .file(let file)? = try? configuration.checkedPlace() else { return false }
    return DurableStore.exists(file.path, configuration.fileSystem)
  }

  /// Removes the file of a configuration with its journal and its lock. Files in the folder of the journal that the library did not
  /// write stay, and the folder with them.
  ///
  /// - Returns: Whether there was a database.
  /// - Throws: ``Realm/Error`` `.alreadyOpen` when it is open in this process, also through frozen values;
  ///   `.ownedByOtherProcess`; `.filePermissionDenied` and the like.
  public static func deleteFiles(for configuration: Configuration) throws -> Bool {
    let place = try configuration.checkedPlace()
    guard case .file(let file) = place else { return false }
    return try OpenStores.shared.withClosed(place, to: "delete files") {
      do {
        return try DurableStore.deleteFiles(file.path, configuration.fileSystem)
      } catch {
        throw Error.wrapping(error)
      }
    }
  }
}

extension RealmStore {
  /// Reads all files of a database that is not open, checks them against their checksums and each other, and changes
  /// nothing.
  ///
  /// Values that the types of the properties cannot be made from are no damage: they are listed in the report.
  ///
  /// Blocks the thread while it reads.
  ///
  /// - Throws: ``Realm/Error`` naming file and place of the first thing that is wrong.
  public static func verify(_ configuration: Realm.Configuration) throws -> VerifyReport {
    guard case .file(let file) = try configuration.checkedPlace() else {
      throw Realm.Error(.fail, "The database \(configuration.name) is in memory and has no files to verify.")
    }
    do {
      let models = (try? StoreSchema(configuration))?.models ?? []
      var unreadable = UnreadableValues()
      var options = DurableStore.Options()
      options.key = configuration.storeKey
      options.expandedByteCountMax = configuration.expandedByteCountMax
      let record = try DurableStore.verify(file.path, configuration.fileSystem, options: options) {
        unreadable.look(for: models, in: $0, $1)
      }
      return VerifyReport(record, unreadable)
    } catch {
      throw Realm.Error.wrapping(error)
    }
  }
}

extension Realm.Configuration {
  func openFiles(_ path: String, _ schema: StoreSchema) throws -> DurableStore {
    do {
      try checkFolder(of: path)
      return try openExisting(path, schema, seed: checkedSeed(path))
    } catch let error as StoreError where error.code == .schemaMismatch && deleteRealmIfMigrationNeeded && !readOnly {
      Log.warning("The classes of the database \(name) have changed; it is deleted: \(error.message)")
      do {
        _ = try DurableStore.deleteFiles(path, fileSystem)
        return try openExisting(path, schema)
      } catch {
        throw Realm.Error.opening(error)
      }
    } catch {
      throw Realm.Error.opening(error)
    }
  }

  private func openExisting(_ path: String, _ schema: StoreSchema, seed: String? = nil) throws -> DurableStore {
    var options = options(schema)
    options.seedPath = seed
    let store = try DurableStore.open(
      path, schema: schema.tables, options: options, seed: .random(), fileSystem: fileSystem)
    for loss in store.opening.losses where loss.count > 0 {
      let values = "\(loss.count.grouped) values of '\(loss.className).\(loss.property)'"
      if migrationBlock == nil {
        Log.warning("The migration of the database \(name) has lost \(values).")
      } else {
        Log.info("The migration of the database \(name) has lost \(values) unless its block took them over.")
      }
    }
    if let old = store.opening.migratedFrom {
      Log.info("The database \(name) was migrated from schema version \(old) to \(schemaVersion).")
    }
    return store
  }

  func options(_ schema: StoreSchema) -> DurableStore.Options {
    var options = DurableStore.Options()
    options.key = storeKey
    options.expandedByteCountMax = expandedByteCountMax
    options.isReadOnly = readOnly
    options.schemaVersion = schemaVersion
    options.checkpointByteCount = checkpoints.journalByteCount
    options.checkpointNanoseconds = checkpoints.interval.map(\.nanoseconds)
    options.historyByteCount = history.byteCount
    options.recordsOldValues = history.byteCount > 0
    options.historyNanoseconds = history.age.map(\.nanoseconds)
    switch durability {
    case .everyCommit: options.durability = .everyCommit
    case .interval(let interval): options.durability = .interval(interval)
    case .onCheckpoint: options.durability = .onCheckpoint
    }
    let name = name
    options.log = { message in Log.error("The database \(name): \(message)") }
    options.tell = { event in Log.tell(event, of: name) }
    options.migration = migrationOptions(schema)
    return options
  }

  private func migrationOptions(_ schema: StoreSchema) -> MigrationOptions {
    var options = MigrationOptions()
    options.isRefused = deleteRealmIfMigrationNeeded
    options.additionsNeedVersion = additionsNeedVersion
    for model in schema.models {
      options.embedded[model.name] = model.type.isEmbedded()
      let removed = model.type.removedProperties
      if !removed.isEmpty { options.removed[model.name] = removed }
      let renamed = model.type.renamedProperties
      if renamed.isEmpty { continue }
      let names = Dictionary(model.properties.map { ($0.name, $0.columnName) }) { first, _ in first }
      options.renames[model.name] = renamed.mapValues { names[$0] ?? $0 }
    }
    let defaults = DeclaredDefaults(schema)
    options.defaultValue = { defaults.value(table: $0, column: $1) }
    options.nextDefault = { defaults.next(table: $0, column: $1) }
    if let migrationBlock {
      let run = MigrationRun(configuration: self, schema: schema, block: migrationBlock)
      options.block = { store in try WorkThreads.lending { try run.run(store) } }
    }
    let (name, migrationProgress) = (name, migrationProgress)
    options.progress = { stage, count, total in
      let progress = MigrationProgress(stage, count, total)
      if progress.isWorthALine { Log.detail("Migrating the database \(name): \(progress.line).") }
      if let migrationProgress { WorkThreads.lending { migrationProgress(progress) } }
    }
    return options
  }

  /// Asks whether files that were just opened are to be compacted, and does it.
  func compactIfWanted(_ store: DurableStore) {
    guard let shouldCompactOnLaunch, !readOnly else { return }
    let statistics = store.statistics
    let total = max(1, statistics.totalByteCount)
    if WorkThreads.lending({ shouldCompactOnLaunch(total, max(1, total - statistics.journalByteCount)) }) {
      do {
        _ = try store.checkpoint()
      } catch {
        Log.warning("The database \(name) could not be compacted: \(error)")
      }
    }
  }

  private func checkFolder(of path: String) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    var isDirectory: ObjCBool = false
    if FileManager.default.fileExists(atPath: folder, isDirectory: &isDirectory), isDirectory.boolValue { return }
    throw Realm.Error(
      .fileOperationFailed,
      "Failed to open file at path '\(path).lock': parent path is not a directory. Create the folder '\(folder)'.",
      fileURL: URL(fileURLWithPath: path + ".lock"))
  }

  /// The store that a new one begins with; nil when there is a file already, or none is to be made.
  ///
  /// - Throws: Foundation's error when there is no such file, as copying it would.
  private func checkedSeed(_ path: String) throws -> String? {
    guard let seedFilePath, !readOnly, !FileManager.default.fileExists(atPath: path) else { return nil }
    let seed = seedFilePath.path
    if !FileManager.default.fileExists(atPath: seed) {
      throw CocoaError(
        .fileReadNoSuchFile,
        userInfo: [
          NSFilePathErrorKey: seed,
          NSLocalizedDescriptionKey: "The file '\(seed)' of Configuration.seedFilePath is not there.",
        ])
    }
    return seed
  }
}

extension HashSeed {
  static func random() -> HashSeed {
    var random = SystemRandomNumberGenerator()
    return HashSeed(random.next(), random.next())
  }
}

extension Duration {
  var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    if seconds < 0 || attoseconds < 0 { return 0 }
    let (product, overflows) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return overflows ? .max : product &+ UInt64(attoseconds / 1_000_000_000)
  }
}

extension Realm.Error {
  /// An error that kept files from being opened as one of the realm's; others as they are.
  fileprivate static func opening(_ error: any Swift.Error) -> any Swift.Error {
    guard let error = error as? StoreError, error.code == .filePermissionDenied else { return wrapping(error) }
    // The message begins with the path and the reason.
    return Realm.Error(
      .filePermissionDenied, "Failed to open Realm file at path \(error.message)",
      fileURL: error.path.map { URL(fileURLWithPath: $0) })
  }

  /// An error of the files as one of the realm's; others as they are.
  static func wrapping(_ error: any Swift.Error) -> any Swift.Error {
    if let violation = error as? UniqueViolation { return Realm.Error(violation) }
    if let limit = error as? LimitExceeded { return Realm.Error(.invalidInput, limit.description) }
    guard let error = error as? StoreError else { return error }
    return Realm.Error(error)
  }

  /// Two objects agree where no two may.
  init(_ violation: UniqueViolation) {
    let objects =
      violation.primaryKeys.isEmpty
      ? "the objects in rows \(violation.rows[0].rawValue) and \(violation.rows[1].rawValue)"
      : "the objects with primary keys '\(violation.primaryKeys[0].text)' and '\(violation.primaryKeys[1].text)'"
    self.init(
      .duplicateValue,
      "Two objects of class '\(violation.tableName)' have the same '\(violation.indexName)', which has a unique index: "
        + "\(objects). Give one of them another value, or set it to nil.")
  }

  init(_ error: StoreError) {
    self.init(Code(error.code), error.message, fileURL: error.path.map { URL(fileURLWithPath: $0) })
  }
}

extension Realm.Error.Code {
  init(_ code: StoreError.Code) {
    self =
      switch code {
      case .fail: .fail
      case .fileAccess: .fileAccess
      case .filePermissionDenied: .filePermissionDenied
      case .fileExists: .fileExists
      case .fileNotFound: .fileNotFound
      case .outOfDiskSpace: .outOfDiskSpace
      case .fileOperationFailed: .fileOperationFailed
      case .historyUnavailable: .historyUnavailable
      case .invalidDatabase: .invalidDatabase
      case .unsupportedFileFormatVersion: .unsupportedFileFormatVersion
      case .schemaMismatch: .schemaMismatch
      case .ownedByOtherProcess: .ownedByOtherProcess
      case .corrupted: .corrupted
      case .durabilityLost: .durabilityLost
      case .storeClosed: .storeClosed
      }
  }
}
