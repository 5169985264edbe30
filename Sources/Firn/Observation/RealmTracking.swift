internal import CFirn
internal import FirnEngine
internal import FirnReactive
internal import Observation
internal import Synchronization

/// What was read of a realm inside `withObservationTracking` or `Observations`, and who is to hear that it changed.
///
/// There is one registrar for a realm, and a key path for each place that was read: `\RealmTracking[read]`, with a `TrackedRead`
/// that stands for the place. The lists of accesses and the registrations of Observation keep key paths. So the read goes,
/// and says so, exactly when no scope wants to hear of the place any more; nothing else would tell.
///
/// Whether the caller is inside of a scope at all is not told either. But only there an access looks at the key path: it is
/// hashed, and with it the `Probe` in its subscript, which notes that.
///
/// Reads on any thread are noted, before their values are looked at. Moves are folded in when the realm shows another
/// version. Those who read what changed hear of it a little later, where they may use the realm in any way.
///
/// State                    guarded by
/// state                    its lock, also while the views are moved
/// ended                    its lock, in which nothing else is done: key paths go anywhere, also under the other lock
/// isSweeping               atomic
/// everything else          immutable
final class RealmTracking: Observable, @unchecked Sendable {
  typealias ReadPath = KeyPath<RealmTracking, Never?>

  unowned(unsafe) private let instance: RealmInstance
  private weak let store: Store?
  private let (number, confinement): (UInt64, Confinement)
  private let registrar = ObservationRegistrar()
  private let probe: ReadPath = \RealmTracking.[Probe()]
  private let state: Guarded<State>
  private let ended = Lock<[TrackedPlace]>([])
  private let isSweeping = Atomic(false)

  private struct State {
    var entries: [TrackedPlace: TrackedEntry] = [:]
    var nextNumber = 0
    let stage: ReactiveStage
    /// The version up to which changes were folded in; nil while nothing is tracked.
    var folded: Version?
    var follower: ChangeFollower?
    /// Places that changed, and that nobody was told of yet.
    var due: [ReadPath] = []
    /// Read in the running transaction, after something was written in it.
    var uncommitted: [TrackedPlace: TrackedEntry] = [:]
    /// Rows that the running transaction deleted.
    var deleted: [TableID: Set<RowKey>] = [:]
    /// Ended before the last move.
    var stale: [TrackedPlace] = []
    /// Entries that a move looked at, for tests that count work.
    var visitCount = 0
  }

  /// Notes that the key path it is in was hashed.
  private struct Probe: Hashable {
    static func == (left: Probe, right: Probe) -> Bool { true }

    func hash(into hasher: inout Hasher) { firn_note_read() }
  }

  private subscript(probe: Probe) -> Never? { nil }

  fileprivate subscript(read: TrackedRead) -> Never? { nil }

  init(_ instance: RealmInstance) {
    self.instance = instance
    store = instance.store
    number = instance.number
    confinement = instance.confinement
    state = Guarded(State(stage: ReactiveStage(layout: instance.store.graph.layout)))
  }

  // MARK: Reading

  /// Whether the calling thread is in a scope that wants to hear of changes.
  var isInScope: Bool {
    firn_forget_read()
    registrar.access(self, keyPath: probe)
    return firn_was_read_noted()
  }

  /// Notes a read. Called in a scope, before what is there is looked at.
  func note(_ place: TrackedPlace) { registrar.access(self, keyPath: path(of: place)) }

  private func path(of place: TrackedPlace) -> ReadPath {
    let isUncommitted = instance.isReadingTransaction && instance.writer?.hasChanges == true
    return state.withLock { state in
      let entry = state.entries[place] ?? add(place, &state)
      if isUncommitted { state.uncommitted[place] = entry }
      if let known = entry.keyPath { return known }
      let new: ReadPath = \RealmTracking.[TrackedRead(place, self)]
      entry.keyPath = new
      return new
    }
  }

  private func add(_ place: TrackedPlace, _ state: inout State) -> TrackedEntry {
    let version = state.folded ?? instance.heldVersion()
    if state.folded == nil {
      state.folded = version
      state.follower = instance.store.graph.followChanges(from: version.number)
    }
    let entry = TrackedEntry(place, state.nextNumber)
    state.nextNumber += 1
    version.withContents { entry.enter(state.stage, in: $0) }
    state.entries[place] = entry
    return entry
  }

  // MARK: Changing

  /// Folds in what happened up to the version that the realm shows now. Where the realm is confined.
  func fold(to version: Version) {
    let forgotten = state.withLock { state in
      // Also where nothing runs what is scheduled.
      let stale = state.stale
      state.stale = takeEnded()
      let forgotten = forget(stale, &state)
      fold(&state, to: version)
      (state.uncommitted, state.deleted) = ([:], [:])
      return forgotten
    }
    withExtendedLifetime(forgotten) {}
  }

  private func fold(_ state: inout State, to version: Version) {
    guard let old = state.folded, old.number != version.number else { return }
    let changes = state.follower.unsafelyUnwrapped.takeChanges(from: old, to: version).changes
    state.folded = version
    var changed: [TrackedEntry] = []
    Version.withContents(of: old, version) { before, after in
      state.stage.process(changes, old: before, new: after, number: version.number) { subscription, step in
        guard let entry = subscription.subscriber.map({ unsafeDowncast($0, to: TrackedEntry.self) }) else { return }
        state.visitCount &+= 1
        if entry.isChanged(by: step) { changed.append(entry) }
      }
      if !state.uncommitted.isEmpty {
        let step = Step(changes, old: before, new: after, number: version.number)
        changed += state.uncommitted.values.filter { $0.mayHaveBeenOther(in: step) }
      }
    }
    Self.makeDue(changed, &state)
  }

  /// The running transaction deletes rows.
  func willDelete(_ rows: [RowKey], in table: TableID) {
    state.withLock { state in
      if !state.entries.isEmpty { state.deleted[table, default: []].formUnion(rows) }
    }
  }

  /// The running transaction was undone. What was read in it may not be there any more, and objects that were deleted in
  /// it stay invalidated.
  func didCancel() {
    state.withLock { state in
      defer { (state.uncommitted, state.deleted) = ([:], [:]) }
      var changed = Array(state.uncommitted.values)
      if !state.deleted.isEmpty {
        changed += state.entries.values.filter { entry in
          entry.place.row.map { state.deleted[$0.table]?.contains($0.row) == true } ?? false
        }
      }
      Self.makeDue(changed, &state)
    }
  }

  /// Everything that was read is invalidated.
  func didInvalidate() { state.withLock { Self.makeDue(Array($0.entries.values), &$0) } }

  private static func makeDue(_ changed: [TrackedEntry], _ state: inout State) {
    for entry in changed.sorted(by: { $0.number < $1.number }) {
      guard let path = entry.keyPath else { continue }
      // Whoever reads the place from now on hears of the next change.
      entry.keyPath = nil
      state.due.append(path)
    }
  }

  /// Tells those who read what has changed. Runs code of users: called where the realm is confined, without locks and
  /// without the writer's role.
  func tell() {
    let due = state.withLock { state in
      defer { state.due = [] }
      return state.due
    }
    for path in due { registrar.withMutation(of: self, keyPath: path) {} }
  }

  // MARK: Forgetting

  /// Nobody wants to hear of a place that was read. On any thread, with any lock.
  fileprivate func didEnd(_ place: TrackedPlace) {
    ended.withLock { $0.append(place) }
    if isSweeping.exchange(true, ordering: .acquiringAndReleasing) { return }
    // Not at once: who was told of a change reads again what it read before, which keeps its view.
    let isScheduled = confinement.schedule { [weak store, number] in store?.openRealm(number)?.tracking?.sweep() }
    if !isScheduled { isSweeping.store(false, ordering: .releasing) }
  }

  private func sweep() {
    isSweeping.store(false, ordering: .releasing)
    let forgotten = state.withLock { state in
      let ended = state.stale + takeEnded()
      state.stale = []
      return forget(ended, &state)
    }
    withExtendedLifetime(forgotten) {}
  }

  private func takeEnded() -> [TrackedPlace] {
    ended.withLock { ended in
      let all = ended
      ended = []
      return all
    }
  }

  /// Returns what is to be let go without the lock: queries may hold what is of users.
  private func forget(_ places: [TrackedPlace], _ state: inout State) -> [TrackedEntry] {
    var forgotten: [TrackedEntry] = []
    for place in places {
      guard let entry = state.entries[place], entry.keyPath == nil else { continue }
      entry.leave(state.stage)
      state.entries[place] = nil
      forgotten.append(entry)
    }
    if state.entries.isEmpty { (state.folded, state.follower) = (nil, nil) }
    return forgotten
  }

  // MARK: Counting

  /// How many places are looked at.
  var placeCount: Int { state.withLock { $0.entries.count } }

  /// How many of them somebody wants to hear of.
  var liveCount: Int { state.withLock { $0.entries.values.count { $0.keyPath != nil } } }

  /// How many entries moves have looked at.
  var visitCount: Int { state.withLock { $0.visitCount } }

  /// Whether a version is held.
  var holdsVersion: Bool { state.withLock { $0.folded != nil } }
}

/// A place that was read, as part of a key path. Goes with its last reader.
private final class TrackedRead: Hashable, Sendable {
  private let place: TrackedPlace
  private weak let tracking: RealmTracking?

  init(_ place: TrackedPlace, _ tracking: RealmTracking) {
    self.place = place
    self.tracking = tracking
  }

  deinit { tracking?.didEnd(place) }

  static func == (left: TrackedRead, right: TrackedRead) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
