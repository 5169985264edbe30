internal import CFirn

/// Reads a segment from the front through a window, so that its length costs no memory.
final class SegmentReader {
  let path: String
  let sequence: UInt64
  private(set) var parsed: SegmentHeader.Parsed
  /// Opens the frames of an encrypted segment; see ``unseal(with:)``.
  private(set) var seal: FileSeal?
  private let head: [UInt8]
  let byteCount: Int
  private let fileSystem: any FileSystem
  /// Open while the segment is read: there may be more segments than a process may open files.
  private var file: (any StoreFile)?
  /// The file if it is open for good, since it may lose its name.
  private var keptFile: (any StoreFile)?
  private var window = SegmentReader.noWindow
  private var windowStart = 0
  private var windowCount = 0
  /// How much of it was found to hold frames.
  private var readByteCount = 0
  /// The start of the first sector found that the disk cannot read.
  private var unreadableOffset: Int?
  /// The first read that failed, twice.
  private(set) var readError: DiskError?

  /// Longer files are no segments: a commit that large could not be made.
  static var byteCountMax: Int { 1 << 40 }

  init(_ path: String, sequence: UInt64, in fileSystem: any FileSystem) throws(DiskError) {
    self.path = path
    self.sequence = sequence
    self.fileSystem = fileSystem
    let file = try fileSystem.open(path, .read)
    byteCount = try file.size()
    do throws(DiskError) {
      head = try Self.readHead(file)
      parsed = head.withUnsafeBytes { SegmentHeader.parse($0) }
    } catch {
      if error.code != .inputOutput { throw error }
      readError = error
      head = []
      parsed = .bad
    }
  }

  private static func readHead(_ file: any StoreFile) throws(DiskError) -> [UInt8] {
    let count = JournalFormat.sealedHeaderByteCount
    do throws(DiskError) {
      return try file.bytes(count: count)
    } catch {
      if error.code != .inputOutput { throw error }
      return try file.bytes(count: count)
    }
  }

  /// Has the file open until the reader goes.
  func keepOpen() throws(DiskError) { keptFile = try fileSystem.open(path, .read) }

  /// Gets ready to open the frames of an encrypted segment. One whose header was not made with this key has none that counts.
  func unseal(with key: StoreKey) {
    guard let header, header.isEncrypted else { return }
    let seal = header.seal(with: key)
    if head.withUnsafeBytes({ SealTag(UnsafeRawBufferPointer(rebasing: $0[$0.count - SealTag.byteCount..<$0.count])) })
      == seal.check
    {
      self.seal = seal
    } else {
      parsed = .bad
    }
  }

  deinit { window.deallocate() }

  /// Lets go of file and memory until the next read.
  func release() {
    file = nil
    window.deallocate()
    window = Self.noWindow
    windowCount = 0
    unreadableOffset = nil
  }

  /// Frames up to `offset` are valid. The rest of the file says nothing about what they stand for: it may be a hole.
  func didRead(through offset: Int, _ budget: ExpansionBudget) {
    if offset <= readByteCount { return }
    budget.didOpen(fileByteCount: offset - readByteCount)
    readByteCount = offset
  }

  var header: SegmentHeader? {
    if case .header(let header) = parsed { return header }
    return nil
  }

  /// The bytes from `offset` on, fewer than `count` at the end of the file and before a sector that cannot be read. `count`
  /// is at most that of the longest frame. Valid until the next call.
  func bytes(at offset: Int, count: Int) throws(DiskError) -> UnsafeRawBufferPointer {
    var end = min(offset + count, byteCount)
    if let unreadableOffset, offset <= unreadableOffset { end = min(end, unreadableOffset) }
    if end <= offset { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let file = try opened()
    if offset < windowStart || end > windowStart + windowCount { try fillWindow(file, from: offset) }
    let start = offset - windowStart
    return UnsafeRawBufferPointer(rebasing: window[start..<max(start, min(end - windowStart, windowCount))])
  }

  private func fillWindow(_ file: any StoreFile, from offset: Int) throws(DiskError) {
    windowStart = offset
    windowCount = 0
    do throws(DiskError) {
      windowCount = try file.read(into: window, at: offset)
    } catch {
      if error.code != .inputOutput { throw error }
      try fillWindowBySectors(file)
    }
  }

  /// Fills the window up to the first sector that cannot be read, each of two times: what follows counts as not there.
  private func fillWindowBySectors(_ file: any StoreFile) throws(DiskError) {
    while windowCount < window.count {
      let next = Self.nextSector(windowStart + windowCount)
      let sector = window[windowCount..<min(next - windowStart, window.count)]
      do throws(DiskError) {
        let count = try readTwice(file, into: UnsafeMutableRawBufferPointer(rebasing: sector))
        windowCount += count
        if count < sector.count { return }
      } catch {
        if error.code != .inputOutput { throw error }
        unreadableOffset = windowStart + windowCount
        readError = readError ?? error
        return
      }
    }
  }

  /// Reads behind what the window has, again if that fails.
  private func readTwice(_ file: any StoreFile, into sector: UnsafeMutableRawBufferPointer) throws(DiskError) -> Int {
    do throws(DiskError) {
      return try file.read(into: sector, at: windowStart + windowCount)
    } catch {
      if error.code != .inputOutput { throw error }
      return try file.read(into: sector, at: windowStart + windowCount)
    }
  }

  private static func nextSector(_ offset: Int) -> Int { (offset / 512 + 1) * 512 }

  /// Whether the disk was found not to read what is at `offset`, or follows it in the same frame.
  func isUnreadable(from offset: Int) -> Bool {
    unreadableOffset.map { offset <= $0 && $0 - offset < JournalFormat.frameByteCountMax } ?? false
  }

  private static var noWindow: UnsafeMutableRawBufferPointer { UnsafeMutableRawBufferPointer(start: nil, count: 0) }

  private func opened() throws(DiskError) -> any StoreFile {
    if let file { return file }
    let opened: any StoreFile
    if let keptFile { opened = keptFile } else { opened = try fileSystem.open(path, .read) }
    window = UnsafeMutableRawBufferPointer.allocate(
      byteCount: min(byteCount, 2 * JournalFormat.frameByteCountMax), alignment: 8)
    file = opened
    return opened
  }

  /// A frame at `offset` with its bytes if it has the right CRC.
  func frame(at offset: Int, saltCRC: UInt32) throws(DiskError) -> (frame: Frame, bytes: UnsafeRawBufferPointer)? {
    let head = try bytes(at: offset, count: JournalFormat.frameHeaderByteCount)
    guard let frame = Frame(parsing: head) else { return nil }
    let bytes = try bytes(at: offset, count: frame.byteCount)
    guard bytes.count == frame.byteCount, Frame.isIntact(bytes, saltCRC: saltCRC) else { return nil }
    return (frame, bytes)
  }

  /// What lies behind a bad place.
  struct Tail {
    /// Behind the last word that is not zero; 0 when there are zeros only.
    var end = 0
    var isZero: Bool { end == 0 }
    var durableThrough: UInt64 = 0
    /// Frames were too many to check them all.
    var isUndecided = false
  }

  /// Looks for frames of the store from `offset` on. Without a salt, frames count that only look like some.
  func tail(from offset: Int, storeID: StoreID, saltCRC: UInt32?) throws(DiskError) -> Tail {
    var tail = Tail()
    var offset = offset
    // Bytes made to look like frames must not make this take for ever.
    var budget = 16 * (byteCount + JournalFormat.frameByteCountMax)
    while offset < byteCount {
      let start = try opened().dataStart(from: offset)
      if start > offset {
        offset = start
        continue
      }
      let here = try bytes(at: offset, count: JournalFormat.frameByteCountMax)
      if here.isEmpty {
        if offset != unreadableOffset { break }
        // What is in such a sector is not zero, as far as anybody knows.
        unreadableOffset = nil
        offset = Self.nextSector(offset)
        tail.end = min(offset, byteCount)
        continue
      }
      let (skipped, end) = SegmentReader.skipToMagic(here)
      if end > 0 { tail.end = offset + end }
      offset += skipped
      if skipped == here.count { continue }
      let head = try bytes(at: offset, count: JournalFormat.frameHeaderByteCount)
      guard let frame = Frame(parsing: head), frame.storeID == storeID else {
        offset += 8
        continue
      }
      var isFrame = true
      if let saltCRC {
        budget -= frame.byteCount
        if budget < 0 {
          tail.isUndecided = true
          return tail
        }
        isFrame = try self.frame(at: offset, saltCRC: saltCRC) != nil
      }
      if isFrame { tail.durableThrough = max(tail.durableThrough, frame.durableThrough) }
      offset += isFrame ? frame.byteCount : 8
      tail.end = offset
    }
    return tail
  }

  /// How many bytes lie before the first place that a frame may start at, and where the last word that is not zero ends,
  /// the place's own included; 0 when there is none.
  private static func skipToMagic(_ bytes: UnsafeRawBufferPointer) -> (count: Int, end: Int) {
    var end = 0
    var offset = 0
    while offset + 8 <= bytes.count {
      // Most of a segment is zeros.
      offset += zeroCount(bytes, from: offset)
      if offset + 8 > bytes.count { break }
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      if word != 0 {
        end = offset &+ 8
        if UInt32(truncatingIfNeeded: word) == JournalFormat.frameMagic { return (offset, end) }
      }
      offset &+= 8
    }
    while offset < bytes.count {
      offset += 1
      if bytes[offset - 1] != 0 { end = offset }
    }
    return (bytes.count, end)
  }

  /// How many bytes from `offset` on are zero, in steps of 64.
  private static func zeroCount(_ bytes: UnsafeRawBufferPointer, from offset: Int) -> Int {
    var end = offset
    while end &+ 64 <= bytes.count {
      let block = bytes.loadUnaligned(fromByteOffset: end, as: SIMD8<UInt64>.self)
      if block != .zero { break }
      end &+= 64
    }
    return end &- offset
  }

  /// The chain value after the header.
  func headerChain(_ header: SegmentHeader) throws(DiskError) -> UInt32 {
    let header = try bytes(at: 0, count: header.byteCount)
    return firn_crc32c(0, header.baseAddress, header.count)
  }
}
