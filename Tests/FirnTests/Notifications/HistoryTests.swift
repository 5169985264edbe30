import Foundation
import Testing

@testable import Firn

/// Random transactions, kept, cancelled and refused, here and elsewhere, beside observers that come and go: what they are
/// told and what the realm shows is compared with a naive model.
@Suite struct ConcurrencyHistoryTests {
  @Test(arguments: 1...12 as ClosedRange<UInt64>) func agreesWithTheModel(seed: UInt64) throws {
    print("History seed \(seed)")
    try onOwnThread {
      let run = try HistoryRun(seed: seed)
      for step in 0..<150 {
        try run.step()
        let mistakes = run.takeMistakes()
        #expect(mistakes.isEmpty, "seed \(seed), step \(step): \(run.history.suffix(12))")
        if !mistakes.isEmpty { return }
      }
      run.end()
    }
  }
}

private final class HistoryRun {
  let logged: LoggedStore
  let realm: Realm
  var random: SeededRandom
  var watchers: [HistoryWatcher] = []
  var history: [String] = []
  private var trigger: NotificationToken?
  private var mistakes: [String] = []
  private var nextID = 0
  /// What is committed, what the realm shows, and what happened up to there that is not folded into the observers.
  private var tip: NotedState = [:]
  private var shown: NotedState = [:]
  private var unfolded: [NotedSpan] = []
  private var ahead: [NotedSpan] = []
  private var writesWhenTold = false
  /// Who wrote what the realm's own observer has not been told of.
  private var untoldAuthors: [String] = []
  private var authorCount = 0
  private var failure: (any Error)?

  init(seed: UInt64) throws {
    logged = try LoggedStore(
      Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Noted.self]))
    realm = try Realm(configuration: logged.configuration)
    random = SeededRandom(seed)
    trigger = realm.observe { [unowned self] _, _ in told() }
  }

  func end() {
    for watcher in watchers { watcher.token?.invalidate() }
    trigger?.invalidate()
  }

  func takeMistakes() -> [String] {
    check("the realm shows")
    let all = mistakes + watchers.flatMap(\.mistakes)
    mistakes = []
    return all
  }

  private func check(_ what: String) {
    var found: NotedState = [:]
    for row in realm.objects(Noted.self) {
      var scores: [String: Int] = [:]
      for entry in row.scores { scores[entry.key] = entry.value }
      found[row.id] = NotedModel(number: row.number, text: row.text, friends: row.friends.map(\.id), scores: scores)
    }
    if found != shown { mistakes.append("\(what) \(found), not \(shown)") }
    if realm.isInWriteTransaction { mistakes.append("a transaction was left") }
  }

  // MARK: Steps

  func step() throws {
    switch random.below(10) {
    case 0, 1: try writeElsewhere()
    case 2: refresh()
    case 3, 4: observe()
    case 5:
      if let watcher = watchers.randomElement(using: &random) { end(watcher) }
    default:
      writesWhenTold = random.chance(50)
      deliverAll { realm.beginWrite() }
      try transact()
    }
    if let failure { throw failure }
    // Bound the number of observers.
    watchers.removeAll { !$0.isActive && $0.mistakes.isEmpty }
  }

  private func end(_ watcher: HistoryWatcher) {
    history.append("end \(watcher.kind)")
    watcher.isActive = false
    watcher.token?.invalidate()
  }

  /// The realm's own observer: writes several times before anybody else is told anything.
  private func told() {
    let authors = realm.causes.compactMap(\.author)
    if authors != untoldAuthors { mistakes.append("the realm told of \(authors), not \(untoldAuthors)") }
    untoldAuthors = []
    defer {
      let after = realm.causes.compactMap(\.author)
      if after != authors { mistakes.append("the causes became \(after), \(authors) before") }
    }
    guard writesWhenTold else { return }
    writesWhenTold = false
    let wasDeliveringAll = isDeliveringAll
    isDeliveringAll = false
    defer { isDeliveringAll = wasDeliveringAll }
    do {
      for _ in 0..<random.below(4) {
        if random.chance(30) { try writeElsewhere() }
        history.append("when told")
        // Those that know something by now are called first, if that is what the realm shows. Otherwise they wait, and learn
        // of all of it at once.
        let isFolded = unfolded.isEmpty
        realm.beginWrite()
        if isFolded { expectDelivered() }
        try transact()
      }
    } catch { failure = error }
  }

  private func refresh() {
    history.append("refresh")
    writesWhenTold = random.chance(30)
    deliverAll { realm.refresh() }
  }

  /// What brings everything that was committed to the observers.
  private func deliverAll(_ body: () -> Void) {
    advance()
    isDeliveringAll = true
    body()
    isDeliveringAll = false
    foldAll()
    expectDelivered()
    for watcher in watchers where watcher.isActive && !watcher.isStarted {
      mistakes.append("\(watcher.kind) was not started")
    }
  }

  private var isDeliveringAll = false

  private func advance() {
    shown = tip
    untoldAuthors += ahead.flatMap(\.authors.most)
    unfolded += ahead
    ahead = []
  }

  private func foldAll() {
    // Where the changes of one are not known, all are found by comparing.
    guard var step = unfolded.first else { return }
    for span in unfolded.dropFirst() { step.append(span) }
    for watcher in watchers { watcher.fold(step) }
    unfolded = []
  }

  private func expectDelivered() { for watcher in watchers { watcher.expectNothingLeft() } }

  // MARK: Transactions

  private func transact() throws {
    // Inside of a callback the transaction may be based on what was committed elsewhere meanwhile.
    advance()
    let before = shown
    var span = NotedSpan(from: before)
    for _ in 0..<random.below(4) { change(realm, &span) }
    switch random.below(10) {
    case 0:
      history.append("cancel")
      realm.cancelWrite()
    case 1 where !span.written.isEmpty || span.before != span.after:
      history.append("refused")
      logged.log.answer(.failure)
      do {
        try realm.commitWrite()
        mistakes.append("a commit succeeded without its log")
      } catch is FakeCommitLog.Failure {}
      logged.log.answer(.durable)
    default:
      let skipped = random.chance(40) ? watchers.filter { $0.isActive && $0.isStarted && random.chance(50) } : nil
      let author = nextAuthor()
      span.commit(by: author)
      history.append("commit by \(author) skipping \(skipped?.map(\.kind).description ?? "nobody")")
      (shown, tip) = (span.after, span.after)
      var tokens = skipped?.compactMap(\.token) ?? []
      if skipped != nil, let trigger, !writesWhenTold {
        tokens.append(trigger)
      } else {
        untoldAuthors += span.authors.most
      }
      if !tokens.isEmpty {
        foldAll()
        for watcher in skipped ?? [] { watcher.close() }
        for watcher in watchers { watcher.fold(span) }
        for watcher in skipped ?? [] { watcher.dropOpen() }
      } else {
        unfolded.append(span)
      }
      try realm.commitWrite(withoutNotifying: tokens, author: author)
    }
  }

  private func writeElsewhere() throws {
    history.append("elsewhere")
    var span = NotedSpan(from: tip)
    let box = Unchecked(self)
    span = try onOwnThread { [span] in
      var span = span
      let other = try Realm(configuration: box.value.logged.configuration)
      let author = box.value.nextAuthor()
      try other.write(author: author) {
        for _ in 0..<(1 + box.value.random.below(3)) { box.value.change(other, &span) }
      }
      span.commit(by: author)
      return span
    }
    tip = span.after
    // Nobody followed the changes.
    if !watchers.contains(where: \.isActive) { span.isExact = false }
    ahead.append(span)
  }

  /// Empty for nobody.
  private func nextAuthor() -> String {
    if random.chance(30) { return "" }
    authorCount += 1
    return "\(authorCount)"
  }

  private func change(_ realm: Realm, _ span: inout NotedSpan) {
    func row(_ id: Int) -> Noted? { realm.object(ofType: Noted.self, forPrimaryKey: id) }
    let ids = span.after.keys.sorted()
    guard let id = ids.randomElement(using: &random), ids.count > 2, let object = row(id) else {
      let new = Noted()
      new.id = nextID
      realm.add(new)
      span.after[nextID] = NotedModel()
      nextID += 1
      span.isEmpty = false
      return
    }
    func write(_ property: String) { span.written[id, default: []].insert(property) }
    let number = random.below(4)
    switch random.below(10) {
    case 0:
      let new = Noted()
      new.id = nextID
      new.number = number
      realm.add(new)
      span.after[nextID] = NotedModel(number: number)
      nextID += 1
    case 1:
      realm.delete(object)
      span.after[id] = nil
      for (other, row) in span.after where row.friends.contains(id) {
        span.after[other]?.friends.removeAll { $0 == id }
        span.written[other, default: []].insert("friends")
      }
    case 2, 3:
      object.number = number
      span.after[id]?.number = number
      write("number")
    case 4:
      let text = number == 0 ? nil : "text \(number)"
      object.text = text
      span.after[id]?.text = text
      write("text")
    case 5, 6:
      guard let friend = ids.randomElement(using: &random), let other = row(friend) else { return }
      let place = random.below(object.friends.count + 1)
      object.friends.insert(other, at: place)
      span.after[id]?.friends.insert(friend, at: place)
      write("friends")
    case 7:
      guard let place = object.friends.indices.randomElement(using: &random) else { return }
      object.friends.remove(at: place)
      span.after[id]?.friends.remove(at: place)
      write("friends")
    default:
      let key = "key \(number)"
      if random.chance(60) {
        object.scores[key] = number
        span.after[id]?.scores[key] = number
      } else {
        if span.after[id]?.scores[key] == nil { return }
        object.scores.removeObject(for: key)
        span.after[id]?.scores[key] = nil
      }
      span.keys[id, default: []].insert(key)
      write("scores")
    }
    span.isEmpty = false
  }

  // MARK: Observers

  private func observe() {
    guard watchers.count < 12, let id = shown.keys.sorted().randomElement(using: &random),
      let object = realm.object(ofType: Noted.self, forPrimaryKey: id)
    else { return }
    let kind: HistoryWatcher.Kind = [.object(id), .list(id), .map(id), .table][random.below(4)]
    history.append("observe \(kind)")
    let watcher = HistoryWatcher(kind)
    switch kind {
    case .object:
      // Starts at once, for which the others learn of everything.
      foldAll()
      watcher.isStarted = true
      watcher.token = object.observe { [unowned self, unowned watcher] (change: ObjectChange<Noted>) in
        willDeliver(to: watcher)
        switch change {
        case .change(_, let changes): watcher.called(changes, now: shown)
        case .deleted: watcher.calledForDeletion()
        case .error: break
        }
        called()
      }
    case .list:
      watcher.token = object.friends.observe(keyPaths: ["number", "text"]) { [unowned self, unowned watcher] change in
        take(change, watcher) { self.shown[id]?.friends.count ?? 0 }
      }
    case .table:
      watcher.token = realm.objects(Noted.self).observe(keyPaths: ["number", "text"]) {
        [unowned self, unowned watcher] change in
        take(change, watcher) { self.shown.count }
      }
    case .map:
      watcher.token = object.scores.observe { [unowned self, unowned watcher] change in
        willDeliver(to: watcher)
        switch change {
        case .initial(let map): watcher.called(initial: map.count, expected: shown[id]?.scores.count ?? 0)
        case .update(_, let deletions, let insertions, let modifications):
          watcher.called(deletions, insertions, modifications)
        case .error: break
        }
        called()
      }
    }
    watchers.append(watcher)
  }

  private func take<Collection>(
    _ change: RealmCollectionChange<Collection>, _ watcher: HistoryWatcher, _ expected: () -> Int
  ) where Collection: RealmCollection {
    willDeliver(to: watcher)
    switch change {
    case .initial(let collection): watcher.called(initial: collection.count, expected: expected())
    case .update(_, let deletions, let insertions, let modifications):
      watcher.called(deletions, insertions, modifications)
    case .error: break
    }
    called()
  }

  /// The first call of a delivery: everything is folded by then.
  private func willDeliver(to watcher: HistoryWatcher) {
    if isDeliveringAll { foldAll() }
    watcher.toldAuthors = realm.causes.compactMap(\.author)
  }

  /// Observers end in their calls, themselves or others.
  private func called() {
    if random.chance(6), let watcher = watchers.randomElement(using: &random), watcher.isActive { end(watcher) }
  }
}
