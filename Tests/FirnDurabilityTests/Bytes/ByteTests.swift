import FirnDurability
import Testing

@Suite struct ByteTests {
  private func written(_ body: (inout ByteWriter) -> Void) -> [UInt8] {
    var writer = ByteWriter()
    body(&writer)
    return writer.array()
  }

  private func read<Result>(_ bytes: [UInt8], _ body: (inout ByteReader) throws -> Result) throws -> Result {
    try bytes.withUnsafeBytes {
      var reader = ByteReader($0)
      return try body(&reader)
    }
  }

  @Test func numbersAreLittleEndian() {
    #expect(written { $0.append(UInt32(0x0102_0304)) } == [4, 3, 2, 1])
    #expect(written { $0.append(UInt16(0x0102)) } == [2, 1])
    #expect(written { $0.append(Int64(-2)) } == [0xfe, 255, 255, 255, 255, 255, 255, 255])
    #expect(written { $0.append(UInt8(7)) } == [7])
  }

  @Test func varintsHaveSevenBitsToAByte() {
    #expect(written { $0.appendVarint(0 as UInt64) } == [0])
    #expect(written { $0.appendVarint(127 as UInt64) } == [0x7f])
    #expect(written { $0.appendVarint(300 as UInt64) } == [0xac, 0x02])
    #expect(written { $0.appendVarint(UInt64.max) } == Array(repeating: 0xff, count: 9) + [1])
    #expect(written { $0.appendSignedVarint(-1) } == [1])
    #expect(written { $0.appendSignedVarint(1) } == [2])
    #expect(written { $0.appendSignedVarint(.min) } == Array(repeating: 0xff, count: 9) + [1])
  }

  @Test func everyWidthOfNumberComesBack() throws {
    var numbers: [UInt64] = [0, .max]
    for bit in 0..<64 { numbers += [1 << bit, 1 << bit - 1, 1 << bit + 1] }
    let bytes = written { writer in
      for number in numbers {
        writer.appendVarint(number)
        writer.appendSignedVarint(Int64(bitPattern: number))
        writer.append(number)
      }
    }
    try read(bytes) { (reader: inout ByteReader) throws in
      for number in numbers {
        #expect(try reader.readVarint() == number)
        #expect(try reader.readSignedVarint() == Int64(bitPattern: number))
        #expect(try reader.read(UInt64.self) == number)
      }
      try reader.expectEnd()
    }
  }

  @Test func bytesAndTextsComeBack() throws {
    let bytes = written { writer in
      writer.append("FIRN")
      writer.appendCounted("Grüße")
      writer.appendCounted("")
      writer.append([1, 2, 3])
      writer.appendZeros(5)
    }
    try read(bytes) { (reader: inout ByteReader) throws in
      #expect(Array(try reader.readBytes(4)) == Array("FIRN".utf8))
      #expect(try reader.readString() == "Grüße")
      #expect(try reader.readString() == "")
      #expect(Array(try reader.readBytes(8)) == [1, 2, 3, 0, 0, 0, 0, 0])
      #expect(reader.isAtEnd)
    }
  }

  @Test func aWriterKeepsItsMemory() {
    var writer = ByteWriter(capacity: 4)
    for index in 0..<10_000 { writer.append(UInt32(index)) }
    #expect(writer.count == 40_000)
    writer.overwrite(at: 4, with: UInt32(77))
    writer.truncate(to: 8)
    #expect(writer.array() == [0, 0, 0, 0, 77, 0, 0, 0])
    let capacity = writer.capacity
    writer.removeAll()
    #expect(writer.isEmpty && writer.capacity == capacity)
    writer.removeAll(keptCapacityMax: 100)
    #expect(writer.capacity == 0)
    writer.append([9])
    #expect(writer.array() == [9])
  }

  @Test func numbersAreOverwrittenWhereTheyAreAndNowhereElse() async {
    var writer = ByteWriter()
    writer.appendZeros(6)
    writer.overwrite(at: 2, with: UInt32(0x0102_0304))
    #expect(writer.array() == [0, 0, 4, 3, 2, 1])
    await #expect(processExitsWith: .failure) {
      var writer = ByteWriter()
      writer.appendZeros(6)
      writer.overwrite(at: 3, with: UInt32(1))
    }
    await #expect(processExitsWith: .failure) {
      var writer = ByteWriter()
      writer.appendZeros(6)
      writer.overwrite(at: -1, with: UInt32(1))
    }
  }

  @Test func readingBeyondTheEndThrowsWhereItBegan() {
    #expect(throws: DecodingError.self) { try read([]) { try $0.readByte() } }
    #expect(throws: DecodingError.self) { try read([1, 2, 3]) { try $0.read(UInt32.self) } }
    #expect(throws: DecodingError.self) { try read([1, 2]) { try $0.readBytes(3) } }
    #expect(throws: DecodingError.self) { try read([1, 2]) { try $0.readBytes(-1) } }
    #expect(throws: DecodingError("The bytes end inside a number", offset: 1)) {
      try read([5, 0x80, 0x80]) { reader in
        _ = try reader.readVarint()
        return try reader.readVarint()
      }
    }
    #expect(throws: DecodingError.self) { try read([1, 2]) { try $0.expectEnd() } }
  }

  @Test func numbersOfMoreThan64BitsThrow() throws {
    let nine = [UInt8](repeating: 0xff, count: 9)
    #expect(try read(nine + [1]) { try $0.readVarint() } == .max)
    #expect(throws: DecodingError("A number has more than 64 bits", offset: 0)) {
      try read(nine + [2]) { try $0.readVarint() }
    }
    #expect(throws: DecodingError("A number has more than 64 bits", offset: 0)) {
      try read(nine + [0x81, 0]) { try $0.readVarint() }
    }
  }

  @Test func countsBeyondTheBytesThrow() throws {
    let many = written { $0.appendVarint(UInt64.max) } + [0, 0, 0]
    #expect(throws: DecodingError.self) { try read(many) { try $0.readCount() } }
    #expect(throws: DecodingError.self) { try read(many) { try $0.readCount(byteCountMin: 0, max: 1000) } }
    #expect(throws: DecodingError.self) { try read([3, 0, 0]) { try $0.readCount() } }
    #expect(throws: DecodingError.self) { try read([2, 0, 0, 0]) { try $0.readCount(byteCountMin: 2) } }
    #expect(try read([2, 0, 0, 0, 0]) { try $0.readCount(byteCountMin: 2) } == 2)
    #expect(throws: DecodingError.self) {
      try read(written { $0.appendVarint(UInt64(Int.max)) }) { try $0.readCount(byteCountMin: 8) }
    }
  }

  @Test func textThatIsNotUTF8Throws() {
    #expect(throws: DecodingError.self) { try read([2, 0xc3, 0x28]) { try $0.readString() } }
    #expect(throws: DecodingError.self) { try read([2, 65, 66]) { try $0.readString(byteCountMax: 1) } }
  }
}
