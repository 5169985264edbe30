/// One node of a compiled predicate. Plain data in a flat array, so that walking it costs no reference counting.
struct Condition {
  enum Kind: UInt8 {
    case constant, all, any, not
    /// A column against a constant.
    case column
    /// A column against a column.
    case columns
    /// A `RowCheck`.
    case check
  }

  var kind: Kind
  /// The value of a constant.
  var holds = false
  var firstChild = -1
  var nextSibling = -1
  /// The test of a `column`; the left side of `columns`.
  var test: ColumnTest
  /// The right side of `columns`.
  var right: ResolvedPath?
  /// Which of the predicate's checks belongs to a `check`.
  var check = -1
}

/// A test of one column's values against a constant.
///
/// The result for a value is `kind` xor `isNegated`, the result for null is `matchesNull`.
struct ColumnTest {
  enum Kind: UInt8 {
    /// No value.
    case nothing
    /// Ints and links: `low ... high`.
    case intRange
    /// Ints and links: one of a `NumberSet`.
    case intSet
    case double, float
    /// Bools: true.
    case bool
    /// Object ids, UUIDs: `bytes`.
    case fixedBytes
    /// Strings and data in a relation to `bytes`.
    case bytes
    /// Strings and data that compare with `bytes`.
    case byteOrder
    /// Strings and data: one of a `ByteSet`.
    case byteSet
    /// Strings and data that match a `TextPattern`.
    case text
    /// What has no quicker way: compares values.
    case order
  }

  var kind: Kind
  var route: ResolvedPath
  var isNegated = false
  var matchesNull = false
  var low: Int64 = 0
  var high: Int64 = 0
  var double: Double = 0
  var float: Float = 0
  var operation = FixedLeaf.Comparison.equal
  var relation = BytesLeaf.Relation.equals
  var comparison = Comparison.equal
  var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  /// Which of the predicate's constants, patterns, number sets or byte lists belongs to the test.
  var constant = -1
  /// Which resolution of a scan belongs to the test; -1 when the column is not interned.
  var resolution = -1

  init(_ kind: Kind, _ route: ResolvedPath) {
    self.kind = kind
    self.route = route
  }

  /// How expensive the test is per row, to order conjunctions by.
  var cost: Int {
    let own =
      switch kind {
      case .nothing, .bool: 1
      case .intRange: 2
      case .double, .float: 3
      case .intSet: 12
      case .fixedBytes: 5
      case .bytes: route.column.storage == .interned ? (relation == .equals ? 2 : 6) : 10
      case .byteOrder, .byteSet: route.column.storage == .interned ? 6 : 30
      case .text: route.column.storage == .interned ? 6 : 100
      case .order: 100
      }
    return own + route.linkCount * 60
  }
}

extension Comparison {
  /// Whether the comparison holds for sides that are so ordered.
  @inline(__always)
  func holds(_ order: Int) -> Bool {
    switch self {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }

  /// Whether it holds between two nulls.
  var holdsForNulls: Bool { holds(0) }
}

/// Compares bytes as unsigned numbers, a prefix before what it begins.
@inline(__always)
func compareBytes(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
  var index = 0
  let common = min(a.count, b.count)
  while index &+ 8 <= common {
    let left = a.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    let right = b.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    if left != right { return UInt64(bigEndian: left) < UInt64(bigEndian: right) ? -1 : 1 }
    index &+= 8
  }
  while index < common {
    if a[index] != b[index] { return a[index] < b[index] ? -1 : 1 }
    index &+= 1
  }
  return a.count == b.count ? 0 : (a.count < b.count ? -1 : 1)
}
