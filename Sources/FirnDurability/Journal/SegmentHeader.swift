internal import CFirn

/// The first 96 bytes of a segment; behind them stands the check value of an encrypted one.
struct SegmentHeader: Equatable, Sendable {
  var storeID: StoreID
  var epoch: UInt64
  var sequence: UInt64
  var salt: FileSalt
  /// The version of the last commit before this segment.
  var lastVersion: UInt64
  var durableThrough: UInt64
  /// The chain value at the end of the segment before.
  var previousChain: UInt32
  /// When the segment was begun, in nanoseconds since 1970; 0 in a format version that does not say.
  var beganAt: UInt64 = 0
  var isEncrypted = false
  var formatVersion = JournalFormat.formatVersion

  /// Times are at most this one.
  static var timeMax: UInt64 { UInt64(Int64.max) }

  static var fieldByteCount: Int { 92 }

  /// Where the frames begin.
  var byteCount: Int {
    JournalFormat.segmentHeaderByteCount + (isEncrypted ? SealTag.byteCount : 0)
  }

  /// The seal of an encrypted segment with this header.
  func seal(with key: StoreKey) -> FileSeal {
    var writer = ByteWriter()
    write(to: &writer)
    return FileSeal(key, salt, header: writer.withBytes { Array($0.prefix(Self.fieldByteCount)) })
  }

  /// Writes the header without a check value.
  func write(to writer: inout ByteWriter) {
    let start = writer.count
    writer.append(JournalFormat.segmentMagic)
    writer.append(formatVersion)
    writer.append(UInt16(isEncrypted ? 1 : 0))
    writer.append(UInt32(byteCount))
    writer.append(storeID.low)
    writer.append(storeID.high)
    writer.append(epoch)
    writer.append(sequence)
    writer.append(salt.low)
    writer.append(salt.high)
    writer.append(lastVersion)
    writer.append(durableThrough)
    writer.append(previousChain)
    writer.append(beganAt)
    let crc = writer.withBytes { firn_crc32c(0, $0.baseAddress.unsafelyUnwrapped + start, Self.fieldByteCount) }
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

  /// Reads the first bytes of a file. The check value is not compared.
  static func parse(_ bytes: UnsafeRawBufferPointer) -> Parsed {
    if bytes.prefix(JournalFormat.segmentHeaderByteCount).allSatisfy({ $0 == 0 }) { return .empty }
    guard bytes.count >= JournalFormat.segmentHeaderByteCount, let base = bytes.baseAddress else { return .bad }
    func read<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _ type: Number.Type) -> Number {
      Number(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: type))
    }
    guard read(0, UInt64.self) == JournalFormat.segmentMagic,
      read(92, UInt32.self) == firn_crc32c(0, base, fieldByteCount)
    else {
      return .bad
    }
    let formatVersion = read(8, UInt16.self)
    if formatVersion > JournalFormat.formatVersionWithTime { return .unsupported(formatVersion) }
    let flags = read(10, UInt16.self)
    let beganAt = read(84, UInt64.self)
    let times = formatVersion >= JournalFormat.formatVersionWithTime ? 1...timeMax : 0...0
    guard formatVersion >= JournalFormat.formatVersion, flags <= 1, times.contains(beganAt),
      read(32, UInt64.self) <= JournalFormat.numberMax, read(64, UInt64.self) <= JournalFormat.numberMax
    else { return .bad }
    let header = SegmentHeader(
      storeID: StoreID(low: read(16, UInt64.self), high: read(24, UInt64.self)), epoch: read(32, UInt64.self),
      sequence: read(40, UInt64.self), salt: FileSalt(low: read(48, UInt64.self), high: read(56, UInt64.self)),
      lastVersion: read(64, UInt64.self), durableThrough: read(72, UInt64.self),
      previousChain: read(80, UInt32.self), beganAt: beganAt, isEncrypted: flags == 1,
      formatVersion: formatVersion)
    guard read(12, UInt32.self) == header.byteCount, bytes.count >= header.byteCount else { return .bad }
    return .header(header)
  }
}
