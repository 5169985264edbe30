/// A condition on a row, or on an element of a collection of values, as data.
///
/// The planner and the router of changes read it, so it holds a closure only where there is no other way. Null never
/// matches an ordering comparison, except that `<=` and `>=` match when both sides are null; `!=` matches null.
package indirect enum Predicate: Hashable, Sendable {
  case constant(Bool)
  case and([Predicate])
  case or([Predicate])
  case not(Predicate)
  /// A value against constants.
  case test(Operand, ValueTest)
  /// Two values that the same row leads to.
  case relation(Operand, Relation, Operand)
  /// The number of the elements of a collection that satisfy a condition, compared with a number.
  case count(CollectionPath, where: Predicate, Comparison, Int64)
  /// Whether the place that the row leads to lies in a region. What is no place lies in none.
  case within(PlacePath, SphereRegion)
  /// What only code can tell of a row of a table.
  case closure(RowClosure)
}

/// What has a value, seen from a row or an element.
package enum Operand: Hashable, Sendable {
  /// A column, possibly behind links. A null link on the way reads as null.
  case column(ColumnPath)
  /// The element itself: a value, or a link to the row that the condition is about.
  case element
  /// What lies inside of a mixed column, or in a map. The first step into a map is a key; an absent one reads as null.
  indirect case inside(ColumnPath, [NestedStep])
  /// The number of elements of a collection.
  indirect case elementCount(CollectionPath)
  /// What the elements of a collection come to, or a column of the rows that they are. Nulls and NaN are passed over.
  indirect case aggregate(Aggregate, CollectionPath, of: ColumnPath?)
}

/// What is asked of a value.
package enum ValueTest: Hashable, Sendable {
  case compare(Comparison, Value)
  /// Equality with one of the constants.
  case isIn([Value])
  /// The text or bytes of the value. An empty part is found in none.
  case text(TextOperator, [UInt8], TextOptions)
  /// A list or map inside of a mixed value, compared by content; `equal` or `notEqual`.
  indirect case nested(Comparison, NestedConstant)
}

/// How two values stand to each other.
package enum Relation: Hashable, Sendable {
  case compare(Comparison)
  /// The left text in relation to the right one.
  case text(TextOperator, TextOptions)
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

/// A collection seen from a row: the links to follow, then the collection of the last row. A null link leads to none.
package struct CollectionPath: Hashable, Sendable {
  package enum Elements: Hashable, Sendable {
    /// The elements of a list or set, or the values of a map.
    case column(ColumnID)
    /// The keys of a map.
    case keys(ColumnID)
    /// The rows of a table that link to the row through a column, as often as they do.
    case backlinks(origin: TableID, ColumnID)
  }

  package var links: [ColumnID]
  package var elements: Elements

  package init(links: [ColumnID] = [], _ elements: Elements) {
    self.links = links
    self.elements = elements
  }
}

/// One step into nested collections.
package enum NestedStep: Hashable, Sendable {
  /// An element of a list.
  case index(Int)
  /// A value of a map.
  case key([UInt8])
  /// Every element or value of a collection; the test holds if it does for one of them.
  case any
}

/// What nested collections are compared with.
package indirect enum NestedConstant: Hashable, Sendable {
  case value(Value)
  case list([NestedConstant])
  case map([[UInt8]: NestedConstant])
}

package enum Comparison: UInt8, Hashable, Sendable {
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
}

package enum TextOperator: UInt8, Hashable, Sendable {
  case equal, notEqual, contains, beginsWith, endsWith, like
}

extension TextOperator {
  /// Whether it looks for a part of a text. An empty one is found nowhere.
  package var seeksPart: Bool {
    switch self {
    case .contains, .beginsWith, .endsWith: true
    case .equal, .notEqual, .like: false
    }
  }
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
  /// Whose value counts, when the column holds maps; an absent one is null.
  package var mapKey: [UInt8]?
  package var ascending: Bool
  /// Whether nulls and rows behind null links come last, in one place, whatever the direction is.
  package var nullsLast: Bool

  package init(_ path: ColumnPath, mapKey: [UInt8]? = nil, ascending: Bool = true, nullsLast: Bool = false) {
    self.path = path
    self.mapKey = mapKey
    self.ascending = ascending
    self.nullsLast = nullsLast
  }
}

// MARK: - Frequent conditions

extension Predicate {
  package static func compare(_ path: ColumnPath, _ comparison: Comparison, _ value: Value) -> Predicate {
    .test(.column(path), .compare(comparison, value))
  }

  package static func compareColumns(_ left: ColumnPath, _ comparison: Comparison, _ right: ColumnPath) -> Predicate {
    .relation(.column(left), .compare(comparison), .column(right))
  }

  package static func isIn(_ path: ColumnPath, _ values: [Value]) -> Predicate { .test(.column(path), .isIn(values)) }

  package static func text(
    _ path: ColumnPath, _ operation: TextOperator, _ pattern: [UInt8], _ options: TextOptions
  ) -> Predicate {
    .test(.column(path), .text(operation, pattern, options))
  }

  /// Some element satisfies a condition.
  package static func any(_ collection: CollectionPath, where condition: Predicate) -> Predicate {
    .count(collection, where: condition, .greater, 0)
  }
}
