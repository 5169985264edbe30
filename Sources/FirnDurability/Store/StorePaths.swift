/// Where the files of a store are.
struct StorePaths: Sendable {
  let base: String

  init(_ base: String) { self.base = base }

  var lock: String { base + ".lock" }
  var journal: String { base + ".journal" }
  var temporaryBase: String { base + ".base.tmp" }

  func delta(to version: UInt64) -> String { "\(journal)/\(Self.deltaName(version))" }

  func temporaryDelta(to version: UInt64) -> String { delta(to: version) + Self.temporarySuffix }

  static let temporarySuffix = ".tmp"
  static let deltaSuffix = ".delta"

  static func deltaName(_ version: UInt64) -> String { version.hexadecimal(digitCount: 16) + deltaSuffix }

  /// The version that the name of a delta gives; nil for other files.
  static func version(ofDeltaNamed name: String) -> UInt64? {
    JournalFormat.number(ofFileNamed: name, suffix: deltaSuffix)
  }
}
