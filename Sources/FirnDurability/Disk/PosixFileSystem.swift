internal import CFirn
internal import Glibc

/// The real disk. Files get mode 0600 and folders 0700; nothing is inherited by programs that the process starts.
package struct PosixFileSystem: FileSystem {
  package init() {}

  package func open(_ path: String, _ opening: FileOpening) throws(DiskError) -> any StoreFile {
    // Without O_NONBLOCK the opening of a pipe waits for somebody at its other end.
    var flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    switch opening {
    case .read: flags |= O_RDONLY
    case .readWrite: flags |= O_RDWR
    case .create: flags |= O_RDWR | O_CREAT
    case .createEmpty: flags |= O_RDWR | O_CREAT | O_TRUNC
    case .createNew: flags |= O_RDWR | O_CREAT | O_EXCL
    }
    let file: PosixFile
    do throws(DiskError) {
      file = PosixFile(descriptor: try descriptor(path, flags, call: "open"), path: path)
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
    try check(Glibc.rename(path, newPath), "rename to '\(newPath)'", path)
  }

  package func remove(_ path: String) throws(DiskError) { try check(unlink(path), "unlink", path) }

  package func createFolder(_ path: String) throws(DiskError) { try check(mkdir(path, 0o700), "mkdir", path) }

  package func removeFolder(_ path: String) throws(DiskError) { try check(rmdir(path), "rmdir", path) }

  package func list(_ folder: String) throws(DiskError) -> [String] {
    let descriptor = try descriptor(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, call: "opendir")
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
    let descriptor = try descriptor(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, call: "open")
    defer { close(descriptor) }
    try check(fsync(descriptor), "fsync", path)
  }

  package func lockFolder(_ path: String) throws(DiskError) -> FolderLocking {
    let lock = PosixFolderLock(
      descriptor: try descriptor(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, call: "open"), path: path)
    switch firn_try_lock_folder(lock.descriptor) {
    case 0: return .taken(lock)
    case EWOULDBLOCK: return .refused
    default: return .unsupported
    }
  }

  package func exists(_ path: String) throws(DiskError) -> Bool { try mode(path) != nil }

  package func isFile(_ path: String) throws(DiskError) -> Bool {
    try mode(path).map { $0 & S_IFMT == S_IFREG } ?? false
  }

  /// Kind and permissions of what has a name, symbolic links included; nil if nothing has it.
  private func mode(_ path: String) throws(DiskError) -> mode_t? {
    var status = stat()
    if lstat(path, &status) == 0 { return status.st_mode }
    if errno == ENOENT || errno == ENOTDIR { return nil }
    throw DiskError(DiskError.Code(rawValue: errno), call: "lstat", path: path)
  }

  private func descriptor(_ path: String, _ flags: Int32, call: String) throws(DiskError) -> Int32 {
    while true {
      let descriptor = Glibc.open(path, flags, 0o600)
      if descriptor >= 0 { return descriptor }
      if errno != EINTR { throw DiskError(DiskError.Code(rawValue: errno), call: call, path: path) }
    }
  }
}

/// Throws if `result`, a call, fails for another reason than a signal, after which it is made again.
func check(_ result: @autoclosure () -> Int32, _ call: @autoclosure () -> String, _ path: String) throws(DiskError) {
  while result() != 0 {
    let code = errno
    if code != EINTR { throw DiskError(DiskError.Code(rawValue: code), call: call(), path: path) }
  }
}

/// Whether what `descriptor` has open is not what has the name `path` any more: it was removed, moved, or replaced.
private func hasLost(_ path: String, _ descriptor: Int32) throws(DiskError) -> Bool {
  var held = stat()
  try check(fstat(descriptor, &held), "fstat", path)
  if held.st_nlink == 0 { return true }
  var named = stat()
  do throws(DiskError) {
    try check(lstat(path, &named), "lstat", path)
  } catch {
    if error.code == .notFound || error.code.rawValue == ENOTDIR { return true }
    throw error
  }
  return held.st_ino != named.st_ino || held.st_dev != named.st_dev
}

private final class PosixFolderLock: FolderLock {
  let descriptor: Int32
  private let path: String

  init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  func unlock() { firn_unlock_folder(descriptor) }

  func isRemoved() throws(DiskError) -> Bool { try hasLost(path, descriptor) }
}

private final class PosixFile: StoreFile {
  private let descriptor: Int32
  let path: String

  init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
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

  func isRegular() throws(DiskError) -> Bool {
    var status = stat()
    try check(fstat(descriptor, &status), "fstat", path)
    return status.st_mode & S_IFMT == S_IFREG
  }

  func size() throws(DiskError) -> Int {
    var status = stat()
    try check(fstat(descriptor, &status), "fstat", path)
    return Int(status.st_size)
  }

  func isRemoved() throws(DiskError) -> Bool { try hasLost(path, descriptor) }

  func truncate(to size: Int) throws(DiskError) { try check(ftruncate(descriptor, off_t(size)), "ftruncate", path) }

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
