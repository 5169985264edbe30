import CFirn
import FirnDurability
import FirnEngine

/// A bug that the tests would have to notice.
enum PlantedBug: CaseIterable, Sendable {
  /// A new base is renamed before it was synchronized.
  case baseIsNotSynchronized
  /// The name of a new base or delta is not brought onto the disk.
  case renameIsNotSynchronized
  /// Commits are told to be durable before they are.
  case publishesEarly
  /// Frames are taken for whole, whatever their checksum says.
  case ignoresChecksums
  /// Segments are removed before the checkpoint that replaces them is there.
  case removesSegmentsEarly
  /// The last whole commit of a journal is taken for the tail of a crash.
  case cutsTooFar
  /// Opening builds on what it reads, which may be in memory only.
  case segmentIsNotCopied
  /// The copy of the last segment takes its place before it is on disk.
  case copyIsNotSynchronized
  /// A segment is synchronized together with the next one, and not before that is written to.
  case segmentsAreSynchronizedLate
}

/// A disk used by a store that has a bug.
final class PlantedFileSystem: FileSystem, @unchecked Sendable {
  private let disk: any FileSystem
  private let bug: PlantedBug
  // State      guarded by
  // isRenamed  its lock
  // late       its lock
  private let isRenamed: Lock<Bool>
  /// Segments whose sync waits for that of the next one.
  private let late: Lock<[any StoreFile]>

  init(_ disk: SimulatedDisk, _ bug: PlantedBug) {
    self.disk = disk
    self.bug = bug
    isRenamed = Lock(false)
    late = Lock([])
  }

  private init(_ disk: any FileSystem, like other: PlantedFileSystem) {
    self.disk = disk
    bug = other.bug
    isRenamed = other.isRenamed
    late = other.late
  }

  func open(_ path: String, _ opening: FileOpening) throws(DiskError) -> any StoreFile {
    let isSegmentCopy = path.hasSuffix(".segment.tmp")
    let isCheckpoint = path.hasSuffix(".tmp") && !isSegmentCopy
    if bug == .removesSegmentsEarly, isCheckpoint { try removeSegments() }
    let file = try disk.open(path, opening)
    switch bug {
    case .baseIsNotSynchronized where isCheckpoint, .copyIsNotSynchronized where isSegmentCopy:
      return PlantedFile(file, bytes: nil)
    case .segmentsAreSynchronizedLate where path.hasSuffix(".segment"):
      return PlantedFile(file, bytes: nil) { [self] () throws(DiskError) in try synchronizeLate(file) }
    case .ignoresChecksums, .cutsTooFar:
      guard case .read = opening, path.hasSuffix(".segment") else { return file }
      // The store finds out by itself that a sector cannot be read.
      guard var bytes = try? file.bytes(count: .max) else { return file }
      if bug == .cutsTooFar { SegmentBytes.cutLastCommit(&bytes) } else { SegmentBytes.mend(&bytes) }
      return PlantedFile(file, bytes: bytes)
    default: return file
    }
  }

  /// Removes all segments but the newest, which nothing was written to yet.
  private func removeSegments() throws(DiskError) {
    let folder = StoreCrashRun.path + ".journal"
    guard try disk.exists(folder) else { return }
    let segments = try disk.list(folder).filter { $0.hasSuffix(".segment") }
    for name in segments.dropLast() { try disk.remove("\(folder)/\(name)") }
    try disk.synchronizeFolder(folder)
  }

  private func synchronizeLate(_ file: any StoreFile) throws(DiskError) {
    let folder = disk.folder(of: file.path)
    if try disk.list(folder).contains(where: { $0.hasSuffix(".segment") && "\(folder)/\($0)" > file.path }) {
      return late.withLock { $0.append(file) }
    }
    let late = late.withLock { late in
      defer { late = [] }
      return late
    }
    for earlier in late { try earlier.synchronizeData() }
    try file.synchronizeData()
  }

  func rename(_ path: String, to newPath: String) throws(DiskError) {
    if bug == .segmentIsNotCopied, newPath.hasSuffix(".segment") { return try disk.remove(path) }
    try disk.rename(path, to: newPath)
    isRenamed.withLock { $0 = true }
  }

  func synchronizeFolder(_ path: String) throws(DiskError) {
    let isSkipped = isRenamed.withLock { isRenamed in
      defer { isRenamed = false }
      return isRenamed && bug == .renameIsNotSynchronized
    }
    if !isSkipped { try disk.synchronizeFolder(path) }
  }

  func renameNew(_ path: String, to newPath: String) throws(DiskError) {
    try disk.renameNew(path, to: newPath)
    isRenamed.withLock { $0 = true }
  }

  func remove(_ path: String) throws(DiskError) { try disk.remove(path) }
  func createFolder(_ path: String) throws(DiskError) { try disk.createFolder(path) }
  func removeFolder(_ path: String) throws(DiskError) { try disk.removeFolder(path) }
  func list(_ folder: String) throws(DiskError) -> [String] { try disk.list(folder) }
  func lockFolder(_ path: String) throws(DiskError) -> FolderLocking { try disk.lockFolder(path) }
  func exists(_ path: String) throws(DiskError) -> Bool { try disk.exists(path) }
  func isFile(_ path: String) throws(DiskError) -> Bool { try disk.isFile(path) }
  func isInPlace() throws(DiskError) -> Bool { try disk.isInPlace() }
  func destination(of path: String) throws(DiskError) -> String { try disk.destination(of: path) }
  func identity(of path: String) throws(DiskError) -> String { try disk.identity(of: path) }

  func holding(_ folders: [String]) throws(DiskError) -> any FileSystem {
    PlantedFileSystem(try disk.holding(folders), like: self)
  }
}

/// A file that is never synchronized, or shows other bytes than it has.
private final class PlantedFile: StoreFile {
  private let file: any StoreFile
  private let bytes: [UInt8]?
  private let synchronizing: @Sendable () throws(DiskError) -> Void

  init(
    _ file: any StoreFile, bytes: [UInt8]?, synchronizing: @escaping @Sendable () throws(DiskError) -> Void = {}
  ) {
    self.file = file
    self.bytes = bytes
    self.synchronizing = synchronizing
  }

  var path: String { file.path }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(DiskError) -> Int {
    guard let bytes else { return try file.read(into: buffer, at: offset) }
    let count = max(0, min(buffer.count, bytes.count - offset))
    if count > 0 { buffer.copyBytes(from: bytes[offset..<offset + count]) }
    return count
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(DiskError) { try file.write(bytes, at: offset) }
  func synchronizeData() throws(DiskError) { try synchronizing() }
  func synchronize() throws(DiskError) { try synchronizing() }
  func dropCached() throws(DiskError) { try file.dropCached() }
  func size() throws(DiskError) -> Int { try file.size() }
  func truncate(to size: Int) throws(DiskError) { try file.truncate(to: size) }
  func occupiedByteCount() throws(DiskError) -> Int { try file.occupiedByteCount() }

  func modificationTime() -> UInt64? { file.modificationTime() }

  func dataStart(from offset: Int) -> Int { file.dataStart(from: offset) }
  func reserve(_ range: Range<Int>) throws(DiskError) { try file.reserve(range) }
  func tryLock() throws(DiskError) -> Bool { try file.tryLock() }
  func unlock() { file.unlock() }
  func isLocked() throws(DiskError) -> Bool { try file.isLocked() }
  func isRemoved() throws(DiskError) -> Bool { try file.isRemoved() }
  func isShared() throws(DiskError) -> Bool { try file.isShared() }
}

/// The bytes of a segment, by the format page.
private enum SegmentBytes {
  /// Calls `body` with each place where a frame seems to be.
  private static func forEachFrame(_ bytes: inout [UInt8], _ body: (inout [UInt8], Range<Int>) -> Void) {
    var offset = 96
    while offset + 88 <= bytes.count, number(bytes, offset) == 0x314D_5246 {
      let byteCount = Int(number(bytes, offset + 8))
      guard byteCount >= 88, byteCount % 8 == 0, offset + byteCount <= bytes.count else { return }
      body(&bytes, offset..<offset + byteCount)
      offset += byteCount
    }
  }

  /// Gives every frame the chain value and the checksum that fit.
  static func mend(_ bytes: inout [UInt8]) {
    guard bytes.count > 96, bytes[0] != 0 else { return }
    let saltCRC = crc(bytes, 48..<64, 0)
    forEachFrame(&bytes) { bytes, frame in
      set(&bytes, frame.lowerBound + 64, crc(bytes, 0..<frame.lowerBound, 0))
      set(&bytes, frame.upperBound - 4, crc(bytes, frame.lowerBound..<frame.upperBound - 4, saltCRC))
    }
  }

  static func cutLastCommit(_ bytes: inout [UInt8]) {
    guard bytes.count > 96, bytes[0] != 0 else { return }
    var last: Range<Int>?
    forEachFrame(&bytes) { last = $1 }
    if let last { bytes.replaceSubrange(last, with: repeatElement(0, count: last.count)) }
  }

  private static func number(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) }
  }

  private static func set(_ bytes: inout [UInt8], _ offset: Int, _ value: UInt32) {
    for place in 0..<4 { bytes[offset + place] = UInt8(truncatingIfNeeded: value >> UInt32(8 * place)) }
  }

  private static func crc(_ bytes: [UInt8], _ range: Range<Int>, _ start: UInt32) -> UInt32 {
    bytes.withUnsafeBytes { firn_crc32c(start, $0.baseAddress.map { $0 + range.lowerBound }, range.count) }
  }
}
