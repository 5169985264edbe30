import Firn

/// What a row of the model has; objects by their ids.
struct NotedModel: Equatable {
  var number = 0
  var text: String?
  var friends: [Int] = []
  var scores: [String: Int] = [:]
}

typealias NotedState = [Int: NotedModel]

/// What one commit or several did, told naively.
struct NotedSpan {
  var before: NotedState
  var after: NotedState
  /// Written properties by row, whatever the value.
  var written: [Int: Set<String>] = [:]
  /// Keys of maps that were written, by row.
  var keys: [Int: Set<String>] = [:]

  /// Whether nothing was written, so that there was no commit.
  var isEmpty = true
  /// Who wrote: those that an observer has to be told, and those that it may be told.
  var authors: (least: [String], most: [String]) = ([], [])

  init(from state: NotedState) { (before, after) = (state, state) }

  /// False when what was written is not known, but only what differs.
  var isExact = true

  /// The properties of a row that differ.
  private func differences(_ id: Int) -> Set<String> {
    guard let old = before[id], let new = after[id] else { return [] }
    var names: Set<String> = []
    if old.number != new.number { names.insert("number") }
    if old.text != new.text { names.insert("text") }
    if old.friends != new.friends { names.insert("friends") }
    if old.scores != new.scores { names.insert("scores") }
    return names
  }

  /// Which properties have to count as changed, and which may.
  func changed(_ id: Int) -> (least: Set<String>, most: Set<String>) {
    let written = written[id] ?? []
    return (isExact ? written : differences(id), written)
  }

  /// The same for the values that observers of collections of rows ask for.
  func changedValues(_ id: Int) -> (least: Bool, most: Bool) {
    let (least, most) = changed(id)
    return (!least.isDisjoint(with: ["number", "text"]), !most.isDisjoint(with: ["number", "text"]))
  }

  mutating func commit(by author: String) {
    if !author.isEmpty, !isEmpty { authors = ([author], [author]) }
  }

  mutating func append(_ later: NotedSpan) {
    after = later.after
    written.merge(later.written) { $0.union($1) }
    keys.merge(later.keys) { $0.union($1) }
    isExact = isExact && later.isExact
    authors.least += later.authors.least
    authors.most += later.authors.most
  }
}

/// Follows what an observer was told, and knows what it has to be told.
final class HistoryWatcher {
  enum Kind: Equatable {
    case object(Int)
    case list(Int)
    case map(Int)
    case table
  }

  let kind: Kind
  var token: NotificationToken?
  var isStarted = false
  var isActive = true
  /// No further call comes: the object went.
  var isOver = false
  /// What is due: calls of their own, and what is still added to.
  var closed: [NotedSpan] = []
  var open: NotedSpan?
  private(set) var mistakes: [String] = []
  /// The authors of the causes that the running call is told.
  var toldAuthors: [String] = []

  init(_ kind: Kind) { self.kind = kind }

  /// Takes what happened in one step. Its causes are told with what concerns the observer.
  func fold(_ step: NotedSpan) {
    if !isStarted || isOver { return }
    var step = step
    let demand = demand(step)
    if demand != .call { step.authors.least = [] }
    if demand == .noCall { step.authors.most = [] }
    if open == nil { open = step } else { open?.append(step) }
  }

  private func checkAuthors(_ authors: (least: [String], most: [String])) {
    if toldAuthors.contains(where: { !authors.most.contains($0) })
      || authors.least.contains(where: { !toldAuthors.contains($0) })
      || toldAuthors != authors.most.filter(toldAuthors.contains)
    {
      fail("told of \(toldAuthors), not \(authors)")
    }
  }

  func close() {
    if let open { closed.append(open) }
    open = nil
  }

  func dropOpen() {
    if let open, case .object(let id) = kind, open.after[id] == nil { isOver = true }
    open = nil
  }

  private func fail(_ text: String) { mistakes.append("\(kind): \(text)") }

  /// All calls have been made.
  func expectNothingLeft() {
    for span in closed + (open.map { [$0] } ?? []) where isActive && !isOver && demand(span) == .call {
      fail("was not called")
    }
    (closed, open) = ([], nil)
  }

  private enum Demand { case call, maybe, noCall }

  private func demand(_ span: NotedSpan) -> Demand {
    switch kind {
    case .table:
      if tablePositions(span, modified: \.least).contains(where: { !$0.isEmpty }) { return .call }
      return tablePositions(span, modified: \.most).allSatisfy(\.isEmpty) ? .noCall : .maybe
    case .object(let id):
      if span.before[id] == nil { return .noCall }
      if span.after[id] == nil || !span.changed(id).least.isEmpty { return .call }
      return span.changed(id).most.isEmpty ? .noCall : .maybe
    case .list(let id):
      guard let before = span.before[id] else { return .noCall }
      let after = span.after[id]?.friends ?? []
      if before.friends != after { return .call }
      if after.contains(where: { span.changedValues($0).most }) { return .maybe }
      return span.written[id]?.contains("friends") == true ? .maybe : .noCall
    case .map(let id):
      guard let before = span.before[id] else { return .noCall }
      if before.scores != span.after[id]?.scores ?? [:] { return .call }
      return span.keys[id]?.isEmpty == false ? .maybe : .noCall
    }
  }

  /// The next span for which a call may come.
  private func next() -> NotedSpan? {
    if !isActive {
      fail("called after its end")
      return nil
    }
    while let span = closed.first ?? open {
      if closed.isEmpty { open = nil } else { closed.removeFirst() }
      if demand(span) != .noCall { return span }
    }
    fail("called without a change")
    return nil
  }

  /// Takes spans until one explains the call.
  private func match(_ what: String, _ explains: (NotedSpan) -> Bool) {
    while let span = next() {
      if explains(span) { return checkAuthors(span.authors) }
      if demand(span) == .call {
        fail("\(what) for \(span)")
        return
      }
    }
  }

  // MARK: Calls

  func called(initial count: Int, expected: Int) {
    if isStarted { fail("started twice") }
    isStarted = true
    if count != expected { fail("started with \(count) of \(expected)") }
    checkAuthors(([], []))
  }

  private func tablePositions(
    _ span: NotedSpan, modified: (((least: Bool, most: Bool)) -> Bool)
  ) -> [[Int]] {
    let (before, after) = (span.before.keys.sorted(), span.after.keys.sorted())
    return [
      before.indices.filter { span.after[before[$0]] == nil }, after.indices.filter { span.before[after[$0]] == nil },
      before.indices.filter { span.after[before[$0]] != nil && modified(span.changedValues(before[$0])) },
    ]
  }

  func called(_ deletions: [Int], _ insertions: [Int], _ modifications: [Int]) {
    let call = [deletions, insertions, modifications]
    match("\(call)") { span in
      guard case .list(let id) = kind else {
        let (least, most) = (tablePositions(span, modified: \.least), tablePositions(span, modified: \.most))
        return call[..<2] == most[..<2] && Set(call[2]).isSuperset(of: least[2])
          && Set(most[2]).isSuperset(of: call[2]) && !call.allSatisfy(\.isEmpty)
      }
      let (before, after) = (span.before[id]?.friends ?? [], span.after[id]?.friends ?? [])
      let kept = before.indices.filter { !deletions.contains($0) }.map { before[$0] }
      return kept == after.indices.filter { !insertions.contains($0) }.map { after[$0] }
        && modifications.allSatisfy { span.changedValues(before[$0]).most || span.written[id] != nil }
        && !call.allSatisfy(\.isEmpty)
    }
  }

  func called(_ deletions: [String], _ insertions: [String], _ modifications: [String]) {
    guard case .map(let id) = kind else { return }
    match("\(deletions) \(insertions) \(modifications)") { span in
      let (before, after) = (span.before[id]?.scores ?? [:], span.after[id]?.scores ?? [:])
      let written = span.after[id] == nil ? Set(before.keys) : span.keys[id] ?? []
      let all = deletions + insertions + modifications
      let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
      return !all.isEmpty && written.isSuperset(of: all) && Set(all).isSuperset(of: changed)
        && Set(before.keys).isSuperset(of: deletions + modifications) && Set(after.keys).isSuperset(of: insertions)
        && Set(before.keys).subtracting(deletions).union(insertions) == Set(after.keys)
    }
  }

  /// - Parameter now: What the realm shows.
  func called(_ changes: [PropertyChange], now: NotedState) {
    guard case .object(let id) = kind else { return }
    let told = changes.map { "\($0.name): \($0.oldValue ?? "-") → \($0.newValue ?? "-")" }
    match("\(told), now \(now[id] ?? NotedModel()),") { span in
      guard let row = span.before[id] else { return false }
      let names = Set(changes.map(\.name))
      return names.count == changes.count && names.isSuperset(of: span.changed(id).least)
        && names.isSubset(of: span.changed(id).most)
        && changes.allSatisfy { change in
          switch change.name {
          case "number":
            change.oldValue as? Int == row.number
              && (now[id] == nil || change.newValue as? Int == now[id]?.number)
          case "text":
            change.oldValue as? String == row.text && (now[id] == nil || change.newValue as? String == now[id]?.text)
          default: true
          }
        }
    }
  }

  func calledForDeletion() {
    guard case .object(let id) = kind else { return }
    match("deleted") { $0.after[id] == nil }
    isOver = true
  }
}
