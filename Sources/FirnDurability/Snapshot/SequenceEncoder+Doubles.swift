extension SequenceEncoder {
  /// The denominators that are tried for numbers in doubles: whole numbers, thousandths, millionths.
  static var denominators: [UInt32] { [1, 1_000, 1_000_000] }

  /// Appends values of 8 bytes, which are doubles or dates.
  ///
  /// Numbers that people or clocks wrote are mostly whole multiples of a power of ten. Of others, the lower six bytes are
  /// as good as random, while sign, exponent and the highest bits of the fraction repeat.
  func appendDoubles(_ bytes: UnsafeRawBufferPointer, to writer: inout ByteWriter) throws {
    let count = bytes.count / 8
    guard let base = bytes.baseAddress, count > 0 else { return appendFixed(bytes, width: 8, to: &writer) }
    for denominator in Self.denominators {
      if appendMultiples(base, count: count, denominator: denominator, to: &writer) { return }
    }
    if try repeats(bytes) { return appendFixed(bytes, width: 8, to: &writer) }
    let start = writer.count
    writer.append(SequenceForm.doubles.rawValue)
    writer.append(UInt32(0))
    scratch.removeAll(keptCapacityMax: 1 << 20)
    let upper = scratch.reserve(count * 2)
    var index = 0
    while index < count {
      let top = base.loadUnaligned(fromByteOffset: index &* 8 &+ 6, as: UInt16.self)
      upper.storeBytes(of: top, toByteOffset: index &* 2, as: UInt16.self)
      index &+= 1
    }
    let frameByteCount = try zstd.append(UnsafeRawBufferPointer(start: upper, count: count * 2), to: &writer)
    if frameByteCount + 4 >= count * 2 {
      writer.truncate(to: start)
      return appendFixed(bytes, width: 8, to: &writer)
    }
    writer.overwrite(at: start + 1, with: UInt32(frameByteCount))
    let lower = writer.reserve(count * 6 + 2)
    index = 0
    while index < count {
      // Two bytes too many, which the next value overwrites.
      let value = base.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self)
      lower.storeBytes(of: value, toByteOffset: index &* 6, as: UInt64.self)
      index &+= 1
    }
    writer.advance(by: count * 6)
  }

  /// Whether zstd would halve the values as they are, judged by some in the middle.
  private func repeats(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    let middle = bytes.count / 16 * 8
    let sample = UnsafeRawBufferPointer(rebasing: bytes[max(0, middle - 2_048)..<min(bytes.count, middle + 2_048)])
    scratch.removeAll(keptCapacityMax: 1 << 20)
    return try zstd.append(sample, to: &scratch) * 2 < sample.count
  }

  /// Appends the values as multiples, if all of them are exactly that and it saves bytes.
  private func appendMultiples(
    _ base: UnsafeRawPointer, count: Int, denominator: UInt32, to writer: inout ByteWriter
  ) -> Bool {
    let divisor = Double(denominator)
    var lowest = Int64.max
    var highest = Int64.min
    // A few from everywhere first: most columns fail there.
    for step in [max(1, count / 16), 1] {
      var index = 0
      while index < count {
        let value = base.loadUnaligned(fromByteOffset: index &* 8, as: Double.self)
        guard let multiple = Self.multiple(value, divisor) else { return false }
        lowest = min(lowest, multiple)
        highest = max(highest, multiple)
        index &+= step
      }
    }
    if PackedNumbers.width(of: UInt64(bitPattern: highest &- lowest)) > 48 { return false }
    writer.append(SequenceForm.multiples.rawValue)
    writer.append(denominator)
    PackedNumbers.append(count, lowest: lowest, highest: highest, to: &writer) { index in
      let value = base.loadUnaligned(fromByteOffset: index &* 8, as: Double.self)
      return Self.multiple(value, divisor).unsafelyUnwrapped
    }
    return true
  }

  /// The number that gives `value`, bit by bit, when divided. None for a negative zero.
  @inline(__always)
  private static func multiple(_ value: Double, _ divisor: Double) -> Int64? {
    let scaled = value * divisor
    // Also false for not-a-number.
    guard abs(scaled) < 0x1p50 else { return nil }
    // At this size doubles have no fraction, so adding it rounds.
    let whole = (scaled + 0x1.8p52) - 0x1.8p52
    let result = Int64(whole)
    return (Double(result) / divisor).bitPattern == value.bitPattern ? result : nil
  }
}
