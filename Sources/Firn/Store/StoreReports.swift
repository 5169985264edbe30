internal import FirnDurability
internal import FirnEngine
public import Foundation

/// What opening a database found in its files.
public struct OpenReport: Sendable, CustomStringConvertible {
  /// Whether there was no database, so that an empty one was made.
  public let isNew: Bool
  /// The version that the files led to.
  public let version: UInt64
  /// Objects in that version.
  public let objectCount: Int
  /// Commits that were read from the journal, after the last checkpoint.
  public let recoveredCommitCount: Int
  /// Bytes at the end of the journal that a crash left incomplete. Nothing in them was ever acknowledged.
  public let cutByteCount: Int
  /// Bytes of the files that were read.
  public let byteCount: Int
  /// How long opening took.
  public let duration: Duration
  /// The schema version that the file had, if the opening has raised it.
  public let migratedFrom: UInt64?

  public var description: String {
    if isNew { return "A new database." }
    var text =
      "Version \(version) with \(objectCount) objects, \(recoveredCommitCount) commits recovered from the journal"
    if cutByteCount > 0 { text += ", an incomplete end of \(cutByteCount) bytes cut" }
    if let migratedFrom { text += ", migrated from schema version \(migratedFrom)" }
    return text + ", in \(duration.milliseconds) ms."
  }
}

/// What a checkpoint wrote.
public struct CheckpointReport: Sendable {
  /// When it was done.
  public let date: Date
  /// How long the checkpoint took.
  public let duration: Duration
  /// Bytes of the file written; 0 when nothing had been committed since the last checkpoint.
  public let byteCount: Int
  /// Whether everything was written, rather than what changed since the last checkpoint.
  public let isBase: Bool
  /// The version that it holds.
  public let version: UInt64
}

/// What a database's files hold; all of them have been read, and are sound.
public struct VerifyReport: Sendable, CustomStringConvertible {
  /// Files of the database: snapshot, deltas and journal segments.
  public let fileCount: Int
  /// Bytes of all files together.
  public let byteCount: Int
  /// The version that the files lead to.
  public let version: UInt64
  /// Objects of each class in that version, by the name of the class.
  public let objectCounts: [String: Int]
  /// Commits in the journal after the last checkpoint.
  public let journalCommitCount: Int
  /// All commits in the journal, also those before the last checkpoint that are kept as history.
  public let historyCommitCount: Int
  /// Bytes at the end of the journal that a crash left incomplete.
  public let cutByteCount: Int
  /// Stored values that cannot be read as what the properties are now; the first thousand of them. They read as nil, or
  /// as the default of the property.
  public let unreadableValues: [UnreadableValue]
  /// How many such values there are.
  public let unreadableValueCount: Int

  public var description: String {
    "\(fileCount) files of \(byteCount) bytes are sound: version \(version), "
      + "\(objectCounts.values.reduce(0, +)) objects, \(journalCommitCount) commits in the journal"
      + (cutByteCount > 0 ? ", \(cutByteCount) bytes of an unfinished commit" : "")
      + (unreadableValueCount > 0 ? ", \(unreadableValueCount) values that cannot be converted." : ".")
  }
}

extension Duration {
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}

extension OpenReport {
  init(_ record: OpenRecord) {
    isNew = record.isNew
    version = record.version
    objectCount = record.rowCount
    recoveredCommitCount = record.recoveredCommitCount
    cutByteCount = record.cutByteCount
    byteCount = record.byteCount
    duration = .nanoseconds(Int64(record.nanoseconds))
    migratedFrom = record.migratedFrom
  }
}

extension CheckpointReport {
  init(_ record: CheckpointRecord) {
    date = Date(timeIntervalSince1970: record.secondsSince1970)
    duration = .nanoseconds(Int64(record.nanoseconds))
    byteCount = record.byteCount
    isBase = record.isBase
    version = record.version
  }
}

extension VerifyReport {
  init(_ record: VerifyRecord, _ unreadable: UnreadableValues) {
    fileCount = record.fileCount
    byteCount = record.byteCount
    version = record.version
    objectCounts = Dictionary(record.rowCounts.map { ($0.name, $0.count) }, uniquingKeysWith: +)
    journalCommitCount = record.journalCommitCount
    historyCommitCount = record.historyCommitCount
    cutByteCount = record.cutByteCount
    unreadableValues = unreadable.found
    unreadableValueCount = unreadable.count
  }
}
