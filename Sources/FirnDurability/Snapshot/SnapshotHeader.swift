internal import CFirn

/// The first bytes of a base or delta.
package struct SnapshotHeader: Hashable, Sendable {
  package enum Kind: Hashable, Sendable { case base, delta }

  package var kind: Kind
  package var storeID: StoreID
  package var epoch: UInt64
  /// The version that the file leads to.
  package var version: UInt64
  /// The version that a delta starts from; 0 in a base.
  package var startVersion: UInt64
  /// What the keys of an encrypted file are derived with; nil for a plain one.
  package var salt: FileSalt?

  package init(
    kind: Kind, storeID: StoreID, epoch: UInt64, version: UInt64, startVersion: UInt64 = 0, salt: FileSalt? = nil
  ) {
    self.kind = kind
    self.storeID = storeID
    self.epoch = epoch
    self.version = version
    self.startVersion = startVersion
    self.salt = salt
  }

  /// The fields and their checksum; behind them stands the check value of an encrypted file.
  package static var byteCount: Int { 96 }
  package static var sealedByteCount: Int { byteCount + SealTag.byteCount }

  /// Where the blocks begin.
  package var blocksOffset: Int { salt == nil ? Self.byteCount : Self.sealedByteCount }

  package static var formatVersion: UInt16 { 1 }

  /// The seal of a file with this header; nil for a plain one.
  func seal(with key: StoreKey) -> FileSeal? {
    guard let salt else { return nil }
    var writer = ByteWriter()
    encode(into: &writer)
    return FileSeal(key, salt, header: writer.withBytes { Array($0.prefix(Self.byteCount - 4)) })
  }

  /// Writes the header without a check value.
  func encode(into writer: inout ByteWriter) {
    let start = writer.count
    writer.append(kind == .base ? "FIRNBASE" : "FIRNDELT")
    writer.append(Self.formatVersion)
    writer.append(UInt16(salt == nil ? 0 : 1))
    writer.append(UInt32(blocksOffset))
    writer.append(storeID.low)
    writer.append(storeID.high)
    writer.append(epoch)
    writer.append(version)
    writer.append(startVersion)
    writer.append(salt?.low ?? 0)
    writer.append(salt?.high ?? 0)
    writer.appendZeros(20)
    writer.append(writer.checksum(from: start))
  }

  /// Throws `.invalidDatabase` unless the bytes begin like a file of `kind`.
  static func checkMagic(_ bytes: UnsafeRawBufferPointer, kind: Kind, path: String) throws(StoreError) {
    let advice =
      kind == .base
      ? "Choose another path, move the file out of the way so that a new store is made, or restore it from a backup."
      : StoreError.adviceOnDamage
    guard bytes.count >= 8 else {
      let finding = bytes.isEmpty ? "it is empty" : "it has only \(bytes.count) bytes"
      throw StoreError(.invalidDatabase, "'\(path)' is not a store: \(finding). \(advice)", path: path)
    }
    guard bytes.prefix(8).elementsEqual((kind == .base ? "FIRNBASE" : "FIRNDELT").utf8) else {
      throw StoreError(
        .invalidDatabase,
        "'\(path)' is not a \(kind) of a store: it begins with other bytes. \(advice)"
          + (kind == .base ? " Files of other databases cannot be read." : ""), path: path)
    }
  }

  /// Reads the header of a file of `kind`. The checksum comes before the format version, so that a damaged file is not
  /// taken for one of a later program.
  init(decoding bytes: UnsafeRawBufferPointer, kind: Kind, path: String) throws {
    try Self.checkMagic(bytes, kind: kind, path: path)
    var reader = ByteReader(bytes)
    _ = try reader.readBytes(8)
    guard bytes.count >= Self.byteCount else {
      throw StoreError.corrupted(path, "ends inside its header", at: bytes.count)
    }
    let checksum = firn_crc32c(0, bytes.baseAddress, Self.byteCount - 4)
    guard bytes.loadUnaligned(fromByteOffset: Self.byteCount - 4, as: UInt32.self) == checksum else {
      throw StoreError.corrupted(path, "has a header with a wrong checksum", at: 0)
    }
    let formatVersion = try reader.read(UInt16.self)
    guard formatVersion <= Self.formatVersion else {
      throw StoreError(
        .unsupportedFileFormatVersion,
        "'\(path)' has format version \(formatVersion); this program reads versions up to \(Self.formatVersion). Open it "
          + "with the version of the library that wrote it, or a newer one.",
        path: path)
    }
    let flags = try reader.read(UInt16.self)
    let byteCount = try reader.read(UInt32.self)
    let headerByteCount = flags == 0 ? Self.byteCount : Self.sealedByteCount
    guard formatVersion > 0, flags <= 1, byteCount == headerByteCount else {
      throw StoreError.corrupted(path, "has an impossible header", at: 8)
    }
    self.kind = kind
    storeID = StoreID(low: try reader.read(), high: try reader.read())
    epoch = try reader.read()
    version = try reader.read()
    startVersion = try reader.read()
    let greatest = max(epoch, version, startVersion)
    let salt = FileSalt(low: try reader.read(), high: try reader.read())
    if flags == 1 { self.salt = salt }
    guard flags == 1 || salt == FileSalt(low: 0, high: 0), try reader.readBytes(20).allSatisfy({ $0 == 0 }),
      kind == .delta || startVersion == 0,
      greatest <= JournalFormat.numberMax
    else {
      throw StoreError.corrupted(path, "has an impossible header", at: 48)
    }
  }
}

extension ByteWriter {
  /// The CRC of what was written from `start` on.
  func checksum(from start: Int) -> UInt32 {
    withBytes { firn_crc32c(0, $0.baseAddress.map { $0 + start }, $0.count - start) }
  }
}

extension StoreError {
  /// A file that is not what was written, and where.
  static func corrupted(_ path: String, _ what: String, at offset: Int) -> StoreError {
    StoreError(.corrupted, "'\(path)' is damaged: it \(what), at byte \(offset). \(adviceOnDamage)", path: path)
  }
}
