internal import FirnEngine
internal import FirnReactive

/// Observes sectioned results, or one of their sections.
///
/// A modification that does not count for the observer's key paths may still take an element to another section, when a
/// block gives the keys. That alone is no reason for a call; it is told with the next thing that is, so that every call is
/// exact.
final class SectionObserver<Element: RealmCollectionValue, Observed: CollectionSpan>: SpanObserver<Observed> {
  private let core: SectionedCore<Element>
  /// The key paths that count; nil for all modifications.
  private let filter: KeyPathFilter?
  private let makeSpan: (SectionChange, SectionTree, (Int) -> Bool) -> Observed
  private let body: (Observed?) -> Void
  @exclusivity(unchecked) private var live: LiveSections<Element>?
  /// What happened and is no reason for a call.
  @exclusivity(unchecked) private var pending: Observed?
  @exclusivity(unchecked) private var isInitialDue = true

  /// - Parameters:
  ///   - makeSpan: What a step was for the observer, given which modifications count.
  ///   - body: What is called, at first with nil.
  init(
    _ core: SectionedCore<Element>, _ filter: KeyPathFilter?,
    _ makeSpan: @escaping (SectionChange, SectionTree, (Int) -> Bool) -> Observed,
    _ body: @escaping (Observed?) -> Void
  ) {
    self.core = core
    self.filter = filter
    self.makeSpan = makeSpan
    self.body = body
  }

  override func start(_ context: RealmObservers) -> [ViewPlace] {
    guard let version = context.instance.version else { return [] }
    let results = core.results
    if results.isOfValues {
      let view = version.withContents { results.makeValueView(in: $0) }
      live = LiveSections(results, core.keys, view)
      return view.places(results.everything)
    }
    let view = version.withContents { context.stage.addView(results.viewQuery, in: $0) }
    if let known = core.live, known.isCurrent {
      live = known
    } else {
      let new = LiveSections(results, core.keys, view, version)
      (live, core.live) = (new, new)
    }
    return [.query(view, watched)] + view.places(watched)
  }

  /// What decides about the sections, and what counts for the observer.
  private var watched: KeyPathFilter {
    let results = core.results
    guard let filter, case .property(let key) = core.keys else { return results.everything }
    var watched = filter
    watched.formUnion(KeyPathFilter(paths: [key.path.reads]))
    return watched
  }

  override func advance(_ step: inout RealmStep) {
    if let live, let change = live.advance(&step) { add(change, live, of: step) }
    if tellsEnd { addEnd(of: core.results.owner, in: step) }
  }

  private func add(_ change: SectionChange, _ live: LiveSections<Element>, of step: borrowing RealmStep) {
    var counted: Set<Int>?
    if let filter { counted = live.modifications(counting: filter, in: step) }
    func counts(_ position: Int) -> Bool { counted?.contains(position) ?? true }
    let span = makeSpan(change, live.tree, counts)
    let isReason =
      change.isOrderChanged || change.rekeyed.contains { core.keys.isProperty || counts($0) }
      || change.rows.values.contains { $0.modifications.contains { counts($0.position) } }
    if !isReason, open == nil {
      if pending != nil { pending?.merge(span) } else if !span.isEmpty { pending = span }
      if !span.isEmpty { addCauses(of: step) }
      return
    }
    if var before = pending {
      pending = nil
      before.merge(span)
      if !span.isEmpty { addCauses(of: step) }
      if before.isEmpty { dropCauses() } else { add(before) }
    } else if open != nil || !span.isEmpty {
      add(span, of: step)
    }
  }

  override func closeSpan() {
    if let pending { add(pending) }
    pending = nil
    super.closeSpan()
  }

  override func dropOpen() {
    pending = nil
    super.dropOpen()
  }

  /// Not before it is started: what happens between the first call and that would be lost.
  override var isDue: Bool { live != nil && (isInitialDue || super.isDue) }

  override func deliver(_ context: RealmObservers) {
    guard isInitialDue else { return super.deliver(context) }
    guard isGateOpen, live != nil else { return }
    isInitialDue = false
    // The first call is of the sections as they are now.
    dropAll()
    pending = nil
    context.withCauses([]) { body(nil) }
  }

  override func call(_ span: Observed) { body(span) }
}

extension SectionedCore {
  /// The filter of an observer with key paths; nil without. Traps for names of no property, and for any with values.
  func filter(_ names: [[String]]?) -> KeyPathFilter? {
    guard let names, !names.isEmpty else { return nil }
    if results.isOfValues { fatalError("Key paths need a collection of objects: these results hold values.") }
    return KeyPathFilter.make(names, results.tableIndex, results.instance, followsLinks: true)
  }
}

extension SectionedResults {
  public var _observedSections: _Observed<SectionedResultsChange<SectionedResults>> {
    _Observed(instance: core.results.instance) { [core] realm, names, block in
      let moved = core.moved(to: realm)
      if moved.isInvalidated { return nil }
      return SectionObserver(moved, moved.filter(names)) { change, _, counts in
        SectionsSpan(change, counting: counts)
      } _: { span in
        block(SectionedResultsChange(span?.paths, SectionedResults(moved)))
      }
    }
  }
}

extension ResultsSection {
  public var _observedSections: _Observed<SectionedResultsChange<ResultsSection>> {
    _Observed(instance: core.results.instance) { [core, sectionKey] realm, names, block in
      let moved = core.moved(to: realm)
      if moved.isInvalidated { return nil }
      // The observer must not keep the section, whose realm may be another one.
      return SectionObserver(moved, moved.filter(names)) { change, tree, counts in
        SectionSpan.of(sectionKey, change, tree, counting: counts)
      } _: { span in
        block(SectionedResultsChange(span?.paths, ResultsSection(moved, sectionKey)))
      }
    }
  }
}

extension SectionSpan {
  /// What happened to the section with a key, in a step after which the sections are those of a tree.
  static func of(
    _ key: SectionKey, _ change: SectionChange, _ tree: SectionTree, counting counts: (Int) -> Bool
  ) -> SectionSpan {
    if let span = SectionSpan(change, key, counting: counts) { return span }
    let index = tree.index(of: key)
    return SectionSpan(at: index, count: index.map { tree.count(at: $0) } ?? 0)
  }
}

extension ResultsCore {
  /// The filter for which everything counts that does without key paths.
  fileprivate var everything: KeyPathFilter {
    instance.observers().stage.filter(ofEverythingIn: tableIndex, followsLinks: true)
  }
}
