extension SequenceEncoder {
  /// Appends numbers as differences from the smallest or, if they ascend and that is shorter, from each other.
  func appendInts(_ values: UnsafeBufferPointer<Int64>, to writer: inout ByteWriter) {
    let count = values.count
    guard let base = values.baseAddress, count > 0 else {
      writer.append(SequenceForm.packed.rawValue)
      return PackedNumbers.append(0, lowest: 0, highest: 0, to: &writer) { _ in 0 }
    }
    var lowest = base[0]
    var highest = base[0]
    var previous = base[0]
    var ascends = true
    var index = 1
    while index < count {
      let value = base[index]
      ascends = ascends && value >= previous
      lowest = min(lowest, value)
      highest = max(highest, value)
      previous = value
      index &+= 1
    }
    if ascends, count > 1, lowest != highest, appendAscending(base, count: count, to: &writer) { return }
    writer.append(SequenceForm.packed.rawValue)
    PackedNumbers.append(count, lowest: lowest, highest: highest, to: &writer) { base[$0] }
  }

  /// Appends numbers by their differences, unless that takes as many bits.
  private func appendAscending(_ base: UnsafePointer<Int64>, count: Int, to writer: inout ByteWriter) -> Bool {
    var lowest = UInt64.max
    var highest: UInt64 = 0
    var index = 1
    while index < count {
      let difference = UInt64(bitPattern: base[index] &- base[index &- 1])
      lowest = min(lowest, difference)
      highest = max(highest, difference)
      index &+= 1
    }
    let width = PackedNumbers.width(of: highest &- lowest)
    let plainWidth = PackedNumbers.width(of: UInt64(bitPattern: base[count &- 1] &- base[0]))
    if width >= plainWidth { return false }
    writer.append(SequenceForm.ascending.rawValue)
    writer.appendSignedVarint(base[0])
    writer.appendVarint(lowest)
    writer.append(UInt8(width))
    PackedNumbers.appendBits(count &- 1, width: width, to: &writer) {
      UInt64(bitPattern: base[$0 &+ 1] &- base[$0]) &- lowest
    }
    return true
  }

  /// Appends small numbers, packed: what stands for lengths, counts and positions.
  func appendPacked(_ numbers: ArraySlice<UInt32>, to writer: inout ByteWriter) {
    numbers.withUnsafeBufferPointer { numbers in
      let count = numbers.count
      guard let base = numbers.baseAddress, count > 0 else {
        return PackedNumbers.append(0, lowest: 0, highest: 0, to: &writer) { _ in 0 }
      }
      var lowest = base[0]
      var highest = base[0]
      var index = 1
      while index < count {
        lowest = min(lowest, base[index])
        highest = max(highest, base[index])
        index &+= 1
      }
      PackedNumbers.append(count, lowest: Int64(lowest), highest: Int64(highest), to: &writer) { Int64(base[$0]) }
    }
  }

  /// The same behind a byte count.
  func appendCountedPacked(_ numbers: ArraySlice<UInt32>, to writer: inout ByteWriter) {
    let start = writer.count
    writer.append(UInt32(0))
    appendPacked(numbers, to: &writer)
    writer.overwrite(at: start, with: UInt32(writer.count - start - 4))
  }
}
