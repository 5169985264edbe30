internal import FirnEngine
internal import FirnReactive

/// The sections of an observed query, maintained. All observers of the sections and of single ones share it; of values, whose
/// views are not shared, each observer has its own.
///
/// Belongs to the realm of its query. Blocks for keys are called when it moves, with frozen elements of the version that it
/// moves to.
final class LiveSections<Element: RealmCollectionValue> {
  private enum Source {
    case rows(QueryView)
    case values(ValueView)
  }

  let tree: SectionTree
  private let core: ResultsCore
  private let source: Source
  private let keys: SectionKeySource<Element>
  /// The step that it was moved by last, and what happened then.
  private var step: UInt64?
  private var last: SectionChange?

  /// Starts with the rows of a view of the query, in the version that the view is at.
  init(_ core: ResultsCore, _ keys: SectionKeySource<Element>, _ view: QueryView, _ version: Version) {
    (self.core, self.keys, source) = (core, keys, .rows(view))
    tree = version.withContents { contents in
      var rows: [RowKey] = []
      view.forEachRow(in: contents) { rows.append($0) }
      return SectionTree(keys.keys(of: rows, in: contents) { core.moved(to: core.instance.frozen()) })
    }
    step = view.lastStep
  }

  /// Starts with the values of a collection.
  init(_ core: ResultsCore, _ keys: SectionKeySource<Element>, _ view: ValueView) {
    (self.core, self.keys, source) = (core, keys, .values(view))
    let values: [Element] = core.moved(to: core.instance.frozen()).values()
    tree = SectionTree(values.map { Self.key(of: $0, keys) })
  }

  private static func key(of value: Element, _ keys: SectionKeySource<Element>) -> Value {
    if case .block(let block) = keys { block(value) } else { .null }
  }

  /// Whether it was moved by every step that moved its view.
  var isCurrent: Bool {
    guard case .rows(let view) = source else { return false }
    return view.isMaintained && view.lastStep == step
  }

  /// The row of an element of a section; nil for values.
  func row(_ section: Int, _ item: Int, _ contents: GraphContents) -> RowKey? {
    guard case .rows(let view) = source else { return nil }
    return view.select(tree.position(section: section, item: item), in: contents)
  }

  func element(_ section: Int, _ item: Int, _ contents: GraphContents) -> Element? {
    row(section, item, contents).flatMap { core.element($0.rawValue) }
  }

  /// What a step did to the sections; nil when nothing was touched. The first observer that asks moves them.
  func advance(_ next: inout RealmStep) -> SectionChange? {
    if step == next.step.number { return last }
    switch source {
    case .rows(let view):
      guard let change = view.change(in: next.step) else { return nil }
      last = move(change, view, &next)
    case .values(let view):
      guard case .step(let positions, _, _)? = view.change(next.step, KeyPathFilter(paths: [])) else { return nil }
      let values: [Element] = core.moved(to: next.after).values()
      let inserted = Set(positions.insertions)
      var kept: [Int] = []
      if !positions.modifications.isEmpty { kept = values.indices.filter { !inserted.contains($0) } }
      var deletions = positions.deletions[...]
      last = tree.move(
        deletions: positions.deletions,
        insertions: positions.insertions.map { KeyedPosition($0, Self.key(of: values[$0], keys)) },
        modifications: positions.modifications.map { position in
          while let first = deletions.first, first < position { deletions.removeFirst() }
          let place = kept[position - (positions.deletions.count - deletions.count)]
          return KeyedPosition(position, Self.key(of: values[place], keys))
        })
    }
    step = next.step.number
    return last
  }

  private func move(_ change: ViewChange, _ view: QueryView, _ step: inout RealmStep) -> SectionChange {
    let inserted = change.insertions.map { view.select($0, in: step.step.new) }
    let rows = inserted + change.modifications.map(\.row)
    let keys = keys.keys(of: rows, in: step.step.new) { [core] in
      self.keys.isProperty ? core : core.moved(to: step.after)
    }
    return tree.move(
      deletions: change.deletions,
      insertions: zip(change.insertions, keys).map { KeyedPosition($0, $1) },
      modifications: zip(change.modifications, keys[inserted.count...]).map { KeyedPosition($0.position, $1) })
  }

  /// Old positions of the elements that were modified so that it counts; nil when all that were modified do.
  func modifications(counting filter: KeyPathFilter, in step: borrowing RealmStep) -> Set<Int>? {
    guard case .rows(let view) = source else { return nil }
    return Set(view.change(step.step, filter)?.positions.modifications ?? [])
  }
}
