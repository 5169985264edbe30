/// Where the files of a store are.
struct StorePaths: Sendable {
  let base: String

  init(_ base: String) { self.base = base }

  var lock: String { base + ".lock" }
  var journal: String { base + ".journal" }
  var temporaryBase: String { base + ".tmp" }

  func delta(to version: UInt64) -> String { "\(journal)/\(Self.deltaName(version))" }

  func temporaryDelta(to version: UInt64) -> String { delta(to: version) + Self.temporarySuffix }

  static let temporarySuffix = ".tmp"
  static let deltaSuffix = ".delta"

  static func deltaName(_ version: UInt64) -> String { version.hexadecimal(digitCount: 16) + deltaSuffix }

  /// The version that the name of a delta gives; nil for other files.
  static func version(ofDeltaNamed name: String) -> UInt64? {
    guard name.utf8.count == 16 + deltaSuffix.utf8.count, name.hasSuffix(deltaSuffix) else { return nil }
    var version: UInt64 = 0
    for digit in name.utf8.prefix(16) {
      guard let value = UInt64(hexDigit: digit) else { return nil }
      version = version << 4 | value
    }
    return version
  }
}
