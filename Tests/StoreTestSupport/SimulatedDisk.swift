package import FirnDurability
internal import FirnEngine

/// A disk that keeps what was synchronized, and after a crash of the rest whatever a seed says.
///
/// Unsynchronized sectors and directory operations are each there or not, independently; a sector is old or new. Any call
/// may be made to fail, and the disk may be told to lie about its syncs. What a failed sync of a file was to write is read
/// like all else, but the disk does not have it; see ``SimulatedNode``. A failed sync of a folder forgets nothing.
package final class SimulatedDisk: FileSystem, @unchecked Sendable {
  /// What of the unsynchronized survives a crash.
  package enum Survival: CaseIterable, Sendable {
    case nothing, everything, random
  }

  package enum Lie: Sendable {
    case ignoresFileSync, ignoresFolderSync
    /// A bit of each file is another on the disk than in memory, from its sync on.
    case writesBadly
  }

  /// What happens at a call.
  package struct Fault: Sendable {
    package enum Kind: Sendable {
      /// The call fails, later ones do not.
      case error(DiskError.Code)
      /// The call does a part of its work, and every later one fails.
      case stop
    }

    /// Counted from 1.
    package var call: Int
    package var kind: Kind
    /// Whether only syncs of files are counted.
    package var isSync: Bool

    package init(call: Int, kind: Kind, isSync: Bool = false) {
      self.call = call
      self.kind = kind
      self.isSync = isSync
    }
  }

  struct Names {
    var nodes: [String: SimulatedNode] = [:]
    var folders: Set<String> = ["/"]
  }

  struct State {
    var random: SeededRandom
    var now = Names()
    var durable = Names()
    /// Directory operations since the last sync of their folder.
    var operations: [(folder: String, apply: (inout Names) -> Void)] = []
    var fault: Fault?
    /// Syncs since the fault was set.
    var faultSyncCount = 0
    var hasFaulted = false
    var lies: Set<Lie> = []
    var isStopped = false
    var callCount = 0
    var syncCount = 0
    var willSynchronize: (@Sendable (String) -> Void)?
    var willRead: (@Sendable (String) -> Void)?
    var refusesOpening: (@Sendable (String, FileOpening) -> DiskError.Code?)?
    /// Who has the lock on a folder.
    var folderLocks: [String: ObjectIdentifier] = [:]
    var locksFolders = true
    var isReadOnly = false
    /// Bytes that all files together may have.
    var capacity = Int.max
    var openFileCount = 0
    var openFileCountMax = 0
  }

  // State  guarded by
  // state  its lock
  let state: Guarded<State>

  package init(seed: UInt64, fault: Fault? = nil, lies: Set<Lie> = []) {
    state = Guarded(State(random: SeededRandom(seed), fault: fault, lies: lies))
  }

  /// Calls so far.
  package var callCount: Int { state.withLock { $0.callCount } }
  /// Syncs of files so far.
  package var syncCount: Int { state.withLock { $0.syncCount } }
  /// Whether the fault has happened.
  package var didStop: Bool { state.withLock { $0.hasFaulted } }

  /// Whether every call fails.
  package var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Calls `body` before each sync of a file, outside of all locks.
  package func beforeSync(_ body: (@Sendable (String) -> Void)?) { state.withLock { $0.willSynchronize = body } }

  /// Calls `body` before each read of a file, outside of all locks.
  package func beforeRead(_ body: (@Sendable (String) -> Void)?) { state.withLock { $0.willRead = body } }

  /// Has `body` say why a file cannot be opened; nil lets it be.
  package func refuseOpening(_ body: (@Sendable (String, FileOpening) -> DiskError.Code?)?) {
    state.withLock { $0.refusesOpening = body }
  }

  /// The most files that were open at once since this was last asked for.
  package func takeOpenFileCountMax() -> Int {
    state.withLock { state in
      defer { state.openFileCountMax = state.openFileCount }
      return state.openFileCountMax
    }
  }

  package func setLies(_ lies: Set<Lie>) { state.withLock { $0.lies = lies } }

  package func setFault(_ fault: Fault?) {
    state.withLock { state in
      state.fault = fault
      state.callCount = 0
      state.faultSyncCount = 0
      state.hasFaulted = false
      state.isStopped = false
    }
  }

  /// What a file system does that has no locks on folders.
  package func forgetFolderLocks() { state.withLock { $0.locksFolders = false } }

  /// Nothing can be opened for writing from now on.
  package func becomeReadOnly() { state.withLock { $0.isReadOnly = true } }

  /// Bytes of all files.
  package var byteCount: Int { state.withLock { $0.byteCount } }

  /// The disk has room for so many bytes from now on; nil for as many as anybody wants.
  package func setCapacity(_ capacity: Int?) { state.withLock { $0.capacity = capacity ?? .max } }

  /// The disk after a crash. This one stays as it is.
  ///
  /// - Parameter damagesTails: Whether sectors of segments that were being written for the first time may be unreadable.
  package func crash(_ survival: Survival = .random, damagesTails: Bool = false) -> SimulatedDisk {
    state.withLock { state in
      var random = SeededRandom(state.random.next())
      let disk = SimulatedDisk(seed: random.next(), lies: state.lies)
      var after = state.durable
      let percent = [5, 50, 95][random.below(3)]
      for operation in state.operations {
        let isKept: Bool
        switch survival {
        case .nothing: isKept = false
        case .everything: isKept = true
        case .random: isKept = random.chance(percent)
        }
        if isKept { operation.apply(&after) }
      }
      for (path, node) in after.nodes.sorted(by: { $0.key < $1.key }) {
        let copy = SimulatedNode(content: node.afterCrash(survival, &random))
        if damagesTails, path.hasSuffix(".segment") { node.makeUnreadable(in: copy, &random) }
        after.nodes[path] = copy
      }
      disk.state.withLock { target in
        target.now = after
        target.durable = after
      }
      return disk
    }
  }

  /// What the death of a process does, when the machine goes on.
  package func releaseLocks() {
    state.withLock { state in
      for node in state.now.nodes.values { node.lockHolder = nil }
      state.folderLocks = [:]
    }
  }

  /// The system lets go of all that it takes for clean.
  package func dropCaches() { state.withLock { for node in $0.now.nodes.values { node.dropCached() } } }

  // MARK: Calls

  /// Counts a call and makes it fail if it is its turn. Returns whether it is to do a part of its work and then fail.
  func begin(_ state: inout State, _ call: String, _ path: String) throws(DiskError) -> DiskError? {
    state.callCount += 1
    if state.isStopped { throw DiskError(.inputOutput, call: call, path: path) }
    guard let fault = state.fault else { return nil }
    if fault.isSync {
      if call != "fdatasync" { return nil }
      state.faultSyncCount += 1
    }
    if (fault.isSync ? state.faultSyncCount : state.callCount) != fault.call { return nil }
    state.hasFaulted = true
    switch fault.kind {
    case .error(let code): return DiskError(code, call: call, path: path)
    case .stop:
      state.isStopped = true
      return DiskError(.inputOutput, call: call, path: path)
    }
  }

  private func perform<Result>(
    _ call: String, _ path: String, _ body: (inout State) throws -> Result
  ) throws(DiskError) -> Result {
    do {
      return try state.withLock { state in
        if let error = try begin(&state, call, path) { throw error }
        return try body(&state)
      }
    } catch let error as DiskError {
      throw error
    } catch {
      fatalError("\(error)")
    }
  }

  package func open(_ path: String, _ opening: FileOpening) throws(DiskError) -> any StoreFile {
    try perform("open", path) { state in
      if let code = state.refusesOpening?(path, opening) { throw DiskError(code, call: "open", path: path) }
      if state.isReadOnly {
        guard case .read = opening else { throw DiskError(DiskError.Code(rawValue: 30), call: "open", path: path) }
      }
      if state.now.folders.contains(path) { throw DiskError(.notRegularFile, call: "open", path: path) }
      if let node = state.now.nodes[path] {
        if case .createNew = opening { throw DiskError(.exists, call: "open", path: path) }
        if case .createEmpty = opening { node.truncate(to: 0) }
        state.didOpenFile()
        return SimulatedFile(disk: self, node: node, path: path)
      }
      switch opening {
      case .read, .readWrite: throw DiskError(.notFound, call: "open", path: path)
      case .create, .createEmpty, .createNew: break
      }
      let folder = self.folder(of: path)
      guard state.now.folders.contains(folder) else { throw DiskError(.notFound, call: "open", path: path) }
      let node = SimulatedNode()
      state.change(folder) { $0.nodes[path] = node }
      state.didOpenFile()
      return SimulatedFile(disk: self, node: node, path: path)
    }
  }

  package func rename(_ path: String, to newPath: String) throws(DiskError) {
    try perform("rename", path) { state in
      guard let node = state.now.nodes[path] else { throw DiskError(.notFound, call: "rename", path: path) }
      state.change(folder(of: path)) { names in
        if names.nodes[path] === node { names.nodes[path] = nil }
        names.nodes[newPath] = node
      }
    }
  }

  package func remove(_ path: String) throws(DiskError) {
    try perform("unlink", path) { state in
      guard let node = state.now.nodes[path] else { throw DiskError(.notFound, call: "unlink", path: path) }
      state.change(folder(of: path)) { if $0.nodes[path] === node { $0.nodes[path] = nil } }
    }
  }

  package func createFolder(_ path: String) throws(DiskError) {
    try perform("mkdir", path) { state in
      if state.now.folders.contains(path) { throw DiskError(.exists, call: "mkdir", path: path) }
      state.change(folder(of: path)) { $0.folders.insert(path) }
    }
  }

  package func removeFolder(_ path: String) throws(DiskError) {
    try perform("rmdir", path) { state in
      guard state.now.folders.contains(path) else { throw DiskError(.notFound, call: "rmdir", path: path) }
      if state.now.nodes.keys.contains(where: { folder(of: $0) == path }) {
        throw DiskError(.notEmpty, call: "rmdir", path: path)
      }
      state.change(folder(of: path)) { $0.folders.remove(path) }
    }
  }

  package func list(_ folder: String) throws(DiskError) -> [String] {
    try perform("readdir", folder) { state in
      guard state.now.folders.contains(folder) else { throw DiskError(.notFound, call: "opendir", path: folder) }
      return state.now.nodes.keys.filter { self.folder(of: $0) == folder }.map {
        String($0.dropFirst(folder.count + 1))
      }
      .sorted()
    }
  }

  package func synchronizeFolder(_ path: String) throws(DiskError) {
    try perform("fsync", path) { state in
      guard state.now.folders.contains(path) else { throw DiskError(.notFound, call: "open", path: path) }
      if state.lies.contains(.ignoresFolderSync) { return }
      for operation in state.operations where operation.folder == path { operation.apply(&state.durable) }
      state.operations.removeAll { $0.folder == path }
    }
  }

  package func lockFolder(_ path: String) throws(DiskError) -> FolderLocking {
    try perform("flock", path) { state in
      guard state.now.folders.contains(path) else { throw DiskError(.notFound, call: "open", path: path) }
      if !state.locksFolders { return .unsupported }
      if state.folderLocks[path] != nil { return .refused }
      let lock = SimulatedFolderLock(disk: self, path: path)
      state.folderLocks[path] = ObjectIdentifier(lock)
      return .taken(lock)
    }
  }

  package func exists(_ path: String) throws(DiskError) -> Bool {
    try perform("stat", path) { $0.now.nodes[path] != nil || $0.now.folders.contains(path) }
  }

  package func isFile(_ path: String) throws(DiskError) -> Bool {
    try perform("lstat", path) { $0.now.nodes[path] != nil }
  }

  // MARK: Bytes from outside

  /// The content of a file.
  package func content(_ path: String) -> [UInt8]? { state.withLock { $0.now.nodes[path]?.content } }

  /// Replaces a file as if it had always been so.
  package func setContent(_ path: String, _ bytes: [UInt8]?) {
    state.withLock { state in
      let node = bytes.map { SimulatedNode(content: $0) }
      state.now.nodes[path] = node
      state.durable.nodes[path] = node
      let folder = folder(of: path)
      state.now.folders.insert(folder)
      state.durable.folders.insert(folder)
    }
  }

  /// Makes the sector at `offset` of a file unreadable until it is written.
  package func makeUnreadable(_ path: String, at offset: Int) {
    state.withLock { $0.now.nodes[path]?.makeUnreadable(at: offset) }
  }

  /// The paths of all files.
  package var paths: [String] { state.withLock { $0.now.nodes.keys.sorted() } }
}

private final class SimulatedFolderLock: FolderLock {
  private let disk: SimulatedDisk
  private let path: String

  init(disk: SimulatedDisk, path: String) {
    self.disk = disk
    self.path = path
  }

  deinit { unlock() }

  func isRemoved() -> Bool {
    let identifier = ObjectIdentifier(self)
    return disk.state.withLock { !$0.now.folders.contains(path) || $0.folderLocks[path] != identifier }
  }

  func unlock() {
    let identifier = ObjectIdentifier(self)
    disk.state.withLock { if $0.folderLocks[path] == identifier { $0.folderLocks[path] = nil } }
  }
}

extension SimulatedDisk.State {
  var byteCount: Int { now.nodes.values.reduce(0) { $0 + $1.content.count } }

  mutating func didOpenFile() {
    openFileCount += 1
    openFileCountMax = max(openFileCountMax, openFileCount)
  }

  /// Does something to a folder now and, if it gets there, on disk.
  mutating func change(_ folder: String, _ apply: @escaping (inout SimulatedDisk.Names) -> Void) {
    operations.append((folder, apply))
    apply(&now)
  }
}
