internal import Foundation

/// What an argument of any type is.
enum PredicateArgument {
  /// The elements of a collection; nil for all other values.
  ///
  /// Texts, data and dictionaries are single values, and so are values of custom types.
  static func elements(
    of argument: Any, _ limit: inout PredicateListLimit, at position: Int
  ) throws(QueryError) -> [Any?]? {
    guard let value = Unwrapping.value(argument), !isSingle(value), let sequence = value as? any Sequence else {
      return nil
    }
    if let collection = value as? any ThreadConfined, collection.isInvalidated {
      throw QueryError(
        "The argument is a collection that was deleted or invalidated. isInvalidated tells.",
        expected: "a collection with elements", found: "an invalidated collection", at: position)
    }
    let elements = first(limit.rest, of: sequence)
    guard let elements else { throw limit.excess(at: position) }
    try limit.add(elements.count, at: position)
    return elements
  }

  /// The string that a text of any type is; nil for all other values.
  static func text(_ value: Any) -> String? {
    switch value {
    case let text as String: text
    case let text as NSString: text as String
    default: nil
    }
  }

  private static func isSingle(_ value: Any) -> Bool {
    let type = type(of: value)
    if type == String.self || type == Int.self || type == Double.self || type == Bool.self { return true }
    if type is AnyObject.Type { return value is ObjectBase || value is MapBase || value is NSString || value is NSData }
    return value is any StringProtocol || value is Data || value is [AnyHashable: Any] || value is any _HasStoredForm
      || value is any RawRepresentable
  }

  /// All elements; nil when there are more than `count`.
  private static func first(_ count: Int, of sequence: some Sequence) -> [Any?]? {
    if sequence.underestimatedCount > count { return nil }
    var elements: [Any?] = []
    elements.reserveCapacity(sequence.underestimatedCount)
    for element in sequence {
      if elements.count == count { return nil }
      elements.append(element)
    }
    return elements
  }
}
