import FirnEngine

/// Queries on collections.
extension QueryView {
  /// Moves the view over what happened to its collection and to the rows in it. Nil when nothing changed.
  ///
  /// - Parameter written: The modified rows of the table, with those that count because of what is behind their links.
  func update(
    _ step: Step, written: [ModifiedRow], counters: inout WorkCounters
  ) -> ViewChange? {
    guard let arrangement, let sequence = arrangement.sequence else {
      fatalError("A view of a table is moved by the rows that were routed to it.")
    }
    let touched = touchedElements(sequence, arrangement.readFilter, step, written)
    let change = update(
      touched ?? [], runsAnew: touched == nil, written: written, old: step.old, new: step.new, number: step.number,
      counters: &counters)
    sequence.endStep { relabelling($0, in: step.new) }
    return change
  }

  /// What gives some elements other labels in all trees that know them.
  private func relabelling(_ elements: [ElementSequence.Element], in contents: GraphContents) -> (_ labels: [UInt64]) ->
    Void
  {
    var all: [([UInt64]) -> Void] = []
    switch rows {
    case .everyRow: break
    case .keys(let tree): all.append(tree.relabelling(elements) { rank(of: $0, in: contents) })
    case .entries(let tree): all.append(tree.relabelling(elements) { rank(of: $0, in: contents) })
    }
    for stage in stages {
      switch stage {
      case .filter: break
      case .distinct(let rows): all.append(rows.relabelling(elements, in: contents))
      case .window(let rows): all.append(rows.relabelling(elements, in: contents))
      }
    }
    return { labels in for relabel in all { relabel(labels) } }
  }

  /// The elements that came, went or were written, by their labels; nil when these are too many, or too close.
  private func touchedElements(
    _ sequence: ElementSequence, _ readFilter: KeyPathFilter, _ step: Step, _ written: [ModifiedRow]
  ) -> [TouchedRow]? {
    var touched: [TouchedRow] = []
    var arrived: Set<UInt64> = []
    if let delta = query.source.delta(step), !delta.isEmpty {
      if delta.changedCount > 64 + sequence.count / 8 { return nil }
      guard follow(delta, sequence, step, &touched, &arrived) else { return nil }
    }
    func add(_ row: RowKey, modified: Int32, mayMove: Bool) {
      sequence.forEachLabel(of: row.rawValue) { label in
        if arrived.contains(label) { return }
        let (wasIn, isIn) = (matches(row, in: step.old), matches(row, in: step.new))
        if wasIn || isIn {
          touched.append(
            TouchedRow(key: RowKey(label), modified: modified, wasIn: wasIn, isIn: isIn, mayMove: mayMove))
        }
      }
    }
    var moving = step.touchedRows(among: sequence.count, readFilter, in: query.table.index) { row in
      var isElement = false
      sequence.forEachLabel(of: row.rawValue) { _ in isElement = true }
      return isElement
    } forEach: { body in
      sequence.forEachRow { if $0 != ElementSequence.nullRow { body(RowKey($0)) } }
    }
    func addWritten(_ index: Int) {
      let row = written[index].key
      add(row, modified: Int32(index), mayMove: moving.remove(row) != nil)
    }
    if written.count <= max(64, sequence.count) {
      for index in written.indices { addWritten(index) }
    } else {
      sequence.forEachRow { row in
        let index = written.partitionIndex { $0.key.rawValue < row }
        if index < written.count, written[index].key.rawValue == row { addWritten(index) }
      }
    }
    for row in moving { add(row, modified: -1, mayMove: true) }
    touched.sort { $0.key < $1.key }
    return touched
  }

  /// Does to the sequence what was done to the collection. False when there is no room for new labels.
  private func follow(
    _ delta: ListDelta, _ sequence: ElementSequence, _ step: Step, _ touched: inout [TouchedRow],
    _ arrived: inout Set<UInt64>
  ) -> Bool {
    var hasRoom = true
    func drop(_ position: Int) {
      let element = sequence.remove(at: position)
      if matches(RowKey(element.row), in: step.old) {
        touched.append(TouchedRow(key: RowKey(element.label), modified: -1, wasIn: true, isIn: false))
      }
    }
    func insert(_ row: UInt64, _ position: Int, following: Int = 0) {
      guard let element = sequence.insert(row, at: position, following: following) else {
        hasRoom = false
        return
      }
      arrived.insert(element.label)
      if matches(RowKey(row), in: step.new) {
        touched.append(TouchedRow(key: RowKey(element.label), modified: -1, wasIn: false, isIn: true))
      }
    }
    delta.forEachRun { kind, count, _, new in
      // What comes before `new` is done.
      if !hasRoom || kind == .keep { return }
      for position in new..<new + count where hasRoom {
        if kind == .drop {
          drop(new)
          continue
        }
        let row = query.source.row(at: position, in: step.new)
        if kind == .touch {
          if sequence.row(at: position) == row { continue }
          drop(position)
          insert(row, position)
        } else {
          insert(row, position, following: new + count - 1 - position)
        }
      }
    }
    return hasRoom
  }
}

extension ViewQuery.Source {
  /// What happened to the collection itself; nil when nothing did.
  fileprivate func delta(_ step: Step) -> ListDelta? {
    switch self {
    case .table: nil
    case .list(let place): place.delta(step)
    case .backlinks(let place): place.change(step, []).map { ListDelta($0.positions, from: $0.old, to: $0.new) }
    }
  }

  /// The row of the element at a position.
  fileprivate func row(at position: Int, in contents: GraphContents) -> UInt64 {
    switch self {
    case .table: break
    case .list(let place):
      if case .link(let key) = contents.listValue(at: position, of: place.column, of: place.row, in: place.table) {
        return key.rawValue
      }
    case .backlinks(let place):
      if let key = place.postings(contents)?.key(at: position) { return key.rawValue }
    }
    return ElementSequence.nullRow
  }

  /// What concerns the view, and what counts of the rows in the collection.
  func places(_ filter: KeyPathFilter) -> [ViewPlace] {
    switch self {
    case .table: []
    case .list(let place): place.places(filter)
    case .backlinks(let place): place.places(filter)
    }
  }
}

extension ListDelta {
  /// The number of elements that came, went or were assigned.
  fileprivate var changedCount: Int {
    var count = 0
    forEachRun { kind, length, _, _ in if kind != .keep { count += length } }
    return count
  }
}
