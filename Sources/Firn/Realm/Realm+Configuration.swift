internal import FirnDurability
internal import FirnEngine
public import Foundation

extension Realm {
  /// How a realm is opened.
  public struct Configuration: Sendable, Equatable, CustomStringConvertible {
    /// The file of the database. Setting it clears ``inMemoryIdentifier``.
    ///
    /// By whatever path, through whatever symbolic links, a file is one database in a process. Its name ends neither in
    /// `.lock`, `.journal` nor `.base.tmp`: those are the names of what lies beside a database.
    public var fileURL: URL? {
      didSet { if fileURL != nil { inMemory = nil } }
    }

    /// Names a database that lives in memory only, as long as a realm, a ``RealmStore`` or a frozen value of it exists.
    /// Realms opened with the same identifier share it. Setting it clears ``fileURL``.
    public var inMemoryIdentifier: String? {
      get { inMemory }
      set {
        inMemory = newValue
        if newValue != nil { fileURL = nil }
      }
    }

    private var inMemory: String?

    /// Whether the primary keys of classes are such. Not where unmanaged objects are looked at, which may have equal ones.
    var hasPrimaryKeys = true

    /// 64 bytes that the files are encrypted with; see <doc:Encryption>.
    ///
    /// A new file is encrypted with it. A file that is there has to be encrypted with the same one: without a key, with another one, and with
    /// one for a file that is not encrypted, opening throws `.invalidDatabase` and says which. As long as the database is open, opening
    /// it with another key elsewhere throws `.fail`. So does a key of another length, one together with
    /// ``inMemoryIdentifier``, and any, where the library was built without its trait `Encryption`. Never shown in
    /// descriptions and errors.
    public var encryptionKey: Data?

    /// Opens the file as it is, for reading only: writing traps. Another process may have it open and go on writing;
    /// this one then sees what was durable when it opened the file.
    ///
    /// The file may have classes and properties that the models lack, and lack some: classes are empty then, properties
    /// have their declared values. Properties that it has in another type, optionality or as another key make opening throw
    /// `.fail`, and so does another ``schemaVersion``.
    public var readOnly: Bool

    /// The version of the models. A file that was written with a greater one is refused; one that was written with a lower
    /// one is migrated: see <doc:Migrating>.
    public var schemaVersion: UInt64

    /// Called once when the file was written with a lower ``schemaVersion``, to change its objects. Nil where what happens by
    /// itself is enough. Not called for a new file, and not when the file is only read.
    ///
    /// An error that the block throws ends the opening, and the database stays as it was.
    public var migrationBlock: ThrowingMigrationBlock?

    /// Whether classes may be given new properties only together with a greater ``schemaVersion``, and properties be left out
    /// only then, as in RealmSwift. False: what only adds to the models needs no new version, and properties that the models
    /// lack stay in the file until the version is raised.
    public var additionsNeedVersion = false

    /// Told how far a migration is, on the thread that opens the file. Not where nothing but a note of what is different is
    /// written; see ``MigrationPlan/rewritesFile``.
    public var migrationProgress: (@Sendable (MigrationProgress) -> Void)?

    /// Deletes the database when a migration would be needed, and whenever the file has another ``schemaVersion``, and starts
    /// with an empty one. The ``migrationBlock`` is not called then. For caches and during development. As long as the database is open, opening it with another value elsewhere throws.
    public var deleteRealmIfMigrationNeeded: Bool

    /// Asked when the file is opened for the first time in the process, with its size and how much of it is in use, both in
    /// bytes: whether the journal is to be folded into the snapshot before the realm is handed out. Not asked for
    /// ``readOnly`` files and in memory. If that fails the realm is opened all the same.
    public var shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)?

    /// A database whose newest version ``fileURL`` begins with, unless there is a file already. Not used in memory, nor when
    /// the file is only read.
    ///
    /// The whole database is taken, the commits in its journal included, and written as one file, which is on disk before
    /// it gets its name. The seed is only read: it may be in a place that cannot be written to, and open elsewhere; what
    /// was on disk of it then counts. It is read with ``encryptionKey``, like the copy. Costs reading the seed, its memory
    /// meanwhile, and writing the copy.
    public var seedFilePath: URL?

    /// How many versions may exist at the same time: the newest, and older ones that frozen values, or realms that did not
    /// move on, still show. A write that finds more throws. Nil for any number.
    public var maximumNumberOfActiveVersions: UInt?

    /// Whether assigning what is there already is no change: it reaches no observer and no file, and a transaction of
    /// nothing else ends without a new version. False: as in RealmSwift every assignment counts.
    ///
    /// Floating point values are the same when their bits are. Writing gets slower by a comparison.
    public var skipsEqualWrites = false

    /// Whether objects and results of the realm take part in Observation: what is read inside `withObservationTracking` and
    /// `Observations` is noted, and its change reported; see <doc:Observation>. False: nothing is noted, and reading takes
    /// nothing more.
    ///
    /// Whoever opens the realm of a thread, queue, actor or task first decides for all who get the same one. Realms of other
    /// places of the same database may differ. Those of ``RealmStore`` are opened as the store was; the realms of its write
    /// blocks, frozen realms and read-only ones never take part.
    public var tracksObservation = false

    /// When a commit counts as done. Only for files.
    public var durability = Durability.everyCommit

    /// When the journal is folded into the snapshot. Only for files.
    public var checkpoints = Checkpoints()

    /// How much of what was committed is kept beyond what opening needs, for ``RealmStore/history(after:)``; see
    /// <doc:History>. Of a database in memory it is all that is kept.
    ///
    /// Where anything is to be kept, commits are recorded with the values that were before.
    public var history = History()

    /// How many bytes may wait for subscribers of ``ChangeStream``s that do not take them, roughly: changes, and, for
    /// ``ChangeDelivery/everyCommit``, what versions keep. What is more is given up, and those subscribers start again with
    /// ``StreamedChange/reset(_:)``.
    public var maximumObserverLag = 64 << 20

    /// How many bytes the files may take in memory when they are opened; nil for the larger of 4 GiB and 1,000 times their size.
    /// Only for files.
    ///
    /// A small file can stand for very much: rows that are all the same take next to nothing on disk. Opening counts what rows,
    /// elements and strings take before it makes room for them, and throws `.fail` when that is more than this; so a file that
    /// somebody else made cannot take all of the memory. Writing and checkpoints do not ask for the limit: where they make the
    /// files grow beyond it, they succeed, and ``StoreStatistics/Files/expandedByteCount`` tells.
    public var expandedByteCountMax: Int?

    /// The model classes of the realm; nil for every class derived from ``Object`` in the process.
    public var objectTypes: [ObjectBase.Type]?

    /// What reading a deleted object does. `.trap` helps tests to find such reads.
    public var invalidatedReads = InvalidatedReads.lastValues

    /// Where the files are. Tests put them on a disk that fails.
    var fileSystem: any FileSystem = PosixFileSystem()

    /// What reading a property of a deleted object does.
    public enum InvalidatedReads: Sendable {
      /// Properties return what they were when the object was deleted.
      case lastValues
      /// Reading a property traps.
      case trap
    }

    /// The file `default.realm` in the current directory.
    public static var defaultFileURL: URL {
      URL(fileURLWithPath: FileManager.default.currentDirectoryPath).appendingPathComponent("default.realm")
    }

    /// Opening checks what is given, and throws for what does not go together.
    ///
    /// - Parameters:
    ///   - fileURL: The file; ignored when there is an identifier.
    ///   - inMemoryIdentifier: The name of a database in memory.
    ///   - encryptionKey: See ``encryptionKey``.
    ///   - readOnly: See ``readOnly``.
    ///   - schemaVersion: See ``schemaVersion``.
    ///   - migrationBlock: See ``migrationBlock``.
    ///   - deleteRealmIfMigrationNeeded: See ``deleteRealmIfMigrationNeeded``.
    ///   - shouldCompactOnLaunch: See ``shouldCompactOnLaunch``.
    ///   - objectTypes: The model classes; nil for all.
    ///   - seedFilePath: See ``seedFilePath``.
    public init(
      fileURL: URL? = Configuration.defaultFileURL, inMemoryIdentifier: String? = nil, encryptionKey: Data? = nil,
      readOnly: Bool = false, schemaVersion: UInt64 = 0, migrationBlock: MigrationBlock? = nil,
      deleteRealmIfMigrationNeeded: Bool = false, shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)? = nil,
      objectTypes: [ObjectBase.Type]? = nil,
      seedFilePath: URL? = nil
    ) {
      self.fileURL = inMemoryIdentifier == nil ? fileURL : nil
      inMemory = inMemoryIdentifier
      self.encryptionKey = encryptionKey
      self.readOnly = readOnly
      self.schemaVersion = schemaVersion
      self.migrationBlock = migrationBlock
      self.deleteRealmIfMigrationNeeded = deleteRealmIfMigrationNeeded
      self.shouldCompactOnLaunch = shouldCompactOnLaunch
      self.objectTypes = objectTypes
      self.seedFilePath = seedFilePath
    }

    private static let shared = Lock<Configuration>(Configuration())

    /// What realms are opened with when nothing else is said.
    public static var defaultConfiguration: Configuration {
      get { shared.withLock { $0 } }
      set { shared.withLock { $0 = newValue } }
    }

    /// Whether both open the same database in the same way: file, identifier, key, ``readOnly`` and ``schemaVersion``.
    public static func == (lhs: Configuration, rhs: Configuration) -> Bool {
      lhs.fileURL == rhs.fileURL && lhs.inMemory == rhs.inMemory && lhs.readOnly == rhs.readOnly
        && lhs.schemaVersion == rhs.schemaVersion && lhs.encryptionKey == rhs.encryptionKey
    }

    /// One property a line; the key is not shown.
    public var description: String {
      """
      Realm.Configuration {
      \tfileURL = \(fileURL.map(\.description) ?? "(null)");
      \tinMemoryIdentifier = \(inMemory ?? "(null)");
      \tencryptionKey = \(encryptionKey.map { "<\($0.count) bytes>" } ?? "(null)");
      \treadOnly = \(readOnly);
      \tschemaVersion = \(schemaVersion);
      \tmigrationBlock = \(migrationBlock == nil ? "(null)" : "<block>");
      \tdeleteRealmIfMigrationNeeded = \(deleteRealmIfMigrationNeeded);
      \tshouldCompactOnLaunch = \(shouldCompactOnLaunch == nil ? "(null)" : "<block>");
      }
      """
    }

    /// How messages name the database.
    var name: String { inMemory.map { "'\($0)'" } ?? fileURL.map { "at '\($0.path)'" } ?? "without a name" }

    private func checkKey() throws {
      guard let encryptionKey else { return }
      if encryptionKey.count != 64 {
        throw Realm.Error(
          .fail, "Encryption key must be exactly 64 bytes long; the one given has \(encryptionKey.count).")
      }
      if inMemory != nil {
        throw Realm.Error(.fail, "Encryption is not supported for in-memory realms. Leave encryptionKey out.")
      }
      if storeKey == nil {
        throw Realm.Error(
          .fail,
          "The library was built without encryption, so encryptionKey cannot be used. Build it with its trait "
            + "'Encryption', as in .package(url: …, traits: [\"Encryption\"]), or leave encryptionKey out.")
      }
    }

    /// The key of the files, which has been checked; nil without one, or without encryption.
    var storeKey: StoreKey? { encryptionKey.flatMap { $0.withUnsafeBytes { StoreKey($0) } } }

    /// Where the database is.
    ///
    /// Throws when members of the configuration do not go together.
    func checkedPlace() throws -> StorePlace {
      if schemaVersion == .max {
        throw Realm.Error(.fail, "The schema version \(schemaVersion) is not allowed. Use a smaller number.")
      }
      if readOnly, deleteRealmIfMigrationNeeded {
        throw Realm.Error(
          .fail, "Cannot set both readOnly and deleteRealmIfMigrationNeeded: deleting is writing. Unset one of them.")
      }
      if readOnly, shouldCompactOnLaunch != nil {
        throw Realm.Error(
          .fail, "Cannot set both readOnly and shouldCompactOnLaunch: compacting is writing. Unset one of them.")
      }
      try checkKey()
      if let inMemory {
        if inMemory.isEmpty {
          throw Realm.Error(.fail, "The inMemoryIdentifier is empty. Give the database a name.")
        }
        return .memory(inMemory)
      }
      guard let fileURL else {
        throw Realm.Error(
          .fail, "The configuration has neither a fileURL nor an inMemoryIdentifier. Set one of them.")
      }
      guard fileURL.isFileURL, !fileURL.path.isEmpty else {
        throw Realm.Error(.fail, "'\(fileURL)' is not the address of a file. Set Configuration.fileURL to a file: URL.")
      }
      return .file(FilePlace(fileURL.path, fileSystem))
    }
  }
}

/// Where a database is, and under what it is shared.
enum StorePlace: Hashable, Sendable {
  case memory(String)
  case file(FilePlace)
}

/// The place of a file that is there or will be: the same by whatever path, through whatever links.
struct FilePlace: Hashable, Sendable {
  /// As it was given. The system resolves what is in it, links before "..".
  let path: String
  private let identity: String

  init(_ path: String, _ fileSystem: any FileSystem) {
    self.path = path
    // Opening says why nobody gets there.
    identity = (try? fileSystem.identity(of: path)) ?? path
  }

  static func == (left: FilePlace, right: FilePlace) -> Bool { left.identity == right.identity }

  func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
