extension SequenceDecoder {
  func readPackedInts(_ reader: inout ByteReader, count: Int) throws(DecodingError) -> [Int64] {
    let base = try reader.readSignedVarint()
    let bits = try PackedBits(from: &reader, count: count)
    return [Int64](unsafeUninitializedCapacity: count) { buffer, filled in
      if let values = buffer.baseAddress {
        bits.unpack { values[$0] = base &+ Int64(bitPattern: $1) }
      }
      filled = count
    }
  }

  func readAscending(_ reader: inout ByteReader, count: Int) throws(DecodingError) -> [Int64] {
    guard count > 0 else { throw reader.error("Ascending numbers without a first one") }
    let first = try reader.readSignedVarint()
    let base = try reader.readVarint()
    let bits = try PackedBits(from: &reader, count: count - 1)
    var wraps = false
    let result = [Int64](unsafeUninitializedCapacity: count) { buffer, filled in
      guard let values = buffer.baseAddress else { return }
      values[0] = first
      var previous = first
      bits.unpack { index, rest in
        let (difference, overflows) = base.addingReportingOverflow(rest)
        let next = Int64(bitPattern: UInt64(bitPattern: previous) &+ difference)
        wraps = wraps || overflows || next < previous
        values[index &+ 1] = next
        previous = next
      }
      filled = count
    }
    if wraps { throw reader.error("Ascending numbers beyond 64 bits") }
    return result
  }

  /// Reads packed numbers that must lie in 32 bits.
  func readPacked(_ reader: inout ByteReader, count: Int) throws(DecodingError) -> [UInt32] {
    let base = UInt64(bitPattern: try reader.readSignedVarint())
    let bits = try PackedBits(from: &reader, count: count)
    var all: UInt64 = 0
    let result = [UInt32](unsafeUninitializedCapacity: count) { buffer, filled in
      if let values = buffer.baseAddress {
        bits.unpack {
          let value = base &+ $1
          all |= value
          values[$0] = UInt32(truncatingIfNeeded: value)
        }
      }
      filled = count
    }
    if all >> 32 != 0 { throw reader.error("Lengths or places beyond 32 bits") }
    return result
  }

  /// The same behind a byte count.
  func readCountedPacked(_ reader: inout ByteReader, count: Int) throws(DecodingError) -> [UInt32] {
    let byteCount = Int(try reader.read(UInt32.self))
    let end = reader.offset + byteCount
    let result = try readPacked(&reader, count: count)
    guard reader.offset == end else { throw reader.error("Packed numbers are not \(byteCount) bytes long") }
    return result
  }

  func readDoubles(_ reader: inout ByteReader, count: Int) throws(DecodingError) -> [UInt8] {
    let frame = try reader.readBytes(Int(try reader.read(UInt32.self)))
    let offset = reader.offset - frame.count
    let lower = try reader.readBytes(count * 6)
    scratch.removeAll(keptCapacityMax: 1 << 20)
    let upper = scratch.reserve(count * 2)
    try zstd.decompress(frame, into: UnsafeMutableRawBufferPointer(start: upper, count: count * 2), offset: offset)
    return [UInt8](unsafeUninitializedCapacity: count * 8) { buffer, filled in
      guard let low = lower.baseAddress, let bytes = buffer.baseAddress else { return }
      let values = UnsafeMutableRawPointer(bytes)
      var index = 0
      // All but the last by a load that takes two bytes of the next value along.
      while index < count &- 1 {
        let value = low.loadUnaligned(fromByteOffset: index &* 6, as: UInt64.self) & 0xffff_ffff_ffff
        let top = UInt64(upper.load(fromByteOffset: index &* 2, as: UInt16.self))
        values.storeBytes(of: value | top &<< 48, toByteOffset: index &* 8, as: UInt64.self)
        index &+= 1
      }
      if count > 0 {
        (values + index &* 8).copyMemory(from: low + index &* 6, byteCount: 6)
        (values + index &* 8 + 6).copyMemory(from: upper + index &* 2, byteCount: 2)
      }
      filled = count * 8
    }
  }

  func readMultiples(_ reader: inout ByteReader, count: Int) throws(DecodingError) -> [UInt8] {
    let denominator = try reader.read(UInt32.self)
    guard SequenceEncoder.denominators.contains(denominator) else {
      throw reader.error("An unknown denominator, \(denominator),")
    }
    let divisor = Double(denominator)
    let base = try reader.readSignedVarint()
    let bits = try PackedBits(from: &reader, count: count)
    return [UInt8](unsafeUninitializedCapacity: count * 8) { buffer, filled in
      if let bytes = buffer.baseAddress {
        let values = UnsafeMutableRawPointer(bytes)
        bits.unpack {
          let value = Double(base &+ Int64(bitPattern: $1)) / divisor
          values.storeBytes(of: value, toByteOffset: $0 &* 8, as: Double.self)
        }
      }
      filled = count * 8
    }
  }
}
