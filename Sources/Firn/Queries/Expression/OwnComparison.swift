internal import FirnEngine

/// A property of the queried class itself against a constant: the most frequent condition, made without a look at any name.
///
/// The property is neither a link nor a collection nor mixed.
struct OwnComparison {
  var column: ColumnID
  var name: PropertyName
  var comparison: Comparison
  var constant: _Constant

  /// The same by names.
  var named: QueryComparison {
    QueryComparison(
      left: .keyPath(QueryKeyPath([.property(name.text)])), operation: QueryOperator(comparison),
      right: .constant(QueryConstant(constant.given)))
  }
}

/// A property of the queried class itself between two constants that are included. By reference: it is made once for the
/// condition and the query.
final class OwnRange {
  let name: PropertyName
  let range: ColumnRange

  init(_ own: OwnColumn, _ lower: Value, _ upper: Value) {
    name = own.name
    range = ColumnRange(own.column, lower, upper)
  }

  var lower: Value { range.lower?.value ?? .null }
  var upper: Value { range.upper?.value ?? .null }

  /// The same by names.
  var named: QueryComparison {
    let bounds = QueryList(elements: [_Constant(lower).given, _Constant(upper).given], isWritten: true)
    return QueryComparison(
      left: .keyPath(QueryKeyPath([.property(name.text)])), operation: .between, right: .list(bounds))
  }
}

/// The name of a property as a number, which is copied without counting references.
struct PropertyName: Hashable, Sendable {
  let number: UInt32

  private struct Known {
    var names: [String] = []
    var numbers: [ExactKey<String>: UInt32] = [:]
  }

  /// Names that key paths in queries lead to: not more than the program has properties.
  private static let known = Guarded(Known())

  init(number: UInt32) { self.number = number }

  init(_ text: String) {
    number = Self.known.withLock { known in
      if let number = known.numbers[ExactKey(text)] { return number }
      let number = UInt32(known.names.count)
      known.names.append(text)
      known.numbers[ExactKey(text)] = number
      return number
    }
  }

  var text: String { Self.known.withLock { $0.names[Int(number)] } }
}

extension QueryOperator {
  init(_ comparison: Comparison) {
    switch comparison {
    case .equal: self = .equal
    case .notEqual: self = .notEqual
    case .less: self = .less
    case .lessOrEqual: self = .lessOrEqual
    case .greater: self = .greater
    case .greaterOrEqual: self = .greaterOrEqual
    }
  }
}
