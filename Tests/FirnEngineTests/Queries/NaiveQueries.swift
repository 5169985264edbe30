import FirnEngine

/// The rules of predicates, written down value by value.
extension QueryModel {
  func naive(_ predicate: Predicate, _ key: RowKey) -> Bool {
    switch predicate {
    case .constant(let holds): return holds
    case .and(let parts): return parts.allSatisfy { naive($0, key) }
    case .or(let parts): return parts.contains { naive($0, key) }
    case .not(let inner): return !naive(inner, key)
    case .test(.column(let path), let test): return naive(test, path, key)
    case .relation(.column(let left), .compare(let comparison), .column(let right)):
      return naive(value(left, key), comparison, value(right, key), isDirectString: false)
    case .test, .relation, .count, .within, .closure: fatalError("The model has columns of single values only.")
    }
  }

  private func naive(_ test: ValueTest, _ path: ColumnPath, _ key: RowKey) -> Bool {
    let value = value(path, key)
    switch test {
    case .compare(let comparison, let constant):
      let isString = path.links.isEmpty && column(at: path).type == .string
      return naive(value, comparison, constant, isDirectString: isString)
    case .isIn(let constants): return constants.contains { naive(value, .equal, $0, isDirectString: false) }
    case .text(let operation, let pattern, let options): return naive(value, operation, pattern, options)
    case .nested: fatalError("The model has no mixed columns.")
    }
  }

  func value(_ path: ColumnPath, _ key: RowKey) -> Value { contents.value(at: path, of: key, in: table) }

  private func naive(_ a: Value, _ comparison: Comparison, _ b: Value, isDirectString: Bool) -> Bool {
    if a == .null && b == .null { return [.equal, .lessOrEqual, .greaterOrEqual].contains(comparison) }
    if a == .null || b == .null {
      if comparison == .notEqual { return true }
      guard isDirectString, a.isStringOrNull, b.isStringOrNull else { return false }
      let order = a == .null ? -1 : 1
      return order < 0 ? [.less, .lessOrEqual].contains(comparison) : [.greater, .greaterOrEqual].contains(comparison)
    }
    if a.isUnordered || b.isUnordered { return comparison == .notEqual }
    guard let a = a.family == b.family ? a : nil else { return comparison == .notEqual }
    let order = a.numeric.order(to: b.numeric)
    switch comparison {
    case .equal: return order == 0
    case .notEqual: return order != 0
    case .less: return a.family != 9 && order < 0
    case .lessOrEqual: return a.family != 9 && order <= 0
    case .greater: return a.family != 9 && order > 0
    case .greaterOrEqual: return a.family != 9 && order >= 0
    }
  }

  private func naive(_ value: Value, _ operation: TextOperator, _ pattern: [UInt8], _ options: TextOptions) -> Bool {
    switch value {
    case .string(let bytes), .data(let bytes): Self.naive(bytes, operation, pattern, options)
    default: operation == .notEqual
    }
  }

  static func naive(
    _ bytes: [UInt8], _ operation: TextOperator, _ pattern: [UInt8], _ options: TextOptions
  ) -> Bool {
    if pattern.isEmpty, operation != .equal, operation != .notEqual, operation != .like { return false }
    let text = fold(bytes, options)
    let wanted = fold(pattern, options)
    switch operation {
    case .equal: return options.isEmpty ? bytes == pattern : text == wanted
    case .notEqual: return options.isEmpty ? bytes != pattern : text != wanted
    case .beginsWith: return options.isEmpty ? bytes.starts(with: pattern) : text.starts(with: wanted)
    case .endsWith:
      return options.isEmpty
        ? bytes.reversed().starts(with: pattern.reversed()) : text.reversed().starts(with: wanted.reversed())
    case .contains:
      if options.isEmpty { return (0...bytes.count).contains { bytes[$0...].starts(with: pattern) } }
      return (0...text.count).contains { text[$0...].starts(with: wanted) }
    case .like: return like(text[...], wanted[...])
    }
  }

  private static func like(_ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    if first == "*" { return (text.startIndex...text.endIndex).contains { like(text[$0...], pattern.dropFirst()) } }
    guard let head = text.first, first == "?" || first == head else { return false }
    return like(text.dropFirst(), pattern.dropFirst())
  }

  /// Covers the words of the model only.
  private static func fold(_ bytes: [UInt8], _ options: TextOptions) -> [Unicode.Scalar] {
    var text = String(decoding: bytes, as: UTF8.self)
    if options.contains(.diacriticInsensitive) {
      let plain: [Unicode.Scalar: Unicode.Scalar] = ["Ä": "A", "ä": "a", "ï": "i", "é": "e", "İ": "I"]
      var scalars = String.UnicodeScalarView()
      for scalar in text.unicodeScalars where scalar != "\u{301}" { scalars.append(plain[scalar] ?? scalar) }
      text = String(scalars)
    }
    if options.contains(.caseInsensitive) {
      var scalars = String.UnicodeScalarView()
      for scalar in text.unicodeScalars {
        for lower in scalar.properties.lowercaseMapping.unicodeScalars { scalars.append(lower == "ς" ? "σ" : lower) }
      }
      text = String(scalars)
    }
    return Array(text.unicodeScalars)
  }
}

extension Value {
  fileprivate var isStringOrNull: Bool {
    if case .string = self { return true }
    return self == .null
  }

  /// Values of different families are never equal.
  fileprivate var family: Int {
    switch self {
    case .null: 0
    case .bool, .int, .float, .double, .decimal128: 1
    case .string: 2
    case .data: 3
    case .date: 4
    case .objectID: 5
    case .uuid: 6
    case .link, .object, .list, .map: 9
    }
  }

  fileprivate var numeric: Value {
    if case .bool(let value) = self { return .int(value ? 1 : 0) }
    return self
  }
}
