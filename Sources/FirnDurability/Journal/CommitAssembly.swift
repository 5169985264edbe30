/// Joins the parts of a commit.
struct CommitAssembly {
  /// Pays for the parts that wait for others.
  let budget: ExpansionBudget
  /// The last part, if its commit is not whole.
  private var last: Frame?
  private var author: String?
  private var metadata: [String: String] = [:]
  private var payload: [UInt8] = []
  private var claimedByteCount = 0

  init(budget: ExpansionBudget) { self.budget = budget }

  /// Whether a frame may come now.
  func isNext(_ frame: Frame) -> Bool {
    guard let last else { return frame.part == 0 }
    return frame.part == last.part &+ 1 && frame.version == last.version && frame.kind == last.kind
  }

  mutating func skip(_ frame: Frame) { last = frame.isLastPart ? nil : frame }

  /// Lets go of the parts of a commit that is not whole.
  mutating func release() {
    payload.removeAll(keepingCapacity: false)
    budget.release(claimedByteCount)
    claimedByteCount = 0
  }

  /// Takes a frame and hands the commit on if it is whole. False when author or metadata are none.
  mutating func add(
    _ frame: Frame, _ bytes: UnsafeRawBufferPointer, _ body: (JournalCommit) throws -> Void
  ) throws -> Bool {
    let tagStart = JournalFormat.frameHeaderByteCount
    let metadataStart = tagStart + frame.authorByteCount
    let payloadStart = metadataStart + frame.metadataByteCount
    let content = UnsafeRawBufferPointer(rebasing: bytes[payloadStart..<payloadStart + frame.payloadByteCount])
    if frame.part == 0 {
      do throws(DecodingError) {
        author = try Self.author(UnsafeRawBufferPointer(rebasing: bytes[tagStart..<metadataStart]))
        metadata = try Self.metadata(UnsafeRawBufferPointer(rebasing: bytes[metadataStart..<payloadStart]))
      } catch {
        return false
      }
    }
    last = frame.isLastPart ? nil : frame
    if frame.part == 0, frame.isLastPart {
      try body(commit(frame, content))
      return true
    }
    // An array that grows may have twice the room.
    try budget.claim(2 * content.count)
    claimedByteCount += 2 * content.count
    payload.append(contentsOf: content)
    if frame.isLastPart {
      defer { release() }
      try payload.withUnsafeBytes { try body(commit(frame, $0)) }
    }
    return true
  }

  private func commit(_ frame: Frame, _ payload: UnsafeRawBufferPointer) -> JournalCommit {
    JournalCommit(
      kind: frame.kind, version: frame.version, previousVersion: frame.previousVersion, author: author,
      metadata: metadata,
      hasOldValues: frame.kind == .commit && frame.formatVersion >= JournalFormat.formatVersionWithOldValues,
      payload: payload)
  }

  private static func author(_ bytes: UnsafeRawBufferPointer) throws(DecodingError) -> String? {
    if bytes.isEmpty { return nil }
    guard let author = String(validating: bytes, as: UTF8.self) else {
      throw DecodingError("The author is not UTF-8", offset: 0)
    }
    return author
  }

  private static func metadata(_ bytes: UnsafeRawBufferPointer) throws(DecodingError) -> [String: String] {
    if bytes.isEmpty { return [:] }
    var reader = ByteReader(bytes)
    var metadata: [String: String] = [:]
    for _ in 0..<(try reader.readCount(byteCountMin: 2)) {
      let key = try reader.readString()
      metadata[key] = try reader.readString()
    }
    try reader.expectEnd()
    return metadata
  }
}
