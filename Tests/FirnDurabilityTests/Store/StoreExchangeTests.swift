import FirnDurability
import FirnEngine
import Glibc
import Testing

/// The folders of an open store are exchanged for those of another one. Neither store takes harm, and nothing is
/// acknowledged that the next opening by the same path would not find.
@Suite struct StoreExchangeTests {
  enum Exchange: CaseIterable, Sendable {
    /// The folder is moved away, and another one gets its name.
    case folder
    /// A symbolic link leads to another folder.
    case link
    /// The folder is moved away, and nothing gets its name.
    case removal
    /// The journal alone is moved away.
    case journal
    /// The journal of another store gets the name of the journal.
    case journals
    /// A symbolic link of the base's name leads to another base.
    case base
  }

  private static let schema = [
    TableDescription(name: "Item", columns: [ColumnDescription(name: "number", type: .int)])
  ]

  private static func open(
    _ path: String, _ disk: any FileSystem, _ change: (inout DurableStore.Options) -> Void = { _ in }
  ) throws -> DurableStore {
    try openStore(path, schema, on: disk, segmentByteCount: 4_096) {
      $0.threadCount = 1
      $0.preparesSegments = false
      $0.idleNanoseconds = nil
      change(&$0)
    }
  }

  private static func commit(_ number: Int64, into store: DurableStore) throws -> UInt64 {
    store.graph.enterGateBlocking()
    defer { store.graph.gate.leave() }
    store.graph.begin().insert(into: TableID(0)) { $0.setInt(ColumnID(0), number) }
    return try store.graph.commit().version.number
  }

  /// Commits a row; throws unless it is on disk.
  private static func insert(_ number: Int64, into store: DurableStore) throws {
    let version = try commit(number, into: store)
    try store.journal?.flush(through: version)
  }

  private static func code(_ body: () throws -> Void) -> StoreError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? StoreError)?.code
    }
  }

  /// Two stores in folders of their own, and the path that leads to the first.
  private struct Scene: Sendable {
    let root: String
    let exchange: Exchange
    let setLink: @Sendable (_ path: String, _ target: String) -> Void

    var path: String {
      switch exchange {
      case .link: "\(root)/current/store.firn"
      case .base: "\(root)/store.firn"
      default: "\(root)/first/store.firn"
      }
    }

    /// The places of the first store and the other one after the exchange.
    var moved: String {
      exchange == .folder || exchange == .removal ? "\(root)/old/store.firn" : "\(root)/first/store.firn"
    }
    var other: String { exchange == .folder ? "\(root)/first/store.firn" : "\(root)/second/store.firn" }

    init(_ root: String, _ exchange: Exchange, setLink: @escaping @Sendable (String, String) -> Void) {
      self.root = root
      self.exchange = exchange
      self.setLink = setLink
    }

    func make(_ disk: any FileSystem) throws {
      for name in ["first", "second"] {
        try disk.createFolder("\(root)/\(name)")
        try disk.synchronizeFolder(root)
        let store = try open("\(root)/\(name)/store.firn", disk)
        for number in Int64(0)..<(name == "first" ? 1 : 5) { try insert(number, into: store) }
        store.journal?.settle()
        _ = store.release()
      }
      if exchange == .link { setLink("\(root)/current", "\(root)/first") }
      if exchange == .base { setLink(path, "\(root)/first/store.firn") }
    }

    func run(_ disk: any FileSystem) throws {
      let (first, second, old) = ("\(root)/first", "\(root)/second", "\(root)/old")
      switch exchange {
      case .folder:
        try disk.rename(first, to: old)
        try disk.rename(second, to: first)
      case .removal: try disk.rename(first, to: old)
      case .link: setLink("\(root)/current", second)
      case .base: setLink(path, "\(second)/store.firn")
      case .journal: try disk.rename("\(first)/store.firn.journal", to: old)
      case .journals:
        try disk.rename("\(first)/store.firn.journal", to: old)
        try disk.rename("\(second)/store.firn.journal", to: "\(first)/store.firn.journal")
      }
      for folder in [first, second, root] { try? disk.synchronizeFolder(folder) }
    }

    /// Takes back what was done to a journal alone.
    func mend(_ disk: any FileSystem) throws {
      let (first, second, old) = ("\(root)/first", "\(root)/second", "\(root)/old")
      if exchange == .journals { try disk.rename("\(first)/store.firn.journal", to: "\(second)/store.firn.journal") }
      if exchange == .journal || exchange == .journals { try disk.rename(old, to: "\(first)/store.firn.journal") }
      for folder in [first, second, root] { try? disk.synchronizeFolder(folder) }
    }
  }

  private static func scene(_ root: String, _ exchange: Exchange) -> Scene {
    Scene(root, exchange) { path, target in
      unlink(path)
      symlink(target, path)
    }
  }

  private static func rowCount(_ path: String, _ disk: any FileSystem) throws -> Int {
    let store = try open(path, disk)
    store.journal?.settle()
    _ = store.release()
    return store.opening.rowCount
  }

  private func nothingIsAcknowledged(_ scene: Scene, _ disk: any FileSystem, _ durability: Durability) throws {
    try scene.make(disk)
    let store = try Self.open(scene.path, disk) { $0.durability = durability }
    try Self.insert(1, into: store)
    let hasOther = scene.exchange != .removal && scene.exchange != .journal && scene.exchange != .journals
    try scene.run(disk)
    let neighbour = hasOther ? try Self.open(scene.other, disk) : nil
    if let neighbour { try Self.insert(5, into: neighbour) }
    // Under the other durabilities commits are told to be taken, not to be on disk.
    #expect(Self.code { try Self.insert(2, into: store) } == .ownedByOtherProcess)
    #expect(Self.code { try Self.insert(3, into: store) } == .ownedByOtherProcess)
    #expect(Self.code { _ = try store.checkpoint() } == .ownedByOtherProcess)
    #expect(Self.code { try store.close() } == .ownedByOtherProcess)
    if let neighbour {
      try Self.insert(6, into: neighbour)
      _ = try neighbour.checkpoint()
      try neighbour.close()
      #expect(try Self.rowCount(scene.other, disk) == 7)
    }
    try scene.mend(disk)
    // The commit that was refused may be there, as after any failure.
    #expect(try 2...3 ~= Self.rowCount(scene.moved, disk))
  }

  @Test(arguments: Exchange.allCases, [Durability.everyCommit, .interval(.seconds(3_600)), .onCheckpoint])
  func nothingIsAcknowledgedAfterIt(_ exchange: Exchange, _ durability: Durability) throws {
    try withTemporaryFolder { folder in
      try nothingIsAcknowledged(Self.scene(folder, exchange), PosixFileSystem(), durability)
    }
    let disk = SimulatedDisk(seed: 1)
    try disk.createFolder("/root")
    try disk.synchronizeFolder("/")
    let scene = Scene("/root", exchange) { disk.setLink($0, to: $1) }
    try nothingIsAcknowledged(scene, disk, durability)
  }

  /// A folder that comes back in time was never away.
  @Test func aStoreThatIsWhereItWasGoesOn() throws {
    try withTemporaryFolder { folder in
      let disk = PosixFileSystem()
      let scene = Self.scene(folder, .removal)
      try scene.make(disk)
      let store = try Self.open(scene.path, disk)
      try scene.run(disk)
      #expect(symlink("\(folder)/old", "\(folder)/first") == 0)
      try Self.insert(1, into: store)
      try disk.remove("\(folder)/first")
      try disk.rename("\(folder)/old", to: "\(folder)/first")
      try Self.insert(2, into: store)
      try store.close()
      #expect(try Self.rowCount(scene.path, disk) == 3)
    }
  }

  // MARK: At any call

  enum Purpose: CaseIterable, Sendable {
    case writing, reading, verifying, copying, deleting
  }

  /// An operation on the path, which is exchanged at some call. Returns how many rows of the first store were
  /// acknowledged, and whether the files of the other one may have changed, because the path led there from the
  /// beginning.
  private func use(_ scene: Scene, _ purpose: Purpose, _ disk: any FileSystem, _ isExchanged: () -> Bool) throws -> (
    acknowledged: Int, isOther: Bool
  ) {
    switch purpose {
    case .writing: return try write(scene, disk, isExchanged)
    case .reading:
      let store = try Self.open(scene.path, disk) { $0.isReadOnly = true }
      #expect([1, 5].contains(store.opening.rowCount))
    case .verifying: #expect([1, 5].contains(try DurableStore.verify(scene.path, disk).rowCounts[0].count))
    case .copying:
      let loader = GraphLoader(schema: Self.schema, seed: HashSeed(1, 2))
      try loader.finish(version: 1)
      let copy = try StoreCopy(Graph(loaded: loader).holdHead(), schemaVersion: 0)
      try copy.write(to: scene.path + "2", in: disk)
      #expect(try [scene.path, scene.moved].contains { try disk.exists($0 + "2") })
    case .deleting:
      _ = try DurableStore.deleteFiles(scene.path, disk)
      return (0, false)
    }
    return (1, false)
  }

  private func write(_ scene: Scene, _ disk: any FileSystem, _ isExchanged: () -> Bool) throws -> (Int, Bool) {
    let store = try Self.open(scene.path, disk)
    if store.opening.rowCount == 5 { return (1, true) }
    var acknowledged = store.opening.rowCount
    do {
      for step in 0..<6 {
        let wasExchanged = isExchanged()
        if step == 3 { _ = try store.checkpoint() } else { try Self.insert(Int64(step), into: store) }
        #expect(!wasExchanged)
        if step != 3 { acknowledged += 1 }
      }
      try store.close()
    } catch {
      #expect((error as? StoreError)?.code == .ownedByOtherProcess, "\(error)")
    }
    store.journal?.settle()
    _ = store.release()
    return (acknowledged, false)
  }

  /// Returns whether the exchange happened.
  private func isExchanged(_ purpose: Purpose, _ exchange: Exchange, at call: Int) throws -> Bool {
    let disk = SimulatedDisk(seed: UInt64(call))
    try disk.createFolder("/root")
    try disk.synchronizeFolder("/")
    let scene = Scene("/root", exchange) { disk.setLink($0, to: $1) }
    try scene.make(disk)
    func contents(_ folder: String) -> [String: [UInt8]] {
      let paths = disk.paths.filter { $0.hasPrefix(folder + "/store.firn") && !$0.hasPrefix(folder + "/store.firn2") }
      return Dictionary(
        uniqueKeysWithValues: paths.map { (String($0.dropFirst(folder.count)), disk.content($0) ?? []) })
    }
    let (first, other) = (contents("/root/first"), contents("/root/second"))
    let hasHappened = Lock(false)
    disk.beforeCall(call) {
      // A store that is being deleted may not be there to be moved.
      try? scene.run(disk)
      hasHappened.withLock { $0 = true }
    }
    var used = (acknowledged: purpose == .deleting ? 0 : 1, isOther: false)
    do {
      used = try use(scene, purpose, disk) { hasHappened.withLock { $0 } }
    } catch let error as StoreError {
      // A base beside another one's journal is what such a message is for.
      #expect(exchange == .journal || exchange == .journals || error.code != .corrupted, "\(error.message)")
    }
    if !hasHappened.withLock({ $0 }) { return false }
    try? scene.mend(disk)
    let otherNow = contents(scene.other.replacing("/store.firn", with: ""))
    let firstNow = contents(scene.moved.replacing("/store.firn", with: ""))
    let isWhole = used.isOther || otherNow == other || purpose == .deleting && otherNow.isEmpty && firstNow == first
    #expect(isWhole, "\(purpose), \(exchange), call \(call)")
    if used.acknowledged > 0 {
      let count = try Self.rowCount(scene.moved, disk.crash(.nothing))
      #expect(count >= used.acknowledged, "\(purpose), \(exchange), call \(call)")
    }
    return true
  }

  /// A store is not said to be open that the path did not lead to when all was read.
  @Test func anOpeningLooksForTheFoldersLast() throws {
    var (call, openCount) = (1, 0)
    while true {
      let disk = SimulatedDisk(seed: UInt64(call))
      try disk.createFolder("/root")
      let scene = Scene("/root", .folder) { disk.setLink($0, to: $1) }
      try scene.make(disk)
      let hasHappened = Lock(false)
      disk.beforeCall(call) {
        try? scene.run(disk)
        hasHappened.withLock { $0 = true }
      }
      let store = try? Self.open(scene.path, disk)
      if !hasHappened.withLock({ $0 }) { break }
      if store?.opening.rowCount == 1 { openCount += 1 }
      call += 1
    }
    // Only in the middle of the look.
    #expect(openCount <= 1 && call > 30)
  }

  @Test(arguments: Purpose.allCases, Exchange.allCases)
  func nothingIsMixedUpAtAnyCall(_ purpose: Purpose, _ exchange: Exchange) throws {
    // Deleting takes the journal that is beside the base.
    if purpose == .deleting, exchange == .journals { return }
    var call = 1
    while try isExchanged(purpose, exchange, at: call) { call += 1 }
    #expect(call > 3)
  }
}
