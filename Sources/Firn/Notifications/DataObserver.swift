internal import FirnEngine
internal import FirnReactive

/// Is told what changed in an object or collection, one exact change after the other.
///
/// What happened since its last call is folded into what is *open*: usually one step, several after commits that were
/// not delivered in between. A skipped commit closes what is open, so that it is delivered by itself, and leaves no trace.
class DataObserver: Observer {
  /// Ascends in the order of registration.
  final var order = 0
  /// The version up to which the observer has looked last.
  @exclusivity(unchecked) final var folded: UInt64 = 0
  /// Whether the observer is in the queue of those to be called.
  @exclusivity(unchecked) final var isQueued = false

  /// Prepares the observer at the realm's version; its first step starts there. Returns what concerns it.
  func start(_ context: RealmObservers) -> [ObserverPlace] { [] }

  /// Folds in what happened between two versions, if that touched one of its places. Something else may have been touched.
  ///
  /// - Parameter change: What happened to the view of the observer, for observers of views.
  func advance(_ step: ChangeStep, _ change: ViewChange?) {}

  /// Makes what is open a call of its own.
  func closeSpan() {}

  /// Forgets what is open.
  func dropOpen() {}

  /// Whether there is something to be called with.
  var isDue: Bool { false }

  /// Calls the observer with everything that is due.
  func deliver() {}
}

/// What the observer of a collection is called with.
enum CollectionEvent {
  case initial
  case update(PositionChanges)
}

/// Observes a collection through positions.
class CollectionObserver: DataObserver {
  private let body: (CollectionEvent) -> Void
  @exclusivity(unchecked) private var isInitialDue = true
  @exclusivity(unchecked) private var closed: [ListDelta] = []
  @exclusivity(unchecked) private var open = Open.nothing

  private enum Open {
    case nothing
    /// The change of a single step, with the number of elements before and after.
    case step(PositionChanges, Int, Int)
    case composed(ListDelta)
  }

  init(_ body: @escaping (CollectionEvent) -> Void) { self.body = body }

  /// Folds in the change of a step, composing it with an earlier one that was not delivered.
  final func add(_ positions: PositionChanges, from oldCount: Int, to newCount: Int) {
    if case .nothing = open {
      open = .step(positions, oldCount, newCount)
    } else {
      add(ListDelta(positions, from: oldCount, to: newCount))
    }
  }

  final func add(_ delta: ListDelta) {
    switch open {
    case .nothing: open = .composed(delta)
    case .step(let positions, let oldCount, let newCount):
      open = .composed(ListDelta(positions, from: oldCount, to: newCount).composing(delta))
    case .composed(let earlier): open = .composed(earlier.composing(delta))
    }
  }

  final override func closeSpan() {
    switch open {
    case .nothing: return
    case .step(let positions, let oldCount, let newCount):
      closed.append(ListDelta(positions, from: oldCount, to: newCount))
    case .composed(let delta): closed.append(delta)
    }
    open = .nothing
  }

  final override func dropOpen() { open = .nothing }

  final override var isDue: Bool {
    if isInitialDue || !closed.isEmpty { return true }
    if case .nothing = open { return false }
    return true
  }

  final override func deliver() {
    if isInitialDue {
      isInitialDue = false
      return body(.initial)
    }
    if !closed.isEmpty {
      let spans = closed
      closed = []
      for span in spans where isActive { call(span) }
      if !isActive { return }
    }
    let due = open
    open = .nothing
    switch due {
    case .nothing: break
    case .step(let positions, _, _): body(.update(positions))
    case .composed(let delta): call(delta)
    }
  }

  private func call(_ delta: ListDelta) {
    if delta.isEmpty { return }
    let positions = delta.positions()
    body(
      .update(
        PositionChanges(
          deletions: positions.deletions, insertions: positions.insertions, modifications: positions.modifications)))
  }
}

extension ListDelta {
  /// The same change as runs.
  init(_ positions: PositionChanges, from oldCount: Int, to newCount: Int) {
    self.init(count: 0)
    var deletions = positions.deletions[...]
    var insertions = positions.insertions[...]
    var modifications = positions.modifications[...]
    while self.oldCount < oldCount || self.newCount < newCount {
      if deletions.first == self.oldCount {
        deletions.removeFirst()
        append(.drop, 1)
      } else if insertions.first == self.newCount {
        insertions.removeFirst()
        append(.insert, 1)
      } else if modifications.first == self.oldCount {
        modifications.removeFirst()
        append(.touch, 1)
      } else {
        let old = min(deletions.first ?? oldCount, modifications.first ?? oldCount) - self.oldCount
        let new = (insertions.first ?? newCount) - self.newCount
        append(.keep, min(old, new))
      }
    }
  }

  func composing(_ later: ListDelta) -> ListDelta {
    var result = self
    result.compose(with: later)
    return result
  }
}
