/// A condition on the rows of a table, as data.
///
/// The planner and the router of changes read it, so it never holds a closure. Null never matches an ordering
/// comparison, except that `<=` and `>=` match when both sides are null; `!=` matches null.
package indirect enum Predicate: Hashable, Sendable {
  case constant(Bool)
  case and([Predicate])
  case or([Predicate])
  case not(Predicate)
  /// A column, possibly behind links, against a constant. A null link on the way reads as null.
  case compare(ColumnPath, Comparison, Value)
  /// A column against another column of the same row.
  case compareColumns(ColumnPath, Comparison, ColumnPath)
  /// Equality with one of the constants.
  case isIn(ColumnPath, [Value])
  /// A condition on a mixed column and what is inside of its values.
  case mixed(ColumnPath, MixedCondition)
  /// A condition on the text or bytes of a column. An empty pattern matches no row, except for equality.
  case text(ColumnPath, TextOperator, [UInt8], TextOptions)
}

/// A column seen from a row: the links to follow, then the column of the last table.
package struct ColumnPath: Hashable, Sendable {
  package var links: [ColumnID]
  package var column: ColumnID

  package init(links: [ColumnID] = [], _ column: ColumnID) {
    self.links = links
    self.column = column
  }
}

package enum Comparison: UInt8, Hashable, Sendable {
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
}

package enum TextOperator: UInt8, Hashable, Sendable {
  case equal, notEqual, contains, beginsWith, endsWith, like
}

package struct TextOptions: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let caseInsensitive = TextOptions(rawValue: 1)
  package static let diacriticInsensitive = TextOptions(rawValue: 2)
}

/// One column to sort by.
package struct SortKey: Hashable, Sendable {
  package var path: ColumnPath
  package var ascending: Bool
  /// Whether nulls and rows behind null links come last, in one place, whatever the direction is.
  package var nullsLast: Bool

  package init(_ path: ColumnPath, ascending: Bool = true, nullsLast: Bool = false) {
    self.path = path
    self.ascending = ascending
    self.nullsLast = nullsLast
  }
}
