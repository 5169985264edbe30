internal import CFirn

/// A part of a commit as it lies in a segment, or the whole of a small one.
struct Frame: Sendable {
  /// The same as of the segment.
  var formatVersion: UInt16
  var kind: FrameKind
  var isLastPart: Bool
  var isSealed: Bool
  /// Of the whole frame.
  var byteCount: Int
  var part: UInt32
  var storeID: StoreID
  var epoch: UInt64
  var version: UInt64
  var previousVersion: UInt64
  var durableThrough: UInt64
  var chain: UInt32
  var authorByteCount: Int
  var metadataByteCount: Int
  var payloadByteCount: Int

  static var lastPartFlag: UInt8 { 1 }
  static var sealedFlag: UInt8 { 2 }

  /// The header, the content, and the tag of a sealed frame.
  var sealedByteCount: Int {
    JournalFormat.frameHeaderByteCount + authorByteCount + metadataByteCount + payloadByteCount
      + (isSealed ? SealTag.byteCount : 0)
  }

  // MARK: Writing

  /// Writes the header of a frame whose counts are not known yet.
  static func begin(
    _ writer: inout ByteWriter, kind: FrameKind, part: UInt32, isLastPart: Bool, version: UInt64,
    previousVersion: UInt64, durableThrough: UInt64, in stream: FrameStream
  ) {
    writer.append(JournalFormat.frameMagic)
    writer.append(stream.formatVersion)
    writer.append(kind.rawValue)
    writer.append((isLastPart ? Frame.lastPartFlag : 0) | (stream.isSealed ? Frame.sealedFlag : 0))
    writer.append(UInt32(0))
    writer.append(part)
    writer.append(stream.storeID.low)
    writer.append(stream.storeID.high)
    writer.append(stream.epoch)
    writer.append(version)
    writer.append(previousVersion)
    writer.append(durableThrough)
    writer.append(UInt32(0))
    writer.append(UInt32(0))
    writer.append(UInt32(0))
    writer.append(UInt32(0))
  }

  /// Completes the frame that starts at `start` and ends with its payload, seals it, and moves the chain on.
  ///
  /// - Parameters:
  ///   - seal: Nil if the frame is not sealed. Otherwise nobody calls this twice for the same place of a segment.
  ///   - offset: Where the frame begins in the segment.
  static func finish(
    _ writer: inout ByteWriter, at start: Int, authorByteCount: Int, metadataByteCount: Int, saltCRC: UInt32,
    seal: inout FrameSeal?, offset: Int, chain: inout UInt32
  ) {
    let contentByteCount = writer.count - start
    let sealedByteCount = contentByteCount + (seal == nil ? 0 : SealTag.byteCount)
    let byteCount = Frame.byteCount(contentByteCount: sealedByteCount)
    let payloadByteCount =
      contentByteCount - JournalFormat.frameHeaderByteCount - authorByteCount - metadataByteCount
    writer.appendZeros(byteCount - contentByteCount - 4)
    writer.overwrite(at: start + 8, with: UInt32(byteCount))
    writer.overwrite(at: start + 64, with: chain)
    writer.overwrite(at: start + 68, with: UInt32(authorByteCount))
    writer.overwrite(at: start + 72, with: UInt32(metadataByteCount))
    writer.overwrite(at: start + 76, with: UInt32(payloadByteCount))
    if seal != nil {
      writer.withMutableBytes {
        seal?.seal(UnsafeMutableRawBufferPointer(rebasing: $0[start..<start + sealedByteCount]), at: offset)
      }
    }
    writer.append(
      writer.withBytes { firn_crc32c(saltCRC, $0.baseAddress.unsafelyUnwrapped + start, byteCount - 4) })
    chain = writer.withBytes { firn_crc32c(chain, $0.baseAddress.unsafelyUnwrapped + start, byteCount) }
  }

  /// The length of a frame whose header, author, metadata, payload and seal take `contentByteCount` bytes.
  static func byteCount(contentByteCount: Int) -> Int { (contentByteCount + 4 + 7) & ~7 }

  // MARK: Reading

  /// The header of a frame in the first 80 of `bytes`, with counts that make sense by themselves; nil if there is none.
  init?(parsing bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= JournalFormat.frameHeaderByteCount, let base = bytes.baseAddress else { return nil }
    func read<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _ type: Number.Type) -> Number {
      Number(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: type))
    }
    formatVersion = read(4, UInt16.self)
    guard read(0, UInt32.self) == JournalFormat.frameMagic, formatVersion >= JournalFormat.formatVersion,
      formatVersion <= JournalFormat.formatVersionWithTime,
      let kind = FrameKind(rawValue: read(6, UInt8.self)), read(7, UInt8.self) <= Frame.lastPartFlag | Frame.sealedFlag
    else { return nil }
    self.kind = kind
    isLastPart = read(7, UInt8.self) & Frame.lastPartFlag != 0
    isSealed = read(7, UInt8.self) & Frame.sealedFlag != 0
    byteCount = Int(read(8, UInt32.self))
    part = read(12, UInt32.self)
    storeID = StoreID(low: read(16, UInt64.self), high: read(24, UInt64.self))
    epoch = read(32, UInt64.self)
    version = read(40, UInt64.self)
    previousVersion = read(48, UInt64.self)
    durableThrough = read(56, UInt64.self)
    chain = read(64, UInt32.self)
    authorByteCount = Int(read(68, UInt32.self))
    metadataByteCount = Int(read(72, UInt32.self))
    payloadByteCount = Int(read(76, UInt32.self))
    guard byteCount <= JournalFormat.frameByteCountMax, authorByteCount <= JournalFormat.authorByteCountMax,
      metadataByteCount <= JournalFormat.metadataByteCountMax, payloadByteCount <= JournalFormat.partByteCountMax,
      byteCount == Frame.byteCount(contentByteCount: sealedByteCount), version <= JournalFormat.numberMax,
      part == 0 || authorByteCount + metadataByteCount == 0, areVersionsInOrder
    else { return nil }
  }

  private var areVersionsInOrder: Bool {
    if kind != .durable { return durableThrough < version && previousVersion < version }
    return durableThrough == version && previousVersion == version && part == 0 && isLastPart
      && authorByteCount + metadataByteCount + payloadByteCount == 0
  }

  /// Whether the whole frame in `bytes` has the right CRC.
  static func isIntact(_ bytes: UnsafeRawBufferPointer, saltCRC: UInt32) -> Bool {
    guard bytes.count >= JournalFormat.frameByteCountMin, let base = bytes.baseAddress else { return false }
    let stored = base.loadUnaligned(fromByteOffset: bytes.count - 4, as: UInt32.self)
    return firn_crc32c(saltCRC, base, bytes.count - 4) == UInt32(littleEndian: stored)
  }
}

/// What all frames of one process start have in common.
struct FrameStream: Sendable {
  let storeID: StoreID
  let epoch: UInt64
  var isSealed = false
  var formatVersion = JournalFormat.formatVersion
}

package enum FrameKind: UInt8, Sendable {
  /// The payload is effects.
  case commit = 1
  /// The payload is a catalogue.
  case catalogue = 2
  /// No commit: says that the one before it is on disk.
  case durable = 3
}
