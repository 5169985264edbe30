internal import Glibc

/// A call to the system that failed.
package struct DiskError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A value of `errno`, or a negative number of our own.
  package struct Code: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let notFound = Code(rawValue: ENOENT)
    package static let exists = Code(rawValue: EEXIST)
    package static let noSpace = Code(rawValue: ENOSPC)
    package static let inputOutput = Code(rawValue: EIO)
    package static let notPermitted = Code(rawValue: EACCES)
    package static let notEmpty = Code(rawValue: ENOTEMPTY)
    /// A symbolic link stands where a file or folder must.
    package static let symbolicLink = Code(rawValue: ELOOP)
    /// A folder, pipe, socket or device stands where a file must.
    package static let notRegularFile = Code(rawValue: -1)
    /// A folder's name is that of something else.
    package static let notFolder = Code(rawValue: -2)
    /// A file of somebody else stands where one of a store must.
    package static let foreign = Code(rawValue: -3)
    /// A file ends before bytes that must be there.
    package static let unexpectedEnd = Code(rawValue: ENODATA)
  }

  package let code: Code
  /// The call that failed, as `strace` would name it.
  package let call: String
  package let path: String

  package init(_ code: Code, call: String, path: String) {
    self.code = code
    self.call = call
    self.path = path
  }

  /// Whether nothing has the name, or its folder is missing.
  package var isAbsence: Bool { code == .notFound || code.rawValue == ENOTDIR }

  /// Whether the call would have succeeded with more room, or a higher limit for the size of files.
  package var isLackOfRoom: Bool { [ENOSPC, EDQUOT, EFBIG].contains(code.rawValue) }

  package var description: String {
    if code == .notRegularFile { return "'\(path)': Not a regular file (\(call))" }
    if code == .notFolder { return "'\(path)': Not a folder (\(call))" }
    if code == .foreign { return "'\(path)': A file that this library did not write (\(call))" }
    // The variant of POSIX: it fills the buffer, also with "Unknown error 999".
    let reason = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
      buffer.initialize(repeating: 0)
      let text = buffer.baseAddress.unsafelyUnwrapped
      _ = strerror_r(code.rawValue, text, buffer.count)
      return String(cString: text)
    }
    return "'\(path)': \(reason) (\(call))"
  }
}

extension StoreError {
  /// What a failed call means to the owner of a store.
  package init(_ error: DiskError) {
    let code: Code
    let advice: String
    switch error.code.rawValue {
    case ENOENT, ENOTDIR: (code, advice) = (.fileNotFound, "Check that the path is right and its folder there.")
    case EEXIST: (code, advice) = (.fileExists, "Move what is there out of the way.")
    case ELOOP: (code, advice) = (.filePermissionDenied, "Name the file itself, not a symbolic link to it.")
    case DiskError.Code.foreign.rawValue:
      (code, advice) = (.fileExists, "Move it out of the way, or give the database another name.")
    case DiskError.Code.notRegularFile.rawValue, DiskError.Code.notFolder.rawValue:
      (code, advice) = (.filePermissionDenied, "Move what is there out of the way, or choose another path.")
    case EACCES, EPERM, EROFS:
      (code, advice) = (.filePermissionDenied, "Give the process the right to read and write the file and its folder.")
    case ENOSPC, EDQUOT, EFBIG: (code, advice) = (.outOfDiskSpace, "Make room, or raise the quota, and try again.")
    case EISDIR: (code, advice) = (.filePermissionDenied, "Name a file in that folder, not the folder.")
    case EMFILE, ENFILE:
      (code, advice) = (.fileOperationFailed, "Close other files, or raise the limit of open files, and try again.")
    case ENAMETOOLONG: (code, advice) = (.fileAccess, "Choose a shorter path.")
    default: (code, advice) = (.fileOperationFailed, "Look for trouble with the disk in the system's log.")
    }
    self.init(code, "\(error.description). \(advice)", path: error.path)
  }
}
