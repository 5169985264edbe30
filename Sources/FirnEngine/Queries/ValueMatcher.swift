/// A test of single values: elements of collections, aggregates, what lies inside of mixed values.
struct ValueMatcher: @unchecked Sendable {
  // Patterns point into the memory of the predicate that the matcher belongs to; nothing changes after it was made.

  private enum Kind {
    case compare(Comparison, Value)
    /// Ascending, neither null nor unordered.
    case oneOf([Value], orNull: Bool)
    case text(TextMatcher)
    case nested(Comparison, NestedConstant)
  }

  private let kind: Kind
  private let type: ColumnType

  /// - Parameter type: What the values are. Bools count as 0 and 1 where numbers are compared, but not in mixed values.
  init(_ test: ValueTest, _ type: ColumnType, memory: QueryMemory) {
    self.type = type
    func adapt(_ value: Value) -> Value { value.numeric(for: type) }
    switch test {
    case .compare(let comparison, let value): kind = .compare(comparison, adapt(value))
    case .isIn(let values):
      let constants = values.map(adapt)
      kind = .oneOf(
        constants.filter { $0 != .null && !$0.isUnordered }.sorted { $0.order(to: $1) < 0 },
        orNull: constants.contains(.null)
      )
    case .text(let operation, let pattern, let options):
      kind = .text(TextMatcher(operation, pattern, options, memory: memory))
    case .nested(let comparison, let constant): kind = .nested(comparison, constant)
    }
  }

  func holds(_ value: Value, _ contents: GraphContents) -> Bool {
    if value == .null { return holdsForNull }
    let value = type == .bool ? value.numeric(for: .int) : value
    switch kind {
    case .compare(let comparison, let constant): return value.holds(comparison, constant)
    case .oneOf(let constants, _):
      if value.isUnordered { return false }
      let place = constants.partitionIndex { $0.order(to: value) < 0 }
      return place < constants.count && value.holds(.equal, constants[place])
    case .text(let matcher): return matcher.holds(value)
    case .nested(let comparison, let constant):
      return switch comparison {
      case .equal: contents.equals(value, constant)
      case .notEqual: !contents.equals(value, constant)
      case .less, .lessOrEqual, .greater, .greaterOrEqual: false
      }
    }
  }

  var holdsForNull: Bool {
    switch kind {
    case .compare(let comparison, let constant): Value.null.holds(comparison, constant)
    case .oneOf(_, let orNull): orNull
    case .text(let matcher): matcher.holds(.null)
    case .nested(let comparison, let constant):
      comparison == (constant == .value(.null) ? .equal : .notEqual)
    }
  }

  /// Whether text or bytes of the type pass; nil when the value has to be made.
  func holds(_ bytes: UnsafeRawBufferPointer) -> Bool? {
    switch (kind, type) {
    case (.text(let matcher), _): matcher.holds(bytes)
    case (.compare(let comparison, .string(let constant)), .string),
      (.compare(let comparison, .data(let constant)), .data):
      constant.withUnsafeBytes { comparison.holds(compareBytes(bytes, $0)) }
    default: nil
    }
  }
}

extension Value {
  /// Whether a comparison holds between two values: within a kind only; with null and NaN as ``Predicate`` says.
  func holds(_ comparison: Comparison, _ other: Value) -> Bool {
    if self == .null || other == .null { return self == other ? comparison.holdsForNulls : comparison == .notEqual }
    if isUnordered || other.isUnordered || kindRank != other.kindRank { return comparison == .notEqual }
    if case .link = self, comparison != .equal, comparison != .notEqual { return false }
    return comparison.holds(order(to: other))
  }

  /// Calls `body` with the bytes of text or data; nil for all other values.
  func withText<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    switch self {
    case .string(let bytes), .data(let bytes): bytes.withUnsafeBytes(body)
    default: nil
    }
  }
}

/// A test of text or bytes.
struct TextMatcher {
  private let operation: TextOperator
  private let needle: [UInt8]
  /// What folds or has wildcards.
  private let pattern: TextPattern?

  init(_ operation: TextOperator, _ needle: [UInt8], _ options: TextOptions, memory: QueryMemory) {
    self.operation = operation
    self.needle = needle
    pattern =
      options.isEmpty && operation != .like ? nil : TextPattern(operation, needle, options, memory: memory)
  }

  /// Values that are no text differ from all.
  func holds(_ value: Value) -> Bool { value.withText(holds) ?? (operation == .notEqual) }

  func holds(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if needle.isEmpty, operation.seeksPart { return false }
    if let pattern { return pattern.matches(bytes) != (operation == .notEqual) }
    return needle.withUnsafeBytes { needle in
      switch operation {
      case .equal, .like: return bytes.elementsEqual(needle)
      case .notEqual: return !bytes.elementsEqual(needle)
      case .contains: return find(needle, in: bytes)
      case .beginsWith: return bytes.starts(with: needle)
      case .endsWith: return bytes.count >= needle.count && bytes.suffix(needle.count).elementsEqual(needle)
      }
    }
  }
}
