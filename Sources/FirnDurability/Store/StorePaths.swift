/// Where the files of a store are.
struct StorePaths: Sendable {
  let base: String

  init(_ base: String) { self.base = base }

  /// Those of the store with a journal in `folder`.
  init(journal folder: String) { base = String(folder.dropLast(Self.journalSuffix.count)) }

  var lock: String { base + ".lock" }
  var journal: String { base + Self.journalSuffix }
  var temporaryBase: String { base + Self.temporaryBaseSuffix }

  func delta(to version: UInt64) -> String { "\(journal)/\(Self.deltaName(version))" }

  func temporaryDelta(to version: UInt64) -> String { delta(to: version) + Self.temporarySuffix }

  /// Throws for a base whose name is one that stores give to other files: what is written and removed for the one store
  /// would be what the other has. Throws too when the names of those files would be too long.
  func checkName() throws(StoreError) {
    let name = base[
      (base.utf8.lastIndex(of: UInt8(ascii: "/")).map { base.utf8.index(after: $0) } ?? base.startIndex)...]
    // The longest of the names beside it, where file systems take 255 bytes.
    let most = 255 - Self.temporaryBaseSuffix.utf8.count
    if name.utf8.count > most {
      throw StoreError(
        .fileAccess,
        "The name of a database has \(most) bytes at most, not \(name.utf8.count): '\(name)'. Choose another name.",
        path: base)
    }
    let reserved = [".lock", Self.journalSuffix, Self.temporaryBaseSuffix].first { name.hasSuffix($0) }
    guard let ending = reserved ?? (Self.isOwn(String(name)) ? String(name) : nil) else { return }
    throw StoreError(
      .fileAccess,
      "A database cannot be called '\(name)': '\(ending)' is the ending of files that belong to a database. Choose another name. A "
        + "file that is there already can be given one while it is closed, and its folder '\(name).journal' with it.",
      path: base)
  }

  private static let journalSuffix = ".journal"
  private static let temporaryBaseSuffix = ".base.tmp"
  static let temporarySuffix = ".tmp"
  static let deltaSuffix = ".delta"

  static func deltaName(_ version: UInt64) -> String { version.hexadecimal(digitCount: 16) + deltaSuffix }

  /// Whether a name in the journal's folder is one that stores give. Other files there are somebody else's.
  static func isOwn(_ name: String) -> Bool {
    isTemporary(name) || isFinal(name)
  }

  /// Whether a name in the journal's folder is that of a file being written.
  static func isTemporary(_ name: String) -> Bool {
    name.hasSuffix(temporarySuffix) && isFinal(String(name.dropLast(temporarySuffix.count)))
  }

  private static func isFinal(_ name: String) -> Bool {
    version(ofDeltaNamed: name) != nil || JournalFormat.sequence(ofSegmentNamed: name) != nil
  }

  /// The version that the name of a delta gives; nil for other files.
  static func version(ofDeltaNamed name: String) -> UInt64? {
    JournalFormat.number(ofFileNamed: name, suffix: deltaSuffix)
  }
}
