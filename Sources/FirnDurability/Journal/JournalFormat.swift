internal import FirnEngine

/// Numbers of the journal's format.
enum JournalFormat {
  static var formatVersion: UInt16 { 1 }
  /// From this one on commits have old values.
  static var formatVersionWithOldValues: UInt16 { 2 }
  /// From this one on segments say when they were begun. The newest.
  static var formatVersionWithTime: UInt16 { 3 }
  static var segmentMagic: UInt64 { 0x4C4E_524A_4E52_4946 }
  static var segmentHeaderByteCount: Int { 96 }
  /// Of an encrypted segment.
  static var sealedHeaderByteCount: Int { segmentHeaderByteCount + SealTag.byteCount }
  static var frameMagic: UInt32 { 0x314D_5246 }
  static var frameHeaderByteCount: Int { 80 }
  static var frameByteCountMin: Int { Frame.byteCount(contentByteCount: frameHeaderByteCount) }
  static var frameByteCountMax: Int { 2 << 20 }
  static var authorByteCountMax: Int { CommitNote.authorByteCountMax }
  static var metadataByteCountMax: Int { CommitNote.metadataByteCountMax }
  /// What a part holds of its commit at most.
  static var partByteCountMax: Int { 1 << 20 }

  /// The highest version, epoch and sequence number: adding one to a number read from a file never overflows.
  static var numberMax: UInt64 { 1 << 62 }

  static var segmentSuffix: String { ".segment" }

  static func segmentName(_ sequence: UInt64) -> String { sequence.hexadecimal(digitCount: 16) + segmentSuffix }

  /// The sequence number that a file name gives; nil when it is no segment's.
  static func sequence(ofSegmentNamed name: String) -> UInt64? {
    number(ofFileNamed: name, suffix: segmentSuffix)
  }

  /// The number of 16 hexadecimal digits before the suffix of a name; nil for other names.
  static func number(ofFileNamed name: String, suffix: String) -> UInt64? {
    guard name.utf8.count == 16 + suffix.utf8.count, name.hasSuffix(suffix) else { return nil }
    var number: UInt64 = 0
    for digit in name.utf8.prefix(16) {
      guard let value = UInt64(hexDigit: digit) else { return nil }
      number = number << 4 | value
    }
    return number
  }
}
