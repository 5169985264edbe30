internal import CFirn

/// The last bytes of a base or delta: where its directory is.
struct SnapshotTrailer: Hashable {
  var directoryOffset: Int
  var directoryByteCount: Int
  var directoryChecksum: UInt32

  static var byteCount: Int { 40 }
  private static var magic: UInt32 { 0x444e_4546 }

  func encode(into writer: inout ByteWriter) {
    let start = writer.count
    writer.append(UInt64(directoryOffset))
    writer.append(UInt64(directoryByteCount))
    writer.append(UInt64(directoryOffset + directoryByteCount + Self.byteCount))
    writer.append(directoryChecksum)
    writer.append(UInt32(0))
    writer.append(writer.checksum(from: start))
    writer.append(Self.magic)
  }

  /// Reads the trailer of a file of `fileByteCount` bytes; the directory lies between header and trailer then.
  ///
  /// - Parameter blocksOffset: Where the header ends.
  init(decoding bytes: UnsafeRawBufferPointer, blocksOffset: Int, fileByteCount: Int, path: String) throws {
    let place = fileByteCount - Self.byteCount
    var reader = ByteReader(bytes)
    let offset = try reader.read(UInt64.self)
    let byteCount = try reader.read(UInt64.self)
    let statedByteCount = try reader.read(UInt64.self)
    directoryChecksum = try reader.read(UInt32.self)
    let zero = try reader.read(UInt32.self)
    let checksum = try reader.read(UInt32.self)
    guard try reader.read(UInt32.self) == Self.magic, firn_crc32c(0, bytes.baseAddress, 32) == checksum else {
      throw StoreError.corrupted(path, "does not end like a complete file", at: place)
    }
    guard statedByteCount == UInt64(fileByteCount), zero == 0, offset >= UInt64(blocksOffset),
      offset <= UInt64(place), byteCount == UInt64(place) - offset
    else { throw StoreError.corrupted(path, "has \(fileByteCount) bytes and says \(statedByteCount)", at: place) }
    directoryOffset = Int(offset)
    directoryByteCount = Int(byteCount)
  }

  init(directoryOffset: Int, directoryByteCount: Int, directoryChecksum: UInt32) {
    self.directoryOffset = directoryOffset
    self.directoryByteCount = directoryByteCount
    self.directoryChecksum = directoryChecksum
  }
}
