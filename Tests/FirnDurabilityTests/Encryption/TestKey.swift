import FirnDurability
import Testing

/// Keys that tests encrypt with.
enum TestKey: Sendable, CaseIterable, CustomTestStringConvertible {
  case plain
  #if Encryption
    case encrypted
  #endif

  /// The bytes 0 to 63.
  static let bytes = (0..<64).map { UInt8($0) }

  /// What long tests run with: encrypted where that is possible, since another build has plain files.
  static var best: [TestKey] { Array(allCases.suffix(1)) }

  /// Nil without encryption.
  var key: StoreKey? {
    switch self {
    case .plain: nil
    #if Encryption
      case .encrypted: Self.bytes.withUnsafeBytes { StoreKey($0) }
    #endif
    }
  }

  var testDescription: String { "\(self)" }
}
