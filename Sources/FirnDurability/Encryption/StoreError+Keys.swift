extension StoreError {
  /// An encrypted base, and no key.
  static func keyMissing(_ path: String) -> StoreError {
    let advice =
      StoreKey.isSupported
      ? "Give its key as Realm.Configuration.encryptionKey."
      : "This program was built without encryption: build it with the trait Encryption of Firn, and give the key as "
        + "Realm.Configuration.encryptionKey."
    return StoreError(.invalidDatabase, "'\(path)' is encrypted. \(advice)", path: path)
  }

  /// A key, and a base that is not encrypted.
  static func keySuperfluous(_ path: String) -> StoreError {
    StoreError(
      .invalidDatabase,
      "'\(path)' is not encrypted, but a key was given. Open it without Realm.Configuration.encryptionKey; "
        + "Realm.writeCopy(toFile:encryptionKey:) then makes an encrypted copy.", path: path)
  }

  static func keyWrong(_ path: String) -> StoreError {
    StoreError(
      .invalidDatabase,
      "'\(path)' is encrypted with another key than the one given. Give the right one as "
        + "Realm.Configuration.encryptionKey; without it nobody can read the file.", path: path)
  }

  /// Something in an encrypted file that somebody without the key put there, or that was damaged.
  static func notSealed(_ path: String, _ what: String, at offset: Int) -> StoreError {
    corrupted(path, "has a \(what) that was not sealed for this place with the key of the store", at: offset)
  }
}

extension SnapshotHeader {
  /// The seal of a file that begins with `head`; nil for a plain one.
  ///
  /// - Throws: `.invalidDatabase` when a base and the key do not go together. A delta goes together with its base, or else is `.corrupted`.
  func unseal(head: UnsafeRawBufferPointer, with key: StoreKey?, path: String) throws(StoreError) -> FileSeal? {
    guard salt != nil else {
      if key == nil { return nil }
      throw kind == .base ? .keySuperfluous(path) : .corrupted(path, "is not encrypted, but its base is", at: 10)
    }
    guard let key else {
      throw kind == .base ? .keyMissing(path) : .corrupted(path, "is encrypted, but its base is not", at: 10)
    }
    guard head.count >= blocksOffset else { throw .corrupted(path, "ends inside its header", at: head.count) }
    let seal = seal(with: key)
    let check = SealTag(UnsafeRawBufferPointer(rebasing: head[Self.byteCount...]))
    if seal?.check == check { return seal }
    throw kind == .base ? .keyWrong(path) : .notSealed(path, "header", at: 0)
  }

  init(reading file: any StoreFile, kind: Kind) throws {
    let head = try file.bytes(count: Self.byteCount)
    self = try head.withUnsafeBytes { try SnapshotHeader(decoding: $0, kind: kind, path: file.path) }
  }
}
