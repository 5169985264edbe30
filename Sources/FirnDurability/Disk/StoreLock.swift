internal import FirnEngine

/// The right to use a store's files, which one process at a time has. It ends with the last reference, or the process.
package final class StoreLock: Sendable {
  package let path: String
  /// What the file said when the lock was taken.
  package let hint: DurableHint?
  /// The lock on the folder of the journal, which cannot go without the data, unlike the file; nil without one.
  private let folder = Lock<(any FolderLock)?>(nil)
  /// The folders of the locked store, once they are held.
  private let folders = Lock<StoreFolders?>(nil)
  /// Nil once the lock was let go.
  private let file: Lock<(any StoreFile)?>
  private let owner: LockOwner
  private let line = Lock<(storeID: StoreID, offset: Int)?>(nil)

  /// Takes the lock, or throws `.ownedByOtherProcess` naming who has it.
  ///
  /// Two openings in one process exclude each other as well.
  package static func take(
    _ path: String, by owner: LockOwner, in fileSystem: any FileSystem
  ) throws(StoreError) -> StoreLock {
    let attempt: Attempt
    do throws(DiskError) {
      attempt = try self.attempt(path, owner, fileSystem)
    } catch {
      throw StoreError(error)
    }
    switch attempt {
    case .taken(let lock): return lock
    case .refused(let owner): throw refusal(path, owner)
    }
  }

  private enum Attempt {
    case taken(StoreLock)
    case refused(LockOwner?)
  }

  private static func attempt(
    _ path: String, _ owner: LockOwner, _ fileSystem: any FileSystem
  ) throws(DiskError) -> Attempt {
    for _ in 0..<100 {
      let file = try fileSystem.open(path, .create)
      let isLocked = try file.tryLock()
      let bytes = try file.bytes(count: LockText.byteCountMax + 1)
      if !LockText.isOwn(bytes) {
        if isLocked { file.unlock() }
        throw DiskError(.foreign, call: "open", path: path)
      }
      let text = LockText(parsing: bytes)
      if !isLocked { return .refused(text.owner) }
      // Whoever deletes a store removes the file while it has the lock: then this is the lock of nothing.
      if try file.isRemoved() {
        file.unlock()
        continue
      }
      if try !file.isShared() { return .taken(StoreLock(path, text.hint, file, owner)) }
      // Two stores, copies of each other by second names, must not have a lock in common, nor a hint.
      try fileSystem.remove(path)
      file.unlock()
    }
    throw DiskError(.notFound, call: "open", path: path)
  }

  private static func refusal(_ path: String, _ owner: LockOwner?) -> StoreError {
    let who =
      owner.map { "process \($0.processID) on host '\($0.host)', which opened it on \($0.startedText)" }
      ?? "another process"
    return StoreError(
      .ownedByOtherProcess,
      "The store is in use by \(who) (lock file '\(path)'). Close it there or end that process, and open it again; "
        + "within one process, open it once and share it.", path: path)
  }

  private init(_ path: String, _ hint: DurableHint?, _ file: any StoreFile, _ owner: LockOwner) {
    self.path = path
    self.hint = hint
    self.file = Lock(file)
    self.owner = owner
  }

  /// Locks the folder of the journal as well, so that the removal of the lock file lets nobody else in. From now on
  /// ``checkPlace()`` looks for the folders.
  func lockFolders(_ folders: StoreFolders) throws(StoreError) {
    let locking: FolderLocking
    do throws(DiskError) { locking = try folders.fileSystem.lockFolder(folders.paths.journal) } catch {
      throw StoreError(error)
    }
    switch locking {
    case .taken(let lock): folder.withLock { $0 = lock }
    case .refused: throw removed
    case .unsupported: break
    }
    self.folders.withLock { $0 = folders }
  }

  /// Throws `.ownedByOtherProcess` when another process may have the store by now: somebody removed the lock file, and the
  /// folder could not be locked. A call to the system where it could not, else none.
  package func check() throws(StoreError) {
    if folder.withLock({ $0 != nil }) { return }
    guard let file = file.withLock({ $0 }) else { return }
    let isRemoved: Bool
    do throws(DiskError) { isRemoved = try file.isRemoved() } catch { throw .durabilityLost(error) }
    if isRemoved { throw removed }
  }

  /// The same as ``check()``, and throws too when the path does not lead to the folders any more, so that the next
  /// opening would not find what is written. To be called before anything is acknowledged. About three calls to the
  /// system.
  package func checkPlace() throws(StoreError) {
    try check()
    guard let folders = folders.withLock({ $0 }) else { return }
    let areInPlace: Bool
    do throws(DiskError) { areInPlace = try folders.areInPlace() } catch { throw .durabilityLost(error) }
    if !areInPlace { throw folders.moved }
  }

  /// The error of those who find that another process may write, or does.
  package var removed: StoreError {
    StoreError(
      .ownedByOtherProcess,
      "The store is in use by another process, after its lock file '\(path)' was removed. Nothing is written here any more; "
        + "what was acknowledged is there. Never remove the lock file of a store; close the store in one of the processes, "
        + "and open it again.", path: path)
  }

  /// Writes who holds the lock on which store, and what is durable.
  package func claim(_ storeID: StoreID, durableThrough version: UInt64) throws(StoreError) {
    let head = LockText.head(owner, storeID)
    let text = head + LockText.durableLine(storeID, version)
    guard let file = file.withLock({ $0 }) else { return }
    do throws(DiskError) {
      if try file.size() < LockText.start.utf8.count { try file.reserveStart(byteCount: text.count) }
      try file.write(text, at: 0)
      // On a full disk some file systems refuse it even where nothing changes.
      if try file.size() != text.count { try file.truncate(to: text.count) }
    } catch {
      throw StoreError(error)
    }
    line.withLock { $0 = (storeID, head.count) }
  }

  /// Rewrites what is durable; does nothing before ``claim(_:durableThrough:)``. A failure is passed over: it is a hint.
  package func setDurable(through version: UInt64) {
    guard let (storeID, offset) = line.withLock({ $0 }) else { return }
    let text = LockText.durableLine(storeID, version)
    try? file.withLock({ $0 })?.write(text, at: offset)
  }

  /// Lets the lock go, though the journal may still refer to it.
  package func release() {
    file.withLock { file in
      file?.unlock()
      file = nil
    }
    folder.withLock { folder in
      folder?.unlock()
      folder = nil
    }
  }

  deinit { release() }

  /// Whether there is a lock file, and not somebody else's file of that name.
  package static func isOwn(_ path: String, in fileSystem: any FileSystem) throws(DiskError) -> Bool {
    do throws(DiskError) {
      return LockText.isOwn(try fileSystem.open(path, .read).bytes(count: LockText.byteCountMax + 1))
    } catch {
      if error.code == .notFound { return false }
      throw error
    }
  }

  /// Whether somebody has the lock, as far as can be told. Needs no right to write.
  package static func isHeld(_ path: String, in fileSystem: any FileSystem) -> Bool {
    do throws(DiskError) {
      let file = try fileSystem.open(path, .read)
      if try !LockText.isOwn(file.bytes(count: LockText.byteCountMax + 1)) { return false }
      return try file.isLocked()
    } catch {
      return error.code != .notFound
    }
  }

  /// What a lock file says is durable; nil when there is none. Takes no lock.
  package static func hint(_ path: String, in fileSystem: any FileSystem) throws(StoreError) -> DurableHint? {
    do throws(DiskError) {
      let file = try fileSystem.open(path, .read)
      let text = LockText(parsing: try file.bytes(count: LockText.byteCountMax))
      guard let hint = text.hint else { return nil }
      return DurableHint(storeID: hint.storeID, version: hint.version, isProof: try !file.isShared())
    } catch {
      if error.code == .notFound { return nil }
      throw StoreError(error)
    }
  }
}
