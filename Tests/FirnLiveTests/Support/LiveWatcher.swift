import Firn

/// An observer of a live value or of groups: has them as lines, as it was told.
final class LiveWatcher {
  let name: String
  var token: NotificationToken?
  /// What is there, read, and made of the objects.
  let read: () -> [String]
  let naive: () -> [String]
  /// Whether equal numbers of several kinds count as different, of which the lines know nothing.
  var tellsKinds = false
  private var told: [String]?
  private var failure: String?

  init(_ name: String, read: @escaping () -> [String], naive: @escaping () -> [String]) {
    self.name = name
    self.read = read
    self.naive = naive
  }

  var isStarted: Bool { told != nil }

  func start(_ lines: [String]) {
    if told != nil { failure = "started twice" }
    told = lines
  }

  /// What was not told counts as known.
  func readAnew() { told = naive() }

  /// A value that is another one than before.
  func take(_ line: String) {
    if told == [line] { failure = "told again: \(line)" }
    told = [line]
  }

  func take(_ deletions: [Int], _ insertions: [Int], _ modifications: [Int], _ line: (Int) -> String) {
    guard let old = told else {
      failure = "told before the start"
      return
    }
    if deletions.isEmpty, insertions.isEmpty, modifications.isEmpty { failure = "told of nothing" }
    do {
      let new = try applied(
        old, deletions: deletions, insertions: insertions, modifications: modifications, new: line)
      let gone = Set(deletions)
      let kept = old.indices.filter { !gone.contains($0) }
      let stayed = new.indices.filter { !insertions.contains($0) }
      for (position, other) in zip(kept, stayed)
      where !tellsKinds && modifications.contains(position) && old[position] == new[other] {
        failure = "modified, but the same: \(old[position])"
      }
      told = new
    } catch {
      failure = "\(deletions) \(insertions) \(modifications) of \(old): \(error)"
    }
  }

  func mistake() -> String? {
    if let failure { return failure }
    let expected = naive()
    let found = read()
    if found != expected { return "read \(found) instead of \(expected)" }
    if let told, told != expected { return "told \(told) instead of \(expected)" }
    return nil
  }
}

/// A value of a key as the order of groups has it.
enum Part: Comparable, Hashable {
  case none
  case notANumber
  case number(Double)
  case text(String)

  init(_ number: Double?) { self = number.map { $0.isNaN ? .notANumber : .number($0) } ?? .none }
  init(_ number: Int?) { self = number.map { .number(Double($0)) } ?? .none }
  init(_ text: String?) { self = text.map { .text($0) } ?? .none }

  init(_ value: AnyRealmValue?) {
    switch value ?? .none {
    case .int(let number): self.init(number)
    case .double(let number): self.init(number)
    case .string(let text): self = .text(text)
    default: self = .none
    }
  }

  var text: String {
    switch self {
    case .none: "-"
    case .notANumber: "nan"
    case .number(let number): number == 0 ? "0.0" : "\(number)"
    case .text(let text): text
    }
  }
}

extension [Part] {
  var text: String { map(\.text).joined(separator: " ") }
}

/// A number as ``Part`` has it.
func text(_ number: Double?) -> String { Part(number).text }
