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

  struct State {
    var random: SeededRandom
    var now = SimulatedNames()
    var durable = SimulatedNames()
    /// Directory operations since the last sync of their folder.
    var operations: [(folder: SimulatedFolder, apply: (inout SimulatedNames) -> Void)] = []
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
    var willCall: (call: Int, body: @Sendable () -> Void)?
    /// Who has the lock on a folder.
    var folderLocks: [SimulatedFolder: ObjectIdentifier] = [:]
    var locksFolders = true
    var isReadOnly = false
    /// The folder that was created last.
    var lastFolder = SimulatedFolder.root
    /// Bytes that all files together may have.
    var capacity = Int.max
    var openFileCount = 0
    var openFileCountMax = 0
  }

  // State  guarded by
  // state  its lock
  let state: Guarded<State>
  /// The folders that are held, the last one first.
  private let held: [(path: String, folder: SimulatedFolder)]

  package init(seed: UInt64, fault: Fault? = nil, lies: Set<Lie> = []) {
    state = Guarded(State(random: SeededRandom(seed), fault: fault, lies: lies))
    held = []
  }

  private init(sharing state: Guarded<State>, held: [(path: String, folder: SimulatedFolder)]) {
    self.state = state
    self.held = held
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

  /// Calls `body` before the call of that number, counted from 1 on from now, outside of all locks.
  package func beforeCall(_ call: Int, _ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.willCall = ($0.callCount + call, body) }
  }

  /// Does what is to be done before the next call.
  func prepareCall() {
    let body = state.withLock { state in
      guard let (call, body) = state.willCall, call <= state.callCount + 1 else {
        return nil as (@Sendable () -> Void)?
      }
      state.willCall = nil
      return body
    }
    body?()
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
      for (place, node) in after.files {
        let copy = SimulatedNode(content: node.afterCrash(survival, &random))
        if damagesTails, place.name.hasSuffix(".segment") { node.makeUnreadable(in: copy, &random) }
        after[place] = .file(copy)
      }
      disk.state.withLock { target in
        target.now = after
        target.durable = after
        target.lastFolder = state.lastFolder
      }
      return disk
    }
  }

  /// What the death of a process does, when the machine goes on.
  package func releaseLocks() {
    state.withLock { state in
      for (_, node) in state.now.files { node.lockHolder = nil }
      state.folderLocks = [:]
    }
  }

  /// The system lets go of all that it takes for clean.
  package func dropCaches() { state.withLock { for (_, node) in $0.now.files { node.dropCached() } } }

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
    prepareCall()
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

  /// The place that a path leads to.
  func place(_ path: String, _ state: State, _ call: String) throws(DiskError) -> SimulatedPlace {
    do throws(SimulatedNames.Absence) {
      if held.isEmpty { return try state.now.place(path) }
      for (start, folder) in held where path.hasPrefix(start == "/" ? "/" : start + "/") && path != start {
        return try state.now.place(String(path.dropFirst(start.count)), from: folder)
      }
    } catch {
      throw DiskError(error.code, call: call, path: path)
    }
    fatalError("'\(path)' is in none of the folders that are held.")
  }

  /// The folder of that name.
  private func folder(
    _ path: String, _ state: State, _ call: String, mayBeLinked: Bool = false
  ) throws(DiskError) -> SimulatedFolder {
    if let folder = held.first(where: { $0.path == path })?.folder { return folder }
    do throws(SimulatedNames.Absence) {
      if held.isEmpty, mayBeLinked || path == "/" { return try state.now.folder(path) }
    } catch {
      throw DiskError(error.code, call: call, path: path)
    }
    switch state.now[try place(path, state, call)] {
    case .folder(let folder): return folder
    case .file: throw DiskError(DiskError.Code(rawValue: 20), call: call, path: path)
    case .link: throw DiskError(.symbolicLink, call: call, path: path)
    case nil: throw DiskError(.notFound, call: call, path: path)
    }
  }

  package func open(_ path: String, _ opening: FileOpening) throws(DiskError) -> any StoreFile {
    try perform("open", path) { state in
      if let code = state.refusesOpening?(path, opening) { throw DiskError(code, call: "open", path: path) }
      if state.isReadOnly {
        guard case .read = opening else { throw DiskError(DiskError.Code(rawValue: 30), call: "open", path: path) }
      }
      let place = try place(path, state, "open")
      let entry = state.now[place]
      if entry != nil, case .createNew = opening { throw DiskError(.exists, call: "open", path: path) }
      switch entry {
      case .folder: throw DiskError(.notRegularFile, call: "open", path: path)
      case .link: throw DiskError(.symbolicLink, call: "open", path: path)
      case .file(let node):
        if case .createEmpty = opening { node.truncate(to: 0) }
        state.didOpenFile()
        return SimulatedFile(disk: self, node: node, path: path)
      case nil: break
      }
      switch opening {
      case .read, .readWrite: throw DiskError(.notFound, call: "open", path: path)
      case .create, .createEmpty, .createNew: break
      }
      if !state.now.isThere(place.folder) { throw DiskError(.notFound, call: "open", path: path) }
      let node = SimulatedNode()
      state.change(place.folder) { $0[place] = .file(node) }
      state.didOpenFile()
      return SimulatedFile(disk: self, node: node, path: path)
    }
  }

  package func rename(_ path: String, to newPath: String) throws(DiskError) {
    try rename(path, to: newPath, replaces: true)
  }

  package func renameNew(_ path: String, to newPath: String) throws(DiskError) {
    try rename(path, to: newPath, replaces: false)
  }

  private func rename(_ path: String, to newPath: String, replaces: Bool) throws(DiskError) {
    try perform("rename", path) { state in
      let (place, newPlace) = (try place(path, state, "rename"), try place(newPath, state, "rename"))
      guard let entry = state.now[place], state.now.isThere(newPlace.folder) else {
        throw DiskError(.notFound, call: "rename", path: path)
      }
      if !replaces, state.now[newPlace] != nil { throw DiskError(.exists, call: "rename", path: newPath) }
      state.change(place.folder) { names in
        if names[place] == entry { names[place] = nil }
        names[newPlace] = entry
      }
    }
  }

  package func remove(_ path: String) throws(DiskError) {
    try perform("unlink", path) { state in
      let place = try place(path, state, "unlink")
      let entry = state.now[place]
      switch entry {
      case .file, .link: state.change(place.folder) { if $0[place] == entry { $0[place] = nil } }
      case .folder: throw DiskError(DiskError.Code(rawValue: 21), call: "unlink", path: path)
      case nil: throw DiskError(.notFound, call: "unlink", path: path)
      }
    }
  }

  package func createFolder(_ path: String) throws(DiskError) {
    try perform("mkdir", path) { state in
      let place = try place(path, state, "mkdir")
      if state.now[place] != nil { throw DiskError(.exists, call: "mkdir", path: path) }
      if !state.now.isThere(place.folder) { throw DiskError(.notFound, call: "mkdir", path: path) }
      let folder = state.newFolder()
      state.change(place.folder) { $0[place] = .folder(folder) }
    }
  }

  package func removeFolder(_ path: String) throws(DiskError) {
    try perform("rmdir", path) { state in
      let place = try place(path, state, "rmdir")
      guard case .folder(let folder) = state.now[place] else { throw DiskError(.notFound, call: "rmdir", path: path) }
      if !state.now.names(in: folder).isEmpty { throw DiskError(.notEmpty, call: "rmdir", path: path) }
      state.change(place.folder) { $0[place] = nil }
    }
  }

  package func list(_ folder: String) throws(DiskError) -> [String] {
    try perform("readdir", folder) { state in
      state.now.names(in: try self.folder(folder, state, "opendir"))
    }
  }

  package func synchronizeFolder(_ path: String) throws(DiskError) {
    try perform("fsync", path) { state in
      let folder = try folder(path, state, "open", mayBeLinked: true)
      if state.lies.contains(.ignoresFolderSync) { return }
      state.synchronize(folder)
    }
  }

  package func lockFolder(_ path: String) throws(DiskError) -> FolderLocking {
    try perform("flock", path) { state in
      let folder = try folder(path, state, "open")
      if !state.locksFolders { return .unsupported }
      if state.folderLocks[folder] != nil { return .refused }
      let lock = SimulatedFolderLock(disk: self, folder: folder)
      state.folderLocks[folder] = ObjectIdentifier(lock)
      return .taken(lock)
    }
  }

  package func exists(_ path: String) throws(DiskError) -> Bool { try entry(path, "stat") != nil }

  package func isFile(_ path: String) throws(DiskError) -> Bool {
    if case .file = try entry(path, "lstat") { return true }
    return false
  }

  private func entry(_ path: String, _ call: String) throws(DiskError) -> SimulatedNames.Entry? {
    try perform(call, path) { state in
      if path == "/", held.isEmpty { return .folder(.root) }
      do throws(DiskError) {
        return state.now[try place(path, state, call)]
      } catch {
        if error.isAbsence { return nil }
        throw error
      }
    }
  }

  package func holding(_ folders: [String]) throws(DiskError) -> any FileSystem {
    var disk = self
    for path in folders {
      let isFirst = disk.held.isEmpty
      let folder = try disk.perform("open", path) { state in
        do throws(DiskError) {
          return try disk.folder(path, state, "open", mayBeLinked: isFirst)
        } catch {
          if !isFirst, error.code != .notFound { throw DiskError(.notFolder, call: "open", path: path) }
          throw error
        }
      }
      disk = SimulatedDisk(sharing: state, held: [(path, folder)] + disk.held)
    }
    return disk
  }

  package func isInPlace() throws(DiskError) -> Bool {
    try perform("stat", held.first?.path ?? "/") { state in
      held.allSatisfy { (try? state.now.folder($0.path)) == $0.folder }
    }
  }

  package func destination(of path: String) throws(DiskError) -> String {
    try perform("readlink", path) { state in
      var path = path
      while let place = try? state.now.place(path), case .link(let target) = state.now[place] { path = target }
      return path
    }
  }

  package func identity(of path: String) throws(DiskError) -> String {
    let path = try destination(of: path)
    return state.withLock { state in
      guard let place = try? state.now.place(path) else { return path }
      return "\(place.folder.number) \(place.name)"
    }
  }

  // MARK: Bytes from outside

  /// The content of a file.
  package func content(_ path: String) -> [UInt8]? { state.withLock { $0.now.file(path)?.content } }

  /// Replaces a file as if it had always been so.
  package func setContent(_ path: String, _ bytes: [UInt8]?) {
    state.withLock { state in
      let node = bytes.map { SimulatedNames.Entry.file(SimulatedNode(content: $0)) }
      let place = state.makeFolders(of: path)
      state.now[place] = node
      state.durable[place] = node
    }
  }

  /// Gives a file a second name as if it had always had it.
  package func setSecondName(_ path: String, of other: String) {
    state.withLock { state in
      guard let node = state.now.file(other) else { fatalError("There is no file '\(other)'.") }
      let place = state.makeFolders(of: path)
      state.now[place] = .file(node)
      state.durable[place] = .file(node)
    }
  }

  /// Makes a symbolic link as if it had always been there, in place of one that may be.
  package func setLink(_ path: String, to target: String) {
    state.withLock { state in
      let place = state.makeFolders(of: path)
      state.now[place] = .link(target)
      state.durable[place] = .link(target)
    }
  }

  /// Makes the sector at `offset` of a file unreadable until it is written.
  package func makeUnreadable(_ path: String, at offset: Int) {
    state.withLock { $0.now.file(path)?.makeUnreadable(at: offset) }
  }

  /// The paths of all files.
  package var paths: [String] { state.withLock { $0.now.filePaths.sorted() } }
}

private final class SimulatedFolderLock: FolderLock {
  private let disk: SimulatedDisk
  private let folder: SimulatedFolder

  init(disk: SimulatedDisk, folder: SimulatedFolder) {
    self.disk = disk
    self.folder = folder
  }

  deinit { unlock() }

  func unlock() {
    let identifier = ObjectIdentifier(self)
    disk.state.withLock { if $0.folderLocks[folder] == identifier { $0.folderLocks[folder] = nil } }
  }
}

extension SimulatedDisk.State {
  var byteCount: Int { now.files.reduce(0) { $0 + $1.node.content.count } }

  mutating func didOpenFile() {
    openFileCount += 1
    openFileCountMax = max(openFileCountMax, openFileCount)
  }

  /// Does something to a folder now and, if it gets there, on disk.
  mutating func change(_ folder: SimulatedFolder, _ apply: @escaping (inout SimulatedNames) -> Void) {
    operations.append((folder, apply))
    apply(&now)
  }

  mutating func synchronize(_ folder: SimulatedFolder) {
    for operation in operations where operation.folder == folder { operation.apply(&durable) }
    operations.removeAll { $0.folder == folder }
  }

  mutating func newFolder() -> SimulatedFolder {
    lastFolder = SimulatedFolder(number: lastFolder.number + 1)
    return lastFolder
  }

  /// The place of a path, whose folders are made as if they had always been there.
  mutating func makeFolders(of path: String) -> SimulatedPlace {
    let names = path.split(separator: "/").map(String.init)
    var folder = SimulatedFolder.root
    for name in names.dropLast() {
      let place = SimulatedPlace(folder: folder, name: name)
      if case .folder(let inner) = now[place] {
        folder = inner
      } else {
        folder = newFolder()
        now[place] = .folder(folder)
      }
      durable[place] = .folder(folder)
    }
    return SimulatedPlace(folder: folder, name: names.last ?? "")
  }
}
