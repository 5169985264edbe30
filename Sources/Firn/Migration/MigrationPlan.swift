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
      /// The models have a new property, and lack one of the same type that the last program had. Without a raised
      /// version that is refused; see ``ObjectBase/renamedProperties`` and ``ObjectBase/removedProperties``.
      case propertyPerhapsRenamed
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
    /// How many values are lost, unless the block takes them over. Each object of the class counts as one.
    public let lostValueCount: Int
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
  /// - Complexity: O(bytes of the journal); where values would be lost, also those that checkpoints have added to the
  ///   snapshot. The objects are not read.
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
      let loss = plan.losses.first { difference.loses($0) }
      return Change(
        kind: Change.Kind(difference), description: Change.description(difference, loss, configuration),
        needsNewVersion: needsVersion, lostValueCount: loss?.count ?? 0)
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
      case .propertyPerhapsRenamed: .propertyPerhapsRenamed
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

extension MigrationPlan.Change {
  /// The difference and what it costs.
  fileprivate static func description(
    _ difference: SchemaDifference, _ loss: LostValues?, _ configuration: Realm.Configuration
  ) -> String {
    guard let loss, loss.count > 0 else { return difference.description }
    let rest = configuration.migrationBlock == nil ? "." : " unless the block takes them over."
    return difference.description + " This drops \(loss.count.grouped) values of '\(loss.property)'" + rest
  }
}

extension SchemaDifference {
  /// Whether a loss is that of the difference.
  fileprivate func loses(_ loss: LostValues) -> Bool {
    switch self {
    case .propertyRemoved(loss.className, loss.property): loss.isRemoval
    case .typeChanged(loss.className, loss.property, _, _), .madeRequired(loss.className, loss.property):
      !loss.isRemoval
    default: false
    }
  }
}

extension Int {
  /// The number with a comma at each thousand.
  var grouped: String {
    var digits = String(magnitude)
    var end = digits.endIndex
    while digits.distance(from: digits.startIndex, to: end) > 3 {
      end = digits.index(end, offsetBy: -3)
      digits.insert(",", at: end)
    }
    return self < 0 ? "-" + digits : digits
  }
}
