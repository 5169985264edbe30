import FirnDurability
import FirnEngine

/// A disk that keeps what was synchronized, and after a crash of the rest whatever a seed says.
///
/// Unsynchronized sectors and directory operations are each there or not, independently; a sector is old or new. Any call
/// may be made to fail, and the disk may be told to lie about its syncs.
final class SimulatedDisk: FileSystem, @unchecked Sendable {
  /// What of the unsynchronized survives a crash.
  enum Survival: CaseIterable, Sendable {
    case nothing, everything, random
  }

  enum Lie: Sendable {
    case ignoresFileSync, ignoresFolderSync
  }

  /// What happens at a call.
  struct Fault: Sendable {
    enum Kind: Sendable {
      /// The call fails, later ones do not.
      case error(DiskError.Code)
      /// The call does a part of its work, and every later one fails.
      case stop
    }

    /// Counted from 1.
    var call: Int
    var kind: Kind
  }

  struct State {
    var random: SeededRandom
    var names: [String: SimulatedNode] = [:]
    var durableNames: [String: SimulatedNode] = [:]
    var folders: Set<String> = ["/"]
    var durableFolders: Set<String> = ["/"]
    /// Directory operations since the last sync of their folder.
    var operations: [(folder: String, apply: (inout State) -> Void)] = []
    var fault: Fault?
    var lies: Set<Lie> = []
    var isStopped = false
    var callCount = 0
    var syncCount = 0
    var willSynchronize: (@Sendable (String) -> Void)?
  }

  // State  guarded by
  // state  its lock
  let state: Guarded<State>

  init(seed: UInt64, fault: Fault? = nil, lies: Set<Lie> = []) {
    state = Guarded(State(random: SeededRandom(seed), fault: fault, lies: lies))
  }

  /// Calls so far.
  var callCount: Int { state.withLock { $0.callCount } }
  /// Syncs of files so far.
  var syncCount: Int { state.withLock { $0.syncCount } }
  /// Whether the fault has happened.
  var didStop: Bool { state.withLock { state in state.fault.map { state.callCount >= $0.call } ?? false } }

  /// Whether every call fails.
  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Calls `body` before each sync of a file, outside of all locks.
  func beforeSync(_ body: (@Sendable (String) -> Void)?) { state.withLock { $0.willSynchronize = body } }

  func setFault(_ fault: Fault?) {
    state.withLock { state in
      state.fault = fault
      state.callCount = 0
      state.isStopped = false
    }
  }

  /// The disk after a crash. This one stays as it is.
  func crash(_ survival: Survival = .random) -> SimulatedDisk {
    state.withLock { state in
      var random = SeededRandom(state.random.next())
      let disk = SimulatedDisk(seed: random.next(), lies: state.lies)
      var after = State(random: random)
      after.names = state.durableNames
      after.folders = state.durableFolders
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
      disk.state.withLock { target in
        for (path, node) in after.names.sorted(by: { $0.key < $1.key }) {
          let copy = SimulatedNode(content: node.afterCrash(survival, &random))
          copy.nameCount = 1
          target.names[path] = copy
        }
        target.durableNames = target.names
        target.folders = after.folders
        target.durableFolders = after.folders
      }
      return disk
    }
  }

  /// What the death of a process does, when the machine goes on.
  func releaseLocks() { state.withLock { for node in $0.names.values { node.lockHolder = nil } } }

  // MARK: Calls

  /// Counts a call and makes it fail if it is its turn. Returns whether it is to do a part of its work and then fail.
  func begin(_ state: inout State, _ call: String, _ path: String) throws(DiskError) -> DiskError? {
    state.callCount += 1
    if state.isStopped { throw DiskError(.inputOutput, call: call, path: path) }
    guard let fault = state.fault, state.callCount == fault.call else { return nil }
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

  func open(_ path: String, _ opening: FileOpening) throws(DiskError) -> any StoreFile {
    try perform("open", path) { state in
      if let node = state.names[path] {
        if case .createEmpty = opening { node.truncate(to: 0) }
        return SimulatedFile(disk: self, node: node, path: path)
      }
      switch opening {
      case .read, .readWrite: throw DiskError(.notFound, call: "open", path: path)
      case .create, .createEmpty: break
      }
      let folder = self.folder(of: path)
      guard state.folders.contains(folder) else { throw DiskError(.notFound, call: "open", path: path) }
      let node = SimulatedNode()
      state.change(folder) { $0.setName(path, node) }
      return SimulatedFile(disk: self, node: node, path: path)
    }
  }

  func rename(_ path: String, to newPath: String) throws(DiskError) {
    try perform("rename", path) { state in
      guard let node = state.names[path] else { throw DiskError(.notFound, call: "rename", path: path) }
      state.change(folder(of: path)) { state in
        if state.names[path] === node { state.setName(path, nil) }
        state.setName(newPath, node)
      }
    }
  }

  func remove(_ path: String) throws(DiskError) {
    try perform("unlink", path) { state in
      guard let node = state.names[path] else { throw DiskError(.notFound, call: "unlink", path: path) }
      state.change(folder(of: path)) { if $0.names[path] === node { $0.setName(path, nil) } }
    }
  }

  func createFolder(_ path: String) throws(DiskError) {
    try perform("mkdir", path) { state in
      if state.folders.contains(path) { throw DiskError(.exists, call: "mkdir", path: path) }
      state.change(folder(of: path)) { $0.folders.insert(path) }
    }
  }

  func removeFolder(_ path: String) throws(DiskError) {
    try perform("rmdir", path) { state in
      guard state.folders.contains(path) else { throw DiskError(.notFound, call: "rmdir", path: path) }
      if state.names.keys.contains(where: { folder(of: $0) == path }) {
        throw DiskError(.notEmpty, call: "rmdir", path: path)
      }
      state.change(folder(of: path)) { $0.folders.remove(path) }
    }
  }

  func list(_ folder: String) throws(DiskError) -> [String] {
    try perform("readdir", folder) { state in
      guard state.folders.contains(folder) else { throw DiskError(.notFound, call: "opendir", path: folder) }
      return state.names.keys.filter { self.folder(of: $0) == folder }.map { String($0.dropFirst(folder.count + 1)) }
        .sorted()
    }
  }

  func synchronizeFolder(_ path: String) throws(DiskError) {
    try perform("fsync", path) { state in
      guard state.folders.contains(path) else { throw DiskError(.notFound, call: "open", path: path) }
      if state.lies.contains(.ignoresFolderSync) { return }
      var after = State(random: state.random)
      after.names = state.durableNames
      after.folders = state.durableFolders
      for operation in state.operations where operation.folder == path { operation.apply(&after) }
      state.durableNames = after.names
      state.durableFolders = after.folders
      state.operations.removeAll { $0.folder == path }
    }
  }

  func exists(_ path: String) throws(DiskError) -> Bool {
    try perform("stat", path) { $0.names[path] != nil || $0.folders.contains(path) }
  }

  // MARK: Bytes from outside

  /// The content of a file.
  func content(_ path: String) -> [UInt8]? { state.withLock { $0.names[path]?.content } }

  /// Replaces a file as if it had always been so.
  func setContent(_ path: String, _ bytes: [UInt8]?) {
    state.withLock { state in
      let node = bytes.map { SimulatedNode(content: $0) }
      node?.nameCount = 1
      state.names[path] = node
      state.durableNames[path] = node
      let folder = folder(of: path)
      state.folders.insert(folder)
      state.durableFolders.insert(folder)
    }
  }

  /// The paths of all files.
  var paths: [String] { state.withLock { $0.names.keys.sorted() } }
}

extension SimulatedDisk.State {
  /// Does something to a folder now and, if it gets there, on disk.
  mutating func change(_ folder: String, _ apply: @escaping (inout SimulatedDisk.State) -> Void) {
    operations.append((folder, apply))
    var now = self
    now.operations = []
    apply(&now)
    names = now.names
    folders = now.folders
    for node in names.values { node.nameCount = 0 }
    for node in names.values { node.nameCount += 1 }
  }

  mutating func setName(_ path: String, _ node: SimulatedNode?) {
    names[path]?.nameCount = 0
    names[path] = node
    node?.nameCount = 1
  }
}
