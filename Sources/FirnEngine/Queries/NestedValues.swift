/// What lies inside of mixed values.
extension GraphContents {
  /// Whether a test holds for what steps lead to inside of a value. A step that leads nowhere leads to null, and no element
  /// lies there.
  func holds(_ matcher: ValueMatcher, inside value: Value, _ steps: ArraySlice<NestedStep>) -> Bool {
    guard let step = steps.first else { return matcher.holds(value, self) }
    let rest = steps.dropFirst()
    let column = TableDescription.nestedColumn
    switch (step, value) {
    case (.index(let index), .list(let row)):
      guard let table = layout.nestedLists, index >= 0, index < listCount(column, of: row, in: table) else { break }
      return holds(matcher, inside: listValue(at: index, of: column, of: row, in: table), rest)
    case (.key(let key), .map(let row)):
      guard let table = layout.nestedMaps, let value = mapValue(forKey: key, column, of: row, in: table) else { break }
      return holds(matcher, inside: value, rest)
    case (.any, .list(let row)), (.any, .map(let row)):
      let table = value.kindRank == Value.list(row).kindRank ? layout.nestedLists : layout.nestedMaps
      guard let table else { return false }
      for index in 0..<listCount(column, of: row, in: table)
      where holds(matcher, inside: listValue(at: index, of: column, of: row, in: table), rest) {
        return true
      }
      return false
    case (.any, _): return false
    default: break
    }
    // Nothing is there, and so nothing inside of it.
    return !rest.contains(.any) && matcher.holds(.null, self)
  }

  /// Whether a value equals a constant, collections by content.
  func equals(_ value: Value, _ constant: NestedConstant) -> Bool {
    let column = TableDescription.nestedColumn
    switch (value, constant) {
    case (_, .value(let constant)):
      return value.kindRank == constant.kindRank && value.kindRank < Value.list(RowKey(0)).kindRank
        && value.order(to: constant) == 0
    case (.list(let row), .list(let elements)):
      guard let table = layout.nestedLists, listCount(column, of: row, in: table) == elements.count else {
        return false
      }
      return elements.indices.allSatisfy {
        equals(listValue(at: $0, of: column, of: row, in: table), elements[$0])
      }
    case (.map(let row), .map(let entries)):
      guard let table = layout.nestedMaps, listCount(column, of: row, in: table) == entries.count else { return false }
      return entries.allSatisfy { key, constant in
        mapValue(forKey: key, column, of: row, in: table).map { equals($0, constant) } ?? false
      }
    default: return false
    }
  }
}
