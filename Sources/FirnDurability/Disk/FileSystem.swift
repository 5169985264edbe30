/// The seam to the disk: every call that touches it goes through here, so that tests can crash at any of them.
///
/// Paths are what the system takes. Everything may be called from any thread, and blocks it.
package protocol FileSystem: Sendable {
  /// Opens a regular file, or creates it with mode 0600.
  ///
  /// Throws `.notRegularFile` at once when a folder, a pipe, a socket or a device has the name, and `.symbolicLink` when a
  /// symbolic link has it.
  func open(_ path: String, _ opening: FileOpening) throws(DiskError) -> any StoreFile

  /// Gives a file another name, in place of a file that may have it. Atomic; on disk after `synchronizeFolder`.
  func rename(_ path: String, to newPath: String) throws(DiskError)

  /// The same for a name that nothing has. Throws `.exists` when anything has it.
  func renameNew(_ path: String, to newPath: String) throws(DiskError)

  /// Removes a file. Throws `ENOENT` if there is none.
  func remove(_ path: String) throws(DiskError)

  /// Creates a folder with mode 0700. Throws `EEXIST` if there is something of that name.
  func createFolder(_ path: String) throws(DiskError)

  /// Removes an empty folder.
  func removeFolder(_ path: String) throws(DiskError)

  /// The names in a folder, in ascending order. A symbolic link to a folder is none.
  func list(_ folder: String) throws(DiskError) -> [String]

  /// Returns once the names in a folder are on disk.
  func synchronizeFolder(_ path: String) throws(DiskError)

  /// Takes the lock on a folder unless another opening of it has it.
  func lockFolder(_ path: String) throws(DiskError) -> FolderLocking

  /// Whether there is a file, a folder or anything else of that name.
  func exists(_ path: String) throws(DiskError) -> Bool

  /// Whether there is a regular file of that name.
  func isFile(_ path: String) throws(DiskError) -> Bool

  /// The same disk, with `folders` held: a path into one of them leads to what has the name now, whatever gets it
  /// later.
  /// Every path has to lead into one of them, or into one that is held already.
  ///
  /// A symbolic link may lead to the first folder that is held, to none of the others.
  func holding(_ folders: [String]) throws(DiskError) -> any FileSystem

  /// Whether the folders that are held have their names still.
  func isInPlace() throws(DiskError) -> Bool

  /// Follows symbolic links that have the last name of a path. Links on the way there stay. Holds nothing.
  func destination(of path: String) throws(DiskError) -> String

  /// Returns one text for all paths that lead to the same file, be it there or not, and another one for every other
  /// file. If the folder is missing, the text is the path.
  func identity(of path: String) throws(DiskError) -> String
}

package enum FolderLocking: Sendable {
  case taken(any FolderLock)
  /// Somebody else has it.
  case refused
  /// The file system knows no locks on folders.
  case unsupported
}

/// The lock on a folder, which lasts until it is let go, or the process ends.
package protocol FolderLock: AnyObject, Sendable {
  /// Lets the lock go, which otherwise lasts as long as a process that was forked meanwhile has the folder open.
  func unlock()
}

package enum FileOpening: Sendable {
  /// For reading a file that is there.
  case read
  /// For reading and writing a file that is there.
  case readWrite
  /// For reading and writing a file that may be there.
  case create
  /// For reading and writing a file that is emptied if it is there.
  case createEmpty
  /// For reading and writing a file that is not there yet. Throws `.exists` when anything has the name.
  case createNew
}

/// An open file. Reads and writes name their place, so that threads may share it.
///
/// The last reference closes the file, and lets its lock go.
package protocol StoreFile: AnyObject, Sendable {
  var path: String { get }

  /// Fills `buffer` from the bytes at `offset` and returns how many there are: fewer than asked for only at the end of
  /// the file.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(DiskError) -> Int

  /// Writes all of `bytes`, growing the file if need be. After an error any part of them may have been written.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(DiskError)

  /// Returns once the bytes are on disk, and as much about the file as reading them takes.
  ///
  /// After an error nothing is known of the bytes written since the last success: another call may wrongly succeed.
  func synchronizeData() throws(DiskError)

  /// The same, with everything about the file.
  func synchronize() throws(DiskError)

  /// Forgets what the system keeps of the file in memory, so that reading it takes what the disk has. Bytes that were not
  /// synchronized stay.
  func dropCached() throws(DiskError)

  func size() throws(DiskError) -> Int

  /// The bytes that the disk has of the file, rounded up to blocks, and at most its size: holes do not count.
  func occupiedByteCount() throws(DiskError) -> Int

  /// When the file was last written to, in nanoseconds since 1970; nil where nobody knows.
  func modificationTime() -> UInt64?

  func truncate(to size: Int) throws(DiskError)

  /// Returns the end of the hole that is at `offset`: `offset` itself if there is none, `Int.max` if only holes follow.
  /// The bytes of a hole are zeros, and the disk has none of them.
  func dataStart(from offset: Int) -> Int

  /// Makes the file longer, by zeros that the disk has room for. Where the file system cannot tell, nothing happens.
  func reserve(_ range: Range<Int>) throws(DiskError)

  /// Takes the lock on the file unless another opening of it has it.
  func tryLock() throws(DiskError) -> Bool

  /// Lets the lock go, which otherwise lasts as long as a process that was forked meanwhile has the file open.
  func unlock()

  /// Whether another opening of the file has the lock.
  func isLocked() throws(DiskError) -> Bool

  /// Whether the file has not the name any more with which it was opened.
  func isRemoved() throws(DiskError) -> Bool

  /// Whether the file has more than one name, in whatever folders.
  func isShared() throws(DiskError) -> Bool
}

extension FileSystem {
  /// The last name of a path.
  package func name(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }

  /// The folder that holds `path`.
  package func folder(of path: String) -> String {
    // Bytes are compared, since a name may begin with a character that combines with the slash.
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

extension StoreFile {
  /// Puts zeros where the first bytes of an empty file go, and returns once they are on disk.
  ///
  /// After a power loss a file that became longer may show what others left on the disk. Then nobody could tell whose
  /// file it is. With this, its beginning is zeros or what is written there later.
  func reserveStart(byteCount: Int) throws(DiskError) {
    try reserve(0..<byteCount)
    try synchronizeData()
  }

  /// Fills `buffer` or throws `EIO` naming the place: for bytes that must be there.
  package func readAll(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(DiskError) {
    let count = try read(into: buffer, at: offset)
    if count != buffer.count { throw DiskError(.unexpectedEnd, call: "read at \(offset + count)", path: path) }
  }

  package func write(_ bytes: [UInt8], at offset: Int) throws(DiskError) {
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(DiskError) in try write(bytes, at: offset) }
    }
    try result.get()
  }

  /// The bytes of the file from `offset` on, at most `count`.
  package func bytes(at offset: Int = 0, count: Int) throws(DiskError) -> [UInt8] {
    let here = try size()
    let wanted = min(count, max(0, here - offset))
    if wanted == 0 { return [] }
    var failure: DiskError?
    let result = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
      do throws(DiskError) {
        filled = try read(
          into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<wanted]), at: offset)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return result
  }
}
