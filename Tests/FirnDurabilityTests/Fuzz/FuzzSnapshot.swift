import CFirn
import FirnEngine

@testable import FirnDurability

/// A base or delta taken apart, to be put together again with right checksums and seals after something in it was changed.
struct FuzzSnapshot {
  private let header: [UInt8]
  private let directory: SnapshotDirectory
  /// The blocks, expanded.
  private let blocks: [[UInt8]]
  let kind: SnapshotHeader.Kind
  let key: StoreKey?

  init(_ bytes: [UInt8], kind: SnapshotHeader.Kind, key: StoreKey?) throws {
    self.kind = kind
    self.key = key
    header = Array(bytes[..<92])
    let reader = try SnapshotReader(MemoryFile(bytes), kind: kind, key: key)
    directory = reader.directory
    let zstd = ZstdContext()
    blocks = try directory.blocks.map { block in
      var stored = Array(bytes[block.offset..<block.offset + block.storedByteCount])
      if let seal = reader.seal {
        guard stored.withUnsafeMutableBytes({ seal.open($0, at: block.offset) }) else { throw FuzzFault("No seal") }
        stored.removeLast(SealTag.byteCount)
      }
      let content = Array(stored[1...])
      if stored[0] == 0 { return content }
      var raw = [UInt8](repeating: 0, count: block.rawByteCount)
      try content.withUnsafeBytes { frame in
        try raw.withUnsafeMutableBytes { try zstd.decompress(frame, into: $0) }
      }
      return raw
    }
  }

  /// The file with something else in it, under right checksums.
  func mutated(_ mutation: inout FuzzMutation) -> [UInt8] {
    var header = header
    var directory = directory
    var blocks = blocks
    let place = mutation.random.below(100)
    var changed = -1
    if place < 8 { mutation.mutate(&header, keepsCount: true) }
    if place >= 40, !blocks.isEmpty {
      changed = mutation.random.below(blocks.count)
      mutation.mutate(&blocks[changed])
    }
    var file = header
    Self.append(Self.crc(header), to: &file)
    let seal = key.map { key in
      FileSeal(
        key, header.withUnsafeBytes { FileSalt(SealTag(UnsafeRawBufferPointer(rebasing: $0[56...]))) }, header: header)
    }
    if let seal {
      var writer = ByteWriter()
      seal.check.write(to: &writer)
      file += writer.array()
    }
    for index in blocks.indices {
      let start = file.count
      file.append(index == changed && mutation.random.chance(2) ? UInt8(mutation.random.below(256)) : 0)
      file += blocks[index]
      Self.seal(&file, from: start, seal)
      directory.blocks[index].rawByteCount = blocks[index].count
      directory.blocks[index].storedByteCount = file.count - start
      directory.blocks[index].checksum = seal == nil ? Self.crc(Array(file[start...])) : 0
    }
    if place >= 8, place < 28 { change(&directory, &mutation) }
    var writer = ByteWriter()
    directory.encode(into: &writer)
    var bytes = writer.array()
    if place >= 28, place < 36 { mutation.mutate(&bytes) }
    let offset = file.count
    Self.seal(&bytes, from: 0, at: offset, seal)
    let trailer = SnapshotTrailer(
      directoryOffset: offset, directoryByteCount: bytes.count, directoryChecksum: Self.crc(bytes))
    writer.removeAll()
    trailer.encode(into: &writer)
    var end = Array(writer.array()[..<32])
    if place >= 36, place < 40 { mutation.mutate(&end, keepsCount: true) }
    file += bytes + end
    Self.append(Self.crc(end), to: &file)
    Self.append(0x444e_4546, to: &file)
    return file
  }

  /// Seals the bytes from `start` on, which stand at the same place of the file, or at `offset`.
  private static func seal(_ bytes: inout [UInt8], from start: Int, at offset: Int? = nil, _ seal: FileSeal?) {
    guard let seal else { return }
    bytes += [UInt8](repeating: 0, count: SealTag.byteCount)
    bytes.withUnsafeMutableBytes {
      seal.seal(UnsafeMutableRawBufferPointer(rebasing: $0[start...]), at: offset ?? start)
    }
  }

  /// Changes a number of the directory.
  private func change(_ directory: inout SnapshotDirectory, _ mutation: inout FuzzMutation) {
    if !directory.blocks.isEmpty, mutation.random.chance(70) {
      let block = mutation.random.below(directory.blocks.count)
      func changed(_ number: Int) -> Int { Int(truncatingIfNeeded: mutation.number(UInt64(number)) & UInt64(Int.max)) }
      switch mutation.random.below(8) {
      case 0: directory.blocks[block].rowCount = changed(directory.blocks[block].rowCount)
      case 1: directory.blocks[block].rawByteCount = changed(directory.blocks[block].rawByteCount)
      case 2: directory.blocks[block].storedByteCount = changed(directory.blocks[block].storedByteCount)
      case 3:
        directory.blocks[block].tableID = UInt32(truncatingIfNeeded: changed(Int(directory.blocks[block].tableID)))
      case 4:
        directory.blocks[block].columnID = UInt32(truncatingIfNeeded: changed(Int(directory.blocks[block].columnID)))
      case 5: directory.blocks[block].checksum = UInt32(truncatingIfNeeded: mutation.number())
      case 6: directory.blocks.swapAt(block, mutation.random.below(directory.blocks.count))
      default: directory.blocks[block].kind = [.keys, .column, .dictionary, .effects][mutation.random.below(4)]
      }
    } else if !directory.tables.isEmpty {
      let table = mutation.random.below(directory.tables.count)
      switch mutation.random.below(3) {
      case 0: directory.tables[table].nextKey = mutation.number(directory.tables[table].nextKey)
      case 1: directory.tables[table].rowCount = Int(mutation.number(UInt64(directory.tables[table].rowCount)) >> 1)
      default:
        directory.tables[table].id = UInt32(truncatingIfNeeded: mutation.number(UInt64(directory.tables[table].id)))
      }
    }
  }

  static func crc(_ bytes: [UInt8], _ start: UInt32 = 0) -> UInt32 {
    bytes.withUnsafeBytes { firn_crc32c(start, $0.baseAddress, $0.count) }
  }

  static func append(_ number: UInt32, to bytes: inout [UInt8]) {
    for place in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: number >> UInt32(8 * place))) }
  }
}

/// A segment whose frames get right checksums and chain values after something in them was changed.
enum FuzzSegment {
  static func mutated(_ original: [UInt8], _ mutation: inout FuzzMutation) -> [UInt8] {
    var bytes = original
    var frames: [Range<Int>] = []
    var offset = headerByteCount(bytes)
    while offset + 88 <= bytes.count, number(bytes, offset) == 0x314D_5246 {
      frames.append(offset..<offset + Int(number(bytes, offset + 8)))
      offset = frames[frames.count - 1].upperBound
    }
    if frames.isEmpty || mutation.random.chance(15) {
      mutate(&bytes, 0..<92, &mutation)
    } else {
      let frame = frames[mutation.random.below(frames.count)]
      let isHeader = mutation.random.chance(40)
      let range = isHeader ? frame.lowerBound..<frame.lowerBound + 80 : frame.lowerBound + 80..<frame.upperBound - 4
      mutate(&bytes, range, &mutation)
      if mutation.random.chance(5) { bytes.removeSubrange(frame) }
    }
    mend(&bytes)
    return bytes
  }

  private static func headerByteCount(_ bytes: [UInt8]) -> Int { bytes[10] & 1 == 0 ? 96 : 112 }

  private static func mutate(_ bytes: inout [UInt8], _ range: Range<Int>, _ mutation: inout FuzzMutation) {
    var part = Array(bytes[range])
    mutation.mutate(&part, keepsCount: true)
    bytes.replaceSubrange(range, with: part)
  }

  /// Makes the checksums right.
  static func mend(_ bytes: inout [UInt8]) {
    set(&bytes, 92, FuzzSnapshot.crc(Array(bytes[..<92])))
    let salt = FuzzSnapshot.crc(Array(bytes[48..<64]))
    var offset = headerByteCount(bytes)
    var chain = FuzzSnapshot.crc(Array(bytes[..<offset]))
    while offset + 88 <= bytes.count {
      let count = Int(number(bytes, offset + 8))
      guard count >= 88, offset + count <= bytes.count else { return }
      set(&bytes, offset + 64, chain)
      set(&bytes, offset + count - 4, FuzzSnapshot.crc(Array(bytes[offset..<offset + count - 4]), salt))
      chain = FuzzSnapshot.crc(Array(bytes[offset..<offset + count]), chain)
      offset += count
    }
  }

  private static func number(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) }
  }

  private static func set(_ bytes: inout [UInt8], _ offset: Int, _ value: UInt32) {
    for place in 0..<4 { bytes[offset + place] = UInt8(truncatingIfNeeded: value >> UInt32(8 * place)) }
  }
}

extension FileSalt {
  /// The 16 bytes that a tag would have.
  fileprivate init(_ bytes: SealTag) { self.init(low: bytes.low, high: bytes.high) }
}
