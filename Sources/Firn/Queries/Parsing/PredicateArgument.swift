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
      throw invalidated(at: position)
    }
    let elements = first(limit.rest, of: sequence)
    guard let elements else { throw limit.excess(at: position) }
    try limit.add(elements.count, at: position)
    return elements
  }

  /// Counts all values in collections that lie within a value, as mixed values may hold them.
  ///
  /// Throws for what cannot be read to its end: collections that are gone, or too deep within each other, and sequences
  /// that can be read only once.
  static func checkContent(
    of argument: Any?, depth: Int, _ limit: inout PredicateListLimit, at position: Int
  ) throws(QueryError) {
    guard let argument, !isPlain(argument), let value = Unwrapping.value(argument) else { return }
    guard let content = try content(of: value, limit, at: position) else { return }
    if depth >= NestedDepth.most {
      throw .excess("collections within each other in a value", most: NestedDepth.most, "Give less.", at: position)
    }
    try limit.add(content.count, at: position)
    for element in content { try checkContent(of: element, depth: depth + 1, &limit, at: position) }
  }

  /// What lies in a value; nil for one that is no collection.
  private static func content(of value: Any, _ limit: PredicateListLimit, at position: Int) throws(QueryError)
    -> [Any?]?
  {
    let value = (value as? AnyRealmValue)?.payload ?? value
    if let collection = value as? any ThreadConfined, !(value is ObjectBase), collection.isInvalidated {
      throw invalidated(at: position)
    }
    if let map = value as? any AnyMap { return map.anyEntries.map(\.value) }
    if let dictionary = value as? [AnyHashable: Any] { return Array(dictionary.values) }
    guard !isSingle(value), let sequence = value as? any Sequence else { return nil }
    guard sequence is any Collection || sequence is NSArray || sequence is NSSet else {
      throw QueryError(
        "A list in a list has to be a collection, such as an array; this one is of type '\(ShownValue.typeName(value))'.",
        expected: "a collection", found: ShownValue.typeName(value), at: position)
    }
    guard let elements = first(limit.rest, of: sequence) else { throw limit.excess(at: position) }
    return elements
  }

  private static func invalidated(at position: Int) -> QueryError {
    QueryError(
      "The argument is a collection that was deleted or invalidated. isInvalidated tells.",
      expected: "a collection with elements", found: "an invalidated collection", at: position)
  }

  /// The string that a text of any type is; nil for all other values.
  static func text(_ value: Any) -> String? {
    if let text = value as? String { return text }
    // To cast an array would make a Foundation object of it first, with all that is in it.
    return type(of: value) is AnyObject.Type ? (value as? NSString).map { $0 as String } : nil
  }

  private static func isSingle(_ value: Any) -> Bool {
    if isPlain(value) { return true }
    let type = type(of: value)
    if type is AnyObject.Type { return value is ObjectBase || value is MapBase || value is NSString || value is NSData }
    return value is any StringProtocol || value is Data || value is [AnyHashable: Any] || value is any _HasStoredForm
      || value is any RawRepresentable
  }

  /// Whether a value has one of the types that most values have.
  private static func isPlain(_ value: Any) -> Bool {
    let type = type(of: value)
    return type == String.self || type == Int.self || type == Double.self || type == Bool.self || type == UUID.self
      || type == Date.self || type == ObjectId.self
  }

  /// All elements; nil when there are more than `count`. They are not asked for their number: that of a range may be
  /// more than an `Int` holds.
  private static func first(_ count: Int, of sequence: some Sequence) -> [Any?]? {
    var elements: [Any?] = []
    for element in sequence {
      if elements.count == count { return nil }
      elements.append(element)
    }
    return elements
  }
}
