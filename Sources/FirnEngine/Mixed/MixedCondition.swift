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
  package func holds(for value: Value, in contents: GraphContents) -> Bool { holds(for: value, steps[...], contents) }

  /// Whether it holds for null, in which nothing is.
  var holdsForNull: Bool {
    if steps.contains(.any) { return false }
    return constant == .value(.null) ? comparison.holdsForNulls : comparison == .notEqual
  }

  private func holds(for value: Value, _ steps: ArraySlice<Step>, _ contents: GraphContents) -> Bool {
    guard let step = steps.first else { return compare(value, contents) }
    let rest = steps.dropFirst()
    let column = TableDescription.nestedColumn
    switch (step, value) {
    case (.index(let index), .list(let row)):
      guard let table = contents.layout.nestedLists, index >= 0,
        index < contents.listCount(column, of: row, in: table)
      else { break }
      return holds(for: contents.listValue(at: index, of: column, of: row, in: table), rest, contents)
    case (.key(let key), .map(let row)):
      guard let table = contents.layout.nestedMaps,
        let value = contents.mapValue(forKey: key, column, of: row, in: table)
      else { break }
      return holds(for: value, rest, contents)
    case (.any, .list(let row)), (.any, .map(let row)):
      let table = value.kindRank == Value.list(row).kindRank ? contents.layout.nestedLists : contents.layout.nestedMaps
      guard let table else { return false }
      for index in 0..<contents.listCount(column, of: row, in: table)
      where holds(for: contents.listValue(at: index, of: column, of: row, in: table), rest, contents) {
        return true
      }
      return false
    case (.any, _): return false
    default: break
    }
    // Nothing is there, and so nothing inside of it.
    return !rest.contains(.any) && compare(.null, contents)
  }

  private func compare(_ value: Value, _ contents: GraphContents) -> Bool {
    guard case .value(let constant) = constant else {
      return switch comparison {
      case .equal: Self.equals(value, self.constant, contents)
      case .notEqual: !Self.equals(value, self.constant, contents)
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
  private static func equals(_ value: Value, _ constant: Constant, _ contents: GraphContents) -> Bool {
    let column = TableDescription.nestedColumn
    switch (value, constant) {
    case (_, .value(let constant)):
      return value.kindRank == constant.kindRank && value.kindRank < Value.list(RowKey(0)).kindRank
        && value.order(to: constant) == 0
    case (.list(let row), .list(let elements)):
      guard let table = contents.layout.nestedLists,
        contents.listCount(column, of: row, in: table) == elements.count
      else { return false }
      return elements.indices.allSatisfy {
        equals(contents.listValue(at: $0, of: column, of: row, in: table), elements[$0], contents)
      }
    case (.map(let row), .map(let entries)):
      guard let table = contents.layout.nestedMaps, contents.listCount(column, of: row, in: table) == entries.count
      else { return false }
      return entries.allSatisfy { key, constant in
        contents.mapValue(forKey: key, column, of: row, in: table).map { equals($0, constant, contents) } ?? false
      }
    default: return false
    }
  }
}
