public import Foundation

extension Realm {
  /// What a realm throws: causes outside of the program, with a sentence that says what to do.
  public struct Error: Swift.Error, Equatable, CustomNSError, LocalizedError {
    /// What kind of failure it is. Compare with `catch Realm.Error.fileNotFound`.
    public let code: Code
    public let userInfo: [String: any Sendable]

    public init(_ code: Code, userInfo: [String: any Sendable] = [:]) {
      self.code = code
      self.userInfo = userInfo
    }

    init(_ code: Code, _ message: String, fileURL: URL? = nil) {
      var userInfo: [String: any Sendable] = [NSLocalizedDescriptionKey: message]
      if let fileURL { userInfo[NSFilePathErrorKey] = fileURL.path }
      self.init(code, userInfo: userInfo)
    }

    public var localizedDescription: String {
      userInfo[NSLocalizedDescriptionKey] as? String ?? "Realm error \(code.rawValue) (\(code))."
    }

    public var errorDescription: String? { localizedDescription }
    public static var errorDomain: String { "io.realm" }
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { userInfo }

    /// The file concerned, if one is.
    public var fileURL: URL? { (userInfo[NSFilePathErrorKey] as? String).map { URL(fileURLWithPath: $0) } }

    public static func == (lhs: Error, rhs: Error) -> Bool { lhs.code == rhs.code }

    /// The kinds of failure.
    public enum Code: Int, Sendable {
      case fail = 1
      case fileAccess = 2
      case filePermissionDenied = 3
      case fileExists = 4
      case fileNotFound = 5
      case fileFormatUpgradeRequired = 6
      case incompatibleLockFile = 8
      case addressSpaceExhausted = 9
      case schemaMismatch = 10
      case alreadyOpen = 12
      case invalidInput = 13
      case outOfDiskSpace = 14
      case incompatibleSession = 15
      case unsupportedFileFormatVersion = 16
      case multipleSyncAgents = 17
      case subscriptionFailed = 18
      case fileOperationFailed = 19
      case invalidDatabase = 20
      case incompatibleHistories = 21
      case noSubscriptionForWrite = 22
      /// A write did not start before its deadline.
      case deadlineExceeded = 100
      /// The store was closed.
      case storeClosed = 101
      case ownedByOtherProcess = 102
      case corrupted = 103
      /// The disk failed; the store takes no durable commit until it is opened again.
      case durabilityLost = 104
      /// An object was deleted whose property with the rule ``DeleteRule/deny`` leads to an object that still exists.
      case deletionDenied = 105
    }

    public static let fail = Code.fail
    public static let fileAccess = Code.fileAccess
    public static let filePermissionDenied = Code.filePermissionDenied
    public static let fileExists = Code.fileExists
    public static let fileNotFound = Code.fileNotFound
    public static let schemaMismatch = Code.schemaMismatch
    public static let alreadyOpen = Code.alreadyOpen
    public static let invalidInput = Code.invalidInput
    public static let outOfDiskSpace = Code.outOfDiskSpace
    public static let unsupportedFileFormatVersion = Code.unsupportedFileFormatVersion
    public static let fileOperationFailed = Code.fileOperationFailed
    public static let invalidDatabase = Code.invalidDatabase
    public static let deadlineExceeded = Code.deadlineExceeded
    public static let storeClosed = Code.storeClosed
    public static let ownedByOtherProcess = Code.ownedByOtherProcess
    public static let corrupted = Code.corrupted
    public static let durabilityLost = Code.durabilityLost
    public static let deletionDenied = Code.deletionDenied
    /// A failure without further description.
    public static let callFailed = Error(.fail)

    static func storeClosed(_ store: Store) -> Error {
      Error(.storeClosed, "The store \(store.configuration.name) was closed. Open it again to use it.")
    }
  }
}

/// Lets `catch Realm.Error.fileNotFound` match an error by its code.
public func ~= (code: Realm.Error.Code, error: any Swift.Error) -> Bool {
  (error as? Realm.Error)?.code == code
}
