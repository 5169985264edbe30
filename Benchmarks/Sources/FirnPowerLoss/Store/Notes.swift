import Foundation

/// A file on a disk that keeps its power: what writers and readers were promised, a line for each promise.
///
/// Processes add to it while others read it.
struct Notes: Sendable {
  enum Word: String {
    /// A commit was acknowledged.
    case acknowledged
    /// A commit was seen in the process of the writers.
    case seen
    /// A commit is on disk, in whatever way the store makes commits durable.
    case durable
    /// The store was opened for writing with so many commits. Commits above the number are gone, and others come.
    case opened
    /// The store was opened with a version of the schema.
    case schema
    /// A copy was made with at least, and at most, so many commits.
    case copied
    /// A copy was removed.
    case removed
    /// The folder of the store has gone elsewhere.
    case exchanged
  }

  private let descriptor: Int32
  private let path: String

  init(_ path: String) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { fatalError("The notes '\(path)' cannot be opened: error \(errno).") }
  }

  func add(_ word: Word, _ values: CustomStringConvertible...) {
    let line = Array(([word.rawValue] + values.map(\.description)).joined(separator: " ").utf8) + [UInt8(ascii: "\n")]
    guard write(descriptor, line, line.count) == line.count else { fatalError("A note could not be written.") }
  }

  /// All promises up to now. The last line may be one that is just being written.
  func promises() -> Promises {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      fatalError("The notes '\(path)' cannot be read.")
    }
    var promises = Promises()
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      let words = line.split(separator: " ")
      guard let word = words.first.flatMap({ Word(rawValue: String($0)) }) else {
        fatalError("'\(line)' is no note.")
      }
      promises.take(word, words.dropFirst().map { String($0) })
    }
    return promises
  }
}

/// Everything that a store has to have.
struct Promises: Sendable {
  struct Copy: Sendable {
    let path: String
    let commitCounts: ClosedRange<Int>
  }

  private(set) var acknowledged = 0
  private(set) var seen = 0
  private(set) var durable = 0
  private(set) var schemaVersion: UInt64?
  private(set) var copies: [Copy] = []
  /// How often the store was opened for writing.
  private(set) var openingCount = 0

  fileprivate mutating func take(_ word: Notes.Word, _ values: [String]) {
    switch word {
    case .acknowledged: acknowledged = max(acknowledged, number(values[0]))
    case .seen: seen = max(seen, number(values[0]))
    case .durable: durable = max(durable, number(values[0]))
    case .opened:
      (acknowledged, seen, durable) = (number(values[0]), number(values[0]), number(values[0]))
      openingCount += 1
    case .schema: schemaVersion = UInt64(number(values[0]))
    case .copied: copies.append(Copy(path: values[2], commitCounts: number(values[0])...number(values[1])))
    case .removed: copies.removeAll { $0.path == values[0] }
    case .exchanged: break
    }
  }

  private func number(_ text: String) -> Int {
    guard let number = Int(text) else { fatalError("'\(text)' is no number.") }
    return number
  }

  /// How many commits there are at least.
  ///
  /// - Parameter powerWasLost: Whether only what is durable counts, or all that anybody knows of.
  func commitCountMin(powerWasLost: Bool) -> Int { powerWasLost ? durable : max(acknowledged, seen, durable) }

  /// How many there are at most, when so many may have been on their way.
  func commitCountMax(underWay: Int) -> Int { max(acknowledged, seen, durable) + underWay }
}
