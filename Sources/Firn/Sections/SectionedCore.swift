internal import FirnEngine
internal import FirnReactive

/// What ``SectionedResults`` refer to: a sorted query, and where the keys of its sections come from.
///
/// State      guarded by
/// known      its lock
/// live       the realm's confinement
/// the rest   immutable
final class SectionedCore<Element: RealmCollectionValue> {
  let results: ResultsCore
  let keys: SectionKeySource<Element>
  /// What observers maintain.
  @exclusivity(unchecked) weak var live: LiveSections<Element>?
  private let known = Guarded(Known())

  private struct Known {
    var home: (state: State, sections: EvaluatedSections<Element>)?
    var away: (state: State, sections: EvaluatedSections<Element>)?
  }

  /// A version, or that of a running transaction and how much it has written to each table.
  private struct State: Equatable {
    var version: UInt64
    var written: [Int] = []
  }

  init(_ results: ResultsCore, _ keys: SectionKeySource<Element>) {
    self.results = results
    self.keys = keys
  }

  /// The same on another realm of the store.
  func moved(to other: RealmInstance) -> SectionedCore {
    other === results.instance ? self : SectionedCore(results.moved(to: other), keys)
  }

  var isInvalidated: Bool { results.isInvalidated }

  /// The sections as the calling thread may see them.
  var sections: CurrentSections<Element> {
    let instance = results.instance
    results.noteRead(counting: keys.filter(in: results))
    if let version = instance.observedVersion, let live, live.isCurrent { return .maintained(live, version) }
    if !instance.isFrozen, instance.isHomeForReading {
      if instance.isReleased { instance.openVersion() }
      return .evaluated(evaluated(\.home, homeState) { EvaluatedSections(results, keys) })
    }
    if instance.isFrozen {
      return .evaluated(evaluated(\.away, version(of: instance)) { EvaluatedSections(results, keys) })
    }
    let frozen = instance.frozen()
    return .evaluated(
      evaluated(\.away, version(of: frozen)) { EvaluatedSections(results.moved(to: frozen), keys) })
  }

  private func version(of instance: RealmInstance) -> State { State(version: instance.heldVersion().number) }

  private var homeState: State {
    guard let writer = results.instance.writer else { return version(of: results.instance) }
    // Blocks may read anything.
    let layout = results.instance.store.graph.layout
    let written = (0..<layout.visibleCount).map { writer.touches(in: TableID($0), since: 0).position }
    return State(version: writer.version, written: written)
  }

  /// What is known of a state, else what `evaluate` finds; blocks are called outside of the lock.
  private func evaluated(
    _ place: WritableKeyPath<Known, (state: State, sections: EvaluatedSections<Element>)?>, _ state: State,
    _ evaluate: () -> EvaluatedSections<Element>
  ) -> EvaluatedSections<Element> {
    if let known = known.withLock({ $0[keyPath: place] }), known.state == state { return known.sections }
    let sections = evaluate()
    known.withLock { $0[keyPath: place] = (state, sections) }
    return sections
  }
}

/// The sections at a moment.
enum CurrentSections<Element: RealmCollectionValue> {
  case evaluated(EvaluatedSections<Element>)
  case maintained(LiveSections<Element>, Version)

  var count: Int {
    switch self {
    case .evaluated(let sections): sections.keys.count
    case .maintained(let sections, _): sections.tree.count
    }
  }

  func key(at index: Int) -> SectionKey {
    switch self {
    case .evaluated(let sections): sections.keys[index]
    case .maintained(let sections, _): sections.tree.key(at: index)
    }
  }

  func rowCount(at index: Int) -> Int {
    switch self {
    case .evaluated(let sections): sections.rowCount(at: index)
    case .maintained(let sections, _): sections.tree.count(at: index)
    }
  }

  func index(of key: SectionKey) -> Int? {
    switch self {
    case .evaluated(let sections): sections.index(of: key)
    case .maintained(let sections, _): sections.tree.index(of: key)
    }
  }

  func element(_ section: Int, _ item: Int, _ core: ResultsCore) -> Element? {
    switch self {
    case .evaluated(let sections): sections.element(section, item, core)
    case .maintained(let sections, let version): version.withContents { sections.element(section, item, $0) }
    }
  }
}

extension CurrentSections {
  /// The elements that a section has now, whatever happens while they are read; without those that are deleted meanwhile.
  func elements(of section: Int, _ core: ResultsCore) -> any Sequence<Element> {
    let count = rowCount(at: section)
    switch self {
    case .evaluated(let sections): return (0..<count).lazy.compactMap { sections.element(section, $0, core) }
    case .maintained(let sections, let version):
      let rows = version.withContents { contents in (0..<count).map { sections.row(section, $0, contents) } }
      return rows.lazy.compactMap { row in row.flatMap { core.element($0.rawValue) } }
    }
  }
}

extension RealmInstance {
  /// The version that maintained views are at, where the caller may read them at home; nil inside of a transaction.
  fileprivate var observedVersion: Version? {
    guard let observers = notifications, !isFrozen, isHomeForReading, writer == nil, let version,
      observers.folded?.number == version.number
    else { return nil }
    return version
  }
}
