import FirnEngine

/// Groups of the rows of a query, maintained: takes out and in what touched rows were and are worth.
///
/// Fed by the ``QueryView`` of its rows, which keeps it weakly: it lives as long as its subscribers. Old and new worth are read
/// from the versions of the step.
///
/// - Complexity: O(log g + log v) for each touched row with g groups and, for minima and maxima, v different values.
package final class GroupView: View {
  package let query: GroupQuery
  package private(set) var table: GroupTable
  /// Everything that is read of a row.
  package let filter: KeyPathFilter
  @exclusivity(unchecked) private var last: (step: UInt64, change: GroupChange)?

  init(_ query: GroupQuery, _ rows: QueryView, in contents: GraphContents) {
    self.query = query
    filter = KeyPathFilter(paths: query.reads)
    table = GroupTable(query, rows.groupedRows(in: contents), in: contents)
  }

  package func places(_ filter: KeyPathFilter) -> [ViewPlace] { [] }

  package func change(_ step: Step, _ filter: KeyPathFilter) -> GroupChange? {
    guard let last, last.step == step.number, !last.change.isEmpty else { return nil }
    return last.change
  }

  /// What a group was before the running step.
  private struct Before {
    /// Nil when there was no such group.
    var result: GroupResult?
  }

  /// Moves on with the rows of the query that were touched.
  func follow(
    _ touched: [TouchedRow], of rows: QueryView, _ written: [ModifiedRow], _ versions: StepVersions,
    _ counters: inout WorkCounters
  ) {
    var before: [Int: Before] = [:]
    func note(_ number: Int, isNew: Bool) {
      if before[number] == nil { before[number] = Before(result: isNew ? nil : table.result(number)) }
    }
    for row in touched {
      if row.wasIn, row.isIn, !counts(row, written) { continue }
      counters.groupedRows &+= 1
      let key = rows.row(row.key)
      if row.wasIn {
        let (number, isNew) = table.group(of: key, in: versions.old)
        note(number, isNew: isNew)
        table.remove(key, from: number, in: versions.old)
      }
      if row.isIn {
        let (number, isNew) = table.group(of: key, in: versions.new)
        note(number, isNew: isNew)
        table.add(key, to: number, in: versions.new)
      }
    }
    last = (versions.number, finish(before))
  }

  /// Whether something was written in a row that stays which is read here.
  private func counts(_ row: TouchedRow, _ written: [ModifiedRow]) -> Bool {
    if row.modified < 0 { return false }
    let columns = written[Int(row.modified)].columns
    return columns.isEmpty || filter.looksBehindLinks || filter.includes(columns)
  }

  /// What happened to the groups that were touched. Forgets those without rows.
  private func finish(_ before: [Int: Before]) -> GroupChange {
    var change = GroupChange()
    // All groups of before and of now are there.
    var (cameCount, wentCount) = (0, 0)
    var empty: [Int] = []
    for (rank, number) in before.keys.map({ (table.rank($0), $0) }).sorted(by: { $0.0 < $1.0 }) {
      let old = before[number]?.result
      let isGone = !query.keys.isEmpty && table.isEmpty(number)
      let new = isGone ? nil : table.result(number)
      change.append(table.key(number), old: old, at: rank - cameCount, new: new, at: rank - wentCount)
      if old == nil { cameCount += 1 }
      if isGone {
        wentCount += 1
        empty.append(number)
      }
    }
    for number in empty { table.removeGroup(number) }
    return change
  }

  /// Groups all rows anew and compares, in O(n).
  func rebuild(_ rows: QueryView, _ versions: StepVersions) {
    let old = table
    table = GroupTable(query, rows.groupedRows(in: versions.new), in: versions.new)
    var change = GroupChange()
    var (left, right) = (0, 0)
    while left < old.count || right < table.count {
      let before = left < old.count ? old.group(at: left) : nil
      let after = right < table.count ? table.group(at: right) : nil
      let order = before.flatMap { old in after.map { old.key.keyOrder(to: $0.key) } } ?? (before == nil ? 1 : -1)
      change.append(
        (order <= 0 ? before?.key : after?.key) ?? [], old: order <= 0 ? before?.result : nil, at: left,
        new: order >= 0 ? after?.result : nil, at: right)
      if order <= 0 { left += 1 }
      if order >= 0 { right += 1 }
    }
    last = (versions.number, change)
  }
}

/// Two versions, and the number of the later one.
struct StepVersions {
  let old: GraphContents
  let new: GraphContents
  let number: UInt64
}

extension QueryView {
  /// The rows, to be grouped.
  func groupedRows(in contents: GraphContents) -> GroupedRows {
    if case .everyRow = rows { return .all }
    var keys: [UInt64] = []
    keys.reserveCapacity(count(in: contents))
    forEachRow(in: contents) { keys.append($0.rawValue) }
    return .keys(keys)
  }

  /// The groups of its rows that are maintained.
  func groups(of query: GroupQuery) -> GroupView? {
    groupViews.lazy.compactMap(\.view).first { $0.query == query }
  }

  /// Maintains groups of its rows as long as somebody keeps them.
  func addGroups(_ query: GroupQuery, in contents: GraphContents) -> GroupView {
    if let known = groups(of: query) { return known }
    let view = GroupView(query, self, in: contents)
    groupViews.removeAll { $0.view == nil }
    groupViews.append(WeakGroupView(view: view))
    return view
  }
}

struct WeakGroupView {
  weak var view: GroupView?
}
