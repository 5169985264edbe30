public import Foundation

extension Realm {
  /// What a realm throws: causes outside of the program, with a sentence that says what to do.
  public struct Error: Swift.Error, Equatable, CustomNSError, LocalizedError, CustomStringConvertible {
    /// What kind of failure it is. Compare with `catch Realm.Error.fileNotFound`.
    public let code: Code
    /// More about it, under the keys of Foundation: `NSLocalizedDescriptionKey`, `NSFilePathErrorKey`.
    // State      guarded by
    // userInfo   immutable; what is in it is only handed out
    nonisolated(unsafe) public let userInfo: [String: Any]

    /// An error of a kind. A message is what `userInfo` has under `NSLocalizedDescriptionKey`.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
      self.code = code
      self.userInfo = userInfo
    }

    init(_ code: Code, _ message: String, fileURL: URL? = nil) {
      var userInfo: [String: Any] = [NSLocalizedDescriptionKey: message]
      if let fileURL { userInfo[NSFilePathErrorKey] = fileURL.path }
      self.init(code, userInfo: userInfo)
    }

    /// What happened, and what to do about it.
    public var localizedDescription: String {
      userInfo[NSLocalizedDescriptionKey] as? String ?? "Realm error \(code.rawValue) (\(code))."
    }

    /// The same as ``localizedDescription``: what printing the error shows.
    public var description: String { localizedDescription }

    /// The same as ``localizedDescription``.
    public var errorDescription: String? { localizedDescription }
    /// The domain of the error as an `NSError`.
    public static var errorDomain: String { "io.realm" }
    /// The number of the code.
    public var errorCode: Int { code.rawValue }
    /// The same as ``userInfo``.
    public var errorUserInfo: [String: Any] { userInfo }

    /// The file concerned, if one is.
    public var fileURL: URL? { (userInfo[NSFilePathErrorKey] as? String).map { URL(fileURLWithPath: $0) } }

    /// Whether both are of one kind.
    public static func == (lhs: Error, rhs: Error) -> Bool { lhs.code == rhs.code }

    /// The kinds of failure.
    public enum Code: Int, Sendable {
      /// Something that no other code says.
      case fail = 1
      /// A file could not be read or written.
      case fileAccess = 2
      /// The process may not read or write a file.
      case filePermissionDenied = 3
      /// A file that was to be made exists already.
      case fileExists = 4
      /// There is no such file or folder.
      case fileNotFound = 5
      /// The file has an older format that has to be converted first.
      case fileFormatUpgradeRequired = 6
      /// The lock file is of another program.
      case incompatibleLockFile = 8
      /// There is no room for the file in memory.
      case addressSpaceExhausted = 9
      /// The classes of the file are not those of the models.
      case schemaMismatch = 10
      /// The database is open in this process.
      case alreadyOpen = 12
      /// A value or text from outside is not what it has to be; see `Realm.Error.invalidInput`.
      case invalidInput = 13
      /// The disk is full.
      case outOfDiskSpace = 14
      /// The file was opened in another way elsewhere.
      case incompatibleSession = 15
      /// The file has a format that this version of the library does not know.
      case unsupportedFileFormatVersion = 16
      /// Kept for source compatibility; never thrown.
      case multipleSyncAgents = 17
      /// Kept for source compatibility; never thrown.
      case subscriptionFailed = 18
      /// The file system refused something.
      case fileOperationFailed = 19
      /// The file is no database, or the key is wrong.
      case invalidDatabase = 20
      /// The histories of two files do not belong together.
      case incompatibleHistories = 21
      /// Kept for source compatibility; never thrown.
      case noSubscriptionForWrite = 22
      /// A write did not start before its deadline.
      case deadlineExceeded = 100
      /// The store was closed.
      case storeClosed = 101
      /// Another process has the database open, or may have what the path of this one leads to by now: its folder was
      /// moved or replaced while it was open. Nothing is written any more then.
      case ownedByOtherProcess = 102
      /// The file is damaged.
      case corrupted = 103
      /// The disk failed; the store takes no durable commit until it is opened again.
      case durabilityLost = 104
      /// An object was deleted whose property with the rule ``DeleteRule/deny`` leads to an object that still exists.
      case deletionDenied = 105
      /// An object that was to be created has the primary key of one that exists. Create it with the policy `.modified` or
      /// `.all` to update that one. See `Realm.Error.invalidInput` for its place in the input.
      case duplicatePrimaryKey = 106
      /// Two objects have the same values in a unique index; see ``Index/unique(_:)``.
      case duplicateValue = 107
      /// What was committed after a version is not known any more: see <doc:History>.
      case historyUnavailable = 108
    }

    /// See ``Code/fail``.
    public static let fail = Code.fail
    /// See ``Code/fileAccess``.
    public static let fileAccess = Code.fileAccess
    /// See ``Code/filePermissionDenied``.
    public static let filePermissionDenied = Code.filePermissionDenied
    /// See ``Code/fileExists``.
    public static let fileExists = Code.fileExists
    /// See ``Code/fileNotFound``.
    public static let fileNotFound = Code.fileNotFound
    /// See ``Code/fileFormatUpgradeRequired``.
    public static let fileFormatUpgradeRequired = Code.fileFormatUpgradeRequired
    /// See ``Code/incompatibleLockFile``.
    public static let incompatibleLockFile = Code.incompatibleLockFile
    /// See ``Code/addressSpaceExhausted``.
    public static let addressSpaceExhausted = Code.addressSpaceExhausted
    /// See ``Code/schemaMismatch``.
    public static let schemaMismatch = Code.schemaMismatch
    /// See ``Code/alreadyOpen``.
    public static let alreadyOpen = Code.alreadyOpen
    /// See ``Code/invalidInput``.
    public static let invalidInput = Code.invalidInput
    /// See ``Code/outOfDiskSpace``.
    public static let outOfDiskSpace = Code.outOfDiskSpace
    /// See ``Code/incompatibleSession``.
    public static let incompatibleSession = Code.incompatibleSession
    /// See ``Code/unsupportedFileFormatVersion``.
    public static let unsupportedFileFormatVersion = Code.unsupportedFileFormatVersion
    /// See ``Code/multipleSyncAgents``.
    public static let multipleSyncAgents = Code.multipleSyncAgents
    /// See ``Code/subscriptionFailed``.
    public static let subscriptionFailed = Code.subscriptionFailed
    /// See ``Code/fileOperationFailed``.
    public static let fileOperationFailed = Code.fileOperationFailed
    /// See ``Code/invalidDatabase``.
    public static let invalidDatabase = Code.invalidDatabase
    /// See ``Code/incompatibleHistories``.
    public static let incompatibleHistories = Code.incompatibleHistories
    /// See ``Code/noSubscriptionForWrite``.
    public static let noSubscriptionForWrite = Code.noSubscriptionForWrite
    /// See ``Code/deadlineExceeded``.
    public static let deadlineExceeded = Code.deadlineExceeded
    /// See ``Code/storeClosed``.
    public static let storeClosed = Code.storeClosed
    /// See ``Code/ownedByOtherProcess``.
    public static let ownedByOtherProcess = Code.ownedByOtherProcess
    /// See ``Code/corrupted``.
    public static let corrupted = Code.corrupted
    /// See ``Code/durabilityLost``.
    public static let durabilityLost = Code.durabilityLost
    /// See ``Code/deletionDenied``.
    public static let deletionDenied = Code.deletionDenied
    /// See ``Code/duplicatePrimaryKey``.
    public static let duplicatePrimaryKey = Code.duplicatePrimaryKey
    /// See ``Code/duplicateValue``.
    public static let duplicateValue = Code.duplicateValue
    /// See ``Code/historyUnavailable``.
    public static let historyUnavailable = Code.historyUnavailable
    /// A failure without further description.
    public static let callFailed = Error(.fail)

    static func storeClosed(_ store: Store) -> Error {
      Error(
        .storeClosed,
        "The store \(store.configuration.name) was closed: close() on one RealmStore closes the database for all that "
          + "were opened with it. Open it again to use it.")
    }
  }
}

/// The name of ``Realm/Error`` in Objective-C, for code that uses it.
public typealias RLMError = Realm.Error

/// Whether two errors are of one kind: have the same domain and code.
public func == (lhs: any Error, rhs: any Error) -> Bool { lhs._domain == rhs._domain && lhs._code == rhs._code }

/// Lets `catch Realm.Error.fileNotFound` match an error by its code.
public func ~= (code: Realm.Error.Code, error: any Swift.Error) -> Bool {
  (error as? Realm.Error)?.code == code
}
