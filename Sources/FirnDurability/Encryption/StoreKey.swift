#if Encryption
  internal import Crypto
  internal import FoundationEssentials

  /// The key that the files of a store are encrypted with: from it each file's own keys are derived.
  ///
  /// Neither the key nor what is derived from it is shown by descriptions and mirrors.
  package struct StoreKey: Sendable {
    private let root: SymmetricKey

    /// - Parameter bytes: 64 bytes.
    /// - Returns: Nil as long as the library is built without encryption.
    package init?(_ bytes: UnsafeRawBufferPointer) {
      if bytes.count != Self.byteCount { fatalError("A key of \(bytes.count) bytes, not of \(Self.byteCount).") }
      root = SymmetricKey(data: bytes)
    }

    /// A key for one purpose and one file.
    func derive(_ purpose: StaticString, _ salt: FileSalt) -> SymmetricKey {
      let info = UnsafeRawBufferPointer(start: purpose.utf8Start, count: purpose.utf8CodeUnitCount)
      return withUnsafeBytes(of: (salt.low.littleEndian, salt.high.littleEndian)) { salt in
        HKDF<SHA256>.deriveKey(inputKeyMaterial: root, salt: salt, info: info, outputByteCount: 32)
      }
    }
  }
#else
  /// Without the trait `Encryption` there are no keys, and what needs one is never reached.
  package struct StoreKey: Sendable {
    let nothing: Never

    package init?(_ bytes: UnsafeRawBufferPointer) { return nil }
  }
#endif

extension StoreKey: CustomStringConvertible, CustomReflectable {
  package static var byteCount: Int { 64 }

  package var description: String { "StoreKey" }

  package var customMirror: Mirror { Mirror(self, children: []) }

  /// Whether the library is built with encryption.
  static var isSupported: Bool {
    #if Encryption
      true
    #else
      false
    #endif
  }
}
