import CFirn
import FirnEngine
import Glibc
import Testing

@testable import FirnDurability

/// What both disks have to do alike, and what only the real one can.
@Suite struct PosixFileSystemTests {
  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  @Test func realAndSimulatedDiskAgree() throws {
    try withTemporaryFolder { folder in
      let simulated = SimulatedDisk(seed: 1)
      try simulated.createFolder("/tmp")
      try simulated.createFolder(folder)
      for disk in [PosixFileSystem(), simulated] as [any FileSystem] {
        let path = "\(folder)/file"
        #expect(try !disk.exists(path))
        for opening in [FileOpening.read, .readWrite] {
          let error = #expect(throws: DiskError.self) { _ = try disk.open(path, opening) }
          #expect(error?.code == .notFound)
        }
        let file = try disk.open(path, .create)
        try file.write([1, 2, 3], at: 5)
        #expect(try file.size() == 8)
        #expect(try file.bytes(count: 100) == [0, 0, 0, 0, 0, 1, 2, 3])
        #expect(try file.bytes(at: 6, count: 1) == [2])
        #expect(try file.bytes(at: 9, count: 1) == [])
        try file.reserve(8..<10)
        #expect(try file.bytes(at: 7, count: 100) == [3, 0, 0])
        try file.truncate(to: 6)
        try file.synchronize()
        try file.synchronizeData()
        let again = try disk.open(path, .create)
        #expect(try again.bytes(count: 100) == [0, 0, 0, 0, 0, 1])
        var buffer = [UInt8](repeating: 9, count: 4)
        #expect(try buffer.withUnsafeMutableBytes { try again.read(into: $0, at: 4) } == 2)
        #expect(throws: DiskError.self) { try buffer.withUnsafeMutableBytes { try again.readAll(into: $0, at: 4) } }
        #expect(try disk.list(folder) == ["file"])
        try disk.rename(path, to: path + "2")
        try disk.synchronizeFolder(folder)
        #expect(try disk.list(folder) == ["file2"])
        // It has another name.
        #expect(try again.isRemoved() && !disk.open(path + "2", .read).isRemoved())
        #expect(try disk.open(path + "2", .createEmpty).size() == 0)
        let taken = #expect(throws: DiskError.self) { _ = try disk.open(path + "2", .createNew) }
        #expect(taken?.code == .exists)
        try disk.open(path + "3", .createNew).write([7], at: 0)
        let third = try disk.open(path + "3", .read)
        let replacing = #expect(throws: DiskError.self) { try disk.renameNew(path + "2", to: path + "3") }
        #expect(replacing?.code == .exists && replacing?.path == path + "3")
        try disk.renameNew(path + "3", to: path + "4")
        #expect(try disk.list(folder) == ["file2", "file4"])
        try disk.renameNew(path + "4", to: path + "3")
        #expect(try !third.isShared())
        try third.dropCached()
        #expect(try third.bytes(count: 9) == [7])
        #expect(try disk.isFile(path + "3") && !disk.isFile(folder) && !disk.isFile(path))
        try disk.remove(path + "3")
        let noFile = #expect(throws: DiskError.self) { _ = try disk.open(folder, .read) }
        #expect(noFile?.code == .notRegularFile)
        let exists = #expect(throws: DiskError.self) { try disk.createFolder(folder) }
        #expect(exists?.code == .exists)
        let notEmpty = #expect(throws: DiskError.self) { try disk.removeFolder(folder) }
        #expect(notEmpty?.code == .notEmpty)
        try disk.remove(path + "2")
        #expect(try again.isRemoved())
        let gone = #expect(throws: DiskError.self) { try disk.remove(path) }
        #expect(gone?.code == .notFound)
        #expect(throws: DiskError.self) { _ = try disk.list("\(folder)/none") }
      }
    }
  }

  /// File systems differ in what they can do at once.
  @Test func aNewNameReplacesNothingInWhateverWay() throws {
    try withTemporaryFolder { folder in
      let disk = PosixFileSystem()
      let (path, newPath) = ("\(folder)/a", "\(folder)/b")
      for rename in [firn_rename_new, firn_rename_new_by_link, firn_rename_new_after_looking] {
        try disk.open(path, .createNew).write([1], at: 0)
        try disk.open(newPath, .createNew).write([2], at: 0)
        #expect(rename(AT_FDCWD, path, AT_FDCWD, newPath) == EEXIST)
        #expect(try disk.open(newPath, .read).bytes(count: 9) == [2])
        try disk.remove(newPath)
        #expect(symlink("none", newPath) == 0)
        #expect(rename(AT_FDCWD, path, AT_FDCWD, newPath) == EEXIST)
        try disk.remove(newPath)
        #expect(rename(AT_FDCWD, path, AT_FDCWD, newPath) == 0)
        #expect([ENOENT, EEXIST].contains(rename(AT_FDCWD, path, AT_FDCWD, newPath)))
        #expect(try disk.list(folder) == ["b"] && disk.open(newPath, .read).bytes(count: 9) == [1])
        #expect(link(newPath, path) == 0)
        #expect(try disk.open(path, .read).isShared())
        try disk.remove(path)
        try disk.remove(newPath)
      }
    }
  }

  /// Without the care that is taken, opening a pipe waits for ever.
  @Test(arguments: [FileOpening.read, .readWrite, .create, .createEmpty, .createNew])
  func refusesEverythingButFilesAtOnce(opening: FileOpening) throws {
    try withTemporaryFolder { folder in
      let disk = PosixFileSystem()
      _ = try disk.open("\(folder)/file", .createNew)
      #expect(mkfifo("\(folder)/pipe", 0o600) == 0)
      #expect(symlink("\(folder)/file", "\(folder)/link") == 0)
      #expect(symlink("\(folder)/none", "\(folder)/dangling") == 0)
      #expect(symlink(folder, "\(folder)/folder") == 0)
      let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(socket) }
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "\(folder)/socket".utf8) }
      let length = socklen_t(MemoryLayout<sockaddr_un>.size)
      let bound = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, length) }
      }
      #expect(bound == 0)
      let isNew = if case .createNew = opening { true } else { false }
      for path in ["\(folder)/pipe", "\(folder)/socket", "/dev/null", folder] {
        let error = #expect(throws: DiskError.self, "\(path)") { _ = try disk.open(path, opening) }
        #expect(error?.code == (isNew ? .exists : .notRegularFile), "\(path)")
        #expect(try disk.exists(path) && !disk.isFile(path))
      }
      for path in ["\(folder)/link", "\(folder)/dangling"] {
        let error = #expect(throws: DiskError.self, "\(path)") { _ = try disk.open(path, opening) }
        #expect(error?.code == (isNew ? .exists : .symbolicLink), "\(path)")
        #expect(try disk.exists(path) && !disk.isFile(path))
      }
      #expect(throws: DiskError.self) { _ = try disk.list("\(folder)/folder") }
      #expect(try !disk.exists("\(folder)/none"))
    }
  }

  @Test func keepsOthersOut() throws {
    try withTemporaryFolder { folder in
      let disk = PosixFileSystem()
      _ = try disk.open("\(folder)/file", .create)
      #expect(mode("\(folder)/file") & 0o177 == 0)
      try disk.createFolder("\(folder)/inner")
      #expect(mode("\(folder)/inner") & 0o077 == 0)
      try disk.removeFolder("\(folder)/inner")
    }
  }

  /// A folder that was moved away is not the one that has its name, and who holds it goes on in it.
  @Test func aFolderThatIsHeldIsKnownFromOthersOfItsName() throws {
    try withTemporaryFolder { folder in
      let simulated = SimulatedDisk(seed: 1)
      try simulated.createFolder("/tmp")
      try simulated.createFolder(folder)
      for disk in [PosixFileSystem(), simulated] as [any FileSystem] {
        let (outer, inner) = ("\(folder)/data", "\(folder)/data/journal")
        try disk.createFolder(outer)
        try disk.createFolder(inner)
        let held = try disk.holding([outer, inner])
        #expect(try held.isInPlace())
        let file = try held.open("\(inner)/file", .createNew)
        try disk.rename(outer, to: outer + "2")
        #expect(try !held.isInPlace())
        try disk.createFolder(outer)
        try disk.createFolder(inner)
        #expect(try !held.isInPlace() && !file.isRemoved())
        _ = try held.open("\(inner)/new", .createNew)
        try held.rename("\(inner)/new", to: "\(outer)/new")
        try held.synchronizeFolder(outer)
        #expect(try disk.list(inner).isEmpty && held.list(inner) == ["file"])
        #expect(try held.list(outer) == ["journal", "new"] && held.exists(inner) && held.isFile("\(outer)/new"))
        try held.remove("\(outer)/new")
        try disk.removeFolder(inner)
        try disk.rename(outer + "2/journal", to: inner)
        // Only the inner one has its name.
        #expect(try !held.isInPlace() && !held.exists(inner))
        try disk.rename(inner, to: outer + "2/journal")
        try disk.removeFolder(outer)
        try disk.rename(outer + "2", to: outer)
        #expect(try held.isInPlace())
        try held.remove("\(inner)/file")
        try held.removeFolder(inner)
        #expect(try !held.isInPlace() && file.isRemoved())
        let gone = #expect(throws: DiskError.self) { _ = try held.open("\(inner)/file", .createNew) }
        #expect(gone?.code == .notFound)
        try held.createFolder(inner)
        #expect(try !held.isInPlace())
        try held.removeFolder(inner)
        try disk.removeFolder(outer)
      }
    }
  }

  @Test func oneFileHasOneIdentityHoweverItIsSpelled() throws {
    try withTemporaryFolder { folder in
      let disk = PosixFileSystem()
      #expect(symlink(folder, "\(folder)/outer") == 0)
      #expect(symlink("outer/a", "\(folder)/b") == 0)
      let identity = try disk.identity(of: "\(folder)/a")
      let spellings =
        ["//a", "/./a", "/outer/a", "/outer//outer/a", "/b", "/outer/b"].map { folder + $0 } + ["/\(folder)/a"]
      for isThere in [false, true] {
        if isThere { _ = try disk.open("\(folder)/a", .createNew) }
        for path in spellings { #expect(try disk.identity(of: path) == identity, "\(path)") }
        for path in ["\(folder)/c", "\(folder)/none/a", "/a", folder] {
          #expect(try disk.identity(of: path) != identity)
        }
      }
      try disk.remove("\(folder)/a")
      for path in spellings {
        let path = path + ".firn"
        let store = try openStore(path, [], on: disk, segmentByteCount: 4_096)
        _ = store.release()
        #expect(try DurableStore.verify(path, disk).version == 1)
        #expect(try DurableStore.deleteFiles(path, disk))
      }
    }
  }

  @Test func aPathLeadsWhereLinksOfItsLastNameLead() throws {
    try withTemporaryFolder { folder in
      let disk = PosixFileSystem()
      let links = [
        ("\(folder)/a", "b"), ("\(folder)/b", "inner/c"), ("\(folder)/outer", folder), ("\(folder)/loop", "loop"),
      ]
      for (path, target) in links { #expect(symlink(target, path) == 0) }
      #expect(try disk.destination(of: "\(folder)/a") == "\(folder)/inner/c")
      #expect(try disk.destination(of: "\(folder)/outer/a") == "\(folder)/outer/inner/c")
      #expect(try disk.destination(of: "\(folder)/none") == "\(folder)/none")
      #expect(try disk.destination(of: folder) == folder)
      let loop = #expect(throws: DiskError.self) { _ = try disk.destination(of: "\(folder)/loop") }
      #expect(loop?.code == .symbolicLink)
      // The first folder may be a link, the next ones not.
      let outer = try disk.holding(["\(folder)/outer"])
      #expect(try outer.isInPlace())
      #expect(throws: DiskError.self) { _ = try outer.holding(["\(folder)/outer/outer"]) }
      try disk.remove("\(folder)/outer")
      #expect(try !outer.isInPlace())
      #expect(try outer.list("\(folder)/outer") == ["a", "b", "loop"])
    }
  }

  /// Only a file system that cannot reserve is no failure.
  @Test func roomThatCannotBeReservedIsAFailure() throws {
    try withTemporaryFolder { folder in
      let disk = PosixFileSystem()
      try disk.open("\(folder)/file", .create).write([1], at: 0)
      let reading = try disk.open("\(folder)/file", .read)
      let error = #expect(throws: DiskError.self) { try reading.reserve(0..<4_096) }
      #expect(error?.code.rawValue == EBADF && error?.call == "fallocate")
    }
  }

  /// A program that has closed its output does not print into a store.
  @Test func noFileIsStandardOutput() async {
    await #expect(processExitsWith: .success) {
      try withTemporaryFolder { folder in
        let path = "\(folder)/store.firn"
        let table = TableDescription(name: "A", columns: [ColumnDescription(name: "n", type: .int)])
        for closed in [[1], [0, 1, 2]] as [[Int32]] {
          let kept = closed.map { dup($0) }
          for descriptor in closed { close(descriptor) }
          let store = try openStore(path, [table], on: PosixFileSystem(), segmentByteCount: 4_096) {
            $0.idleNanoseconds = nil
          }
          let reader = try openStore(path, [table], on: PosixFileSystem(), segmentByteCount: 4_096) {
            $0.isReadOnly = true
          }
          for number in Int64(0)..<3 {
            store.graph.enterGateBlocking()
            store.graph.begin().insert(into: TableID(0)) { $0.setInt(ColumnID(0), number) }
            let version = try store.graph.commit().version.number
            store.graph.gate.leave()
            try store.journal?.flush(through: version)
            // Others may have got the numbers meanwhile.
            for descriptor in closed where Self.target(of: "\(descriptor)").hasPrefix(folder) { exit(2) }
            _ = try store.checkpoint()
            for descriptor in closed where Self.target(of: "\(descriptor)").hasPrefix(folder) { exit(3) }
          }
          _ = reader.release()
          try store.close()
          for (descriptor, copy) in zip(closed, kept) { dup2(copy, descriptor) }
        }
        if try DurableStore.verify(path, PosixFileSystem()).rowCounts[0].count != 6 { exit(4) }
      }
    }
  }

  /// A process that was forked has the file open as well, by a duplicate of the descriptor.
  @Test func aLockEndsWithItsReleaseThoughADuplicateIsOpen() throws {
    try withTemporaryFolder { folder in
      let disk = PosixFileSystem()
      let path = "\(folder)/store.lock"
      let lock = try StoreLock.take(path, by: .current(), in: disk)
      let duplicates = descriptors(of: path).map { dup($0) }
      defer { for descriptor in duplicates { close(descriptor) } }
      #expect(duplicates.count == 1)
      #expect(StoreLock.isHeld(path, in: disk))
      lock.release()
      #expect(!StoreLock.isHeld(path, in: disk))
      // Asking has not taken it.
      let next = try StoreLock.take(path, by: .current(), in: disk)
      #expect(StoreLock.isHeld(path, in: disk))
      next.release()
    }
  }

  private func descriptors(of path: String) -> [Int32] {
    ((try? PosixFileSystem().list("/proc/self/fd")) ?? []).compactMap { Self.target(of: $0) == path ? Int32($0) : nil }
  }

  /// The path of what a descriptor has open; empty where none does.
  private static func target(of descriptor: String) -> String {
    var buffer = [CChar](repeating: 0, count: 4_096)
    let count = readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Reading the zeros of a tebibyte would take minutes.
  @Test(.timeLimit(.minutes(1)), arguments: [0, 1]) func holesOfASegmentAreNotRead(dataByteCount: Int) throws {
    try withTemporaryFolder { folder in
      let disk = PosixFileSystem()
      let path = "\(folder)/a.firn"
      func open() throws -> DurableStore {
        let schema = [TableDescription(name: "A", columns: [ColumnDescription(name: "n", type: .int)])]
        return try DurableStore.open(
          path, schema: schema, options: .init(), seed: HashSeed(1, 2), fileSystem: disk)
      }
      let store = try open()
      store.graph.enterGateBlocking()
      store.graph.begin().insert(into: TableID(0)) { $0.setInt(ColumnID(0), 7) }
      let version = try store.graph.commit().version.number
      store.graph.gate.leave()
      store.flush(through: version)
      _ = store.release()
      let segment = try #require(disk.list("\(path).journal").last { $0.hasSuffix(".segment") })
      let file = try disk.open("\(path).journal/\(segment)", .readWrite)
      let size = try file.size()
      try file.truncate(to: 1 << 40)
      if dataByteCount > 0 { try file.write([1], at: 1 << 39) }
      #expect(file.dataStart(from: 1 << 20) == (dataByteCount > 0 ? 1 << 39 : Int.max))
      #expect(file.dataStart(from: 0) == 0 && size > 0)
      let again = try open()
      #expect(again.opening.rowCount == 1)
      _ = again.release()
      #expect(try disk.open("\(path).journal/\(segment)", .read).size() <= 1 << 40)
    }
  }

  /// A name that is almost the same would be another database.
  @Test func aLinkToANameThatIsNoTextIsRefused() throws {
    try withTemporaryFolder { folder in
      let target: [UInt8] = Array("caf".utf8) + [0xe9, 0]
      let code = target.withUnsafeBytes {
        symlink($0.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self), "\(folder)/link.firn")
      }
      #expect(code == 0)
      for isReadOnly in [false, true] {
        let error = #expect(throws: StoreError.self) {
          _ = try openStore("\(folder)/link.firn", [], on: PosixFileSystem(), segmentByteCount: 1 << 16) {
            $0.isReadOnly = isReadOnly
          }
        }
        #expect(error?.message.contains("link.firn") == true)
      }
      let names = try PosixFileSystem().list(folder)
      #expect(names == ["link.firn"])
    }
  }

  /// The files beside the database have longer names than itself.
  @Test func namesThatAreTooLongLeaveNothing() throws {
    try withTemporaryFolder { folder in
      for (count, isTaken) in [(246, true), (247, false), (250, false), (255, false), (300, false)] {
        let name = String(repeating: "n", count: count)
        let store = try? openStore("\(folder)/\(name)", [], on: PosixFileSystem(), segmentByteCount: 1 << 16)
        #expect((store != nil) == isTaken)
        if let store { try store.close() }
        let names = try PosixFileSystem().list(folder)
        #expect(names.allSatisfy { name in name.prefix { $0 == "n" }.count == 246 })
      }
    }
  }

  /// Files that must not be longer are like a full disk: segments become as short as they have to be.
  @Test func aLimitForFilesIsLackOfRoom() throws {
    #expect(DiskError(DiskError.Code(rawValue: EFBIG), call: "fallocate", path: "a").isLackOfRoom)
  }

  /// The limit for a base follows from the bytes that the disk has of it.
  @Test func holesOfABaseDoNotCount() throws {
    try withTemporaryFolder { folder in
      let disk = PosixFileSystem()
      let path = "\(folder)/a.firn"
      let schema = [TableDescription(name: "A", columns: [ColumnDescription(name: "n", type: .int)])]
      let store = try DurableStore.open(
        path, schema: schema, options: .init(), seed: HashSeed(1, 2), fileSystem: disk)
      store.graph.enterGateBlocking()
      let writer = store.graph.begin()
      var random = SeededRandom(1)
      for _ in 0..<800_000 {
        writer.insert(into: TableID(0)) { $0.setInt(ColumnID(0), Int64(bitPattern: random.next())) }
      }
      _ = try store.graph.commit()
      store.graph.gate.leave()
      try store.close()
      let paths = StorePaths(path)
      func limit() throws -> Int { try StoreFiles(paths, disk, .init()).budget.byteCountMax }
      let file = try disk.open(path, .readWrite)
      let size = try file.size()
      #expect(try file.occupiedByteCount() == size)
      #expect(try limit() == 1_000 * size && size > 5 << 20)
      // The same file without its blocks, which are not read yet when the limit is set.
      let end = 1 << 14
      let (head, tail) = (try file.bytes(count: end), try file.bytes(at: size - end, count: end))
      try file.truncate(to: 0)
      try head.withUnsafeBytes { try file.write($0, at: 0) }
      try tail.withUnsafeBytes { try file.write($0, at: size - end) }
      #expect(try file.size() == size)
      #expect(try file.occupiedByteCount() < size / 10)
      #expect(try limit() == 4 << 30)
    }
  }

  @Test func deletingLeavesWhatIsNotTheStores() throws {
    try withTemporaryFolder { folder in
      let disk = PosixFileSystem()
      let path = "\(folder)/a.firn"
      func open() throws {
        let schema = [TableDescription(name: "A", columns: [ColumnDescription(name: "n", type: .int)])]
        let store = try DurableStore.open(
          path, schema: schema, options: .init(), seed: HashSeed(1, 2), fileSystem: disk)
        _ = store.release()
      }
      try open()
      let journal = "\(path).journal"
      let foreign = ["notes.tmp", "notes.txt", "0000000000000009.segment.bak"]
      for name in foreign { _ = try disk.open("\(journal)/\(name)", .createNew) }
      let target = "\(folder)/target"
      _ = try disk.open(target, .createNew)
      try open()
      #expect(symlink(target, "\(journal)/00000000000000ff.delta") == 0)
      #expect(try Set(disk.list(journal)).isSuperset(of: foreign))
      #expect(try DurableStore.deleteFiles(path, disk))
      #expect(try disk.list(journal) == (foreign + ["00000000000000ff.delta"]).sorted())
      #expect(try !disk.exists(path) && !disk.exists("\(path).lock") && disk.exists(target))
      try disk.remove("\(journal)/00000000000000ff.delta")
      try open()
      #expect(try DurableStore.deleteFiles(path, disk))
      for name in foreign { try disk.remove("\(journal)/\(name)") }
      try disk.removeFolder(journal)
      // A folder in place of the base stays with everything else.
      try open()
      try disk.rename(path, to: "\(path).kept")
      try disk.createFolder(path)
      let refusal = #expect(throws: StoreError.self) { _ = try DurableStore.deleteFiles(path, disk) }
      #expect(refusal?.code == .filePermissionDenied)
      #expect(try disk.exists(journal))
      let unopened = #expect(throws: StoreError.self) { try open() }
      #expect(unopened?.code == .filePermissionDenied)
      try disk.removeFolder(path)
      try disk.rename("\(path).kept", to: path)
      #expect(try DurableStore.deleteFiles(path, disk))
      #expect(try !disk.exists(journal))
    }
  }

  @Test func aCallThatASignalInterruptsIsMadeAgain() throws {
    var callCount = 0
    func interruptedTwice() -> Int32 {
      callCount += 1
      errno = EINTR
      return callCount <= 2 ? -1 : 0
    }
    try check(interruptedTwice(), "fsync", "/a")
    #expect(callCount == 3)
    func full() -> Int32 {
      callCount += 1
      errno = ENOSPC
      return -1
    }
    let error = #expect(throws: DiskError.self) { try check(full(), "fsync", "/a") }
    #expect(error?.code == .noSpace)
    #expect(callCount == 4)
  }

  @Test func errorsSayWhatToDo() {
    let error = StoreError(DiskError(.noSpace, call: "pwrite at 5", path: "/a"))
    #expect(error.code == .outOfDiskSpace)
    #expect(error.path == "/a")
    #expect(error.message.contains("No space left on device"))
    #expect(error.message.contains("pwrite at 5"))
    #expect(StoreError(DiskError(.notPermitted, call: "open", path: "/a")).code == .filePermissionDenied)
    let kind = StoreError(DiskError(.notRegularFile, call: "open", path: "/a"))
    #expect(kind.code == .filePermissionDenied)
    #expect(kind.message.contains("Not a regular file"))
    #expect(StoreError(DiskError(.symbolicLink, call: "open", path: "/a")).message.contains("symbolic link"))
    #expect(StoreError(DiskError(.notFound, call: "open", path: "/a")).code == .fileNotFound)
    #expect(StoreError(DiskError(.inputOutput, call: "open", path: "/a")).code == .fileOperationFailed)
  }

  @Test func aJournalWorksOnTheRealDisk() throws {
    try withTemporaryFolder { folder in
      let disk = PosixFileSystem()
      let lock = try StoreLock.take("\(folder)/store.lock", by: .current(), in: disk)
      let refusal = #expect(throws: StoreError.self) {
        _ = try StoreLock.take("\(folder)/store.lock", by: .current(), in: disk)
      }
      #expect(refusal?.code == .ownedByOtherProcess)
      var configuration = JournalRun.configuration()
      configuration.folder = "\(folder)/journal"
      configuration.preparesSegments = true
      try lock.claim(configuration.storeID, durableThrough: 0)
      let journal = try Journal(configuration, after: JournalPosition(version: 0), in: disk, storeLock: lock) { _, _ in
      }
      for version in UInt64(1)...50 {
        try journal.append(TestCommit(version: version, payload: [UInt8](repeating: 1, count: 300)))
        try journal.flush(through: version)
      }
      try journal.close()
      var versions: [UInt64] = []
      let reader = try JournalReader(folder: configuration.folder, storeID: configuration.storeID, in: disk)
      let report = try reader.read(after: 0) { versions.append($0.version) }
      #expect(versions == Array(1...50))
      #expect(report.cut == nil)
      for name in try disk.list(configuration.folder) { try disk.remove("\(configuration.folder)/\(name)") }
      try disk.removeFolder(configuration.folder)
    }
  }
}
