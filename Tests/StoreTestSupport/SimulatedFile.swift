internal import FirnDurability
internal import FirnEngine

/// A file opened on the simulated disk. What it does to its node happens under the disk's lock.
final class SimulatedFile: StoreFile, @unchecked Sendable {
  // State  guarded by
  // node   the lock of `disk`
  private let disk: SimulatedDisk
  private let node: SimulatedNode
  let path: String

  init(disk: SimulatedDisk, node: SimulatedNode, path: String) {
    self.disk = disk
    self.node = node
    self.path = path
  }

  deinit {
    let identifier = ObjectIdentifier(self)
    disk.state.withLock { state in
      state.openFileCount -= 1
      if node.lockHolder == identifier { node.lockHolder = nil }
    }
  }

  private func perform<Result>(
    _ call: String, _ body: (inout SimulatedDisk.State, DiskError?) throws -> Result
  ) throws(DiskError) -> Result {
    disk.prepareCall()
    do {
      return try disk.state.withLock { state in
        let error = try disk.begin(&state, call, path)
        return try body(&state, error)
      }
    } catch let error as DiskError {
      throw error
    } catch {
      fatalError("\(error)")
    }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(DiskError) -> Int {
    disk.state.withLock { $0.willRead }?(path)
    return try perform("pread") { state, error in
      if let error { throw error }
      // The system may let go of what it takes for clean at any time.
      if node.hasForgotten, state.random.chance(5) { node.dropCached() }
      let count = max(0, min(buffer.count, node.content.count - offset))
      if !node.isReadable(offset, count: count) { throw DiskError(.inputOutput, call: "pread", path: path) }
      if count > 0 {
        node.content.withUnsafeBytes {
          buffer.baseAddress!.copyMemory(from: $0.baseAddress! + offset, byteCount: count)
        }
      }
      return count
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(DiskError) {
    try perform("pwrite") { state, error in
      if let error {
        // A short write.
        node.write(UnsafeRawBufferPointer(rebasing: bytes[..<state.random.below(bytes.count + 1)]), at: offset)
        throw error
      }
      let growth = max(0, offset + bytes.count - node.content.count)
      let room = state.capacity == .max ? .max : max(0, state.capacity - state.byteCount)
      if growth > room {
        // What fits is written.
        let fitting = bytes[..<(bytes.count - min(bytes.count, growth - room))]
        node.write(UnsafeRawBufferPointer(rebasing: fitting), at: offset)
        throw DiskError(.noSpace, call: "pwrite", path: path)
      }
      node.write(bytes, at: offset)
    }
  }

  func synchronizeData() throws(DiskError) {
    disk.state.withLock { $0.willSynchronize }?(path)
    try perform("fdatasync") { state, error in
      state.syncCount += 1
      if let error {
        node.failToSynchronize(&state.random)
        throw error
      }
      if !state.lies.contains(.ignoresFileSync) { node.synchronize() }
      if state.lies.contains(.writesBadly) { node.rot(&state.random) }
    }
  }

  func synchronize() throws(DiskError) { try synchronizeData() }

  func dropCached() throws(DiskError) {
    try perform("posix_fadvise") { _, error in
      if let error { throw error }
      node.dropCached()
    }
  }

  func size() throws(DiskError) -> Int {
    try perform("fstat") { _, error in
      if let error { throw error }
      return node.content.count
    }
  }

  func truncate(to size: Int) throws(DiskError) {
    try perform("ftruncate") { _, error in
      if let error { throw error }
      node.truncate(to: size)
    }
  }

  func occupiedByteCount() throws(DiskError) -> Int { try size() }

  func modificationTime() -> UInt64? { nil }

  func dataStart(from offset: Int) -> Int { offset }

  func reserve(_ range: Range<Int>) throws(DiskError) {
    try perform("fallocate") { state, error in
      if let error { throw error }
      let growth = max(0, range.upperBound - node.content.count)
      if state.capacity != .max, growth > state.capacity - state.byteCount {
        throw DiskError(.noSpace, call: "fallocate", path: path)
      }
      if growth > 0 { node.reserve(upTo: range.upperBound) }
    }
  }

  func tryLock() throws(DiskError) -> Bool {
    try perform("fcntl(F_OFD_SETLK)") { _, error in
      if let error { throw error }
      if let holder = node.lockHolder, holder != ObjectIdentifier(self) { return false }
      node.lockHolder = ObjectIdentifier(self)
      return true
    }
  }

  func unlock() {
    disk.state.withLock { _ in
      if node.lockHolder == ObjectIdentifier(self) { node.lockHolder = nil }
    }
  }

  func isLocked() throws(DiskError) -> Bool {
    try perform("fcntl(F_OFD_GETLK)") { _, error in
      if let error { throw error }
      guard let holder = node.lockHolder else { return false }
      return holder != ObjectIdentifier(self)
    }
  }

  func isShared() throws(DiskError) -> Bool {
    try perform("fstat") { state, error in
      if let error { throw error }
      return state.now.files.count { $0.node === node } > 1
    }
  }

  func isRemoved() throws(DiskError) -> Bool {
    try perform("fstat") { state, error in
      if let error { throw error }
      guard let place = try? disk.place(path, state, "fstat") else { return true }
      return state.now[place] != .file(node)
    }
  }
}
