internal import CFirn
internal import Glibc

/// The real disk. Files get mode 0600 and folders 0700; nothing is inherited by programs that the process starts.
package struct PosixFileSystem: FileSystem {
  package init() {}

  package func open(_ path: String, _ opening: FileOpening) throws(DiskError) -> any StoreFile {
    var flags = O_CLOEXEC
    switch opening {
    case .read: flags |= O_RDONLY
    case .readWrite: flags |= O_RDWR
    case .create: flags |= O_RDWR | O_CREAT
    case .createEmpty: flags |= O_RDWR | O_CREAT | O_TRUNC
    }
    return PosixFile(descriptor: try descriptor(path, flags, call: "open"), path: path)
  }

  package func rename(_ path: String, to newPath: String) throws(DiskError) {
    try check(Glibc.rename(path, newPath), "rename to '\(newPath)'", path)
  }

  package func remove(_ path: String) throws(DiskError) { try check(unlink(path), "unlink", path) }

  package func createFolder(_ path: String) throws(DiskError) { try check(mkdir(path, 0o700), "mkdir", path) }

  package func removeFolder(_ path: String) throws(DiskError) { try check(rmdir(path), "rmdir", path) }

  package func list(_ folder: String) throws(DiskError) -> [String] {
    guard let stream = opendir(folder) else {
      throw DiskError(DiskError.Code(rawValue: errno), call: "opendir", path: folder)
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

  package func exists(_ path: String) throws(DiskError) -> Bool {
    var status = stat()
    if stat(path, &status) == 0 { return true }
    if errno == ENOENT || errno == ENOTDIR { return false }
    throw DiskError(DiskError.Code(rawValue: errno), call: "stat", path: path)
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

  func size() throws(DiskError) -> Int {
    var status = stat()
    try check(fstat(descriptor, &status), "fstat", path)
    return Int(status.st_size)
  }

  func isRemoved() throws(DiskError) -> Bool {
    var status = stat()
    try check(fstat(descriptor, &status), "fstat", path)
    return status.st_nlink == 0
  }

  func truncate(to size: Int) throws(DiskError) { try check(ftruncate(descriptor, off_t(size)), "ftruncate", path) }

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
