internal import Foundation

/// The arguments of a text, and which of its places take them.
struct PredicateArguments {
  private let values: [Any]
  private var listLimit: PredicateListLimit
  /// The argument that the next placeholder takes.
  private var next = 0
  /// How many the placeholders and indexes need so far.
  private var neededCount = 0
  /// Which argument each place in the text takes.
  private(set) var places: [(position: Int, argument: Int)] = []

  init(_ values: [Any], _ listLimit: PredicateListLimit) {
    self.values = values
    self.listLimit = listLimit
  }

  /// Counts a value of a list in the text.
  mutating func addListed(at position: Int) throws(QueryError) { try listLimit.add(1, at: position) }

  /// The value that an argument is: in a comparison, or in a list.
  mutating func value(_ placeholder: PredicatePlaceholder, at position: Int) throws(QueryError) -> Any {
    let argument = try take(next, "'%'", at: position)
    next += 1
    return try check(argument, placeholder, at: position)
  }

  /// The argument with an index.
  mutating func value(_ index: Int, at position: Int) throws(QueryError) -> Any {
    try check(try take(index, "'$\(index)'", at: position), .value, at: position)
  }

  /// A value as one side of a comparison: collections are lists.
  mutating func operand(_ value: Any, at position: Int) throws(QueryError) -> QueryOperand {
    guard let elements = try PredicateArgument.elements(of: value, &listLimit, at: position) else {
      try checkContent(of: value, depth: 0, at: position)
      return .constant(QueryConstant(value, position: position))
    }
    for element in elements { try checkContent(of: element, depth: 1, at: position) }
    return .list(QueryList(elements: elements, position: position))
  }

  /// Counts what lies within an element of a list in the text.
  mutating func checkElement(_ value: Any, at position: Int) throws(QueryError) {
    try checkContent(of: value, depth: 1, at: position)
  }

  private mutating func checkContent(of value: Any?, depth: Int, at position: Int) throws(QueryError) {
    try PredicateArgument.checkContent(of: value, depth: depth, &listLimit, at: position)
  }

  /// Whether there are arguments that no place takes.
  func checkAllTaken() throws(QueryError) {
    if values.count == neededCount { return }
    throw QueryError(
      "The predicate takes \(Self.counted(neededCount)), but \(values.count) were given. Write '%@' for each value, "
        + "outside of quotes.",
      expected: Self.counted(neededCount), found: "\(values.count)")
  }

  private mutating func take(_ index: Int, _ name: String, at position: Int) throws(QueryError) -> Any {
    neededCount = max(neededCount, index + 1)
    guard index < values.count else {
      throw QueryError(
        "The predicate needs an argument number \(index + 1) here, but \(values.count) were given. Give as many as it has "
          + "placeholders.",
        expected: "at least \(Self.counted(index + 1))", found: "\(values.count)", at: position)
    }
    places.append((position, index))
    return values[index]
  }

  private func check(
    _ argument: Any, _ placeholder: PredicatePlaceholder, at position: Int
  ) throws(QueryError) -> Any {
    if placeholder == .value { return argument }
    let value = Unwrapping.value(argument)
    if let value, let fitting = Self.fitting(value, placeholder) { return fitting }
    let found = value.map { "a value of type '\(ShownValue.typeName($0))'" } ?? "nil"
    throw QueryError(
      "The placeholder needs \(placeholder.expected), but its argument is \(found). Write '%@', which takes any value.",
      expected: placeholder.expected, found: found, at: position)
  }

  private static func fitting(_ value: Any, _ placeholder: PredicatePlaceholder) -> Any? {
    switch placeholder {
    case .value: return value
    case .keyPath, .text: return PredicateArgument.text(value)
    case .integer:
      if let bool = value as? Bool { return bool ? 1 : 0 }
      return value as? any FixedWidthInteger
    case .number:
      if value is Bool { return nil }
      return value is any BinaryFloatingPoint || value is any FixedWidthInteger || value is Decimal
        || type(of: value) == Decimal128.self ? value : nil
    }
  }

  private static func counted(_ count: Int) -> String { count == 1 ? "1 argument" : "\(count) arguments" }
}

/// How many values lists may still have.
struct PredicateListLimit {
  let most: Int
  private(set) var rest: Int

  init(_ most: Int) {
    self.most = most
    rest = most
  }

  mutating func add(_ count: Int, at position: Int) throws(QueryError) {
    guard count <= rest else { throw excess(at: position) }
    rest -= count
  }

  func excess(at position: Int) -> QueryError {
    .excess("values in lists", most: most, "Give fewer values at once, or allow more.", at: position)
  }
}
