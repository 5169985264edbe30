#if Encryption
  internal import Crypto
  internal import FoundationEssentials

  /// Seals and opens the blocks or frames of one file, with a key that no other file has.
  ///
  /// The nonce is the place in the file, so nothing may be sealed at a place where something else has been: files are only
  /// appended to, by one writer, from their creation on.
  struct FileSeal: Sendable {
    /// Proves that whoever wrote the header had the key.
    let check: SealTag
    private let key: SymmetricKey
    /// The fields of the header, which everything in the file is bound to.
    private let header: [UInt8]

    init(_ storeKey: StoreKey, _ salt: FileSalt, header: [UInt8]) {
      self.header = header
      key = storeKey.derive("firn seal 1", salt)
      check = HMAC<SHA256>.authenticationCode(for: header, using: storeKey.derive("firn check 1", salt))
        .withUnsafeBytes { SealTag($0) }
    }

    /// Encrypts in place all but the last 16 bytes, which get the tag.
    ///
    /// - Parameters:
    ///   - offset: Where the bytes begin in the file.
    ///   - context: What else has to be the same at opening.
    func seal(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int, context: [UInt8] = []) {
      let content = UnsafeMutableRawBufferPointer(rebasing: bytes.dropLast(SealTag.byteCount))
      let nonce = Self.nonce(offset)
      guard
        let box = try? AES.GCM.seal(
          UnsafeRawBufferPointer(content), using: key, nonce: AES.GCM.Nonce(data: nonce),
          authenticating: header + nonce + context)
      else { fatalError("\(content.count) bytes at \(offset) are too many to be encrypted.") }
      box.ciphertext.copyBytes(to: content)
      box.tag.copyBytes(to: UnsafeMutableRawBufferPointer(rebasing: bytes.suffix(SealTag.byteCount)))
    }

    /// Decrypts in place what ``seal(_:at:context:)`` made, but the tag. False, with the bytes as they were, when they were
    /// sealed elsewhere, with another key or another context, or have been changed.
    func open(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int, context: [UInt8] = []) -> Bool {
      if bytes.count < SealTag.byteCount { return false }
      let content = UnsafeMutableRawBufferPointer(rebasing: bytes.dropLast(SealTag.byteCount))
      let nonce = Self.nonce(offset)
      guard
        let box = try? AES.GCM.SealedBox(
          nonce: AES.GCM.Nonce(data: nonce), ciphertext: UnsafeRawBufferPointer(content),
          tag: UnsafeRawBufferPointer(rebasing: bytes.suffix(SealTag.byteCount))),
        let opened = try? AES.GCM.open(box, using: key, authenticating: header + nonce + context)
      else { return false }
      opened.copyBytes(to: content)
      return true
    }

    private static func nonce(_ offset: Int) -> [UInt8] {
      withUnsafeBytes(of: UInt64(offset).littleEndian) { [UInt8]($0) } + [0, 0, 0, 0]
    }
  }

  extension FileSeal: CustomReflectable {
    var customMirror: Mirror { Mirror(self, children: []) }
  }
#else
  /// Without the trait `Encryption` nothing is sealed.
  struct FileSeal: Sendable {
    private let nothing: Never

    init(_ storeKey: StoreKey, _ salt: FileSalt, header: [UInt8]) { switch storeKey.nothing {} }

    var check: SealTag { switch nothing {} }

    func seal(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int, context: [UInt8] = []) {}

    func open(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int, context: [UInt8] = []) -> Bool {
      switch nothing {}
    }
  }
#endif

/// 16 bytes that prove who wrote others.
struct SealTag: Hashable, Sendable {
  let low: UInt64
  let high: UInt64

  static var byteCount: Int { 16 }

  /// - Parameter bytes: 16 bytes or more, of which the first are taken.
  init(_ bytes: UnsafeRawBufferPointer) {
    low = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
    high = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  func write(to writer: inout ByteWriter) {
    writer.append(low)
    writer.append(high)
  }
}
