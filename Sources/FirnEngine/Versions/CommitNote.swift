/// What is recorded with a commit beside its changes. Most commits have an empty one.
package struct CommitNote: Sendable, Hashable {
  /// Who writes; nil for nobody in particular, which an empty name says as well.
  package let author: String?
  package let metadata: [String: String]

  package init(author: String? = nil, metadata: [String: String] = [:]) {
    self.author = author?.isEmpty == true ? nil : author
    self.metadata = metadata
  }

  package var isEmpty: Bool { author == nil && metadata.isEmpty }

  package static var authorByteCountMax: Int { 4_096 }
  package static var metadataByteCountMax: Int { 65_536 }

  /// Why the note cannot be recorded, as a sentence; nil if it can.
  package var fault: String? {
    if isEmpty { return nil }
    let authorByteCount = author?.utf8.count ?? 0
    if authorByteCount > Self.authorByteCountMax {
      return "The author of a commit has \(authorByteCount) bytes; at most 4,096 are allowed."
    }
    let metadataByteCount = metadataByteCount
    if metadataByteCount > Self.metadataByteCountMax {
      return "The metadata of a commit have \(metadataByteCount) bytes; at most 65,536 are allowed."
    }
    return nil
  }

  /// What the metadata take in a log: keys and values with their counts, and the count of them.
  private var metadataByteCount: Int {
    if metadata.isEmpty { return 0 }
    return metadata.reduce(Self.varintByteCount(metadata.count)) { sum, entry in
      sum + Self.countedByteCount(entry.key) + Self.countedByteCount(entry.value)
    }
  }

  /// About how much memory it takes.
  package var byteCount: Int {
    metadata.reduce(author?.utf8.count ?? 0) { $0 + $1.key.utf8.count + $1.value.utf8.count + 32 }
  }

  private static func countedByteCount(_ text: String) -> Int { varintByteCount(text.utf8.count) + text.utf8.count }

  private static func varintByteCount(_ value: Int) -> Int { (63 - (value | 1).leadingZeroBitCount) / 7 + 1 }
}

/// A commit that has a note.
package struct NotedCommit: Sendable, Hashable {
  package let version: UInt64
  package let note: CommitNote

  package init(version: UInt64, note: CommitNote) {
    self.version = version
    self.note = note
  }
}
