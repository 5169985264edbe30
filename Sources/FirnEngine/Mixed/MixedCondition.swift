/// A condition on a mixed value or on something inside of it.
package struct MixedCondition: Hashable, Sendable {
  /// One step into nested collections.
  package enum Step: Hashable, Sendable {
    /// An element of a list.
    case index(Int)
    /// A value of a map.
    case key([UInt8])
    /// Every element or value of a collection.
    case any
  }

  /// What a value is compared with.
  package indirect enum Constant: Hashable, Sendable {
    case value(Value)
    case list([Constant])
    case map([[UInt8]: Constant])
  }

  package var steps: [Step]
  package var comparison: Comparison
  package var constant: Constant

  package init(_ steps: [Step], _ comparison: Comparison, _ constant: Constant) {
    self.steps = steps
    self.comparison = comparison
    self.constant = constant
  }

  /// Whether the condition holds for a value; a step that leads nowhere leads to null.
  package func holds(for value: Value, in snapshot: Snapshot) -> Bool { holds(for: value, steps[...], snapshot) }

  /// Whether it holds for null, in which nothing is.
  var holdsForNull: Bool {
    if steps.contains(.any) { return false }
    return constant == .value(.null) ? comparison.holdsForNulls : comparison == .notEqual
  }

  private func holds(for value: Value, _ steps: ArraySlice<Step>, _ snapshot: Snapshot) -> Bool {
    guard let step = steps.first else { return compare(value, snapshot) }
    let rest = steps.dropFirst()
    let column = TableDescription.nestedColumn
    switch (step, value) {
    case (.index(let index), .list(let row)):
      guard let table = snapshot.layout.nestedLists, index >= 0,
        index < snapshot.listCount(column, of: row, in: table)
      else { break }
      return holds(for: snapshot.listValue(at: index, of: column, of: row, in: table), rest, snapshot)
    case (.key(let key), .map(let row)):
      guard let table = snapshot.layout.nestedMaps,
        let value = snapshot.mapValue(forKey: key, column, of: row, in: table)
      else { break }
      return holds(for: value, rest, snapshot)
    case (.any, .list(let row)), (.any, .map(let row)):
      let table = value.kindRank == Value.list(row).kindRank ? snapshot.layout.nestedLists : snapshot.layout.nestedMaps
      guard let table else { return false }
      for index in 0..<snapshot.listCount(column, of: row, in: table)
      where holds(for: snapshot.listValue(at: index, of: column, of: row, in: table), rest, snapshot) {
        return true
      }
      return false
    case (.any, _): return false
    default: break
    }
    // Nothing is there, and so nothing inside of it.
    return !rest.contains(.any) && compare(.null, snapshot)
  }

  private func compare(_ value: Value, _ snapshot: Snapshot) -> Bool {
    guard case .value(let constant) = constant else {
      return switch comparison {
      case .equal: Self.equals(value, self.constant, snapshot)
      case .notEqual: !Self.equals(value, self.constant, snapshot)
      default: false
      }
    }
    if value == .null || constant == .null {
      return value == constant ? comparison.holdsForNulls : comparison == .notEqual
    }
    if value.isNaN || constant.isNaN || value.kindRank != constant.kindRank { return comparison == .notEqual }
    return comparison.holds(value.order(to: constant))
  }

  /// Whether a value equals a constant, collections by content.
  private static func equals(_ value: Value, _ constant: Constant, _ snapshot: Snapshot) -> Bool {
    let column = TableDescription.nestedColumn
    switch (value, constant) {
    case (_, .value(let constant)):
      return value.kindRank == constant.kindRank && value.kindRank < Value.list(RowKey(0)).kindRank
        && value.order(to: constant) == 0
    case (.list(let row), .list(let elements)):
      guard let table = snapshot.layout.nestedLists,
        snapshot.listCount(column, of: row, in: table) == elements.count
      else { return false }
      return elements.indices.allSatisfy {
        equals(snapshot.listValue(at: $0, of: column, of: row, in: table), elements[$0], snapshot)
      }
    case (.map(let row), .map(let entries)):
      guard let table = snapshot.layout.nestedMaps, snapshot.listCount(column, of: row, in: table) == entries.count
      else { return false }
      return entries.allSatisfy { key, constant in
        snapshot.mapValue(forKey: key, column, of: row, in: table).map { equals($0, constant, snapshot) } ?? false
      }
    default: return false
    }
  }
}
