internal import FirnEngine
internal import FirnReactive

/// Is told what changed in an object or collection, one exact change after the other.
///
/// What happened since its last call is folded into what is *open*: usually one step, several after commits that were
/// not delivered in between. A skipped commit closes what is open, so that it is delivered by itself, and leaves no trace.
class DataObserver: Observer {
  /// Ascends in the order of registration.
  final var order = 0
  /// Whether the end of what belongs to an object is told even when it was empty. Streams end with it; blocks are not called
  /// with a change in which nothing happened.
  final var tellsEnd = false

  /// Prepares the observer at the realm's version; its first step starts there. Returns what concerns it.
  func start(_ context: RealmObservers) -> [ViewPlace] { [] }

  /// Folds in what happened between two versions. It may not concern the observer.
  func advance(_ step: inout RealmStep) {}

  /// Makes what is open a call of its own.
  func closeSpan() {}

  /// Forgets what is open.
  func dropOpen() {}

  /// Whether there is something to be called with.
  var isDue: Bool { false }

  /// Calls the observer with everything that is due. Each call may ask the realm for its causes.
  func deliver(_ context: RealmObservers) {}
}

/// Keeps what its observer has to be told, in spans.
///
/// What runs for each change is specialised for queries and collections: looking for generic types at run time would cost
/// more than all else.
class SpanObserver<Open: Span>: DataObserver {
  @exclusivity(unchecked) private var closed: [(span: Open, causes: [Realm.Cause])] = []
  @exclusivity(unchecked) final private(set) var open: Open?
  /// The causes of the commits that are merged into what is open.
  @exclusivity(unchecked) final private var causes: [Realm.Cause] = []
  /// Whether what is observed ended, and that is to be told.
  @exclusivity(unchecked) final private var isEnded = false

  @_specialize(where Open == CollectionChange)
  final func add(_ later: Open, of step: borrowing RealmStep) {
    add(later)
    if !step.causes.isEmpty, !later.isEmpty { addCauses(of: step) }
  }

  @_specialize(where Open == CollectionChange)
  final func add(_ later: Open) {
    if open == nil { open = later } else { open?.merge(later) }
  }

  /// Folds in that what belongs to an object ended, if it did. Only for those who want to be told.
  final func addEnd(of owner: OwnerRow?, in step: borrowing RealmStep) where Open: CollectionSpan {
    guard let owner, owner.isDeleted(step.step) else { return }
    isEnded = true
    if open?.isEmpty ?? true { addCauses(of: step) }
    if open == nil { open = Open() }
  }

  /// Takes the causes of a step that is, or may yet become, part of what is open.
  final func addCauses(of step: borrowing RealmStep) { causes.merge(step.causes) }

  final func dropCauses() { causes = [] }

  override func closeSpan() {
    if let open { closed.append((open, causes)) }
    open = nil
    causes = []
  }

  override func dropOpen() {
    open = nil
    causes = []
  }

  override var isDue: Bool {
    @_specialize(where Open == CollectionChange) get { open != nil || !closed.isEmpty }
  }

  @_specialize(where Open == CollectionChange)
  override func deliver(_ context: RealmObservers) {
    // What a call makes due is for another delivery.
    var count = closed.count + (open == nil ? 0 : 1)
    while count > 0, isActive, let (span, causes) = takeSpan() {
      count -= 1
      let isLast = isEnded && open == nil && closed.isEmpty
      if !span.isEmpty || isLast { context.withCauses(causes) { call(span) } }
    }
  }

  /// What to call with next. While the gate is closed it stays, and what is open is merged with what follows.
  private func takeSpan() -> (span: Open, causes: [Realm.Cause])? {
    if let first = closed.first {
      if !mayCall(first.span) { return nil }
      return closed.removeFirst()
    }
    guard let open, mayCall(open) else { return nil }
    defer {
      self.open = nil
      causes = []
    }
    return (open, causes)
  }

  /// Whether the observer may be called with this now.
  func mayCall(_ span: Open) -> Bool { isGateOpen }

  /// Forgets everything that has not been delivered.
  final func dropAll() {
    closed = []
    open = nil
    causes = []
  }

  func call(_ span: Open) {}
}

/// Observes a view of a collection. The first call tells of no change.
class ViewObserver<Observed: View>: SpanObserver<Observed.Change> where Observed.Change: CollectionSpan {
  private let filter: KeyPathFilter
  @exclusivity(unchecked) private var state: State

  private enum State {
    indirect case new((RealmObservers, Version) -> (view: Observed, query: QueryView?))
    /// The first call is due.
    case starting(Observed)
    case started(Observed)
  }

  /// - Parameter makeView: Makes the view at the version that the observer starts at, or takes the one that others have; of
  ///   those that are shared, with the query that it belongs to.
  init(
    _ filter: KeyPathFilter, _ makeView: @escaping (RealmObservers, Version) -> (view: Observed, query: QueryView?)
  ) {
    self.filter = filter
    state = .new(makeView)
  }

  /// Tells of a change; of none in the first call.
  func tell(_ change: Observed.Change?) {}

  override func start(_ context: RealmObservers) -> [ViewPlace] {
    guard let version = context.instance.version, case .new(let makeView) = state else { return [] }
    let (view, query) = makeView(context, version)
    state = .starting(view)
    return view.places(filter) + (query.map { [.query($0, filter)] } ?? [])
  }

  @_specialize(where Observed == QueryView)
  @_specialize(where Observed == CollectionView)
  override func advance(_ step: inout RealmStep) {
    // The first call is of the collection as it is then.
    if case .started(let view) = state { advance(view, step) }
  }

  /// Apart, so that where it is not specialised types are looked for here only.
  @inline(never)
  private func advance(_ view: Observed, _ step: borrowing RealmStep) {
    if let change = view.change(step.step, filter) { add(change, of: step) }
    if tellsEnd { addEnd(of: view.owner, in: step) }
  }

  override var isDue: Bool {
    @_specialize(where Observed == QueryView)
    @_specialize(where Observed == CollectionView)
    get { if case .started = state { super.isDue } else { true } }
  }

  @_specialize(where Observed == QueryView)
  @_specialize(where Observed == CollectionView)
  override func deliver(_ context: RealmObservers) {
    if case .started = state { return super.deliver(context) }
    guard isGateOpen, case .starting(let view) = state else { return }
    state = .started(view)
    context.withCauses([]) { tell(nil) }
  }

  @_specialize(where Observed == QueryView)
  @_specialize(where Observed == CollectionView)
  override func call(_ span: Observed.Change) { tell(span) }
}

/// Calls a block.
final class ViewBlockObserver<Observed: View>: ViewObserver<Observed> where Observed.Change: CollectionSpan {
  private let body: (Observed.Change?) -> Void

  init(
    _ filter: KeyPathFilter, _ makeView: @escaping (RealmObservers, Version) -> (view: Observed, query: QueryView?),
    _ body: @escaping (Observed.Change?) -> Void
  ) {
    self.body = body
    super.init(filter, makeView)
  }

  override func tell(_ change: Observed.Change?) { body(change) }

  /// Observes a view that needs no state of its version.
  convenience init(_ filter: KeyPathFilter, _ view: Observed, _ body: @escaping (Observed.Change?) -> Void) {
    self.init(filter, { _, _ in (view, nil) }, body)
  }
}
