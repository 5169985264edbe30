internal import CFirn
internal import Glibc

/// The real disk. Files get mode 0600 and folders 0700; nothing is inherited by programs that the process starts.
package struct PosixFileSystem: FileSystem {
  /// The folders that are held, the last one first. Without one, paths are those of the process.
  private let folders: [PosixFolder]

  package init() { folders = [] }

  private init(folders: [PosixFolder]) { self.folders = folders }

  package func open(_ path: String, _ opening: FileOpening) throws(DiskError) -> any StoreFile {
    // Without O_NONBLOCK the opening of a pipe waits for somebody at its other end.
    var flags = O_NOFOLLOW | O_NONBLOCK
    switch opening {
    case .read: flags |= O_RDONLY
    case .readWrite: flags |= O_RDWR
    case .create: flags |= O_RDWR | O_CREAT
    case .createEmpty: flags |= O_RDWR | O_CREAT | O_TRUNC
    case .createNew: flags |= O_RDWR | O_CREAT | O_EXCL
    }
    let file: PosixFile
    do throws(DiskError) {
      file = PosixFile(descriptor: try descriptor(place(path), flags, call: "open"), path: path, fileSystem: self)
    } catch {
      // What folders, sockets and devices say when they are opened for writing.
      if [EISDIR, ENXIO, ENODEV].contains(error.code.rawValue) {
        throw DiskError(.notRegularFile, call: "open", path: path)
      }
      throw error
    }
    if try !file.isRegular() { throw DiskError(.notRegularFile, call: "open", path: path) }
    return file
  }

  package func rename(_ path: String, to newPath: String) throws(DiskError) {
    let (old, new) = (place(path), place(newPath))
    try check(renameat(old.folder, old.name, new.folder, new.name), "rename to '\(newPath)'", path)
  }

  package func renameNew(_ path: String, to newPath: String) throws(DiskError) {
    let (old, new) = (place(path), place(newPath))
    let code = firn_rename_new(old.folder, old.name, new.folder, new.name)
    if code == 0 { return }
    throw DiskError(DiskError.Code(rawValue: code), call: "rename of '\(path)'", path: newPath)
  }

  package func remove(_ path: String) throws(DiskError) {
    let place = place(path)
    try check(unlinkat(place.folder, place.name, 0), "unlink", path)
  }

  package func createFolder(_ path: String) throws(DiskError) {
    let place = place(path)
    try check(mkdirat(place.folder, place.name, 0o700), "mkdir", path)
  }

  package func removeFolder(_ path: String) throws(DiskError) {
    let place = place(path)
    try check(unlinkat(place.folder, place.name, AT_REMOVEDIR), "rmdir", path)
  }

  package func list(_ folder: String) throws(DiskError) -> [String] {
    let descriptor = try descriptor(
      place(ofFolder: folder), O_RDONLY | O_DIRECTORY | O_NOFOLLOW, call: "opendir")
    guard let stream = fdopendir(descriptor) else {
      let code = errno
      close(descriptor)
      throw DiskError(DiskError.Code(rawValue: code), call: "opendir", path: folder)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw DiskError(DiskError.Code(rawValue: errno), call: "readdir", path: folder) }
        return names.sorted()
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
  }

  package func synchronizeFolder(_ path: String) throws(DiskError) {
    let descriptor = try descriptor(place(ofFolder: path), O_RDONLY | O_DIRECTORY, call: "open")
    defer { close(descriptor) }
    try check(fsync(descriptor), "fsync", path)
  }

  package func lockFolder(_ path: String) throws(DiskError) -> FolderLocking {
    let lock = PosixFolderLock(
      descriptor: try descriptor(place(ofFolder: path), O_RDONLY | O_DIRECTORY | O_NOFOLLOW, call: "open"))
    switch firn_try_lock_folder(lock.descriptor) {
    case 0: return .taken(lock)
    case EWOULDBLOCK: return .refused
    default: return .unsupported
    }
  }

  package func exists(_ path: String) throws(DiskError) -> Bool { try status(path) != nil }

  package func isFile(_ path: String) throws(DiskError) -> Bool {
    try status(path).map { $0.st_mode & S_IFMT == S_IFREG } ?? false
  }

  package func holding(_ folders: [String]) throws(DiskError) -> any FileSystem {
    var held = self
    for path in folders {
      held = PosixFileSystem(folders: [try held.hold(path)] + held.folders)
    }
    return held
  }

  private func hold(_ path: String) throws(DiskError) -> PosixFolder {
    let isFirst = folders.isEmpty
    do throws(DiskError) {
      // A process that may pass through a folder need not be allowed to read it.
      let descriptor = try descriptor(
        place(ofFolder: path), firn_o_path | O_DIRECTORY | (isFirst ? 0 : O_NOFOLLOW), call: "open")
      return try PosixFolder(descriptor: descriptor, path: path, mayBeLinked: isFirst)
    } catch {
      // Files and symbolic links say this.
      if !isFirst, error.code.rawValue == ENOTDIR { throw DiskError(.notFolder, call: "open", path: path) }
      throw error
    }
  }

  package func isInPlace() throws(DiskError) -> Bool {
    for folder in folders where try !folder.isInPlace() { return false }
    return true
  }

  package func destination(of path: String) throws(DiskError) -> String {
    var path = path
    // As many as the system follows.
    for _ in 0...40 {
      guard let target = try target(ofLink: path) else { return path }
      let folder = folder(of: path)
      path = target.hasPrefix("/") ? target : folder == "/" ? "/" + target : "\(folder)/\(target)"
    }
    throw DiskError(.symbolicLink, call: "readlink", path: path)
  }

  package func identity(of path: String) throws(DiskError) -> String {
    let path = try destination(of: path)
    guard let folder = try FirnDurability.status(AT_FDCWD, folder(of: path), 0, path) else { return path }
    return "\(folder.st_dev) \(folder.st_ino) \(name(of: path))"
  }

  /// The target of a symbolic link; nil for everything else.
  private func target(ofLink path: String) throws(DiskError) -> String? {
    let target: [UInt8]? = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(PATH_MAX)) { buffer in
      let count = buffer.withMemoryRebound(to: CChar.self) {
        readlink(path, $0.baseAddress.unsafelyUnwrapped, $0.count)
      }
      return count < 0 ? nil : Array(buffer[..<count])
    }
    if let target {
      // Another name would be opened in its place.
      guard let text = String(validating: target, as: UTF8.self) else {
        throw DiskError(DiskError.Code(rawValue: EILSEQ), call: "readlink", path: path)
      }
      return text
    }
    if [EINVAL, ENOENT, ENOTDIR].contains(errno) { return nil }
    throw DiskError(DiskError.Code(rawValue: errno), call: "readlink", path: path)
  }

  /// The status of the file or link that has a name; nil if nothing has it.
  fileprivate func status(_ path: String) throws(DiskError) -> stat? {
    let place = place(path)
    return try FirnDurability.status(place.folder, place.name, AT_SYMLINK_NOFOLLOW, path)
  }

  // MARK: Places

  /// A path as the system gets it: from a folder that is open.
  private struct Place {
    var folder: Int32
    var name: String
    var path: String
  }

  private func place(_ path: String) -> Place {
    if folders.isEmpty { return Place(folder: AT_FDCWD, name: path, path: path) }
    for folder in folders {
      if let name = folder.name(of: path) { return Place(folder: folder.descriptor, name: name, path: path) }
    }
    fatalError("'\(path)' is in none of the folders that are held.")
  }

  private func place(ofFolder path: String) -> Place {
    if let folder = folders.first(where: { $0.path == path }) {
      return Place(folder: folder.descriptor, name: ".", path: path)
    }
    return place(path)
  }

  private func descriptor(_ place: Place, _ flags: Int32, call: String) throws(DiskError) -> Int32 {
    while true {
      let descriptor = openat(place.folder, place.name, flags | O_CLOEXEC, 0o600)
      if descriptor >= 0 { return try aboveStandardOnes(descriptor, call, place.path) }
      if errno != EINTR { throw DiskError(DiskError.Code(rawValue: errno), call: call, path: place.path) }
    }
  }
}

/// Gives a descriptor another number if it is one of those that a program reads and prints by: who has closed these
/// must not print into the files of a store.
private func aboveStandardOnes(_ descriptor: Int32, _ call: String, _ path: String) throws(DiskError) -> Int32 {
  if descriptor > STDERR_FILENO { return descriptor }
  let other = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
  let code = errno
  close(descriptor)
  if other < 0 { throw DiskError(DiskError.Code(rawValue: code), call: call, path: path) }
  return other
}

/// A folder that is held: it cannot go, and nothing else gets its number, as long as its descriptor is open.
private final class PosixFolder: Sendable {
  let descriptor: Int32
  let path: String
  /// The beginning of all paths into the folder.
  private let prefix: String
  /// Whether a symbolic link may lead to it.
  private let mayBeLinked: Bool
  private let device: dev_t
  private let number: ino_t

  /// Takes over the descriptor.
  init(descriptor: Int32, path: String, mayBeLinked: Bool) throws(DiskError) {
    self.descriptor = descriptor
    self.path = path
    self.mayBeLinked = mayBeLinked
    prefix = path == "." ? "" : path == "/" ? "/" : path + "/"
    var status = stat()
    do throws(DiskError) {
      try check(fstat(descriptor, &status), "fstat", path)
    } catch {
      close(descriptor)
      throw error
    }
    device = status.st_dev
    number = status.st_ino
  }

  deinit { close(descriptor) }

  /// The part of a path behind the folder; nil if the path does not lead into it.
  func name(of path: String) -> String? {
    let slash = UInt8(ascii: "/")
    // The folder of the process holds no path from the root.
    if prefix.isEmpty ? path.utf8.first == slash : !path.utf8.starts(with: prefix.utf8) { return nil }
    let name = path.utf8.dropFirst(prefix.utf8.count).drop { $0 == slash }
    return name.isEmpty ? nil : String(Substring(name))
  }

  func isInPlace() throws(DiskError) -> Bool {
    let named: stat?
    do throws(DiskError) {
      named = try status(AT_FDCWD, path, mayBeLinked ? 0 : AT_SYMLINK_NOFOLLOW, path)
    } catch {
      // The path leads nowhere any more.
      if [EACCES, ELOOP].contains(error.code.rawValue) { return false }
      throw error
    }
    return named?.st_ino == number && named?.st_dev == device
  }
}

/// The status of the file that has a name; nil if nothing has it.
private func status(
  _ folder: Int32, _ name: String, _ flags: Int32, _ path: String
) throws(DiskError) -> stat? {
  var status = stat()
  do throws(DiskError) {
    try check(fstatat(folder, name, &status, flags), flags == 0 ? "stat" : "lstat", path)
    return status
  } catch {
    if error.isAbsence { return nil }
    throw error
  }
}

/// Throws if `result`, a call, fails for another reason than a signal, after which it is made again.
func check(_ result: @autoclosure () -> Int32, _ call: @autoclosure () -> String, _ path: String) throws(DiskError) {
  while result() != 0 {
    let code = errno
    if code != EINTR { throw DiskError(DiskError.Code(rawValue: code), call: call(), path: path) }
  }
}

private final class PosixFolderLock: FolderLock {
  let descriptor: Int32

  init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  func unlock() { firn_unlock_folder(descriptor) }
}

private final class PosixFile: StoreFile {
  private let descriptor: Int32
  let path: String
  private let fileSystem: PosixFileSystem

  init(descriptor: Int32, path: String, fileSystem: PosixFileSystem) {
    self.descriptor = descriptor
    self.path = path
    self.fileSystem = fileSystem
  }

  /// Bytes that matter were synchronized before: what `close` says of the others helps nobody.
  deinit { close(descriptor) }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(DiskError) -> Int {
    var done = 0
    while done < buffer.count {
      let count = pread(
        descriptor, buffer.baseAddress.unsafelyUnwrapped + done, buffer.count - done, off_t(offset + done))
      if count > 0 {
        done += count
      } else if count == 0 {
        break
      } else if errno != EINTR {
        throw DiskError(DiskError.Code(rawValue: errno), call: "pread at \(offset + done)", path: path)
      }
    }
    return done
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(DiskError) {
    var done = 0
    while done < bytes.count {
      let count = pwrite(
        descriptor, bytes.baseAddress.unsafelyUnwrapped + done, bytes.count - done, off_t(offset + done))
      if count > 0 {
        done += count
      } else if count == 0 {
        throw DiskError(.noSpace, call: "pwrite of nothing at \(offset + done)", path: path)
      } else if errno != EINTR {
        throw DiskError(DiskError.Code(rawValue: errno), call: "pwrite at \(offset + done)", path: path)
      }
    }
  }

  func synchronizeData() throws(DiskError) { try check(fdatasync(descriptor), "fdatasync", path) }

  func synchronize() throws(DiskError) { try check(fsync(descriptor), "fsync", path) }

  func dropCached() throws(DiskError) {
    let code = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
    // Some file systems keep nothing, and say that the call makes no sense.
    if code != 0, code != EINVAL, code != ENOSYS, code != EOPNOTSUPP {
      throw DiskError(DiskError.Code(rawValue: code), call: "posix_fadvise", path: path)
    }
  }

  private func status() throws(DiskError) -> stat {
    var status = stat()
    try check(fstat(descriptor, &status), "fstat", path)
    return status
  }

  func isRegular() throws(DiskError) -> Bool { try status().st_mode & S_IFMT == S_IFREG }

  func size() throws(DiskError) -> Int { Int(try status().st_size) }

  func occupiedByteCount() throws(DiskError) -> Int {
    let status = try status()
    return min(Int(status.st_size), Int(status.st_blocks) * 512)
  }

  func modificationTime() -> UInt64? {
    guard let time = try? status().st_mtim, time.tv_sec >= 0 else { return nil }
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  func isShared() throws(DiskError) -> Bool { try status().st_nlink > 1 }

  func isRemoved() throws(DiskError) -> Bool {
    let held = try status()
    if held.st_nlink == 0 { return true }
    let named = try fileSystem.status(path)
    return named?.st_ino != held.st_ino || named?.st_dev != held.st_dev
  }

  func truncate(to size: Int) throws(DiskError) { try check(ftruncate(descriptor, off_t(size)), "ftruncate", path) }

  func dataStart(from offset: Int) -> Int { Int(firn_find_data(descriptor, Int64(offset))) }

  func reserve(_ range: Range<Int>) throws(DiskError) {
    let code = firn_reserve_file(descriptor, Int64(range.lowerBound), Int64(range.count))
    if code != 0, code != EOPNOTSUPP, code != ENOSYS {
      throw DiskError(DiskError.Code(rawValue: code), call: "fallocate", path: path)
    }
  }

  func tryLock() throws(DiskError) -> Bool {
    let code = firn_try_lock_file(descriptor)
    if code == 0 { return true }
    if code == EAGAIN || code == EACCES { return false }
    throw DiskError(DiskError.Code(rawValue: code), call: "fcntl(F_OFD_SETLK)", path: path)
  }

  func unlock() { firn_unlock_file(descriptor) }

  func isLocked() throws(DiskError) -> Bool {
    var isLocked = false
    let code = firn_is_file_locked(descriptor, &isLocked)
    if code != 0 { throw DiskError(DiskError.Code(rawValue: code), call: "fcntl(F_OFD_GETLK)", path: path) }
    return isLocked
  }
}
