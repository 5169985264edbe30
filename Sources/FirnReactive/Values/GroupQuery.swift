package import FirnEngine

/// Which rows are put into groups by which values, and what is asked of each group besides the number of its rows.
///
/// Rows are of one group when all their key values are equal in the order of values: NaN is one value, and so is null,
/// which a null link on the way reads as. Groups come in the order of their keys. Without key paths all rows are one
/// group, which is there even when it is empty.
package struct GroupQuery: Hashable, Sendable {
  package var rows: ViewQuery
  package var keys: [ColumnPath]
  package var measures: [Measure]

  /// What the values of a column of a group's rows come to. Nulls and NaN are passed over.
  package struct Measure: Hashable, Sendable {
    package var aggregate: Aggregate
    package var path: ColumnPath

    package init(_ aggregate: Aggregate, of path: ColumnPath) {
      self.aggregate = aggregate
      self.path = path
    }

    /// Whether values of a type have such an aggregate.
    package static func isSupported(_ aggregate: Aggregate, _ type: ColumnType) -> Bool {
      switch type {
      case .int, .float, .double, .decimal128, .mixed: true
      case .date: aggregate == .min || aggregate == .max
      case .bool, .string, .data, .objectID, .uuid, .link: false
      }
    }
  }

  /// - Parameter rows: Their order is left out where it does not decide which rows there are.
  package init(_ rows: ViewQuery, by keys: [ColumnPath], _ measures: [Measure]) {
    self.keys = keys
    self.measures = measures
    let orderCounts = rows.steps.contains { step in
      switch step {
      case .filter, .sort: false
      case .distinct, .window: true
      }
    }
    self.rows =
      orderCounts
      ? rows
      : ViewQuery(
        table: rows.table, source: rows.source, predicate: rows.predicate,
        steps: rows.steps.filter { if case .sort = $0 { false } else { true } })
  }

  /// Everything that is read of the rows.
  package var reads: Set<[PathStep]> { Set(keys.map(\.reads)).union(measures.map(\.path.reads)) }
}

/// What a group comes to.
package struct GroupResult: Sendable {
  package var count: Int
  /// What is asked besides, in the order in which it was asked.
  package var values: [Value]

  /// Whether nothing tells two results apart; NaN is NaN.
  func isSame(as other: GroupResult) -> Bool { count == other.count && hasSameValues(as: other) }

  /// The same but for the number of rows.
  package func hasSameValues(as other: GroupResult) -> Bool {
    zip(values, other.values).allSatisfy { $0 == $1 || $0.isNaN && $1.isNaN }
  }
}

extension [Value] {
  /// How a key comes among others.
  func keyOrder(to other: [Value]) -> Int {
    for (a, b) in zip(self, other) {
      let order = a.order(to: b)
      if order != 0 { return order }
    }
    return 0
  }
}
