internal import FirnDurability
internal import FirnEngine
public import Foundation

/// What opening a database with the program's models would change; see ``Realm/planMigration(for:)``.
public struct MigrationPlan: Sendable, CustomStringConvertible {
  /// One difference between the file and the models.
  public struct Change: Sendable, Hashable, CustomStringConvertible {
    /// What is different.
    public enum Kind: Sendable, Hashable {
      /// The file has no objects of the class yet.
      case classAdded
      /// Objects get the declared value of the property.
      case propertyAdded
      /// The models lack a property that the file has. Its values are dropped when the schema version is raised.
      case propertyRemoved
      /// As ``ObjectBase/renamedProperties`` says.
      case propertyRenamed
      /// Values are lost unless the block takes them over.
      case typeChanged
      /// Values stay.
      case madeOptional
      /// Values are lost unless the block takes them over.
      case madeRequired
      /// Objects to which nothing links go, and each link gets an object of its own.
      case becameEmbedded
      /// Objects stay.
      case becameTopLevel
      /// Added, removed, or another property. Values have to be unique when the block has returned.
      case primaryKeyChanged
      /// The index is built when the file is opened.
      case indexAdded
      /// Look-ups by the property scan.
      case indexRemoved
    }

    /// What is different.
    public let kind: Kind
    /// A sentence that names class and property.
    public let description: String
    /// Whether it needs a raised ``Realm/Configuration/schemaVersion``.
    public let needsNewVersion: Bool
  }

  /// The version of the models that the file was last opened with.
  public let oldSchemaVersion: UInt64
  /// That of the configuration.
  public let newSchemaVersion: UInt64
  /// What is different, in the order of the classes.
  public let changes: [Change]
  /// Whether the configuration's block would run.
  public let runsBlock: Bool
  /// Whether all objects would be written anew; otherwise a note of what is different is all that is written.
  public let rewritesFile: Bool

  /// Whether opening would throw, because the version has to be raised for some of the changes, or is below the file's.
  public var isRefused: Bool {
    newSchemaVersion < oldSchemaVersion
      || (newSchemaVersion == oldSchemaVersion && changes.contains(where: \.needsNewVersion))
  }

  /// The changes, one a line.
  public var description: String {
    let versions =
      oldSchemaVersion == newSchemaVersion
      ? "Schema version \(oldSchemaVersion)" : "From schema version \(oldSchemaVersion) to \(newSchemaVersion)"
    if changes.isEmpty { return "\(versions): the file has what the models have." }
    return "\(versions):\n" + changes.map { "- \($0.description)" }.joined(separator: "\n")
  }
}

extension Realm {
  /// Migrates a file without keeping it open: opens it, which runs the migration, and closes it.
  ///
  /// Blocks the thread for as long as that takes.
  ///
  /// - Throws: ``Realm/Error`` `.alreadyOpen` when the database is open in this process; what opening throws, and what the
  ///   ``Realm/Configuration/migrationBlock`` throws. The file is what it was then.
  public static func performMigration(for configuration: Configuration = .defaultConfiguration) throws {
    let place = try configuration.checkedPlace()
    guard case .file(let file) = place else { return }
    try OpenStores.shared.withClosed(place, to: "migrate the files") {
      let store = try configuration.openFiles(file.path, StoreSchema(configuration))
      if let error = store.release() { throw Error.wrapping(error) }
    }
  }

  /// What opening a file would change, without changing anything. Works while it is open.
  ///
  /// - Throws: ``Realm/Error`` when there is no such file, or it cannot be read, or the models are not sound.
  /// - Complexity: O(bytes of the journal); the objects are not read.
  public static func planMigration(for configuration: Configuration = .defaultConfiguration) throws -> MigrationPlan {
    guard case .file(let file) = try configuration.checkedPlace() else {
      throw Error(.fail, "The database \(configuration.name) is in memory, and has nothing to migrate.")
    }
    let schema = try StoreSchema(configuration)
    do {
      let options = configuration.options(schema)
      let plan = try DurableStore.migrationPlan(
        file.path, schema: schema.tables, options: options, fileSystem: configuration.fileSystem)
      return MigrationPlan(plan, configuration)
    } catch {
      throw Error.wrapping(error)
    }
  }
}

/// The version of the models that a file was last opened with for writing.
///
/// - Parameters:
///   - fileURL: The file.
///   - encryptionKey: Its key, if it is encrypted.
/// - Throws: ``Realm/Error`` `.invalidDatabase` when there is no database yet, and what reading the file throws.
public func schemaVersionAtURL(_ fileURL: URL, encryptionKey: Data? = nil) throws -> UInt64 {
  let configuration = Realm.Configuration(fileURL: fileURL, encryptionKey: encryptionKey)
  guard case .file(let file) = try configuration.checkedPlace() else { return 0 }
  do {
    var options = DurableStore.Options()
    options.key = configuration.storeKey
    return try DurableStore.catalogue(file.path, configuration.fileSystem, options: options).schemaVersion
  } catch let error as StoreError where error.code == .fileNotFound {
    throw Realm.Error(
      .invalidDatabase, "The database at path '\(file.path)' has not been initialized. Open it once for writing.",
      fileURL: fileURL)
  } catch {
    throw Realm.Error.wrapping(error)
  }
}

extension MigrationPlan {
  init(_ plan: MigrationPlanRecord, _ configuration: Realm.Configuration) {
    oldSchemaVersion = plan.storedVersion
    newSchemaVersion = configuration.schemaVersion
    runsBlock =
      configuration.migrationBlock != nil && newSchemaVersion > oldSchemaVersion
      && !configuration.deleteRealmIfMigrationNeeded
    rewritesFile = plan.isRewriting
    changes = plan.differences.map { difference in
      var needsVersion = configuration.additionsNeedVersion ? !difference.isNeutral : !difference.isAddition
      // What the models lack stays in the file until the version is raised.
      if case .propertyRemoved = difference, !configuration.additionsNeedVersion { needsVersion = false }
      return Change(kind: Change.Kind(difference), description: difference.description, needsNewVersion: needsVersion)
    }
  }
}

extension MigrationPlan.Change.Kind {
  init(_ difference: SchemaDifference) {
    self =
      switch difference {
      case .classAdded: .classAdded
      case .propertyAdded: .propertyAdded
      case .propertyRemoved: .propertyRemoved
      case .propertyRenamed: .propertyRenamed
      case .typeChanged: .typeChanged
      case .madeOptional: .madeOptional
      case .madeRequired: .madeRequired
      case .becameEmbedded: .becameEmbedded
      case .becameTopLevel: .becameTopLevel
      case .primaryKeyChanged: .primaryKeyChanged
      case .indexAdded: .indexAdded
      case .indexRemoved: .indexRemoved
      }
  }
}
