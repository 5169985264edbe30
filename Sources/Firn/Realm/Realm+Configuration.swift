internal import FirnEngine
public import Foundation

extension Realm {
  /// How a realm is opened.
  public struct Configuration: Sendable, Equatable, CustomStringConvertible {
    /// The file of the database. Setting it clears ``inMemoryIdentifier``.
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

    /// The model classes of the realm; nil for every class derived from ``Object`` in the process.
    public var objectTypes: [ObjectBase.Type]?

    /// What reading a deleted object does. `.trap` helps tests to find such reads.
    public var invalidatedReads = InvalidatedReads.lastValues

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

    /// - Parameters:
    ///   - fileURL: The file; ignored when there is an identifier.
    ///   - inMemoryIdentifier: The name of a database in memory.
    ///   - objectTypes: The model classes; nil for all.
    public init(
      fileURL: URL? = Configuration.defaultFileURL, inMemoryIdentifier: String? = nil,
      objectTypes: [ObjectBase.Type]? = nil
    ) {
      self.fileURL = inMemoryIdentifier == nil ? fileURL : nil
      inMemory = inMemoryIdentifier
      self.objectTypes = objectTypes
    }

    private static let shared = Lock<Configuration>(Configuration())

    /// What realms are opened with when nothing else is said.
    public static var defaultConfiguration: Configuration {
      get { shared.withLock { $0 } }
      set { shared.withLock { $0 = newValue } }
    }

    public static func == (lhs: Configuration, rhs: Configuration) -> Bool {
      lhs.fileURL == rhs.fileURL && lhs.inMemory == rhs.inMemory
    }

    public var description: String {
      """
      Realm.Configuration {
      \tfileURL = \(fileURL.map(\.description) ?? "(null)");
      \tinMemoryIdentifier = \(inMemory ?? "(null)");
      }
      """
    }

    /// How messages name the database.
    var name: String { inMemory.map { "'\($0)'" } ?? fileURL.map { "at '\($0.path)'" } ?? "without a name" }

    /// The key under which stores are shared.
    func checkedIdentifier() throws -> String {
      if let inMemory {
        if inMemory.isEmpty {
          throw Realm.Error(.fail, "The inMemoryIdentifier is empty. Give the database a name.")
        }
        return inMemory
      }
      guard let fileURL else {
        throw Realm.Error(
          .fail, "The configuration has neither a fileURL nor an inMemoryIdentifier. Set an inMemoryIdentifier.")
      }
      throw Realm.Error(
        .fail,
        "Cannot open the file '\(fileURL.path)': this version keeps databases in memory only. Set "
          + "Configuration.inMemoryIdentifier instead of fileURL.", fileURL: fileURL)
    }
  }
}
