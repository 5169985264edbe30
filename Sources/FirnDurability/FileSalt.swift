internal import CFirn

/// 16 random bytes that tell a file from others: the frames of one process start from those of another, and, in encrypted files, every
/// file from all others.
package struct FileSalt: Hashable, Sendable {
  package let low: UInt64
  package let high: UInt64

  package init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  package static func random() -> FileSalt {
    var random = SystemRandomNumberGenerator()
    return FileSalt(low: random.next(), high: random.next())
  }

  /// The CRC of the salt, which that of a frame goes on from.
  var crc: UInt32 {
    withUnsafeBytes(of: (low.littleEndian, high.littleEndian)) { firn_crc32c(0, $0.baseAddress, $0.count) }
  }
}
