internal import FirnEngine
internal import FirnReactive

/// The sections of a query in one version, or in one state of a write transaction.
final class EvaluatedSections<Element: RealmCollectionValue> {
  private enum Rows {
    case keys([UInt64])
    case values([Element])
  }

  let keys: [SectionKey]
  /// Where each section begins, and the end.
  private let starts: [Int]
  private let rows: Rows
  private let indices: [SectionKey: Int]

  /// Evaluates in a realm that shows the version, and calls the block for every element there.
  init(_ core: ResultsCore, _ source: SectionKeySource<Element>) {
    var grouping = SectionGrouping()
    if core.isOfValues {
      let values: [Element] = core.values()
      if case .block(let block) = source { for value in values { grouping.append(block(value)) } }
      rows = .values(grouping.grouped(values))
    } else {
      let rows = core.allKeys()
      core.instance.readHeld { contents in
        switch source {
        case .property(let key):
          let reader = PropertyReader(key, core)
          grouping.append(rows, isSorted: reader.isContiguous) { reader.value(of: RowKey($0), in: contents) }
        case .block:
          for key in source.keys(of: rows.map { RowKey($0) }, in: contents, { core }) { grouping.append(key) }
        }
      }
      self.rows = .keys(grouping.grouped(rows))
    }
    (keys, starts, indices) = (grouping.keys, grouping.starts, grouping.indices)
  }

  func rowCount(at index: Int) -> Int { starts[index + 1] - starts[index] }

  func index(of key: SectionKey) -> Int? { indices[key] }

  /// An element, as the query's realm has it; nil when the row is not there any more.
  func element(_ section: Int, _ item: Int, _ core: ResultsCore) -> Element? {
    switch rows {
    case .values(let values): values[starts[section] + item]
    case .keys(let keys): core.element(keys[starts[section] + item])
    }
  }
}

extension ResultsCore {
  /// The element that stands for a row; nil when the row is not there any more.
  func element<Element: RealmCollectionValue>(_ key: UInt64) -> Element? {
    Results<Element>(core: self).element {
      if key == Self.nullKey || instance.read({ $0.contains(RowKey(key), in: table.table) }) { return RowKey(key) }
      return nil
    }
  }
}

/// Puts what comes in the order of the results into groups.
private struct SectionGrouping {
  private(set) var keys: [SectionKey] = []
  private(set) var indices: [SectionKey: Int] = [:]
  /// Neighbours with one key: which, and how many.
  private var runs: [(section: Int, count: Int)] = []

  mutating func append(_ key: Value, count: Int = 1) {
    if let last = runs.last, keys[last.section].value == key {
      runs[runs.count - 1].count += count
      return
    }
    let key = SectionKey(key)
    let section = indices[key] ?? keys.count
    if section == keys.count {
      indices[key] = section
      keys.append(key)
    }
    runs.append((section, count))
  }

  /// - Parameter isSorted: Whether rows with equal values lie together: then few of them are read.
  mutating func append(_ rows: [UInt64], isSorted: Bool, _ value: (UInt64) -> Value) {
    var start = 0
    while start < rows.count {
      let key = value(rows[start])
      var end = start + 1
      if isSorted {
        var step = 1
        while end < rows.count, value(rows[end]).order(to: key) == 0 {
          end = min(end + step, rows.count)
          step *= 2
        }
        // The last one that was read may be behind the end by a step.
        var low = max(start + 1, end - step)
        while low < end {
          let middle = (low + end) / 2
          if value(rows[middle]).order(to: key) == 0 { low = middle + 1 } else { end = middle }
        }
        end = low
      }
      append(key, count: end - start)
      start = end
    }
  }

  var starts: [Int] {
    var counts = [Int](repeating: 0, count: keys.count + 1)
    for run in runs { counts[run.section + 1] += run.count }
    for index in counts.indices.dropFirst() { counts[index] += counts[index - 1] }
    return counts
  }

  /// The elements section by section.
  func grouped<Row>(_ rows: [Row]) -> [Row] {
    if runs.count == keys.count { return rows }
    var places = Array(0..<rows.count)
    var next = starts
    var row = 0
    for run in runs {
      for place in next[run.section]..<next[run.section] + run.count {
        places[place] = row
        row += 1
      }
      next[run.section] += run.count
    }
    return places.map { rows[$0] }
  }
}
