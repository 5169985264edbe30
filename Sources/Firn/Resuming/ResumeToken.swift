internal import FirnDurability
internal import FirnEngine

/// Names a version of a database, so that a subscriber can go on from there later; see ``ResumableChangeStream``.
///
/// It has a text form of printable ASCII without spaces, at most 80 characters, to be used as `Last-Event-ID` of
/// Server-Sent Events or in a query string, and to be stored. It says nothing about the content, and is no secret and
/// no permission: a text that somebody made up leads to a reset, or to another version.
public struct ResumeToken: Hashable, Sendable {
  /// Nil where no history is kept.
  let position: HistoryPosition?

  init(_ position: HistoryPosition?) { self.position = position }
}

extension ResumeToken: LosslessStringConvertible {
  /// The text of a token that a database without history gives.
  private static let none = "1.none"

  /// The text form.
  public var description: String {
    guard let position else { return Self.none }
    let numbers = [position.version, position.mark].map { String($0, radix: 16) }
    return "1.\(position.storeID).\(numbers[0]).\(numbers[1])"
  }

  /// Reads the text form. Nil for anything else, also for that of a later version of this library.
  ///
  /// - Complexity: O(1), however long the text is.
  public init?(_ description: String) {
    if description == Self.none {
      self.init(nil)
      return
    }
    let text = description.utf8.prefix(81)
    if text.count > 80 { return nil }
    let parts = description.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "1", let storeID = StoreID(parts[1]),
      let version = UInt64(parts[2], radix: 16), let mark = UInt64(parts[3], radix: 16)
    else { return nil }
    self.init(HistoryPosition(storeID: storeID, version: version, mark: mark))
    // One text for each token: no sign, no leading zero, no capital digit.
    if self.description != description { return nil }
  }
}

extension ResumeToken: Codable {
  /// Reads the text form. Throws `Swift.DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let token = ResumeToken(try container.decode(String.self)) else {
      throw Swift.DecodingError.dataCorruptedError(
        in: container, debugDescription: "This is not the text of a ResumeToken. Ask for the present content instead.")
    }
    self = token
  }

  /// Writes the text form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension FrozenRealm {
  /// Names this version, for a subscriber that has been given content of it by other means, such as a page of a
  /// website, and now wants to hear what happens from there on: give it to
  /// ``RealmStore/resumableChanges(after:keyPaths:of:)``.
  ///
  /// - Complexity: O(1). May wait for a commit that is being written to the journal.
  public var resumeToken: ResumeToken { realm.instance.resumeToken }
}

extension RealmInstance {
  /// Names the version of a frozen realm.
  var resumeToken: ResumeToken {
    ResumeToken(store.historyPosition(of: store.graph.commitNumber(of: heldVersion().number)))
  }

  /// The same without blocking the caller's thread.
  func resumeTokenInTurn() async -> ResumeToken {
    ResumeToken(await store.historyPositionInTurn(of: store.graph.commitNumber(of: heldVersion().number)))
  }
}
