internal import CFirn

/// The first 96 bytes of a segment.
struct SegmentHeader: Equatable, Sendable {
  var storeID: StoreID
  var epoch: UInt64
  var sequence: UInt64
  var salt: JournalSalt
  /// The version of the last commit before this segment.
  var lastVersion: UInt64
  var durableThrough: UInt64
  /// The chain value at the end of the segment before.
  var previousChain: UInt32

  func write(to writer: inout ByteWriter) {
    let start = writer.count
    writer.append(JournalFormat.segmentMagic)
    writer.append(JournalFormat.formatVersion)
    writer.append(UInt16(0))
    writer.append(UInt32(JournalFormat.segmentHeaderByteCount))
    writer.append(storeID.low)
    writer.append(storeID.high)
    writer.append(epoch)
    writer.append(sequence)
    writer.append(salt.low)
    writer.append(salt.high)
    writer.append(lastVersion)
    writer.append(durableThrough)
    writer.append(previousChain)
    writer.append(UInt64(0))
    let crc = writer.withBytes { firn_crc32c(0, $0.baseAddress.unsafelyUnwrapped + start, 92) }
    writer.append(crc)
  }

  /// What the first bytes of a segment are.
  enum Parsed {
    case header(SegmentHeader)
    /// Zeros, or nothing at all.
    case empty
    /// A valid header of a newer format.
    case unsupported(UInt16)
    case bad
  }

  /// Reads the first bytes of a file, at most 96.
  static func parse(_ bytes: UnsafeRawBufferPointer) -> Parsed {
    if bytes.allSatisfy({ $0 == 0 }) { return .empty }
    guard bytes.count >= JournalFormat.segmentHeaderByteCount, let base = bytes.baseAddress else { return .bad }
    func read<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _ type: Number.Type) -> Number {
      Number(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: type))
    }
    guard read(0, UInt64.self) == JournalFormat.segmentMagic, read(92, UInt32.self) == firn_crc32c(0, base, 92) else {
      return .bad
    }
    let formatVersion = read(8, UInt16.self)
    if formatVersion > JournalFormat.formatVersion { return .unsupported(formatVersion) }
    guard formatVersion == JournalFormat.formatVersion, read(10, UInt16.self) == 0,
      read(12, UInt32.self) == JournalFormat.segmentHeaderByteCount, read(84, UInt64.self) == 0,
      read(32, UInt64.self) <= JournalFormat.numberMax, read(64, UInt64.self) <= JournalFormat.numberMax
    else { return .bad }
    return .header(
      SegmentHeader(
        storeID: StoreID(low: read(16, UInt64.self), high: read(24, UInt64.self)), epoch: read(32, UInt64.self),
        sequence: read(40, UInt64.self), salt: JournalSalt(low: read(48, UInt64.self), high: read(56, UInt64.self)),
        lastVersion: read(64, UInt64.self), durableThrough: read(72, UInt64.self),
        previousChain: read(80, UInt32.self)))
  }
}

/// 16 random bytes that tell the frames of one process start from those of another.
package struct JournalSalt: Hashable, Sendable {
  package let low: UInt64
  package let high: UInt64

  package init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  package static func random() -> JournalSalt {
    var random = SystemRandomNumberGenerator()
    return JournalSalt(low: random.next(), high: random.next())
  }

  /// The CRC of the salt, which that of a frame goes on from.
  var crc: UInt32 {
    withUnsafeBytes(of: (low.littleEndian, high.littleEndian)) { firn_crc32c(0, $0.baseAddress, $0.count) }
  }
}
